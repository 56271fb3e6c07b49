import CLinux
import Edits
import Geometry
import Glibc
import ImageTypes
import ImageWire
import PictureWriter
import RasterPipeline

/// Edits of picture files; the last byte chooses the edit.
///
/// A file that was written is sealed, and its description and its fingerprint reach the viewer.
struct EditsHarness: Harness {
    let name = "edits"
    var seeds: [[UInt8]] { Seeds.metadata }

    func prepare() {
        var limits = DecodeLimits()
        limits.limit(bytes: 64 << 20)
        DecodeSettings.limits = limits
    }

    func run(_ bytes: UnsafeRawBufferPointer) {
        guard let choice = bytes.last else { return }
        let request = request(Int(choice))
        guard let writer = try? PictureWriter(bytes, request), let memory = try? writer.write({})
        else { return }
        defer { close(memory) }
        var info = stat()
        precondition(fstat(memory, &info) == 0 && info.st_size > 0, "an empty file was written")
        precondition(clinux_is_sealed(memory) != 0, "the file is not sealed")
        checkArrives(.edited(id: 1, .written(writer.plan)))
        guard let contents = try? FileContents(descriptor: memory) else {
            preconditionFailure("the new file cannot be read")
        }
        compare(bytes, contents.bytes, request, writer.plan)
    }

    private func request(_ choice: Int) -> EditRequest {
        let turn = Orientation(rawValue: UInt8(choice % 8 + 1)) ?? .mirrored
        var request = EditRequest(PictureEdit(turn: turn))
        if choice & 8 != 0 {
            request.edit.crop = PictureEdit.Crop(
                angle: choice & 128 != 0 ? 9 : 0, rect: Rect(x: 3, y: 5, width: 20, height: 11))
        }
        request.turnsPixels = choice & 16 != 0
        request.trimsEdges = choice & 16 != 0
        request.crop = choice & 32 != 0 ? .blockGrid : .exact
        request.mayReencode = choice & 64 != 0
        return request
    }

    private func compare(
        _ source: UnsafeRawBufferPointer, _ result: UnsafeRawBufferPointer, _ request: EditRequest,
        _ plan: EditDescription
    ) {
        var ofSource = FingerprintRequest(request.edit)
        var ofResult = FingerprintRequest()
        ofSource.ofCoefficients = plan.method == .jpegCoefficients
        ofResult.ofCoefficients = ofSource.ofCoefficients
        ofSource.turnsPixels = request.turnsPixels
        ofSource.trimsEdges = request.trimsEdges
        guard let asked = try? PictureFingerprinting.fingerprint(of: source, ofSource, {}),
            let shown = try? PictureFingerprinting.fingerprint(of: result, ofResult, {})
        else { return }
        precondition(shown.metadata.count == asked.metadata.count, "metadata are not compared")
        checkArrives(.edited(id: 1, .fingerprint(shown)))
        checkArrives(.edited(id: 1, .fingerprint(asked)))
    }
}
