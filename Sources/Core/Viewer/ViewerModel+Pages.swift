package import Geometry
package import Motion
package import SceneModel

/// The pager: the content of the pages, and which page is the current one.
extension ViewerModel {
    // MARK: Results of loading

    /// Puts a picture on its page, or replaces the pixels of the picture there by better ones.
    ///
    /// `size` is the upright size in picture pixels. Pictures that are not near the selected one
    /// are ignored.
    package mutating func present(
        index: Int, size: PixelSize, source: PictureItem.Source, at moment: Moment
    ) {
        let isOnPath = (min(page, self.index)...max(page, self.index)).contains(index)
        guard isOnPath || retained(at: moment).contains(index), !size.isEmpty else { return }
        let isNew = pages[index]?.picture?.size != size
        pages[index] = .picture(.init(size: size, source: source))
        guard isNew else { return }
        contentChanged(onPage: index, at: moment)
    }

    /// Puts an error message on a page: why its picture cannot be shown.
    package mutating func fail(index: Int, text: String, at moment: Moment) {
        guard retained(at: moment).contains(index) else { return }
        pages[index] = .failure(text)
        contentChanged(onPage: index, at: moment)
    }

    /// Updates the placement after the content of a page has changed.
    private mutating func contentChanged(onPage index: Int, at moment: Moment) {
        switch state {
        // Late results do not stop a dismissal.
        case .leaving, .returningToCell, .gone: return
        case .resting, .held, .moving: break
        }
        if index != page, (min(page, self.index)...max(page, self.index)).contains(index) {
            // While a key is held down, every picture that has loaded on the way to the selected
            // one is shown.
            go(to: index, at: moment)
        } else if index == page {
            replaceCurrentPicture(at: moment)
        }
    }

    /// Updates the placement after the picture of the current page was replaced or has failed.
    private mutating func replaceCurrentPicture(at moment: Moment) {
        let fit = geometry.fit(rotation: turns[page] ?? 0)
        notice = nil
        predicted = nil
        switch state {
        case .gone, .leaving, .returningToCell: break
        case .held(let manipulation) where manipulation.kind == .swipe:
            // The finger that is swiping to the page continues with the new picture.
            goal = fit
            state = .held(
                ActiveManipulation(
                    .init(
                        kind: .swipe, start: fit, origin: fit,
                        pagerOffset: manipulation.pagerOffset,
                        base: manipulation.fingers), manipulation.fingers, on: geometry))
        case .held(let manipulation):
            pagerOffset.settle(from: manipulation.pagerOffset, velocity: 0, at: moment)
            dim = .still(1)
            rest(at: fit)
        case .resting, .moving:
            dim = .still(1)
            rest(at: fit)
        }
    }

    /// Shows a message about a picture for a limited time.
    ///
    /// The message about a picture that is not selected is shown when the picture becomes selected.
    package mutating func notify(index: Int, text: String, at moment: Moment) {
        guard retained(at: moment).contains(index) else { return }
        pendingMessages[index] = text
        if index == self.index { showPendingMessage(at: moment) }
    }

    private mutating func showPendingMessage(at moment: Moment) {
        notice = pendingMessages.removeValue(forKey: index).map {
            TimedMessage(text: $0, end: moment.advanced(byMilliseconds: TimedMessage.duration))
        }
    }

    // MARK: Wanted pictures

    /// The pictures that should be loaded, the most urgent first.
    ///
    /// First the selected picture, then the neighbour in the direction of the last page turn, then
    /// the other neighbour.
    package var wanted: [Int] {
        [index, index + heading, index - heading].filter { $0 >= 0 && $0 < count }
    }

    /// The pictures whose pixels may be needed for a frame.
    package func retained(at moment: Moment) -> Set<Int> {
        Set(wanted).union(departingPages.keys).union(visiblePages(at: moment)).union([page])
    }

    /// Discards the pages that are not near the selected picture any more, and returns the retained
    /// ones.
    package mutating func prune(at moment: Moment) -> Set<Int> {
        let retained = retained(at: moment)
        pages = pages.filter { retained.contains($0.key) }
        pendingMessages = pendingMessages.filter { retained.contains($0.key) }
        return retained
    }

    /// The pages that are visible at least in part.
    func visiblePages(at moment: Moment) -> ClosedRange<Int> {
        let pitch = Paging.pitch(width: viewport.size.width)
        let displacement = drawnPagerOffset(at: moment)
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

    /// Selects another picture, if the index is valid, and turns to its page: at once, or when the
    /// picture has loaded.
    mutating func select(_ new: Int, at moment: Moment, effects: inout [Effect]) {
        guard new != index, new >= 0, new < count else { return }
        heading = new > index ? 1 : -1
        index = new
        showPendingMessage(at: moment)
        menu = nil
        effects.append(.show(index: new))
        if page == new || pages[new] != nil { go(to: new, at: moment) }
    }

    /// Makes a page the current one: a neighbour slides in, any other page is shown at once.
    private mutating func go(to new: Int, at moment: Moment) {
        let step = new - page
        guard step != 0 else { return }
        let dimmed = backdrop(at: moment)
        leavePage(place(at: moment), predictedAt: placementOnPage(at: moment), at: moment)
        let displacement = drawnPagerOffset(at: moment)
        if case .held = state {
            pagerOffset.hold(at: displacement)
        } else if correction.shift(at: moment) != 0 {
            pagerOffset.settle(
                from: displacement, velocity: pagerOffset.velocity(at: moment), at: moment)
        }
        correction = .none
        page = new
        if abs(step) == 1, !settings.reducedMotion {
            pagerOffset.turn(by: step, pitch: Paging.pitch(width: viewport.size.width), at: moment)
        } else {
            pagerOffset.rest()
            departingPages = [:]
        }
        forgetLeftPages(at: moment)
        enterPage(dimmed: dimmed, at: moment)
    }

    /// Forgets the placements of pages that have left the surface.
    mutating func forgetLeftPages(at moment: Moment) {
        guard !departingPages.isEmpty else { return }
        let visible = visiblePages(at: moment)
        departingPages = departingPages.filter { visible.contains($0.key) || $0.key == page }
    }

    /// Turns to the page `step` further after a swipe: the pager moves on from where it was
    /// released, with `velocity` in logical pixels per second.
    mutating func turnPage(
        by step: Int, from manipulation: ActiveManipulation, velocity: Double, at moment: Moment,
        effects: inout [Effect]
    ) {
        let pitch = Paging.pitch(width: viewport.size.width)
        let dimmed = backdrop(at: moment)
        leavePage(manipulation.placement, predictedAt: manipulation.placement, at: moment)
        page += step
        settlePager(
            from: manipulation.pagerOffset + Double(step) * pitch, velocity: velocity, at: moment)
        enterPage(dimmed: dimmed, at: moment)
        guard index != page else { return }
        heading = step
        index = page
        showPendingMessage(at: moment)
        effects.append(.show(index: page))
    }

    /// Stores the placement and the rotation of the current page before it is left.
    ///
    /// `placement` is the computed placement, `predicted` the drawn one.
    private mutating func leavePage(
        _ placement: Placement, predictedAt predicted: Placement, at moment: Moment
    ) {
        let rest = geometry.nearestRest(to: placement, about: placement.center)
        departingPages[page] = departure(from: predicted, to: rest, at: moment)
        turns[page] = goal.rotation == 0 ? nil : goal.rotation
    }

    /// The motion of a page that is left: it comes to rest while it slides out.
    func departure(
        from placement: Placement, to rest: Placement, at moment: Moment
    ) -> PlacementMotion {
        guard !settings.reducedMotion else { return .standing(rest) }
        return PlacementMotion(from: placement, to: rest, pivot: viewport.center, at: moment)
    }

    /// Initialises the current page: it continues its motion if it is still sliding out, or else is
    /// at fit.
    private mutating func enterPage(dimmed: Double, at moment: Moment) {
        dim = .still(dimmed)
        defer { fade(to: 1, at: moment) }
        let fit = geometry.fit(rotation: turns[page] ?? 0)
        guard let departure = departingPages.removeValue(forKey: page) else {
            rest(at: fit)
            return
        }
        let old = departure.placement(at: moment)
        move(
            by: PlacementMotion(
                from: old, to: departure.target, pivot: viewport.center, at: moment))
    }

    /// The placement of the picture on a page other than the current one.
    func placement(onPage other: Int, at moment: Moment) -> Placement {
        departingPages[other]?.placement(at: moment)
            ?? geometry(of: other).fit(rotation: turns[other] ?? 0)
    }
}
