import CCodecs
import Geometry
import ImageTypes

/// AVIF: the picture that stands still by libheif; where the file is a sequence, that by libavif.
///
/// Where there is no libavif, a sequence is its picture that stands still; where libheif finds no such
/// picture, that is the sequence's first.
struct AVIFCodec: AnimatedCodec {
    static let format = PictureFormat.avif
    static var isAvailable: Bool { HEIFCodec<AV1Stills>.isAvailable }
    let size: PixelSize
    let orientation: Orientation
    let taken: Int?
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
            // libheif turns what it decodes, libavif does not.
            (size, orientation, taken) = (still.size, still.orientation, still.taken)
        } catch {
            guard let sequence else { throw error }
            (still, size, orientation, taken) = (nil, sequence.size, sequence.orientation, nil)
        }
        // Frames take the still's place on the screen.
        isAnimated = sequence.map { $0.orientation.upright($0.size) } == orientation.upright(size)
    }

    func rows(reducedBy exponent: Int) throws(DecodeFailure) -> any RowSource {
        guard let still else { return try CanvasRows(firstOf: try frames()) }
        return try still.rows(reducedBy: exponent)
    }

    var streaming: RowStreaming? { still?.streaming }

    func streamedRows(
        _ scratch: ScratchMemory?, while isWanted: () -> Bool
    ) throws(DecodeFailure) -> any RowSource {
        guard let still else { return try rows(reducedBy: 0) }
        return try still.streamedRows(scratch, while: isWanted)
    }

    func frames() throws(DecodeFailure) -> any FrameSource {
        guard let sequence = AVIFSequence(bytes) else {
            throw .damaged(reason: "libavif cannot make sense of it")
        }
        return AVIFFrames(sequence)
    }
}

/// Owns a sequence of more than one frame in the hands of libavif.
private final class AVIFSequence {
    /// A frame's, as stored.
    let size: PixelSize
    let orientation: Orientation
    let layout: SampleLayout
    let color: ColorSource
    let loops: Int
    private let raw: OpaquePointer

    /// Reads what comes before the pixels; nil where the file is none, or there is no libavif.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard Self.isPreferred(in: bytes) else { return nil }
        var info = ccodecs_avif_info()
        guard
            let raw = ccodecs_avif_create(
                bytes.bytes, bytes.count, PictureDecoders.limits.pixels, &info)
        else { return nil }
        guard info.has_second != 0 else {
            ccodecs_avif_destroy(raw)
            return nil
        }
        self.raw = raw
        size = PixelSize(width: Int(info.width), height: Int(info.height))
        orientation = Orientation(quarters: info.quarters, mirroring: info.mirroring)
        loops = Int(info.loops)
        color = Self.color(raw, info)
        layout = SampleLayout(bits: Int(info.bits), hasAlpha: info.has_alpha != 0, color)
    }

    deinit { ccodecs_avif_destroy(raw) }

    /// Whether there are tracks, and the file is not first of all a picture that stands still, by its
    /// major brand: most files have none, and cost no library.
    private static func isPreferred(in bytes: UnsafeRawBufferPointer) -> Bool {
        let boxes = ISOBoxes(bytes)
        guard let brands = boxes.first("ftyp"), !brands.starts(with: "avif".utf8) else {
            return false
        }
        return boxes.first("moov") != nil
    }

    /// A profile says more than code points do.
    private static func color(_ raw: OpaquePointer, _ info: ccodecs_avif_info) -> ColorSource {
        var length = 0
        if let profile = ccodecs_avif_profile(raw, &length), length > 0 {
            return .profile(Array(UnsafeBufferPointer(start: profile, count: length)))
        }
        return ColorSource(primaries: info.primaries, transfer: info.transfer)
    }

    /// Decodes a frame to rows without gaps; how long it is shown in milliseconds, nil after the last.
    func decode(
        _ frame: Int, to pixels: UnsafeMutableRawPointer
    ) throws(DecodeFailure) -> Double? {
        let samples =
            switch layout {
            case .opaqueWords: CCODECS_AVIF_WORDS
            case .rgba8: CCODECS_AVIF_RGBA8
            case .rgb16: CCODECS_AVIF_RGB16
            default: CCODECS_AVIF_RGBA16
            }
        var duration = 0.0
        switch ccodecs_avif_decode(raw, Int32(frame), samples, pixels, &duration) {
        case CCODECS_AVIF_FINE: return duration
        case CCODECS_AVIF_OVER: return nil
        case CCODECS_AVIF_CUT_SHORT: throw .cutShort
        default: throw .damaged(reason: "libavif cannot make sense of it")
        }
    }
}

/// The frames one after another.
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
    /// Quarter turns against the clock, and then 1 where top and bottom change places, 2 where left and
    /// right do.
    fileprivate init(quarters: Int32, mirroring: Int32) {
        let all: [[Self]] = [
            [.upright, .mirroredUpsideDown, .mirrored],
            [.turnedRight, .transposed, .transversed],
            [.upsideDown, .mirrored, .mirroredUpsideDown],
            [.turnedLeft, .transversed, .transposed],
        ]
        self = all[Int(quarters)][Int(mirroring)]
    }
}
