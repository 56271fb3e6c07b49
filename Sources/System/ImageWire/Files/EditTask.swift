package import Edits
package import Geometry

/// What the viewer asks of a decoder about writing a picture file; the file's descriptor comes with
/// the message.
package enum EditTask: Hashable, Sendable {
    /// What `write` would do; answered with `planned`.
    case plan(EditRequest)
    /// Makes the whole new file; answered with `written`.
    case write(EditRequest)
    /// What a file shows; answered with `fingerprint`.
    case fingerprint(FingerprintRequest)
}

/// How a picture file is to be changed.
package struct EditRequest: Hashable, Sendable {
    package var edit: PictureEdit
    /// How a crop is made.
    package var crop = CropMethod.exact
    /// Whether a turn moves the pixels of a JPEG, rather than change its orientation tag.
    package var turnsPixels = false
    /// Whether a turn of a JPEG's pixels may drop the pixels of incomplete blocks at its edges.
    package var trimsEdges = false
    /// Whether the picture may be encoded anew; an edit that needs that is refused otherwise.
    package var mayReencode = false

    package init(_ edit: PictureEdit) { self.edit = edit }

    /// How a crop is made.
    package enum CropMethod: UInt8, Hashable, Sendable {
        /// To the pixel; the picture is encoded anew.
        case exact = 1
        /// On the grid of a JPEG's blocks, without loss; the kept part may be larger than asked for.
        case blockGrid
    }
}

/// What was written, or would be written.
package struct EditDescription: Hashable, Sendable {
    package var method: EditMethod
    /// The name of the new file's format, as in `PictureFormat.name`.
    package var format: String
    /// The usual extension of the new file's name, without a dot.
    package var fileExtension: String
    /// The size of the upright new picture in pixels.
    package var size: PixelSize
    /// The part of the turned picture that is kept, in its pixels; nil if all of it is kept, or if
    /// the picture is straightened.
    package var kept: PixelRect?
    /// What is lost, each a short text for a person.
    package var losses: [String] = []
    /// Whether the new file lacks whole pictures of the source, such as the further pages of a TIFF; the
    /// losses say so, too.
    package var omitsPictures = false

    package init(
        _ method: EditMethod, format: String, fileExtension: String, size: PixelSize,
        kept: PixelRect? = nil, losses: [String] = [], omitsPictures: Bool = false
    ) {
        self.method = method
        self.format = format
        self.fileExtension = fileExtension
        self.size = size
        self.kept = kept
        self.losses = losses
        self.omitsPictures = omitsPictures
    }

    /// Upper bound of the number of losses.
    package static let mostLosses = 12
    /// The longest text of a loss in bytes.
    package static let longestLoss = 160
}

/// How a picture file is changed.
package enum EditMethod: Hashable, Sendable {
    /// The orientation that the file declares is changed; all pixels stay as they are stored.
    case orientationTag
    /// The coefficients of a JPEG are moved; those that are kept do not change.
    case jpegCoefficients
    /// The picture is encoded anew; `quality` is 1…100, and nil for an encoding without loss.
    case reencoded(quality: Int?)

    /// Whether the new file has exactly the pixels that were asked for.
    package var isLossless: Bool {
        if case .reencoded(_?) = self { false } else { true }
    }
}

/// Which fingerprint of a file is asked for.
package struct FingerprintRequest: Hashable, Sendable {
    /// What is done with the picture before; the kept part is in whole pixels, unless the picture is
    /// straightened.
    package var edit: PictureEdit
    /// Whether the coefficients of a JPEG are compared instead of its pixels.
    package var ofCoefficients = false
    /// Whether the edit turns the coefficients; else the orientation tag turns them.
    package var turnsPixels = false
    /// Whether a turn of a JPEG's pixels drops the incomplete blocks at its edges.
    package var trimsEdges = false

    package init(_ edit: PictureEdit = PictureEdit()) { self.edit = edit }
}

/// What a file shows and says, as numbers that can be compared with those of another file.
package struct PictureFingerprint: Hashable, Sendable {
    /// The name of the file's format, as in `PictureFormat.name`.
    package var format: String
    /// The size of the upright picture in pixels.
    package var size: PixelSize
    /// SHA-256 of the upright pixels, or of the coefficients.
    package var pixels: [UInt8]
    /// Mean red, green and blue of the cells of a grid, row by row, 0…255; see `PictureFingerprint.side`.
    package var colors: [UInt8]
    /// SHA-256 of EXIF, XMP, IPTC and ICC profile, in this order; empty for missing data.
    ///
    /// What an edit changes is left out: the orientation, the size and the thumbnail.
    package var metadata: [[UInt8]]

    /// Cells of the grid in each direction.
    package static let side = 16
    /// Bytes of a hash.
    package static let hashLength = 32
    /// Kinds of metadata.
    package static let metadataKinds = ["EXIF", "XMP", "IPTC", "ICC profile"]

    /// The largest difference of a mean colour when a library has interpolated chroma anew after a turn.
    package static let interpolation = 4

    /// Whether no mean colour differs by more than `tolerance`, 0…255.
    package func isNear(_ other: Self, within tolerance: Int) -> Bool {
        zip(colors, other.colors).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
    }

    package init(
        format: String, size: PixelSize, pixels: [UInt8], colors: [UInt8], metadata: [[UInt8]]
    ) {
        self.format = format
        self.size = size
        self.pixels = pixels
        self.colors = colors
        self.metadata = metadata
    }
}

/// A decoder's reply to an `EditTask`.
package enum EditReply: Hashable, Sendable {
    case planned(EditDescription)
    /// The new file is in the sealed memfd that comes with the message.
    case written(EditDescription)
    case fingerprint(PictureFingerprint)
    /// The file cannot be changed in this way; the text says why, for a person.
    case refused(reason: String)
}

extension EditReply {
    /// The largest file that is written, in bytes.
    package static let largestFile = 2 << 30
}
