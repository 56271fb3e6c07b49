import Localization

/// Why a picture cannot be shown; `description` is a message for people.
package enum DecodeFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// `kind` is what the content looks like, with its article: "a text file".
    case notAPicture(kind: String)
    /// A picture of a format whose library is missing.
    case noLibrary(format: String)
    case empty
    /// The file ends before its first pixels.
    case cutShort
    /// The format's library refuses the file; `reason` is the library's message.
    case damaged(reason: String)
    /// `most` is the largest number of pixels that is allowed.
    case tooLarge(width: Int, height: Int, most: Int)
    case notAFile(kind: String)
    /// `reason` is the system's message.
    case unreadable(reason: String)
    case crashed
    /// The system ended the decoder with SIGKILL, for example because memory ran out; the file is not
    /// the reason.
    case killed
    /// The decoder worked for too long without progress.
    case hung
    /// The decoder did nothing for too long, because the file did not arrive: its folder is perhaps
    /// unreachable.
    case stalled
    /// The decoder reported progress, but did not finish within the time limit.
    case timeLimitReached
    /// The decoder sent an invalid reply.
    case invalidReply
    /// The decoder was stopped at its limit of processor time; a new decoder has the whole limit
    /// again.
    case cpuLimitReached

    /// Whether a later attempt may succeed with the unchanged file: the system was the reason.
    package var mayPass: Bool {
        if case .unreadable = self { return true }
        return isRetriedWhileWanted
    }

    /// Whether the picture is decoded again after a pause, as long as it is wanted.
    package var isRetriedWhileWanted: Bool { self == .killed || self == .stalled }

    package var description: String {
        switch self {
        case .notAPicture(let kind):
            localized("this is \(localized(key: kind)), not a picture that can be shown")
        case .noLibrary(let format):
            localized("the library that decodes \(format) is missing on this system")
        case .empty: localized("the file is empty")
        case .cutShort: localized("the file is cut short before its picture begins")
        case .damaged(let reason): localized("the file is damaged: \(localized(key: reason))")
        case .tooLarge(let width, let height, let most):
            localized(
                "the picture is too large: \(width) × \(height) pixels; the limit "
                    + "is \(most / 1_000_000) million (settings decode.max_megapixels, "
                    + "decode.max_memory and decode.memory)")
        case .notAFile(let kind): localized("it is \(localized(key: kind)), not a picture")
        case .unreadable(let reason): localized(key: reason)
        case .crashed: localized("the decoder crashed on this file")
        case .killed:
            localized("the system stopped the decoder of this file, perhaps because memory ran out")
        case .hung: localized("the decoder made no progress on this file and was stopped")
        case .stalled:
            localized("the file cannot be read at the moment: its folder does not answer")
        case .timeLimitReached:
            localized(
                "the decoder did not finish this file within "
                    + "\(PictureLimits.seconds / 60) minutes and was stopped")
        case .invalidReply: localized("the decoder sent an invalid reply")
        case .cpuLimitReached: localized("the decoder reached its limit of processor time")
        }
    }
}

/// The user's limits on decoding.
package struct DecodeLimits: Hashable, Sendable {
    /// The largest number of pixels of a picture that is decoded whole.
    package var pixels = PictureLimits.pixels
    /// Pictures with more pixels are decoded in tiles, where their format allows that: this many
    /// pixels take half a gigabyte with their mip levels.
    package var wholePixels = 100_000_000
    /// The largest file, in bytes, of a disk-backed picture; enforced by the viewer, which creates
    /// the file.
    package var disk = 16 << 30
    /// The most memory for the pixels of all pictures that the viewer holds or decodes, in bytes;
    /// enforced by the viewer.
    package var memory = PictureLimits.memory
    /// Whether nothing is decoded without the sandbox measures that are required.
    package var requiresSandbox = false

    package static let standard = DecodeLimits()

    package init() {}

    /// Bytes that `pixels` pixels take with their mip levels: 4 bytes per pixel, times 4/3.
    package var bytes: Int { pixels / 3 * 16 }

    /// The most bytes of one memory with pixels: rows are padded, and small pictures have a header.
    package var mostPixelBytes: Int { bytes + bytes / 4 + (16 << 20) }

    /// Lowers the limits so that pixels with their mip levels take at most `bytes`.
    package mutating func limit(bytes: Int) {
        pixels = min(pixels, bytes / 16 * 3)
        wholePixels = min(wholePixels, pixels)
    }
}

/// Fixed limits on the size of pictures and on the work of decoding them.
package enum PictureLimits {
    /// The largest number of pixels of a picture that is decoded in tiles; also the longest side.
    package static let tiledPixels = 1 << 33
    /// The largest number of pixels of a picture that is decoded whole: half a gigapixel takes 2
    /// GiB decoded.
    package static let pixels = 512_000_000
    /// The longest side, in pixels, that cairo and pixman can address.
    package static let side = 32767
    /// The largest number of pixels of a disk-backed picture: with its mip levels, 12 GiB.
    package static let diskBackedPixels = 1 << 31
    /// The largest file of a disk-backed picture, in bytes; row padding makes it longer where rows
    /// are short.
    package static let diskBackedBytes = 16 << 30
    /// The largest file, in bytes.
    package static let fileSize = 1 << 33
    /// The largest file that is read into memory, in bytes; larger ones are mapped.
    package static let readSize = 1 << 28
    /// The largest budget for the pixels of all pictures, in bytes: the largest picture that is
    /// decoded whole, and neighbours of usual size.
    package static let memory = 3 << 30
    /// The longest time, in seconds, for decoding a picture: nobody waits longer.
    package static let seconds = 300
}
