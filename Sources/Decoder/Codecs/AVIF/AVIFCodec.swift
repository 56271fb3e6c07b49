import CCodecs
import Containers
import Geometry
import ImageTypes
import Localization
import RasterPipeline

/// AVIF: still pictures by libheif, image sequences by libavif.
///
/// Without libavif only the still picture of a sequence is shown. If libheif finds no still
/// picture, the first frame of the sequence replaces it.
struct AVIFCodec: LibraryCodec, OrientedCodec, CapturedCodec, StreamingCodec, AnimatedCodec,
    PlanarCodec
{
    static let format = PictureFormat.avif
    static var isAvailable: Bool { HEIFCodec<AV1Stills>.isAvailable }
    let size: PixelSize
    let orientation: Orientation
    let capture: Capture
    let isAnimated: Bool
    let framesOrientation: Orientation
    private let still: HEIFCodec<AV1Stills>?
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = bytes
        let sequence = AVIFSequence(bytes)
        framesOrientation = sequence?.orientation ?? .upright
        do {
            let still = try HEIFCodec<AV1Stills>(bytes)
            self.still = still
            // libheif applies the orientation while it decodes; libavif does not.
            (size, orientation, capture) = (still.size, still.orientation, still.capture)
        } catch {
            guard let sequence else { throw error }
            (still, size, orientation, capture) = (
                nil, sequence.size, sequence.orientation, Capture()
            )
        }
        // The frames replace the still picture on the screen: both must have the same upright size.
        isAnimated = sequence.map { $0.orientation.upright($0.size) } == orientation.upright(size)
    }

    func rows() throws(DecodeFailure) -> any RowSource {
        guard let still else { return try CanvasRows(firstOf: try frames()) }
        return try still.rows()
    }

    var streaming: RowStreaming? { still?.streaming }

    func streamedRows(
        _ scratch: ScratchMemory?, while isWanted: () -> Bool
    ) throws(DecodeFailure) -> any RowSource {
        guard let still else { return try rows() }
        return try still.streamedRows(scratch, while: isWanted)
    }

    var mayHavePlanes: Bool { still?.mayHavePlanes == true }

    func planeSource() throws(DecodeFailure) -> (any PlaneSource)? { try still?.planeSource() }

    func frames() throws(DecodeFailure) -> any FrameSource {
        guard let sequence = AVIFSequence(bytes) else {
            throw .damaged(reason: localized("libavif cannot decode the file"))
        }
        return AVIFFrames(sequence)
    }
}

/// Owns a libavif decoder for a sequence of more than one frame.
private final class AVIFSequence {
    /// Size of a frame in pixels, as stored (before orientation).
    let size: PixelSize
    let orientation: Orientation
    let layout: SampleLayout
    let color: ColorSource
    let loops: Int
    private let library: ccodecs_avif_library
    private let raw: OpaquePointer

    /// Parses the headers; nil without a sequence of several frames, and without libavif.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard Self.prefersSequence(in: bytes) else { return nil }
        var info = ccodecs_avif_info()
        guard let library = ccodecs_open_avif()?.pointee,
            let raw = library.create(
                bytes.bytes, bytes.count, DecodeSettings.limits.pixels, &info)
        else { return nil }
        guard info.has_second != 0 else {
            library.destroy(raw)
            return nil
        }
        (self.library, self.raw) = (library, raw)
        size = PixelSize(width: Int(info.width), height: Int(info.height))
        orientation = Orientation(quarters: info.quarters, mirroring: info.mirroring)
        loops = Int(info.loops)
        color = Self.color(library, raw, info)
        layout = SampleLayout(bits: Int(info.bits), hasAlpha: info.has_alpha != 0, color)
    }

    deinit { library.destroy(raw) }

    /// Whether the file has tracks and its major brand is not the one of still pictures.
    ///
    /// Most files have no tracks: for them libavif is not called.
    private static func prefersSequence(in bytes: UnsafeRawBufferPointer) -> Bool {
        let boxes = ISOBoxes(bytes)
        guard let brands = boxes.first("ftyp"), !brands.starts(with: "avif".utf8) else {
            return false
        }
        return boxes.first("moov") != nil
    }

    /// The colour space; an ICC profile takes precedence over code points.
    private static func color(
        _ library: ccodecs_avif_library, _ raw: OpaquePointer, _ info: ccodecs_avif_info
    ) -> ColorSource {
        var length = 0
        if let profile = library.profile(raw, &length), length > 0 {
            return .profile(Array(UnsafeBufferPointer(start: profile, count: length)))
        }
        return ColorSource(primaries: info.primaries, transfer: info.transfer)
    }

    /// Decodes a frame to tightly packed rows of `layout`.
    ///
    /// Returns the duration of the frame in milliseconds, nil after the last frame.
    func decode(
        _ frame: Int, to pixels: UnsafeMutableRawPointer
    ) throws(DecodeFailure) -> Double? {
        let samples =
            switch layout {
            case .bgrx8: CCODECS_AVIF_BGRX8
            case .rgba8: CCODECS_AVIF_RGBA8
            case .rgb16: CCODECS_AVIF_RGB16
            default: CCODECS_AVIF_RGBA16
            }
        var duration = 0.0
        switch library.decode(raw, Int32(frame), samples, pixels, &duration) {
        case CCODECS_AVIF_FINE: return duration
        case CCODECS_AVIF_NO_MORE_FRAMES: return nil
        case CCODECS_AVIF_CUT_SHORT: throw .cutShort
        default: throw .damaged(reason: localized("libavif cannot decode the file"))
        }
    }
}

/// The frames of a sequence, in order.
private final class AVIFFrames: FrameSource {
    var size: PixelSize { sequence.size }
    var layout: SampleLayout { sequence.layout }
    var color: ColorSource { sequence.color }
    var loops: Int { sequence.loops }
    private let sequence: AVIFSequence
    private var number = 0

    init(_ sequence: AVIFSequence) { self.sequence = sequence }

    func next(_ canvas: UnsafeMutableRawPointer) throws(DecodeFailure) -> Double? {
        let duration = try sequence.decode(number, to: canvas)
        if duration != nil { number += 1 }
        return duration
    }

    func rewind() { number = 0 }
}

extension Orientation {
    /// The orientation that rotates by quarter turns anticlockwise, and then mirrors.
    ///
    /// `mirroring` is 0 for none, 1 to exchange top and bottom, 2 to exchange left and right.
    fileprivate init(quarters: Int32, mirroring: Int32) {
        let all: [[Self]] = [
            [.upright, .mirroredUpsideDown, .mirrored],
            [.rotatedRight, .transposed, .transversed],
            [.upsideDown, .mirrored, .mirroredUpsideDown],
            [.rotatedLeft, .transversed, .transposed],
        ]
        self = all[Int(quarters)][Int(mirroring)]
    }
}
