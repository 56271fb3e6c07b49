/// The bytes of a file, for the decoders of this module; bytes outside the file read as 0.
struct FileBytes {
    let count: Int
    private let bytes: UnsafeRawBufferPointer

    /// Borrows the bytes, which have to outlive this value.
    init(_ bytes: UnsafeRawBufferPointer) { (self.bytes, count) = (bytes, bytes.count) }

    subscript(offset: Int) -> UInt8 {
        // Release builds do not check the buffer's own subscript.
        offset >= 0 && offset < count ? bytes[offset] : 0
    }

    /// A range of the bytes, clipped to the file.
    func part(_ start: Int, _ length: Int) -> FileBytes {
        let start = min(max(start, 0), count)
        let end = start + min(max(length, 0), count - start)
        return FileBytes(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    }

    func has(_ length: Int, at offset: Int) -> Bool {
        offset >= 0 && length >= 0 && offset <= count && length <= count - offset
    }

    func starts(with text: String, at offset: Int = 0) -> Bool {
        text.utf8.enumerated().allSatisfy { self[offset + $0.offset] == $0.element }
    }

    func little16(_ offset: Int) -> Int { Int(self[offset]) | Int(self[offset + 1]) << 8 }

    func little32(_ offset: Int) -> Int { little16(offset) | little16(offset + 2) << 16 }

    func signed32(_ offset: Int) -> Int {
        Int(Int32(truncatingIfNeeded: little32(offset)))
    }

    func big16(_ offset: Int) -> Int { Int(self[offset]) << 8 | Int(self[offset + 1]) }

    func big32(_ offset: Int) -> Int { big16(offset) << 16 | big16(offset + 2) }

    /// The bytes themselves, for a library.
    var raw: UnsafeRawBufferPointer { bytes }
}
