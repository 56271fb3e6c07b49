package import Geometry
package import Interface
package import Motion
package import SceneModel

/// The content of the pages, and page turns.
extension ViewerModel {
    // MARK: Results of loading

    /// Puts a picture on its page, or replaces the pixels of the picture there by better ones.
    ///
    /// `size` is the upright size in picture pixels. Pictures that are not near the selected one
    /// are ignored. `turned` says that the pixels are those of before, turned by this number of
    /// clockwise quarter turns, by which the person has turned the picture already: it stays as drawn.
    package mutating func present(
        index: Int, size: PixelSize, source: PictureItem.Source, turned: Int = 0,
        at moment: Moment
    ) {
        guard pager.isOnPath(index) || retained(at: moment).contains(index), !size.isEmpty else {
            return
        }
        if turned != 0, pager.content(of: index)?.picture != nil {
            return replace(index, size, source, turned: turned, at: moment)
        }
        let isNew = pager.content(of: index)?.picture?.size != size
        if isNew, index == pager.page { rememberView() }
        let isWhole = !isNew && pager.content(of: index)?.picture?.isWhole ?? false
        pager.setContent(
            .picture(.init(size: size, source: source, isWhole: isWhole)), of: index)
        guard isNew else { return }
        contentChanged(onPage: index, at: moment)
    }

    private mutating func replace(
        _ index: Int, _ size: PixelSize, _ source: PictureItem.Source, turned: Int,
        at moment: Moment
    ) {
        let angle = Double(turned) * .pi / 2
        pager.rotate(index, by: -angle)
        if index == pager.page { crop?.model.replacePixels(turnedBy: turned) }
        pager.setContent(.picture(.init(size: size, source: source, isWhole: false)), of: index)
        guard index == pager.page, zoomPan.isShown else { return }
        zoomPan.discardPrediction()
        zoomPan.turnBack(by: angle, pivot: viewport.center, at: moment)
    }

    /// Puts an error message on a page: why its picture cannot be shown.
    ///
    /// `mayPass` tells whether a later attempt may succeed with the unchanged file.
    package mutating func fail(
        index: Int, text: String, mayPass: Bool = false, at moment: Moment
    ) {
        guard retained(at: moment).contains(index) else { return }
        if index == pager.page { rememberView() }
        pager.setContent(.failure(text, mayPass: mayPass), of: index)
        slideshow.pictureArrived(index)
        contentChanged(onPage: index, at: moment)
    }

    /// Updates the placement after the content of a page has changed.
    private mutating func contentChanged(onPage index: Int, at moment: Moment) {
        // Late results are of a picture that is being cropped no more.
        if index == pager.page { abandonCrop(at: moment) }
        // Late results do not stop a dismissal.
        guard zoomPan.isShown else { return }
        if index == pager.page {
            replaceCurrentPicture(at: moment)
        } else if pager.isOnPath(index) {
            // While a key is held down, every picture that has loaded on the way to the selected
            // one is shown.
            turnPage(to: index, at: moment)
        }
    }

    /// Updates the placement after the picture of the current page was replaced or has failed.
    private mutating func replaceCurrentPicture(at moment: Moment) {
        let rest = restOfCurrentPage
        chrome.show(message: nil, at: moment)
        zoomPan.discardPrediction()
        if let manipulation = zoomPan.held {
            guard manipulation.kind != .swipe else {
                // The finger that is swiping to the page continues with the new picture.
                let beginning = ActiveManipulation.Beginning(
                    kind: .swipe, start: rest, origin: rest, pagerOffset: manipulation.pagerOffset,
                    base: manipulation.fingers)
                zoomPan.hold(
                    ActiveManipulation(beginning, manipulation.fingers, on: geometry),
                    restingAt: rest)
                return
            }
            pager.settle(from: manipulation.pagerOffset, velocity: 0, at: moment)
        }
        backdrop.set(1)
        zoomPan.rest(at: rest)
    }

    /// The placement at fit of the current page's picture, in its rotation.
    var fitOfCurrentPage: Placement {
        geometry.fit(rotation: pager.rotation(of: pager.page))
    }

    /// Shows a message about a picture for a limited time.
    ///
    /// The message about a picture that is not selected is shown when the picture becomes selected.
    package mutating func notify(index: Int, text: String, at moment: Moment) {
        guard retained(at: moment).contains(index) else { return }
        pager.setMessage(text, of: index)
        if index == pager.index { showPendingMessage(at: moment) }
    }

    private mutating func showPendingMessage(at moment: Moment) {
        chrome.show(message: pager.consumeMessage(), at: moment)
    }

    // MARK: Wanted pictures

    /// The pictures that should be loaded, the most urgent first.
    ///
    /// First the selected picture, then the next one of the slideshow, then the neighbour in the
    /// direction of the last page turn, then the other neighbour.
    package var wanted: [Int] {
        // A picture that the slideshow has passed over is requested anew when its turn comes again.
        let passed = slideshow.isOn ? slideshow.late.skipped.subtracting([index]) : []
        let neighbours = pager.wanted.filter { !passed.contains($0) }
        guard let next = slideshow.next, next < count else { return neighbours }
        let first =
            [index, next]
            + (slideshow.second.map { [$0] } ?? []).filter {
                $0 < count && $0 != index && $0 != next
            }
        return first + neighbours.filter { !first.contains($0) }
    }

    /// The pictures whose pixels may be needed for a frame.
    package func retained(at moment: Moment) -> Set<Int> {
        pager.retained(displacedBy: drawnPagerOffset(at: moment))
            .union(slideshow.retained)
    }

    /// Discards the pages that are not near the selected picture any more, and returns the retained
    /// ones.
    package mutating func prune(at moment: Moment) -> Set<Int> {
        let retained = retained(at: moment)
        pager.prune(to: retained)
        pictureFacts.prune(to: retained)
        return retained
    }

    // MARK: Turning pages

    /// Selects another picture, if the index is valid, and turns to its page: at once, or when the
    /// picture has loaded.
    ///
    /// A neighbour slides in if `slides`.
    mutating func select(
        _ new: Int, slides: Bool = true, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        guard pager.select(new) else { return }
        endCrop(at: moment)
        endPair(at: moment)
        slideshow.show(new, from: moment)
        showPendingMessage(at: moment)
        chrome.closeMenu()
        chrome.endEditing(at: moment)
        effects.append(.want)
        guard pager.content(of: new) != nil else { return }
        turnPage(to: new, at: moment)
        if !slides, zoomPan.held == nil { pager.centerPage() }
    }

    /// Makes a page the current one: a neighbour slides in, any other page is shown at once.
    private mutating func turnPage(to new: Int, at moment: Moment) {
        guard new != pager.page else { return }
        let opacity = backdropOpacity(at: moment)
        rememberView()
        let isVisible = pager.visiblePages(displacedBy: drawnPagerOffset(at: moment)).contains(new)
        let start = isVisible ? placement(onPage: new, at: moment) : nil
        leavePage(
            from: zoomPan.drawnPlacement(at: moment),
            toRestNear: settings.keepZoom
                ? goalOfCurrentPage : zoomPan.computedPlacement(at: moment),
            at: moment)
        let displacement = drawnPagerOffset(at: moment)
        if zoomPan.held != nil {
            pager.hold(at: displacement)
        } else if zoomPan.correction.shift(at: moment) != 0 {
            pager.settle(
                from: displacement, velocity: pager.offset.velocity(at: moment), at: moment)
        }
        zoomPan.correct(by: .none)
        pager.turn(to: new, at: moment)
        pager.forgetHiddenPages(displacedBy: drawnPagerOffset(at: moment))
        enterPage(from: start, backdropAt: opacity, at: moment)
    }

    /// Turns to the page `step` further after a swipe: the pager moves on from where it was
    /// released, with `velocity` in logical pixels per second.
    mutating func turnPage(
        by step: Int, from manipulation: ActiveManipulation, velocity: Double, at moment: Moment,
        effects: inout [ViewerEffect]
    ) {
        let opacity = backdropOpacity(at: moment)
        rememberView()
        leavePage(
            from: manipulation.placement, toRestNear: manipulation.placement, at: moment)
        pager.turn(by: step, from: manipulation.pagerOffset, velocity: velocity, at: moment)
        enterPage(from: nil, backdropAt: opacity, at: moment)
        guard pager.selectCurrentPage(after: step) else { return }
        slideshow.show(pager.index, from: moment)
        showPendingMessage(at: moment)
        effects.append(.want)
    }

    /// Lets the current page slide out, while its picture moves from `drawn` to the resting
    /// placement nearest to `computed`.
    private mutating func leavePage(
        from drawn: Placement, toRestNear computed: Placement, at moment: Moment
    ) {
        let rest = geometry.nearestRest(to: computed, about: computed.center)
        pager.leavePage(
            by: outgoingMotion(from: drawn, to: rest, at: moment),
            rotation: zoomPan.goal.rotation)
    }

    /// The motion of the picture on a page that slides out.
    private func outgoingMotion(
        from placement: Placement, to rest: Placement, at moment: Moment
    ) -> PlacementMotion {
        guard !settings.reducedMotion else { return .standing(rest) }
        return PlacementMotion(from: placement, to: rest, pivot: viewport.center, at: moment)
    }

    /// Initialises the current page, which was drawn at `start`, nil where it was not visible or
    /// already at its resting place: a page that was still sliding out comes back.
    private mutating func enterPage(
        from start: Placement?, backdropAt opacity: Double, at moment: Moment
    ) {
        backdrop.set(opacity)
        let outgoing = pager.consumeOutgoingMotion()
        let isKept = settings.keepZoom || outgoing == nil
        let rest = isKept ? restOfCurrentPage : outgoing?.target ?? restOfCurrentPage
        if let start = outgoing?.placement(at: moment) ?? start, start != rest || outgoing != nil {
            zoomPan.move(
                by: PlacementMotion(from: start, to: rest, pivot: viewport.center, at: moment))
        } else {
            zoomPan.rest(at: rest)
        }
        fade(to: 1, at: moment)
    }

    /// The placement of the picture on a page other than the current one.
    func placement(onPage other: Int, at moment: Moment) -> Placement {
        pager.outgoingMotion(of: other)?.placement(at: moment)
            ?? rest(ofPage: other, beside: zoomPan.drawnPlacement(at: moment))
    }

    // MARK: Prediction

    /// Applies a change that is computed from the samples alone, and keeps the drawn placement.
    ///
    /// The difference between the placements drawn before and after the change becomes the
    /// correction, which decays.
    mutating func withPredictionCorrection(
        at moment: Moment, _ change: (inout ViewerModel) -> Void
    ) {
        let (old, shift) = (zoomPan.drawnPlacement(at: moment), drawnPagerOffset(at: moment))
        let (left, before) = (pager.page, self)
        zoomPan.correct(by: .none)
        change(&self)
        guard !settings.reducedMotion else { return }
        let newShift = drawnPagerOffset(at: moment) - Double(pager.page - left) * pager.stride
        let new = zoomPan.drawnPlacement(at: moment)
        if pager.page != left, let target = pager.outgoingMotion(of: left)?.target {
            pager.setOutgoingMotion(outgoingMotion(from: old, to: target, at: moment), of: left)
        }
        zoomPan.correct(
            by: PredictionCorrection(
                from: pager.page == left ? old : before.placement(onPage: pager.page, at: moment),
                to: new, shift: shift - newShift,
                at: moment))
    }

    // MARK: Changes of the listing

    /// Follows a change of the listing: pictures were added, removed or moved.
    ///
    /// `mapping` gives the new index of an old one, nil for a removed picture. `nearest` gives the
    /// new index to select where the selected picture was removed.
    package mutating func update(
        count: Int, mapping: (_ old: Int) -> Int?, nearest: (_ old: Int) -> Int?,
        at moment: Moment, effects: inout [ViewerEffect]
    ) {
        cell.update(mapping: mapping)
        pictureFacts.update(mapping: mapping)
        rememberView()
        let wasPair = slideshow.partner != nil
        slideshow.followListing(mapping: mapping)
        slideOverlay.update(mapping: mapping)
        let isReplaced = pager.update(count: count, mapping: mapping, nearest: nearest)
        if isReplaced || count == 0 {
            abandonCrop(at: moment)
            (slideshow.fade, slideshow.leaving) = (nil, nil)
        }
        guard count > 0 else {
            zoomPan.disappear()
            cell.removeCrop()
            hideChrome(at: moment)
            return
        }
        if isReplaced {
            slideshow.partner = nil
            replaceSelected(at: moment)
        } else if wasPair, slideshow.partner == nil {
            settleAtFit(at: moment)
        }
        effects.append(.want)
    }

    /// The picture on the current page was removed, and another picture took its index.
    private mutating func replaceSelected(at moment: Moment) {
        if ownsChrome {
            // Menu and field were for the picture that is gone.
            chrome.closeMenu()
            chrome.endEditing(at: moment)
        }
        if zoomPan.returningMotion != nil {
            // The cell of the picture was removed, too.
            land()
        } else if zoomPan.isShown {
            backdrop.set(1)
            cell.removeCrop()
            zoomPan.rest(at: restOfCurrentPage)
        }
    }
}
