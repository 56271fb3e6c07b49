package import ImageTypes

/// The file of a picture, of which no more is read than the decoder needs.
package final class ReceivedFile {
    /// The caller keeps the descriptor open.
    package let descriptor: Int32
    private var contents: FileContents
    /// How many bytes were requested; nil if the whole file was.
    private var requested: Int?

    /// Bytes at the start of a file that usually contain its header.
    private static let headerLength = 1 << 18
    /// Bytes at the start of a JPEG that contain all metadata.
    private static let metadataLength = 1 << 24

    /// Reads the start of a file; throws the errors of `FileContents`.
    package init(_ descriptor: Int32) throws(DecodeFailure) {
        self.descriptor = descriptor
        contents = try FileContents(descriptor: descriptor, most: Self.headerLength)
        requested = Self.headerLength
    }

    /// What was read of the file; valid until more is read.
    package var start: UnsafeRawBufferPointer { contents.bytes }

    package var isWhole: Bool { requested.map { contents.bytes.count < $0 } ?? true }

    /// The start of the file with all metadata, or more if that was read before.
    package func metadata() throws(DecodeFailure) -> UnsafeRawBufferPointer {
        if !isWhole, let requested, requested < Self.metadataLength {
            try read(Self.metadataLength)
        }
        return contents.bytes
    }

    /// All bytes, which are valid as long as this object.
    package func whole() throws(DecodeFailure) -> UnsafeRawBufferPointer {
        if !isWhole { try read(nil) }
        return contents.bytes
    }

    private func read(_ most: Int?) throws(DecodeFailure) {
        contents = try FileContents(descriptor: descriptor, most: most)
        requested = most
    }
}
