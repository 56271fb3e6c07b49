import CCodecs
package import Geometry
package import Pictures

/// JPEG, by libjpeg-turbo.
package struct JPEGDecoder: PictureDecoder {
    package let info: PictureInfo
    private let bytes: UnsafeRawBufferPointer
    private let stored: PixelSize
    private let firstExponent: Int

    /// A reduced decode does for a target up to this much larger than itself.
    private static let tolerance = 0.9
    /// The weakest reduction that is worth a pass of its own: halving costs as much as decoding
    /// in full.
    private static let worthwhile = 2

    package init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = bytes
        let jpeg = try JPEGReader(bytes)
        stored = jpeg.size
        firstExponent = try PictureDecoders.firstExponent(for: stored)
        let exif = Exif(jpeg: bytes)
        info = PictureInfo(
            size: exif.orientation.upright(stored), orientation: exif.orientation,
            format: PictureFormat.jpeg.name, taken: exif.taken)
    }

    package mutating func decode(for target: PixelSize, to sink: some DecodeSink)
        throws(DecodeFailure) -> String?
    {
        if let exponent = previewExponent(for: target) {
            guard try pass(exponent, isFinal: false, to: sink) != nil else { return nil }
        }
        guard let isWhole = try pass(min(firstExponent, 3), isFinal: true, to: sink) else {
            return nil
        }
        return isWhole ? nil : "The file is damaged or cut short; what could be read is shown."
    }

    package func rows(covering size: PixelSize) throws(DecodeFailure) -> RowStream? {
        let wanted = info.orientation.upright(size)
        let exponent =
            (0...3).last {
                let reduced = stored.reduced(by: $0)
                return reduced.width >= wanted.width && reduced.height >= wanted.height
            } ?? 0
        let jpeg = try JPEGReader(bytes)
        let profile = jpeg.profile
        let started = try jpeg.start(exponent: exponent)
        guard started == stored.reduced(by: exponent) else {
            throw .damaged(reason: "its size is not what it says")
        }
        return RowStream(size: started, format: .rgb24, profile: profile) {
            jpeg.read([$0], 1) == 1
        }
    }

    /// The reduction that already does for the target, if it saves enough.
    private func previewExponent(for target: PixelSize) -> Int? {
        guard !target.isEmpty else { return nil }
        let size = info.size
        let shown = min(
            Double(target.width) / Double(size.width), Double(target.height) / Double(size.height))
        let best = (0...3).last { 1 / Double(1 << $0) >= Self.tolerance * shown } ?? 0
        return best >= Self.worthwhile && best > firstExponent ? best : nil
    }

    /// Decodes once; whether there was no warning, or nil when told to stop.
    private func pass(_ exponent: Int, isFinal: Bool, to sink: some DecodeSink)
        throws(DecodeFailure) -> Bool?
    {
        let jpeg = try JPEGReader(bytes)
        let profile = jpeg.profile
        let size = try jpeg.start(exponent: exponent)
        guard size == stored.reduced(by: exponent) else {
            throw .damaged(reason: "its size is not what it says")
        }
        let store = try PixelStore(
            size: info.size, format: .rgb24, from: exponent, profile: profile)
        do throws(Stopped) {
            try StripDecoding.run(store, info.orientation, sink) { rows, count, _ in
                jpeg.read(rows, count)
            }
        } catch {
            return nil
        }
        sink.deliver(try store.seal(orientation: info.orientation), isFinal: isFinal)
        return jpeg.isClean
    }
}

/// Owns a JPEG in the hands of the library.
private struct JPEGReader: ~Copyable {
    private let raw: OpaquePointer
    let size: PixelSize

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        guard
            let raw = ccodecs_jpeg_create(
                bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count)
        else { throw .unreadable(reason: "there is not enough memory") }
        var (width, height) = (Int32(0), Int32(0))
        guard ccodecs_jpeg_read_header(raw, &width, &height) == 0 else {
            let reason = String(cString: ccodecs_jpeg_message(raw))
            ccodecs_jpeg_destroy(raw)
            throw reason.isEmpty ? .cutShort : .damaged(reason: reason)
        }
        self.raw = raw
        size = PixelSize(width: Int(width), height: Int(height))
    }

    deinit { ccodecs_jpeg_destroy(raw) }

    var isClean: Bool { ccodecs_jpeg_warnings(raw) == 0 }

    var profile: [UInt8] {
        var length = 0
        guard let start = ccodecs_jpeg_profile(raw, &length) else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: length))
    }

    func start(exponent: Int) throws(DecodeFailure) -> PixelSize {
        var (width, height) = (Int32(0), Int32(0))
        guard ccodecs_jpeg_start(raw, 1 << Int32(exponent), &width, &height) == 0 else {
            throw .damaged(reason: String(cString: ccodecs_jpeg_message(raw)))
        }
        return PixelSize(width: Int(width), height: Int(height))
    }

    /// Decodes up to `count` rows; fewer when the file ends.
    func read(_ rows: [UnsafeMutablePointer<UInt32>], _ count: Int) -> Int {
        var targets = rows.prefix(count).map { row -> UnsafeMutablePointer<UInt8>? in
            UnsafeMutableRawPointer(row).assumingMemoryBound(to: UInt8.self)
        }
        return max(0, Int(ccodecs_jpeg_read_rows(raw, &targets, Int32(targets.count))))
    }
}
