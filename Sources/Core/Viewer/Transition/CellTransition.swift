import Geometry
import Motion
import SceneModel

/// The cell of the selected picture on the grid, and the crop of the picture on its way from or to
/// the cell.
struct CellTransition: Hashable, Sendable {
    /// The cell of the selected picture; nil without a grid.
    private(set) var source: TransitionSource?
    /// Whether a dismissal returns to the cell.
    private var isExit = false
    /// How much of the cell's crop applies to the picture: 0 none, 1 all.
    private var share = ScalarMotion.still(0)
    /// The page that the crop applies to.
    private var croppedPage = 0
    /// Whether motions end at once; those that have begun go on.
    var reducesMotion: Bool

    /// No cell and no crop.
    init(reducesMotion: Bool) {
        self.reducesMotion = reducesMotion
    }

    // MARK: The cell

    /// Sets the cell to which the selected picture would return; nil without a grid.
    mutating func setSource(_ source: TransitionSource?, isExit: Bool) {
        (self.source, self.isExit) = (source, isExit)
    }

    /// The cell to which a dismissal returns the picture; nil where it leaves the surface.
    var exit: TransitionSource? { isExit ? source : nil }

    // MARK: The crop

    /// The current share of the crop, as a motion.
    var crop: ScalarMotion { share }

    /// Whether a crop remains at the end of the current motion.
    var restsCropped: Bool { share.restValue != 0 }

    func isAtRest(at moment: Moment) -> Bool { share.isAtRest(at: moment, tolerance: .opacity) }

    /// The size of the visible middle of a page's picture, in picture pixels; nil shows the whole
    /// picture.
    func crop(ofPage page: Int, _ size: PixelSize, at moment: Moment) -> Size? {
        guard page == croppedPage, let source else { return nil }
        return source.crop(of: size, share: share.value(at: moment))
    }

    /// Whether a picture of `size` picture pixels is drawn within one logical pixel of its cell.
    func isReached(by placement: Placement, of size: PixelSize, at moment: Moment) -> Bool {
        guard let source else { return false }
        return source.isReached(by: placement, of: size, crop: share.value(at: moment))
    }

    /// Starts the transition of a page's picture from its cell: the crop opens.
    mutating func open(_ page: Int, from source: TransitionSource, at moment: Moment) {
        self.source = source
        share = source.isCropped ? Self.spring(from: 1, to: 0, at: moment) : .still(0)
        croppedPage = page
    }

    /// Sets the cell of a picture that is shown without a transition.
    mutating func openAtOnce(from source: TransitionSource) {
        self.source = source
        share = .still(0)
    }

    /// Starts the transition of a page's picture to its cell: the crop closes.
    mutating func close(_ page: Int, to source: TransitionSource, at moment: Moment) {
        let start = croppedPage == page ? share.value(at: moment) : 0
        share = source.isCropped ? Self.spring(from: start, to: 1, at: moment) : .still(0)
        croppedPage = page
    }

    /// Stops the crop where it is, because a finger has caught the picture.
    mutating func stop(at moment: Moment) { share = .still(share.value(at: moment)) }

    /// Removes the crop, by an animation.
    mutating func uncrop(at moment: Moment) {
        guard restsCropped else { return }
        share =
            reducesMotion
            ? .still(0) : Self.spring(from: share.value(at: moment), to: 0, at: moment)
    }

    /// Removes the crop at once.
    mutating func removeCrop() { share = .still(0) }

    /// Ends a motion that is over at `moment`.
    mutating func advance(to moment: Moment) {
        if isAtRest(at: moment) { share = .still(share.restValue) }
    }

    /// Follows a change of the listing; `mapping` gives the new index of an old one, nil for a
    /// removed picture.
    mutating func update(mapping: (_ old: Int) -> Int?) {
        if let page = mapping(croppedPage) { croppedPage = page } else { removeCrop() }
    }

    private static func spring(
        from start: Double, to end: Double, at moment: Moment
    ) -> ScalarMotion {
        .spring(Spring(from: start, to: end, at: moment, frequency: Spring.zoomFrequency))
    }
}
