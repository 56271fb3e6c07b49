import CCodecs
import Containers

/// Memory with data that a file stores in a packed form.
final class UnpackedBytes {
    let bytes: UnsafeRawBufferPointer

    /// The longest data in bytes; longer data count as damaged.
    static let limit = 4 << 20

    init(_ contents: [UInt8]) {
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: contents.count, alignment: 16)
        memory.copyBytes(from: contents)
        bytes = UnsafeRawBufferPointer(memory)
    }

    deinit { bytes.deallocate() }

    /// The data of a zlib stream, at most `limit` bytes; nil if the stream is damaged.
    ///
    /// With `isCut` a stream that is damaged or too long gives the data up to there.
    static func inflated(
        _ stream: UnsafeRawBufferPointer, limit: Int = limit, isCut: Bool = false
    ) -> [UInt8]? {
        guard let library = ccodecs_open_zlib()?.pointee else { return nil }
        var isWhole: Int32 = 0
        let data = [UInt8](unsafeUninitializedCapacity: limit) { buffer, length in
            guard let target = buffer.baseAddress else { return }
            length = library.inflate(stream.bytes, stream.count, target, limit, &isWhole)
        }
        return isWhole != 0 || isCut ? data : nil
    }

    /// The content of a brob box of JPEG XL; nil if the box is damaged or the library has no Brotli.
    static func unpacked(brob body: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let library = ccodecs_open_jxl()?.pointee else { return nil }
        let data = [UInt8](unsafeUninitializedCapacity: limit) { buffer, length in
            guard let target = buffer.baseAddress else { return }
            length = library.unpack(body.bytes, body.count, target, limit)
        }
        return data.isEmpty ? nil : data
    }
}
