import CCodecs
import Containers
import Edits
import Geometry
import Glibc
import ImageTypes
import ImageWire
import Localization
import RasterPipeline

/// Turns and crops a JPEG without loss, by its coefficients.
struct JPEGCoefficients {
    /// Turns the stored pixels.
    let orientation: Orientation
    /// The kept part of the turned pixels, on the grid of MCUs; nil keeps all.
    let kept: PixelRect?
    let trims: Bool

    private static let longestMessage = 200

    var motion: ccodecs_jpeg_motion {
        var motion = ccodecs_jpeg_motion()
        let (transposes, columns, rows) =
            switch orientation {
            case .upright: (false, false, false)
            case .mirrored: (false, true, false)
            case .upsideDown: (false, true, true)
            case .mirroredUpsideDown: (false, false, true)
            case .transposed: (true, false, false)
            case .rotatedLeft: (true, true, false)
            case .transversed: (true, true, true)
            case .rotatedRight: (true, false, true)
            }
        motion.transposes = transposes ? 1 : 0
        motion.mirrors_columns = columns ? 1 : 0
        motion.mirrors_rows = rows ? 1 : 0
        motion.trims = trims ? 1 : 0
        if let kept {
            (motion.x, motion.y) = (Int32(kept.x), Int32(kept.y))
            (motion.width, motion.height) = (Int32(kept.width), Int32(kept.height))
        }
        return motion
    }

    /// Calls a function of the library with room for its message; throws the message if it fails.
    private static func reporting(
        _ body: (UnsafeMutablePointer<CChar>, Int) -> Int32
    ) throws(EditFailure) {
        var message = [CChar](repeating: 0, count: longestMessage)
        let code = message.withUnsafeMutableBufferPointer {
            body($0.baseAddress.unsafelyUnwrapped, $0.count)
        }
        guard code != 0 else { return }
        let bytes = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let text = String(decoding: bytes, as: UTF8.self)
        throw code > 0
            ? .refused(localized("the file is damaged or cut short"))
            : .failed(
                .damaged(reason: text.isEmpty ? localized("its coefficients cannot be read") : text)
            )
    }

    /// What becomes of a JPEG.
    func moved(_ bytes: UnsafeRawBufferPointer) throws(EditFailure) -> ccodecs_jpeg_moved {
        var (moved, motion) = (ccodecs_jpeg_moved(), motion)
        try Self.reporting {
            ccodecs_jpeg_describe_motion(bytes.bytes, bytes.count, &motion, &moved, $0, $1)
        }
        return moved
    }

    /// What the library's functions are given while they move coefficients.
    private final class Work {
        var hash = SHA256()
        let progress: () -> Void

        init(_ progress: @escaping () -> Void) { self.progress = progress }
    }

    /// The moved picture without metadata; `progress` is called often.
    func written(
        _ bytes: UnsafeRawBufferPointer, _ progress: @escaping () -> Void
    ) throws(EditFailure) -> EncodedFile {
        var motion = motion
        var result: UnsafeMutablePointer<UInt8>?
        var length = 0
        let work = Work(progress)
        defer { withExtendedLifetime(work) {} }
        try Self.reporting {
            ccodecs_jpeg_move(
                bytes.bytes, bytes.count, &motion,
                { context in
                    guard let context else { return }
                    Unmanaged<Work>.fromOpaque(context).takeUnretainedValue().progress()
                }, Unmanaged.passUnretained(work).toOpaque(), &result, &length, $0, $1)
        }
        guard let result else { throw .failed(.damaged(reason: localized("nothing was written"))) }
        return EncodedFile(taking: result, length)
    }

    /// The hash of the moved coefficients; refuses a JPEG of which some cannot be read.
    private func hash(
        _ bytes: UnsafeRawBufferPointer, _ progress: @escaping () -> Void
    ) throws(EditFailure) -> [UInt8] {
        var motion = motion
        let work = Work(progress)
        defer { withExtendedLifetime(work) {} }
        try Self.reporting {
            ccodecs_jpeg_moved_coefficients(
                bytes.bytes, bytes.count, &motion,
                { context, data, length in
                    guard let context else { return }
                    Unmanaged<Work>.fromOpaque(context).takeUnretainedValue().hash.update(
                        UnsafeRawBufferPointer(start: data, count: length))
                },
                { context in
                    guard let context else { return }
                    Unmanaged<Work>.fromOpaque(context).takeUnretainedValue().progress()
                }, Unmanaged.passUnretained(work).toOpaque(), $0, $1)
        }
        return work.hash.finished()
    }

    // MARK: Fingerprint

    /// The fingerprint of a JPEG's coefficients, as if the edit had been made.
    ///
    /// The hash includes the orientation tag that the new file has. `progress` is called often.
    static func fingerprint(
        of bytes: UnsafeRawBufferPointer, _ request: FingerprintRequest, _ stand: Orientation,
        _ progress: @escaping () -> Void
    ) throws(EditFailure) -> PictureFingerprint {
        let (motion, tag) = try motion(
            request.edit, of: bytes, stand, turnsPixels: request.turnsPixels,
            trims: request.trimsEdges)
        let moved = try motion.moved(bytes)
        let cells = PictureFingerprint.side * PictureFingerprint.side
        return PictureFingerprint(
            format: PictureFormat.jpeg.name,
            size: tag.upright(PixelSize(width: Int(moved.width), height: Int(moved.height))),
            pixels: SHA256.hash(try motion.hash(bytes, progress) + [tag.rawValue]),
            colors: [UInt8](repeating: 0, count: cells * 3),
            metadata: MetadataFingerprint.hashes(of: bytes))
    }

    /// How the coefficients are moved for an edit, and the orientation tag of the result.
    ///
    /// Without `turnsPixels` the stored picture is cropped, and the tag turns it. The kept part
    /// grows to the left and to the top, to the grid of the stored picture's MCUs.
    static func motion(
        _ edit: PictureEdit, of bytes: UnsafeRawBufferPointer, _ stand: Orientation,
        turnsPixels: Bool, trims: Bool
    ) throws(EditFailure) -> (JPEGCoefficients, tag: Orientation) {
        let total = stand.followed(by: edit.turn)
        let turn = turnsPixels ? total : .upright
        let tag = turnsPixels ? .upright : total
        let whole = JPEGCoefficients(orientation: turn, kept: nil, trims: trims)
        let moved = try whole.moved(bytes)
        guard edit.crop != nil else { return (whole, tag) }
        let full = PixelSize(width: Int(moved.full_width), height: Int(moved.full_height))
        let geometry = try EditGeometry(
            PictureEdit(crop: edit.crop), stored: tag.upright(full), .upright)
        let rect = OrientationTransform.stored(geometry.rect, tag, full)
        let left = rect.x / Int(moved.mcu_width) * Int(moved.mcu_width)
        let top = rect.y / Int(moved.mcu_height) * Int(moved.mcu_height)
        let kept = PixelRect(x: left, y: top, width: rect.maxX - left, height: rect.maxY - top)
        return (JPEGCoefficients(orientation: turn, kept: kept, trims: trims), tag)
    }

    init(orientation: Orientation, kept: PixelRect?, trims: Bool) {
        (self.orientation, self.kept, self.trims) = (orientation, kept, trims)
    }
}

/// A file that a library has written to memory.
final class EncodedFile {
    let bytes: UnsafeRawBufferPointer
    private let memory: UnsafeMutablePointer<UInt8>
    private let release: (UnsafeMutableRawPointer?) -> Void

    /// Takes over memory of `malloc`, unless `release` frees it otherwise.
    init(
        taking memory: UnsafeMutablePointer<UInt8>, _ length: Int,
        release: @escaping (UnsafeMutableRawPointer?) -> Void = { free($0) }
    ) {
        self.memory = memory
        self.release = release
        bytes = UnsafeRawBufferPointer(start: memory, count: length)
    }

    deinit { release(memory) }
}
