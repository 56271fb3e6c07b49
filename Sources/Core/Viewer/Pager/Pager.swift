import Geometry
import Motion

/// The pages: which picture is selected, which page is the current one, what the pages contain, and
/// how far they are displaced.
///
/// The *current page* is the page of the selected picture, unless that picture is still loading.
/// Pages that have slid out keep their content while they are near the selected picture.
struct Pager: Hashable, Sendable {
    /// The index of the selected picture.
    private(set) var index: Int
    /// The index of the current page.
    private(set) var page: Int
    private(set) var count: Int
    private(set) var offset = PagerOffset()
    /// The direction of the last page turn, 1 or −1: the next turn is most likely in this
    /// direction.
    private var heading = 1
    /// The contents of the pages near the selected picture, by index.
    private var contents: [Int: Page] = [:]
    /// The rotations of pictures that were rotated by hand, in radians, by index.
    private var rotations: [Int: Double] = [:]
    /// Messages to show when a picture becomes selected, by index.
    private var pendingMessages: [Int: String] = [:]
    /// The motions to rest of pages that slide out, by index.
    private var outgoing: [Int: PlacementMotion] = [:]
    private var wheel = WheelSteps()
    /// The width of the surface, in logical pixels.
    private var width: Double
    /// Whether motions end at once; those that have begun go on.
    var reducesMotion: Bool
    /// Whether the next page lies to the left, as in books of languages that are written from right to
    /// left.
    private(set) var isMirrored = false

    /// A pager of `count` pages at the page `index`, on a surface that is `width` logical pixels
    /// wide.
    init(count: Int, index: Int, width: Double, reducesMotion: Bool) {
        (self.count, self.index, page) = (count, index, index)
        self.width = width
        self.reducesMotion = reducesMotion
    }

    // MARK: Geometry

    /// The distance between neighbouring pages, in logical pixels.
    var pitch: Double { Paging.pitch(width: width) }

    /// The distance to the next page to the right, in logical pixels: negative where the next page lies
    /// to the left.
    var stride: Double { isMirrored ? -pitch : pitch }

    /// The offsets of a page without resistance, in logical pixels: from the offset that shows the
    /// page at the right end to the one that shows the page at the left end.
    func offsetRange(of page: Int) -> ClosedRange<Double> {
        let (before, after) = (Double(max(page, 0)), Double(max(count - 1 - page, 0)))
        return isMirrored ? -pitch * before...pitch * after : -pitch * after...pitch * before
    }

    /// The step to the page that a movement of the pages along `direction` brings in.
    func step(towards direction: Vector) -> Int { (direction.dx > 0) == isMirrored ? 1 : -1 }

    /// Whether there is a page to turn to when the pages move along `direction`.
    func hasNeighbour(towards direction: Vector) -> Bool {
        guard direction.dx != 0 else { return false }
        return step(towards: direction) < 0 ? page > 0 : page + 1 < count
    }

    /// The pages that are visible at least in part when the current page is displaced by
    /// `displacement` logical pixels.
    func visiblePages(displacedBy displacement: Double) -> ClosedRange<Int> {
        let ahead = isMirrored ? -displacement : displacement
        let first = ((-ahead - width) / pitch).rounded(.down) + 1
        let last = ((width - ahead) / pitch).rounded(.up) - 1
        guard first.isFinite, last.isFinite, first <= last else { return page...page }
        let reach = Double(count)
        let lower = page + Int(clamping: min(max(first, -reach), reach))
        let upper = page + Int(clamping: min(max(last, -reach), reach))
        let start = min(max(lower, 0), max(count - 1, 0))
        return start...max(start, min(upper, count - 1))
    }

    /// Sets on which side the next page lies; all pages come to rest where that changes.
    mutating func setMirrored(_ isMirrored: Bool) {
        guard isMirrored != self.isMirrored else { return }
        self.isMirrored = isMirrored
        rest()
    }

    /// Changes the width of the surface, in logical pixels: all pages come to rest.
    mutating func resize(width: Double) {
        self.width = width
        rest()
    }

    // MARK: Content

    /// The content of a page; nil while it is loading.
    func content(of page: Int) -> Page? { contents[page] }

    /// The picture of the current page; nil while it is loading and where it has failed.
    var picture: Page.Picture? { contents[page]?.picture }

    /// Why the selected picture cannot be shown; nil where there was no error.
    var failure: String? { contents[index]?.failure }

    mutating func setContent(_ content: Page, of page: Int) { contents[page] = content }

    /// The first whole picture behind a page, beginning anew after the last one; nil if there is no other.
    func wholePicture(after page: Int) -> Int? {
        contents.filter { $0.key != page && $0.value.picture?.isWhole == true }.keys
            .min { ($0 - page + count) % count < ($1 - page + count) % count }
    }

    /// Notes that the picture of a page is whole; returns false if it was known, or is not there.
    mutating func finish(_ page: Int) -> Bool {
        guard var picture = contents[page]?.picture, !picture.isWhole else { return false }
        picture.isWhole = true
        contents[page] = .picture(picture)
        return true
    }

    /// The rotation of a page's picture at rest, in radians.
    func rotation(of page: Int) -> Double { rotations[page] ?? 0 }

    /// Rotates the picture of a page at rest, in radians.
    mutating func rotate(_ page: Int, by angle: Double) {
        guard let rotation = rotations[page] else { return }
        rotations[page] = abs(rotation + angle) < 1e-9 ? nil : rotation + angle
    }

    /// Stores a message to show when a picture becomes selected.
    mutating func setMessage(_ text: String, of picture: Int) { pendingMessages[picture] = text }

    /// Removes the stored message of the selected picture, and returns the message.
    mutating func consumeMessage() -> String? { pendingMessages.removeValue(forKey: index) }

    // MARK: Wanted pictures

    /// The pictures that should be loaded, the most urgent first: the selected one, its neighbour
    /// in the direction of the last page turn, the other neighbour.
    var wanted: [Int] {
        [index, index + heading, index - heading].filter { $0 >= 0 && $0 < count }
    }

    /// The pages that may be needed for a frame; `displacement` is the drawn pager offset.
    func retained(displacedBy displacement: Double) -> Set<Int> {
        Set(wanted).union(outgoing.keys).union(visiblePages(displacedBy: displacement))
            .union([page])
    }

    /// Whether a page is the current one, the selected one, or between them.
    func isOnPath(_ page: Int) -> Bool {
        (min(self.page, index)...max(self.page, index)).contains(page)
    }

    /// Discards the content of a page.
    mutating func discard(_ index: Int) { contents[index] = nil }

    /// Discards the pages that are not in `retained`, and their messages.
    mutating func prune(to retained: Set<Int>) {
        contents = contents.filter { retained.contains($0.key) }
        pendingMessages = pendingMessages.filter { retained.contains($0.key) }
    }

    // MARK: Selection

    /// Selects another picture without a page turn; returns false for the selected picture and for
    /// an invalid index.
    mutating func select(_ new: Int) -> Bool {
        guard new != index, new >= 0, new < count else { return false }
        heading = new > index ? 1 : -1
        index = new
        return true
    }

    /// Selects the picture of the current page after a page turn by `step`; returns false if it is
    /// selected already.
    mutating func selectCurrentPage(after step: Int) -> Bool {
        guard index != page else { return false }
        (heading, index) = (step, page)
        return true
    }

    /// Selects a picture and makes its page the current one at once, with all pages at rest.
    mutating func jump(to new: Int) {
        (index, page) = (new, new)
        rest()
    }

    /// The page step of a wheel movement in units of 1/120 detent, positive down: the movements of
    /// a series add up to whole detents.
    mutating func wheelStep(_ units: Double, at moment: Moment) -> Int {
        wheel.turn(units, at: moment)
    }

    // MARK: Page turns

    /// Makes another page the current one: a neighbour slides in from where it is, any other page
    /// is shown at once.
    mutating func turn(to new: Int, at moment: Moment) {
        let step = new - page
        page = new
        if abs(step) == 1, !reducesMotion {
            offset.turn(by: step, stride: stride, at: moment)
        } else {
            rest()
        }
    }

    /// Makes the page `step` further the current one after a swipe.
    ///
    /// The pages continue from `displacement` of the old page, in logical pixels, with `velocity`
    /// in logical pixels per second.
    mutating func turn(
        by step: Int, from displacement: Double, velocity: Double, at moment: Moment
    ) {
        page += step
        settle(from: displacement + Double(step) * stride, velocity: velocity, at: moment)
    }

    /// Lets the current page slide out: `motion` brings its picture to rest, with `rotation` in
    /// radians.
    mutating func leavePage(by motion: PlacementMotion, rotation: Double) {
        outgoing[page] = motion
        rotations[page] = rotation == 0 ? nil : rotation
    }

    /// Removes the motion of the current page if it was still sliding out, and returns the motion.
    mutating func consumeOutgoingMotion() -> PlacementMotion? { outgoing.removeValue(forKey: page) }

    /// The motion of a page that slides out; nil for any other page.
    func outgoingMotion(of page: Int) -> PlacementMotion? { outgoing[page] }

    /// Replaces the motion of a page that slides out.
    mutating func setOutgoingMotion(_ motion: PlacementMotion, of page: Int) {
        guard outgoing[page] != nil else { return }
        outgoing[page] = motion
    }

    /// Forgets the motions of pages that have left the surface; `displacement` is the drawn pager
    /// offset.
    mutating func forgetHiddenPages(displacedBy displacement: Double) {
        guard !outgoing.isEmpty else { return }
        let visible = visiblePages(displacedBy: displacement)
        outgoing = outgoing.filter { visible.contains($0.key) || $0.key == page }
    }

    // MARK: Offset

    /// Puts all pages at their resting places at once.
    private mutating func rest() {
        offset.rest()
        outgoing = [:]
    }

    /// Puts the current page at its resting place at once; pages that slide out go on.
    mutating func centerPage() { offset.rest() }

    /// Stops the pager at `displacement`, because a finger holds it there.
    mutating func hold(at displacement: Double) { offset.hold(at: displacement) }

    /// Lets the pages spring back from `displacement`, with `velocity` in logical pixels per second;
    /// with reduced motion they are at rest at once.
    mutating func settle(from displacement: Double, velocity: Double, at moment: Moment) {
        if reducesMotion {
            offset.rest()
        } else {
            offset.settle(from: displacement, velocity: velocity, at: moment)
        }
    }

    /// Ends what is over at `moment`; `displacement` is the drawn pager offset.
    mutating func advance(to moment: Moment, displacedBy displacement: Double) {
        if offset.isAtRest(at: moment) {
            rest()
        } else {
            forgetHiddenPages(displacedBy: displacement)
        }
    }

    // MARK: Changes of the listing

    /// Follows a change of the listing; returns whether another picture is on the current page now.
    ///
    /// `mapping` gives the new index of an old one, nil for a removed picture. `nearest` gives the
    /// new index to select where the selected picture was removed.
    mutating func update(
        count: Int, mapping: (_ old: Int) -> Int?, nearest: (_ old: Int) -> Int?
    ) -> Bool {
        let (newIndex, newPage) = (mapping(index), mapping(page))
        contents = Self.moved(contents, by: mapping)
        outgoing = Self.moved(outgoing, by: mapping)
        rotations = Self.moved(rotations, by: mapping)
        pendingMessages = Self.moved(pendingMessages, by: mapping)
        self.count = count
        guard count > 0 else {
            (index, page) = (0, 0)
            return true
        }
        index = min(max(newIndex ?? nearest(index) ?? 0, 0), count - 1)
        page = newPage ?? index
        guard newIndex == nil || newPage == nil else { return false }
        offset.rest()
        page = index
        return true
    }

    private static func moved<Value>(
        _ table: [Int: Value], by mapping: (_ old: Int) -> Int?
    ) -> [Int: Value] {
        var result: [Int: Value] = [:]
        for (old, value) in table {
            if let new = mapping(old) { result[new] = value }
        }
        return result
    }
}
