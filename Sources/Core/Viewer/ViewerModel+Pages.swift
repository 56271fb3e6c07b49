package import Geometry
package import Motion
package import SceneModel

/// The strip of pages: what is on them, and which of them is in place.
extension ViewerModel {
    // MARK: What became of loading

    /// Puts a picture on its page, or better pixels of the one that is there.
    ///
    /// Pictures that are not around the selected one are ignored.
    package mutating func present(
        index: Int, size: PixelSize, source: PictureItem.Source, at moment: Moment
    ) {
        let isOnTheWay = (min(page, self.index)...max(page, self.index)).contains(index)
        guard isOnTheWay || retained(at: moment).contains(index), !size.isEmpty else { return }
        let isNew = pages[index]?.picture?.size != size
        pages[index] = .picture(.init(size: size, source: source))
        guard isNew else { return }
        settle(page: index, at: moment)
    }

    /// Says on its page why a picture cannot be shown.
    package mutating func fail(index: Int, text: String, at moment: Moment) {
        guard retained(at: moment).contains(index) else { return }
        pages[index] = .failure(text)
        settle(page: index, at: moment)
    }

    /// What is on a page is something else than before.
    private mutating func settle(page index: Int, at moment: Moment) {
        switch state {
        // Who leaves is not kept by what comes late.
        case .leaving, .homing, .gone: return
        case .resting, .held, .moving: break
        }
        if index != page, (min(page, self.index)...max(page, self.index)).contains(index) {
            // While keys are held down, what comes on the way is shown.
            go(to: index, at: moment)
        } else if index == page {
            replace(at: moment)
        }
    }

    /// The page in place has got another picture than it had, or none any more.
    private mutating func replace(at moment: Moment) {
        let fit = geometry.fit(rotation: turns[page] ?? 0)
        notice = nil
        predicted = nil
        switch state {
        case .gone, .leaving, .homing: break
        case .held(let hold) where hold.kind == .swipe:
            // The finger that brought the page in goes on with what has come.
            goal = fit
            state = .held(
                ActiveManipulation(
                    .init(
                        kind: .swipe, start: fit, origin: fit, strip: hold.strip,
                        base: hold.fingers), hold.fingers, on: geometry))
        case .held(let hold):
            strip.settle(from: hold.strip, velocity: 0, at: moment)
            dim = .still(1)
            rest(at: fit)
        case .resting, .moving:
            dim = .still(1)
            rest(at: fit)
        }
    }

    /// Says something of a picture for a while.
    ///
    /// Of one that is not selected it is said when it is.
    package mutating func notify(index: Int, text: String, at moment: Moment) {
        guard retained(at: moment).contains(index) else { return }
        remarks[index] = text
        if index == self.index { sayRemark(at: moment) }
    }

    private mutating func sayRemark(at moment: Moment) {
        notice = remarks.removeValue(forKey: index).map {
            Notice(text: $0, end: moment.advanced(byMilliseconds: Notice.duration))
        }
    }

    // MARK: What is wanted

    /// The pictures that should be at hand, the most urgent first: the selected one, then its
    /// neighbours, the one that the last turn was headed for before the other.
    package var wanted: [Int] {
        [index, index + heading, index - heading].filter { $0 >= 0 && $0 < count }
    }

    /// The pictures whose pixels may be asked for.
    package func retained(at moment: Moment) -> Set<Int> {
        Set(wanted).union(departed.keys).union(visiblePages(at: moment)).union([page])
    }

    /// Forgets what is not around the selected picture any more, and returns what is.
    package mutating func prune(at moment: Moment) -> Set<Int> {
        let retained = retained(at: moment)
        pages = pages.filter { retained.contains($0.key) }
        remarks = remarks.filter { retained.contains($0.key) }
        return retained
    }

    /// The pages that are on the surface, be it in part.
    func visiblePages(at moment: Moment) -> ClosedRange<Int> {
        let pitch = Paging.pitch(width: viewport.size.width)
        let displacement = stripDisplacement(at: moment)
        let width = viewport.size.width
        let first = ((-displacement - width) / pitch).rounded(.down) + 1
        let last = ((width - displacement) / pitch).rounded(.up) - 1
        guard first.isFinite, last.isFinite, first <= last else { return page...page }
        let reach = Double(count)
        let lower = page + Int(min(max(first, -reach), reach))
        let upper = page + Int(min(max(last, -reach), reach))
        let start = min(max(lower, 0), max(count - 1, 0))
        return start...max(start, min(upper, count - 1))
    }

    // MARK: Turning pages

    /// Selects another picture, if there is one at that index, and goes there: at once, or when
    /// it has come.
    mutating func select(_ new: Int, at moment: Moment, effects: inout [Effect]) {
        guard new != index, new >= 0, new < count else { return }
        heading = new > index ? 1 : -1
        index = new
        sayRemark(at: moment)
        menu = nil
        effects.append(.show(index: new))
        if page == new || pages[new] != nil { go(to: new, at: moment) }
    }

    /// Brings a page into place: a neighbour slides, others are there at once.
    private mutating func go(to new: Int, at moment: Moment) {
        let step = new - page
        guard step != 0 else { return }
        let dimmed = backdrop(at: moment)
        leavePage(place(at: moment), predictedAt: placementOnPage(at: moment), at: moment)
        let displacement = stripDisplacement(at: moment)
        if case .held = state {
            strip.hold(at: displacement)
        } else if correction.shift(at: moment) != 0 {
            strip.settle(from: displacement, velocity: strip.velocity(at: moment), at: moment)
        }
        correction = .none
        page = new
        if abs(step) == 1, !settings.reducedMotion {
            strip.turn(by: step, pitch: Paging.pitch(width: viewport.size.width), at: moment)
        } else {
            strip.rest()
            departed = [:]
        }
        forgetLeftPages(at: moment)
        enterPage(dimmed: dimmed, at: moment)
    }

    /// Pages that have left the surface need not come back as they were.
    mutating func forgetLeftPages(at moment: Moment) {
        guard !departed.isEmpty else { return }
        let visible = visiblePages(at: moment)
        departed = departed.filter { visible.contains($0.key) || $0.key == page }
    }

    /// A swipe has turned to the page `step` further: the strip goes on from where it was let go.
    mutating func turnPage(
        by step: Int, from hold: ActiveManipulation, velocity: Double, at moment: Moment,
        effects: inout [Effect]
    ) {
        let pitch = Paging.pitch(width: viewport.size.width)
        let dimmed = backdrop(at: moment)
        leavePage(hold.placement, predictedAt: hold.placement, at: moment)
        page += step
        settleStrip(
            from: hold.strip + Double(step) * pitch, velocity: velocity, at: moment)
        enterPage(dimmed: dimmed, at: moment)
        guard index != page else { return }
        heading = step
        index = page
        sayRemark(at: moment)
        effects.append(.show(index: page))
    }

    /// Notes how the page in place is left, and where it is seen.
    private mutating func leavePage(
        _ placement: Placement, predictedAt predicted: Placement, at moment: Moment
    ) {
        let rest = geometry.nearestRest(to: placement, about: placement.center)
        departed[page] = departure(from: predicted, to: rest, at: moment)
        turns[page] = goal.rotation == 0 ? nil : goal.rotation
    }

    /// What a page does that is left in the middle of something: it comes to rest on its way out.
    func departure(
        from placement: Placement, to rest: Placement, at moment: Moment
    ) -> PlacementMotion {
        guard !settings.reducedMotion else { return .standing(rest) }
        return PlacementMotion(from: placement, to: rest, pivot: viewport.center, at: moment)
    }

    /// Takes the page in place as it comes: still on its way out, or fresh.
    private mutating func enterPage(dimmed: Double, at moment: Moment) {
        dim = .still(dimmed)
        defer { fade(to: 1, at: moment) }
        let fit = geometry.fit(rotation: turns[page] ?? 0)
        guard let departure = departed.removeValue(forKey: page) else {
            rest(at: fit)
            return
        }
        let old = departure.placement(at: moment)
        move(
            by: PlacementMotion(
                from: old, to: departure.target, pivot: viewport.center, at: moment))
    }

    /// Where the picture of a page other than the one in place lies on it.
    func placement(onPage other: Int, at moment: Moment) -> Placement {
        departed[other]?.placement(at: moment)
            ?? geometry(of: other).fit(rotation: turns[other] ?? 0)
    }
}
