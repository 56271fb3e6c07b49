package import DecodeWire
import Geometry
import Glibc
package import Pictures

/// Makes thumbnails out of what any format's decoder delivers.
package enum Thumbnail {
    /// Decodes as little as does, and delivers the thumbnail to `sink`.
    ///
    /// Returns a notice where something of the picture is missing; throws where the decoder does,
    /// and where the picture ends before there is anything to show.
    package static func make(
        _ decoder: any PictureDecoder, _ request: ThumbnailRequest,
        for sink: some DecodeSink
    ) throws(DecodeFailure) -> String? {
        let info = decoder.info
        let size = request.size(of: info.size)
        if let rows = try decoder.rows(covering: size) {
            let (pixels, isWhole) = try scale(rows, to: info.orientation.upright(size), sink)
            let upright = UprightTurn.turned(pixels, size, info.orientation)
            let memory = try finish(upright, size, rows.format, request, info.orientation)
            sink.deliver(memory, isFinal: true)
            return isWhole ? nil : "\(DecodeFailure.cutShort)"
        }
        let intake = Intake(sink)
        var decoder = decoder
        let notice = try decoder.decode(for: size, to: intake)
        guard let memory = intake.memory else { throw .cutShort }
        let source = try SealedPixels(memory)
        if source.isThumbnail(size), !request.wantsFile {
            let copy = dup(memory)
            guard copy >= 0 else { throw .unreadable(reason: "there are too many open files") }
            sink.deliver(copy, isFinal: true)
            return notice
        }
        let pixels = scale(source, to: size)
        sink.deliver(
            try finish(
                pixels, size, source.header.format, request, info.orientation),
            isFinal: true)
        return notice
    }

    /// Scales rows as they come; where they end early the rest is black, or clear, and not whole.
    private static func scale(
        _ rows: RowStream, to size: PixelSize, _ sink: some DecodeSink
    ) throws(DecodeFailure) -> (pixels: [UInt32], isWhole: Bool) {
        let blank: UInt32 = rows.format == .rgb24 ? 0xFF00_0000 : 0
        let row = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: rows.size.width)
        defer { row.deallocate() }
        guard let start = row.baseAddress else { throw .cutShort }
        var scaling = AreaScaling(from: rows.size, to: size, format: rows.format)
        var isGoingOn = true
        for y in 0..<rows.size.height {
            if y.isMultiple(of: UprightWriter.stripHeight) { _ = sink.shouldContinue() }
            isGoingOn = isGoingOn && rows.read(start)
            if !isGoingOn {
                if y == 0 { throw .cutShort }
                row.update(repeating: blank)
            }
            scaling.add(UnsafeBufferPointer(row))
        }
        return (scaling.pixels, isGoingOn && rows.isComplete)
    }

    private static func scale(_ source: borrowing SealedPixels, to size: PixelSize) -> [UInt32] {
        let level = source.level(for: size)
        var scaling = AreaScaling(from: level.size, to: size, format: source.header.format)
        for y in 0..<level.size.height { scaling.add(source.row(y, of: level)) }
        return scaling.pixels
    }

    /// Puts upright pixels into sealed memory, with their reductions and, if wanted, as a PNG.
    private static func finish(
        _ pixels: [UInt32], _ size: PixelSize, _ format: PixelFormat,
        _ request: ThumbnailRequest, _ orientation: Orientation
    ) throws(DecodeFailure) -> Int32 {
        let file = request.wantsFile ? try PNGEncoder.encode(pixels, size, format) : []
        let store = try PixelStore(
            size: size, format: format, from: 0, file: file)
        pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            for y in 0..<size.height {
                store.row(y, of: store.levels[0]).update(
                    from: base + y * size.width, count: size.width)
            }
        }
        for (fine, coarse) in zip(store.levels, store.levels.dropFirst()) {
            Reduction.reduce(rows: 0..<coarse.size.height, of: coarse, from: fine, in: store)
        }
        return try store.seal(orientation: orientation)
    }
}

/// Keeps the last and best pixels that a decoder delivers.
private final class Intake<Outer: DecodeSink>: DecodeSink {
    private let outer: Outer
    private(set) var memory: Int32?

    init(_ outer: Outer) { self.outer = outer }

    deinit {
        if let memory { close(memory) }
    }

    func shouldContinue() -> Bool { outer.shouldContinue() }

    func deliver(_ memory: Int32, isFinal: Bool) {
        if let old = self.memory { close(old) }
        self.memory = memory
    }
}

/// Pixels as `PixelStore` sealed them, mapped for reading.
private struct SealedPixels: ~Copyable {
    let header: PixelHeader
    private let bytes: UnsafeRawBufferPointer

    /// Maps memory that stays the caller's.
    init(_ memory: Int32) throws(DecodeFailure) {
        (bytes, header) = try Self.map(memory)
    }

    private static func map(
        _ memory: Int32
    ) throws(DecodeFailure) -> (UnsafeRawBufferPointer, PixelHeader) {
        var info = stat()
        guard fstat(memory, &info) == 0, info.st_size >= PixelHeader.length,
            let base = mmap(nil, info.st_size, PROT_READ, MAP_PRIVATE, memory, 0),
            base != MAP_FAILED
        else { throw .unreadable(reason: "there is not enough memory for it") }
        let bytes = UnsafeRawBufferPointer(start: base, count: info.st_size)
        let page = Array(bytes.prefix(PixelHeader.length))
        do throws(WireError) {
            return (bytes, try PixelHeader(checking: page, memoryLength: info.st_size))
        } catch {
            munmap(base, info.st_size)
            throw .damaged(reason: "its size is not what it says")
        }
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }

    /// Whether these are the whole picture, in a thumbnail's size already.
    func isThumbnail(_ size: PixelSize) -> Bool {
        header.size == size && header.levels[0].exponent == 0
    }

    /// The coarsest level that is at least twice as large as a thumbnail, so that the mean over an
    /// area decides what is seen and not the reduction; else the finest.
    func level(for size: PixelSize) -> Bitmap.Level {
        header.levels.last {
            $0.size.width >= 2 * size.width && $0.size.height >= 2 * size.height
        } ?? header.levels[0]
    }

    func row(_ y: Int, of level: Bitmap.Level) -> UnsafeBufferPointer<UInt32> {
        let start = level.offset + y * level.stride
        return bytes[start..<(start + level.size.width * 4)].assumingMemoryBound(to: UInt32.self)
    }
}
