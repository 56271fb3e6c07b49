import CMath
package import Geometry

/// How a cell shows a picture with another aspect ratio than its own: from the middle of the picture,
/// which fills the cell, to the whole picture.
package struct CellCrop: Hashable, Sendable {
    /// 0 where the picture fills the cell and its edges are cropped evenly, 1 where the whole picture
    /// is visible, centred in the cell.
    var wholeness: Double
    /// The aspect ratio of the cell at a wholeness of 1; nil for the one that it has.
    var aspect: Double?

    package static let fill = CellCrop(wholeness: 0)
    package static let whole = CellCrop(wholeness: 1)

    /// Whether the whole picture is visible.
    package var isWhole: Bool { wholeness == 1 }

    /// The zoom of a picture of `size` in a cell that is drawn at `rect`; the zoom is in lengths of
    /// `rect` per length of `size`.
    ///
    /// An opening cell is filled, and shows more of the picture because its shape changes. Only a
    /// picture that has another shape than the open cell becomes smaller than that.
    package func zoom(of size: Size, in rect: Rect) -> Double {
        let (across, down) = (rect.width / size.width, rect.height / size.height)
        let (fill, fit) = (max(across, down), min(across, down))
        guard wholeness > 0 else { return fill }
        guard wholeness < 1, let aspect else { return fit }
        let ratio = aspect * size.height / size.width
        return fill * exp(wholeness * log(min(ratio, 1 / ratio)))
    }

    /// The part of a cell, drawn at `rect`, that the picture covers.
    ///
    /// A small picture is not enlarged in the arrangement that the grid begins with: it lies in the middle of the cell,
    /// at whole device pixels from the corner. Fingers that spread magnify cell and picture alike, since what is under a
    /// finger stays there; a cell that opens to its own shape, as in a feed, becomes as large as its picture.
    /// `size` is the size of the picture at one picture pixel per device pixel, in logical pixels, `magnification` that
    /// of the cell, and `scale` the number of device pixels per logical pixel.
    func part(of rect: Rect, size: Size, magnification: Double, scale: Double) -> Rect {
        let home = Size(width: rect.width / magnification, height: rect.height / magnification)
        guard size.width < home.width || size.height < home.height else { return rect }
        let size = Size(width: min(size.width, home.width), height: min(size.height, home.height))
        func start(_ room: Double) -> Double { (room / 2 * scale + 1e-6).rounded(.down) / scale }
        let part = Rect(
            x: rect.x + start(home.width - size.width) * magnification,
            y: rect.y + start(home.height - size.height) * magnification,
            width: size.width * magnification, height: size.height * magnification)
        return aspect == nil ? part : part.interpolated(to: rect, share: wholeness)
    }

    /// The crop between this one and another, which has the weight `share`.
    func interpolated(to other: CellCrop, share: Double) -> CellCrop {
        guard self != other else { return self }
        return CellCrop(
            wholeness: wholeness + (other.wholeness - wholeness) * share,
            aspect: aspect ?? other.aspect)
    }
}
