import Codecs
import Geometry
import ImageTypes
import Localization
import RasterPipeline

/// The rows of a changed picture, from the top down.
final class EditedPixels {
    let kind: PixelKind
    let geometry: EditGeometry
    /// Whether pixels may be transparent.
    let hasAlpha: Bool
    /// Whether the picture is stored without colours.
    let isGray: Bool
    let isComplete: Bool
    let color: ColorSource
    private let stored: StoredPixels
    private let straightened: StraightenedRows?
    private let samples: ScratchMemory

    /// Decodes all pixels; `progress` is called often.
    init(
        _ picture: NativePicture, _ geometry: EditGeometry, _ progress: @escaping () -> Void
    ) throws(DecodeFailure) {
        stored = try StoredPixels(picture, progress)
        kind = PixelKind(stored.layout)
        self.geometry = geometry
        hasAlpha = stored.layout.hasAlpha
        isGray = stored.layout.isGray || stored.color.isGrayProfile && stored.isGray
        (isComplete, color) = (stored.isComplete, stored.color)
        guard geometry.orientation.upright(stored.size) == geometry.turned else {
            throw .damaged(
                reason: localized("the decoded size differs from the size in the header"))
        }
        samples = try ScratchMemory(bytes: max(stored.size.width, stored.size.height) * 16)
        straightened =
            geometry.angle == 0 ? nil : try StraightenedRows(stored, geometry, kind, progress)
    }

    /// Bytes of a row.
    var rowLength: Int { geometry.rect.width * kind.bytesPerPixel }

    /// Writes row `y` of the changed picture, as pixels of `kind`.
    func copyRow(_ y: Int, to target: UnsafeMutableRawPointer) {
        if let straightened { return straightened.copyRow(y, to: target) }
        let rect = geometry.rect
        stored.copyRow(
            rect.y + y, columns: rect.x..<rect.maxX, turned: geometry.orientation,
            to: samples.base)
        PixelKind.convert(samples.base, stored.layout, to: target, count: rect.width)
    }
}

extension EditedPixels {
    /// Whether the new file stores no colours: then its profile, if any, is one of greys, too.
    var isGrayForOutput: Bool {
        if case .profile = color, !color.isGrayProfile { return false }
        return isGray
    }
}
