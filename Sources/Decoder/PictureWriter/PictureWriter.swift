import CCodecs
import Codecs
import Edits
import Geometry
import Glibc
import ImageTypes
package import ImageWire
import Localization
import RasterPipeline

/// Writes changed picture files: by the orientation tag, by a JPEG's coefficients, or by a new encoding.
///
/// Everything happens in memory; the source is not written.
package struct PictureWriter {
    private enum Step {
        case tag(any TagWriter.Type)
        case coefficients(JPEGCoefficients, tag: Orientation)
        case reencoding(OutputFormat, quality: Int?)
    }

    private let bytes: UnsafeRawBufferPointer
    private let picture: NativePicture
    private let request: EditRequest
    private let step: Step
    /// What is done, without or with less than what `write` finds out.
    package let plan: EditDescription

    /// Reads the header of a file, which has to outlive this value, and plans the edit.
    ///
    /// Refuses an edit that the request or the format does not allow.
    package init(
        _ bytes: UnsafeRawBufferPointer, _ request: EditRequest
    ) throws(EditFailure) {
        self.bytes = bytes
        self.request = request
        picture = try decoding { () throws(DecodeFailure) in try NativePicture(bytes) }
        (step, plan) = try Self.plan(bytes, picture, request)
    }

    // MARK: Plan

    private static func plan(
        _ bytes: UnsafeRawBufferPointer, _ picture: NativePicture, _ request: EditRequest
    ) throws(EditFailure) -> (Step, EditDescription) {
        let edit = request.edit
        let geometry = try EditGeometry(edit, stored: picture.size, picture.orientation)
        guard !edit.isIdentity else {
            throw .refused(localized("nothing of the picture is changed"))
        }
        let isJPEG = picture.format == .jpeg
        if isJPEG, geometry.angle == 0,
            edit.crop == nil ? request.turnsPixels : request.crop == .blockGrid,
            let planned = try coefficients(bytes, picture, request)
        {
            return planned
        }
        guard edit.crop == nil else {
            return try reencoding(bytes, picture, request, geometry)
        }
        let refusal: EditFailure
        if let writer = tagWriter(of: picture.format) {
            do throws(EditFailure) {
                // Changes are found quickly; whether there are any is a part of the plan.
                _ = try writer.changes(bytes, from: picture.orientation, turning: edit.turn)
                let description = EditDescription(
                    .orientationTag, format: picture.format.name,
                    fileExtension: picture.format.extensions[0], size: geometry.turned)
                return (.tag(writer), description)
            } catch { refusal = error }
        } else {
            refusal = .refused(
                localized("the format has no orientation to change: \(picture.format.name)"))
        }
        guard request.mayReencode, case .refused = refusal else { throw refusal }
        return try reencoding(bytes, picture, request, geometry)
    }

    private static func tagWriter(of format: PictureFormat) -> (any TagWriter.Type)? {
        switch format {
        case .jpeg: JPEGTagWriter.self
        case .png: PNGTagWriter.self
        case .tiff: TIFFTagWriter.self
        case .webP: WebPTagWriter.self
        case .heic, .avif: HEIFTagWriter.self
        case .jpegXL: JXLTagWriter.self
        default: nil
        }
    }

    /// Plans to move coefficients; nil where only the tag can turn the picture.
    private static func coefficients(
        _ bytes: UnsafeRawBufferPointer, _ picture: NativePicture, _ request: EditRequest
    ) throws(EditFailure) -> (Step, EditDescription)? {
        let hasCrop = request.edit.crop != nil
        let found: (JPEGCoefficients, tag: Orientation)
        let moved: (width: Int, height: Int)
        do throws(EditFailure) {
            found = try JPEGCoefficients.motion(
                request.edit, of: bytes, picture.orientation, turnsPixels: request.turnsPixels,
                trims: request.trimsEdges)
            let result = try found.0.moved(bytes)
            if result.needs_trim != 0, !request.trimsEdges {
                guard hasCrop else { return nil }
                throw .refused(
                    localized("the edges of the picture do not lie on the grid of its blocks"))
            }
            moved = (Int(result.width), Int(result.height))
        } catch {
            // The tag needs no coefficients.
            if case .failed = error, !hasCrop { return nil }
            throw error
        }
        let (motion, tag) = found
        var losses = JPEGMetadata.losses(bytes)
        if request.trimsEdges, !hasCrop {
            losses.append(localized("the incomplete blocks at the edges are cut off"))
        }
        let size = tag.upright(PixelSize(width: moved.width, height: moved.height))
        var kept: PixelRect?
        if let rect = motion.kept {
            let full = try JPEGCoefficients(
                orientation: motion.orientation, kept: nil, trims: motion.trims
            ).moved(bytes)
            let stored = PixelSize(width: Int(full.full_width), height: Int(full.full_height))
            kept = OrientationTransform.stored(rect, tag.inverse, tag.upright(stored))
        }
        let description = EditDescription(
            .jpegCoefficients, format: picture.format.name,
            fileExtension: picture.format.extensions[0], size: size, kept: kept, losses: losses,
            omitsPictures: OutputFormat.omitsPictures(bytes, picture))
        return (.coefficients(motion, tag: tag), description)
    }

    private static func reencoding(
        _ bytes: UnsafeRawBufferPointer, _ picture: NativePicture, _ request: EditRequest,
        _ geometry: EditGeometry
    ) throws(EditFailure) -> (Step, EditDescription) {
        guard request.mayReencode else {
            throw .refused(localized("the picture would have to be encoded anew"))
        }
        guard !picture.isAnimated else {
            throw .refused(localized("animated pictures cannot be encoded anew"))
        }
        let format = try OutputFormat(for: picture, bytes)
        let quality = format.quality(bytes)
        let description = EditDescription(
            .reencoded(quality: quality), format: format.pictureFormat.name,
            fileExtension: format.pictureFormat.extensions[0], size: geometry.size,
            kept: geometry.kept, losses: format.losses(bytes, picture),
            omitsPictures: OutputFormat.omitsPictures(bytes, picture))
        return (.reencoding(format, quality: quality), description)
    }

    // MARK: Writing

    /// Makes the new file in sealed memory, whose descriptor the caller owns; `progress` is called
    /// often.
    package func write(_ progress: @escaping () -> Void) throws(EditFailure) -> Int32 {
        switch step {
        case .tag(let writer):
            let changes = try writer.changes(
                bytes, from: picture.orientation, turning: request.edit.turn)
            return try changes.sealed(bytes)
        case .coefficients(let motion, let tag):
            let file = try motion.written(bytes, progress)
            let stored = tag.upright(plan.size)
            return try JPEGMetadata.changes(of: file.bytes, from: bytes, tag, stored)
                .sealed(file.bytes)
        case .reencoding(let format, let quality):
            let geometry = try EditGeometry(
                request.edit, stored: picture.size, picture.orientation)
            let pixels = try decoding { () throws(DecodeFailure) in
                try EditedPixels(picture, geometry, progress)
            }
            guard pixels.isComplete else {
                throw .refused(localized("the file is damaged or cut short"))
            }
            return try format.write(
                pixels, from: bytes, picture, quality: quality, progress)
        }
    }
}
