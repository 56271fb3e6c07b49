/// Why a picture cannot be shown, as far as a person can be told.
package enum DecodeFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What it looks like instead, with its article: "a text file".
    case notAPicture(kind: String)
    /// A picture of a format whose library is missing.
    case noLibrary(format: String)
    case empty
    /// It ends before there is anything to show.
    case cutShort
    /// The format's library refuses it, in its words.
    case damaged(reason: String)
    /// `most` is how many pixels are allowed.
    case tooLarge(width: Int, height: Int, most: Int)
    case notAFile(kind: String)
    /// The system's words.
    case unreadable(reason: String)
    case crashed
    /// It showed no sign of progress for too long.
    case hung
    /// It made progress, or said so, and came to no end.
    case endless
    /// The decoder answered with something that cannot be true.
    case badReply
    /// The decoder was ended for the processor time that it had used, of which a new one has more.
    case spent

    package var description: String {
        switch self {
        case .notAPicture(let kind): "this is \(kind), not a picture that can be shown"
        case .noLibrary(let format): "the library that decodes \(format) is missing here"
        case .empty: "the file is empty"
        case .cutShort: "the file is cut short before its picture begins"
        case .damaged(let reason): "the file is damaged: \(reason)"
        case .tooLarge(let width, let height, let most):
            "the picture is too large: \(width) × \(height) pixels; up to "
                + "\(most / 1_000_000) million are decoded (decode.max_megapixels, "
                + "decode.max_memory)"
        case .notAFile(let kind): "it is \(kind), not a picture"
        case .unreadable(let reason): reason
        case .crashed: "the decoder crashed on this file"
        case .hung: "the decoder made no progress on this file and was stopped"
        case .endless:
            "the decoder came to no end with this file in "
                + "\(PictureLimits.seconds / 60) minutes and was stopped"
        case .badReply: "the decoder's answer makes no sense"
        case .spent: "the decoder has used up its processor time"
        }
    }
}

/// How large pictures may be that are decoded, as a person has set it.
package struct DecodeLimits: Hashable, Sendable {
    /// Pixels of a picture that is decoded whole.
    package var pixels = PictureLimits.pixels
    /// Larger ones are decoded in parts, where their format allows that: with their levels so many
    /// take half a gigabyte.
    package var wholePixels = 100_000_000
    /// Bytes on the disk that a picture may take while it is shown, where it can be laid there; the
    /// viewer's to heed, which makes the room.
    package var disk = 16 << 30

    package static let standard = DecodeLimits()

    package init() {}

    /// What as many pixels take, with their levels.
    package var bytes: Int { pixels / 3 * 16 }

    /// Allows no more than pixels that take so many bytes, with their levels.
    package mutating func limit(bytes: Int) {
        pixels = min(pixels, bytes / 16 * 3)
        wholePixels = min(wholePixels, pixels)
    }
}

/// How large a picture may be, and how much work.
package enum PictureLimits {
    /// Pixels of a picture that is decoded in parts: no side is longer than that.
    package static let tiledPixels = 1 << 33
    /// Pixels of a picture that is decoded whole: half a gigapixel takes 2 GiB decoded.
    package static let pixels = 512_000_000
    /// Pixels a side that cairo and pixman can address.
    package static let side = 32767
    /// Pixels of a picture that is laid on the disk: with its levels, 12 GiB.
    package static let spilledPixels = 1 << 31
    /// Bytes of its file, which is longer where rows are so short that padding counts.
    package static let spilledBytes = 16 << 30
    /// Bytes of a file.
    package static let fileSize = 1 << 33
    /// Bytes of a file that is read into memory; larger ones are mapped.
    package static let readSize = 1 << 28
    /// Seconds that decoding a picture may take at most: nobody waits longer.
    package static let seconds = 300
}
