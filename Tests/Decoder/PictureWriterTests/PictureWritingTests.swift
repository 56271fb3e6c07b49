import CLinux
import DecodeClient
import Edits
import EventLoop
import FileAccess
import Geometry
import Glibc
import ImageTypes
import ImageWire
import Motion
import SystemCalls
import TestKit
import Testing

/// Writing with real decoder processes, and the comparison of what they wrote.
@Suite final class PictureWritingTests {
    private let bench = EditBench()
    private let sources = EventSources()

    private func writing(_ decoder: String = Binaries.decoder) throws -> PictureWriting {
        try PictureWriting(
            try DecoderEnvironment(
                program: DecoderProgram(decoder), limits: .standard, screen: nil, sources: sources,
                clock: Self.now))
    }

    private static func now() -> Moment {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Moment(milliseconds: Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6)
    }

    private static func file(_ bytes: [UInt8]) -> Int32 {
        let memory = clinux_memfd_create("picture")
        try? writeAll(bytes, to: memory)
        return memory
    }

    private func run(_ writing: PictureWriting) {
        while writing.isBusy {
            _ = sources.wait(atMost: 20)
            sources.handleReady()
            sources.handleDeadlines(at: Self.now())
        }
    }

    private func write(
        _ bytes: [UInt8], _ request: EditRequest, by writing: PictureWriting
    ) throws -> Result<WrittenPicture, WriteFailure> {
        var result: Result<WrittenPicture, WriteFailure>?
        writing.write(.descriptor(Self.file(bytes)), request) { result = $0 }
        run(writing)
        return try #require(result)
    }

    @Test func aTurnIsPlannedWrittenAndCompared() throws {
        let source = try bench.source("it.jpg", by: "convert photo.png it.jpg")
        let request = EditRequest(PictureEdit(turn: .rotatedLeft))
        let writing = try writing()
        var planned: Result<EditDescription, WriteFailure>?
        writing.plan(.descriptor(Self.file(source)), request) { planned = $0 }
        #expect(writing.isBusy)
        run(writing)
        let description = try #require(try planned?.get())
        #expect(description.method == .orientationTag)
        #expect(description.size == PixelSize(width: 43, height: 61))
        let written = try write(source, request, by: writing).get()
        #expect(written.description == description)
        let bytes = firstBytes(of: written.file.descriptor, limit: written.file.length)
        #expect(bytes == (try Edited(source, turn: .rotatedLeft).bytes))
        // Nobody can write to the file.
        #expect(pwrite(written.file.descriptor, [0], 1, 0) < 0)
    }

    @Test func everyMethodPassesTheComparison() throws {
        let writing = try writing()
        let crop = PictureEdit.Crop(rect: Rect(x: 9, y: 11, width: 40, height: 30))
        for (name, command) in [
            ("it.jpg", "convert photo.png it.jpg"), ("it.png", "convert photo.png it.png"),
            ("it.webp", "cwebp -quiet photo.png -o it.webp"),
            ("it.tif", "convert photo.png it.tif"),
        ] {
            let source = try bench.source(name, EditBench.even, by: command)
            for method in [EditRequest.CropMethod.exact, .blockGrid] {
                for angle in [0.0, -7.5] {
                    var edit = PictureEdit(turn: .rotatedRight, crop: crop)
                    edit.crop?.angle = angle
                    var request = EditRequest(edit)
                    request.crop = method
                    request.mayReencode = true
                    let written = try write(source, request, by: writing).get()
                    #expect(written.description.losses.allSatisfy { !$0.isEmpty })
                }
            }
            var turn = EditRequest(PictureEdit(turn: .transposed))
            turn.turnsPixels = true
            let written = try write(source, turn, by: writing).get()
            #expect(
                written.description.method
                    == (name == "it.jpg" ? .jpegCoefficients : .orientationTag))
        }
    }

    @Test func furtherPicturesAreReported() throws {
        let writing = try writing()
        let picture = EditBench.photo.png()
        let rect = Rect(x: 9, y: 11, width: 40, height: 30)
        var request = EditRequest(PictureEdit(crop: PictureEdit.Crop(rect: rect)))
        request.mayReencode = true
        for count in 1...2 {
            let icon = TestICO.encode([[UInt8]](repeating: picture, count: count))
            let description = try write(icon, request, by: writing).get().description
            #expect(description.omitsPictures == (count > 1))
            #expect(description.losses.isEmpty == (count == 1))
        }
    }

    @Test func failuresAreReported() throws {
        let writing = try writing()
        let request = EditRequest(PictureEdit(turn: .mirrored))
        let gif = try bench.source("it.gif", by: "convert photo.png it.gif", tags: false)
        guard case .failure(.refused(let reason)) = try write(gif, request, by: writing) else {
            Issue.record("a GIF was written")
            return
        }
        #expect(reason.contains("GIF"))
        guard
            case .failure(.decoding(.notAPicture)) = try write(
                Array("nothing".utf8), request, by: writing)
        else {
            Issue.record("a text was written")
            return
        }
    }

    @Test func aFileIsReadByItsPath() throws {
        _ = try bench.source("it.jpg", by: "convert photo.png it.jpg")
        let writing = try writing()
        var result: Result<WrittenPicture, WriteFailure>?
        let path = Array((bench.folder / "it.jpg").utf8)
        // Without a file server no path can be opened.
        writing.write(.file(path), EditRequest(PictureEdit(turn: .mirrored))) { result = $0 }
        run(writing)
        guard case .failure(.decoding(.unreadable))? = result else {
            Issue.record("\(String(describing: result))")
            return
        }
    }

    @Test func aCancelledOperationReportsNothing() throws {
        let source = try bench.source("it.jpg", by: "convert photo.png it.jpg")
        let writing = try writing()
        writing.write(.descriptor(Self.file(source)), EditRequest(PictureEdit(turn: .mirrored))) {
            _ in Issue.record("a cancelled operation has ended")
        }
        writing.cancel()
        #expect(!writing.isBusy)
        for _ in 0..<5 {
            _ = sources.wait(atMost: 20)
            sources.handleReady()
        }
        #expect(throws: Never.self) {
            try write(source, EditRequest(PictureEdit(turn: .mirrored)), by: writing).get()
        }
    }
}
