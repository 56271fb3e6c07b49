package import Geometry
import CMath
package import Motion

/// Changes from outside: surface, contents, and the transition between grid and viewer.
extension GridModel {
    // MARK: Surface

    /// Changes the surface size, and the height of the strip at the top that a header covers, in logical pixels; the
    /// row at the top stays there.
    package mutating func resize(to surface: Size, below top: Double? = nil, at moment: Moment) {
        let (surface, top) = (Self.plausible(surface), top ?? self.top)
        guard (surface, top) != (self.surface, self.top) else { return }
        self.top = top
        replaceLayout(contents, on: surface, at: moment) { $0 }
    }

    /// Sets whether rows begin at the right edge, and the height of the strip at the top that a header covers, in
    /// logical pixels; the grid comes to rest, with the same row at the top.
    package mutating func setMirrored(_ isMirrored: Bool, below top: Double? = nil) {
        let top = top ?? self.top
        guard (isMirrored, top) != (self.isMirrored, self.top) else { return }
        self.top = top
        let origin = goal.origin(in: layout)
        let scale = goal.scale
        self.isMirrored = isMirrored
        fadingLayouts.removeAll()
        peek = nil
        layout = settings.makeLayout(
            contents, on: surface, below: top + shelf.height, isMirrored: isMirrored)
        layout.settle(at: layout.restScale(near: scale))
        let start = ScrollState(scale: layout.scale)
        state = .resting(rest(near: start.moved(to: Point(x: 0, y: origin.y), in: layout)))
    }

    // MARK: Contents

    /// Replaces the contents after pictures were added, removed or moved.
    ///
    /// `mapping` returns the new index for an old one, or nil for a removed picture.
    ///
    /// The picture at the top of the surface stays in place. If that picture was removed, the
    /// nearest remaining one takes its place. A grid scrolled to its very top stays there.
    package mutating func update(
        to contents: GridContents, mapping: (_ old: Int) -> Int?, at moment: Moment
    ) {
        func survivor(_ old: Int) -> Int? {
            guard let new = mapping(old), (0..<contents.count).contains(new) else { return nil }
            return new
        }
        let oldCount = self.contents.count
        replaceLayout(contents, on: surface, at: moment) { old in
            Self.nearestSurvivor(to: old, of: oldCount, survivor)
        }
        focus = focus.flatMap(survivor)
        hidden = hidden.flatMap(survivor)
        selectionStart = selectionStart.flatMap(survivor)
        let kept = Set(selection.compactMap(survivor))
        // The selected pictures are gone, and with them the wish to select.
        if kept.isEmpty, !selection.isEmpty { isSelecting = false }
        selection = kept
        setMarks(
            marks.reduce(into: [:]) { kept, mark in
                if let index = survivor(mark.key) { kept[index] = mark.value }
            })
        if let lifted = peek {
            let index = survivor(lifted.index)
            if let index { peek?.index = index } else { peek = nil }
        }
        self.contents = contents
    }

    /// Sets the oriented sizes of pictures, in pixels.
    ///
    /// A picture that is lifted, or held by fingers or a zoom, stays in place; otherwise the picture in
    /// the middle of the surface does. A grid that is scrolled to its very top stays there.
    package mutating func setSizes(_ sizes: [(index: Int, size: PixelSize)], at moment: Moment) {
        let old = steadyState(at: moment)
        let former = layout
        var moves = false
        for (index, size) in sizes {
            contents.setSize(size, of: index)
            guard contents.aspects.indices.contains(index) else { continue }
            if layout.setAspect(contents.aspects[index], of: index) { moves = true }
        }
        guard moves else { return }
        stay(at: old, at: moment)
        guard !settings.reducedMotion else { return }
        let translation = projection(at: moment).place(of: old.anchor) - old.focal
        fade(former, about: old.anchor, offset: -translation, at: moment)
    }

    /// The scroll state whose anchor stays in place while cells change their shapes.
    private func steadyState(at moment: Moment) -> ScrollState {
        let now = scrollState(at: moment)
        switch state {
        case .held(let hold) where hold.kind == .pinch: return now
        case .moving(let motion) where motion.scales(from: moment): return now
        case .held, .moving, .resting: break
        }
        if let peek {
            let middle = Anchor(index: peek.index, fraction: Vector(dx: 0.5, dy: 0.5))
            return ScrollState(
                anchor: middle, focal: projection(at: moment).place(of: middle), scale: now.scale)
        }
        let isAtTop = now.origin(in: layout).y <= Tolerance.pixels.distance
        let middle = Point(x: surface.width / 2, y: surface.height / 2)
        return anchored(at: isAtTop ? .zero : middle, moment)
    }

    /// The new index of an old picture, or of the nearest remaining one.
    ///
    /// Pictures after the old one are preferred to pictures before it.
    private static func nearestSurvivor(
        to old: Int, of count: Int, _ survivor: (Int) -> Int?
    ) -> Int? {
        for later in old..<max(count, old) {
            if let new = survivor(later) { return new }
        }
        for earlier in stride(from: min(old, count) - 1, through: 0, by: -1) {
            if let new = survivor(earlier) { return new }
        }
        return nil
    }

    private mutating func replaceLayout(
        _ contents: GridContents, on surface: Size, at moment: Moment, mapping: (Int) -> Int?
    ) {
        let scrollState = scrollState(at: moment)
        var top = anchored(at: .zero, moment)
        let isAtTop = scrollState.origin(in: layout).y <= Tolerance.pixels.distance
        fadingLayouts.removeAll()
        self.surface = surface
        layout = settings.makeLayout(
            contents, on: surface, below: self.top + shelf.height, isMirrored: isMirrored)
        layout.settle(at: layout.restScale(near: goal.scale))
        if let index = mapping(top.anchor.index) {
            top.anchor.index = index
        } else {
            top.anchor = .start
        }
        if isAtTop, !isHeld { top = ScrollState(scale: layout.scale).moved(to: .zero, in: layout) }
        resume(top, from: scrollState, at: moment)
    }

    /// Lays out the same pictures again.
    mutating func rebuildLayout(at moment: Moment) {
        replaceLayout(contents, on: surface, at: moment) { $0 }
    }

    private var isHeld: Bool {
        if case .held = state { true } else { false }
    }

    /// Continues from `scrollState` in a new layout.
    ///
    /// A resting grid rests, a motion continues as a fling, and a scroll stays under the finger.
    /// Any other manipulation ends.
    private mutating func resume(
        _ scrollState: ScrollState, from old: ScrollState, at moment: Moment
    ) {
        var scrollState = scrollState
        scrollState.scale = layout.restScale(near: goal.scale)
        let target = rest(near: scrollState)
        switch state {
        case .resting: state = .resting(target)
        case .moving(let motion):
            let velocity = motion.velocity(at: moment).moved(from: old.focal, to: target.focal)
            fling(target, velocity: velocity.focal, at: moment)
        case .held(let hold):
            if hold.kind == .scroll {
                rebaseScroll(hold, from: scrollState)
            } else {
                state = .resting(target)
            }
        }
    }

    /// Continues after cells have moved slightly, so that the anchor of `top` stays in place.
    ///
    /// A motion that changes the scale keeps its own anchor.
    mutating func stay(at top: ScrollState, at moment: Moment) {
        switch state {
        case .resting: state = .resting(rest(near: top))
        case .moving(let motion):
            let (now, velocity) = (motion.scrollState(at: moment), motion.velocity(at: moment))
            if motion.target.scale != now.scale {
                move(from: now, to: rest(near: motion.target), velocity: velocity, at: moment)
            } else if motion.isFling {
                fling(top, velocity: velocity.focal, at: moment)
            } else {
                var target = top
                target.focal = top.focal + (motion.target.focal - now.focal)
                move(from: top, to: rest(near: target), velocity: velocity, at: moment)
            }
        case .held(let hold):
            // A pinch and the handle determine the position of the grid themselves.
            if hold.kind == .scroll { rebaseScroll(hold, from: top) }
        }
    }

    /// Continues a scroll from a new scroll state, with x clamped to the resting range.
    private mutating func rebaseScroll(_ hold: GridManipulation, from scrollState: ScrollState) {
        var origin = scrollState.origin(in: layout)
        origin.x = scrollRange(at: scrollState.scale).clamp(origin).x
        let start = scrollState.moved(to: origin, in: layout)
        state = .held(
            GridManipulation(
                .scroll, fingers: (predicted ?? hold).fingers, isNew: false, start: start,
                startOrigin: origin,
                origin: start, in: bounds(at: scrollState.scale)))
    }

    // MARK: Transition

    /// Sets the picture that keys act on to the one viewed last; ignores an invalid index.
    package mutating func setFocus(_ index: Int) {
        if (0..<contents.count).contains(index) { (focus, folderFocus) = (index, nil) }
    }

    /// Gives a picture the focus, which is marked; ignores an invalid index.
    package mutating func setMarkedFocus(_ index: Int) {
        guard (0..<contents.count).contains(index) else { return }
        (focus, folderFocus, marksFocus) = (index, nil, true)
    }

    /// The rectangle that a picture covers, lifted or in its cell; nil for an invalid index.
    ///
    /// In logical pixels of the surface. A small picture covers less than its cell.
    package func pictureRect(of index: Int, at moment: Moment) -> Rect? {
        guard let rect = cellRect(of: index, at: moment) else { return nil }
        let projection = projection(at: moment)
        let home = projection.rect(of: index)
        return part(
            of: rect, projection.crop(of: index), index,
            magnification: scrollState(at: moment).scale
                * (home.width > 0 ? rect.width / home.width : 1))
    }

    /// The part that a picture covers of its cell, which is drawn at `rect`, so much larger than in the arrangement
    /// that the grid begins with.
    func part(of rect: Rect, _ crop: CellCrop, _ index: Int, magnification: Double) -> Rect {
        guard let size = contents.smallSizes[index], magnification > 0 else { return rect }
        return crop.part(
            of: rect, size: size.size * (1 / scale), magnification: magnification, scale: scale)
    }

    /// The rectangle of a picture, lifted or in its cell; nil for an invalid index.
    ///
    /// In logical pixels of the surface; may lie beyond its edges.
    package func cellRect(of index: Int, at moment: Moment) -> Rect? {
        guard (0..<contents.count).contains(index) else { return nil }
        let home = projection(at: moment).rect(of: index)
        guard let peek = predictedPeek ?? peek, peek.index == index else { return home }
        return peek.rect(home: home, at: moment)
    }

    /// Whether a cell shows its whole picture.
    package func showsWhole(_ index: Int, at moment: Moment) -> Bool {
        projection(at: moment).crop(of: index).isWhole
    }

    /// Scrolls a cell into view without animation; for a grid that is not visible.
    package mutating func bringIntoView(_ index: Int, at moment: Moment) {
        guard (0..<contents.count).contains(index) else { return }
        fadingLayouts.removeAll()
        peek = nil
        let scale = layout.restScale(near: goal.scale)
        var scrollState = scrollState(at: moment)
        layout.settle(at: scale)
        scrollState.scale = scale
        let origin = revealingOrigin(of: index, from: rest(near: scrollState))
        state = .resting(scrollState.moved(to: scrollRange(at: scale).clamp(origin), in: layout))
    }

    /// Scrolls until a cell is visible, and gives the cell the focus.
    package mutating func present(_ index: Int, at moment: Moment) {
        guard (0..<contents.count).contains(index) else { return }
        (focus, folderFocus, marksFocus) = (index, nil, true)
        reveal(index, at: moment)
    }

    /// Leaves a cell empty while a transition draws its picture; nil shows all pictures.
    ///
    /// If the picture is lifted, the lift ends and the transition takes over.
    package mutating func hide(_ index: Int?) {
        hidden = index
        if let lifted = peek, lifted.index == index { peek = nil }
    }
}
