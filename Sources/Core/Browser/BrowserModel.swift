package import Geometry
package import Gestures
package import Input
package import Motion
package import Viewer
package import Grid

/// The grid of all pictures and the viewer of one, as one continuum.
///
/// One of them has the hands at a time; in a flight the viewer has them, so that a picture can be
/// caught on its way, and the grid shows beneath it with an empty cell.
package struct BrowserModel: Sendable {
    package enum Mode: String, Sendable { case grid, viewer }

    /// What the browser asks of the world around it.
    package enum Effect: Hashable, Sendable {
        /// Other pictures are wanted than before.
        case want
        case toggleFullscreen
        case playPause
        case nextFrame
        case quit
    }

    package private(set) var mode: Mode
    package var viewer: ViewerModel
    package private(set) var grid: GridModel
    /// The picture that is to be opened as soon as its size is known.
    private var opening: Int?
    /// Whether a dismissed picture goes back to the grid.
    private var returns: Bool
    /// The picture that still flies to its cell although the grid has the hands already.
    private(set) var landing: Landing?
    /// Whether the viewer has come from the grid, or is on its way there, and not covered it since.
    private var isOverGrid = false

    package init(
        _ mode: Mode, viewport: Viewport, contents: GridContents, index: Int = 0,
        viewerSettings: ViewerSettings = .init(), gridSettings: GridSettings = .init()
    ) {
        self.mode = mode
        viewer = ViewerModel(
            viewport: viewport, count: contents.count, index: index, settings: viewerSettings)
        grid = GridModel(surface: viewport.size, contents: contents, settings: gridSettings)
        returns = Self.returns(viewerSettings, otherwise: mode == .grid)
        if mode == .grid { viewer.prepare(index, at: .zero) }
    }

    // MARK: Pictures

    /// The pictures that are wanted in full, the most urgent first.
    package var wanted: [Int] {
        if let opening { return [opening] }
        return mode == .viewer ? viewer.wanted : []
    }

    /// Forgets what is not around the selected picture any more, and returns the pictures whose pixels
    /// may be asked for.
    package mutating func prune(at moment: Moment) -> Set<Int> {
        let kept = viewer.prune(at: moment)
        return landing.map { kept.union([$0.index]) } ?? kept
    }

    /// Something came to be known of a picture: one that waits for it opens now.
    package mutating func pictureArrived(at moment: Moment) {
        guard let opening, viewer.isPrepared else { return }
        self.opening = nil
        launch(opening, at: moment)
    }

    /// Lets the picture grow out of its cell, from where it is drawn.
    private mutating func launch(_ index: Int, at moment: Moment) {
        guard let rect = grid.cellRect(of: index, at: moment) else { return }
        mode = .viewer
        returns = Self.returns(viewer.settings, otherwise: true)
        isOverGrid = true
        // Whatever held or moved the grid, from here on it rests beneath.
        grid.bringIntoView(index, at: moment)
        viewer.open(from: TransitionSource(rect: rect, isCropped: isCropped), at: moment)
        grid.hide(index)
    }

    private static func returns(_ settings: ViewerSettings, otherwise: Bool) -> Bool {
        switch settings.dismiss {
        case .quit: false
        case .grid: true
        case .off, nil: otherwise
        }
    }

    private var isCropped: Bool { grid.settings.layout != .justified }

    /// Pictures have come, gone or moved.
    package mutating func update(
        to contents: GridContents, mapping: (_ old: Int) -> Int?, nearest: (_ old: Int) -> Int?,
        at moment: Moment, effects: inout [Effect]
    ) {
        opening = opening.flatMap(mapping)
        if let index = landing?.index {
            if let new = mapping(index) { landing?.index = new } else { landing = nil }
        }
        // Nothing is left to be viewed; the grid says so, and waits.
        if contents.count == 0 { mode = .grid }
        grid.update(to: contents, mapping: mapping, at: moment)
        var asked: [Viewer.Effect] = []
        viewer.update(
            count: contents.count, mapping: mapping, nearest: nearest, at: moment,
            effects: &asked)
        take(asked, at: moment, into: &effects)
        guard mode == .viewer, contents.count > 0 else { return }
        grid.bringIntoView(viewer.index, at: moment)
        alignGrid(at: moment)
        viewer.followHome(at: moment)
    }

    /// Sizes of pictures as shown, in pixels, have come to be known.
    package mutating func setSizes(_ sizes: [(index: Int, size: PixelSize)], at moment: Moment) {
        grid.setSizes(sizes, at: moment)
    }

    // MARK: What is seen

    /// Whether any of the grid can be seen.
    package func showsGrid(at moment: Moment) -> Bool {
        switch mode {
        case .grid: true
        case .viewer:
            viewer.hasHome && (returns || isOverGrid || viewer.isHoming)
                && !viewer.coversSurface(at: moment)
        }
    }

    package var hasContent: Bool {
        mode == .grid ? grid.contents.count > 0 : viewer.hasPicture || viewer.hasMessage
    }

    /// Keeps the grid at the selected picture while it lies beneath, and tells the viewer where
    /// that picture's cell is.
    private mutating func alignGrid(at moment: Moment) {
        guard mode == .viewer else { return }
        if grid.hidden != viewer.index {
            grid.bringIntoView(viewer.index, at: moment)
            grid.hide(viewer.index)
        }
        guard let rect = grid.cellRect(of: viewer.index, at: moment) else { return }
        viewer.setTransitionSource(
            TransitionSource(rect: rect, isCropped: isCropped), isExit: returns)
    }

    // MARK: Landing

    /// The grid takes the hands while a picture is still on its way to its cell.
    private mutating func takeHands(at moment: Moment) {
        landing = viewer.handOverFlight(at: moment)
        if landing == nil { grid.hide(nil) }
        grid.setFocus(viewer.index)
        mode = .grid
    }

    /// Whether a gesture is the grid's although a picture is still in flight: it begins beside it.
    private func isBesideFlight(_ point: Point?, at moment: Moment) -> Bool {
        guard let point, mode == .viewer, viewer.isHoming else { return false }
        return !viewer.isOnFlight(point, at: moment)
    }

    /// Ends the landing once the picture is in its cell; what was wanted for the viewer is not any more.
    private mutating func endLanding(at moment: Moment, effects: inout [Effect]) {
        guard let landing else { return }
        if let cell = grid.cellRect(of: landing.index, at: moment),
            !landing.isOver(in: cell, at: moment)
        {
            return
        }
        self.landing = nil
        if grid.hidden == landing.index { grid.hide(nil) }
        effects.append(.want)
    }

    // MARK: Effects

    private mutating func take(
        _ asked: [Viewer.Effect], at moment: Moment, into effects: inout [Effect]
    ) {
        for effect in asked {
            switch effect {
            case .show: effects.append(.want)
            case .toggleFullscreen: effects.append(.toggleFullscreen)
            case .playPause: effects.append(.playPause)
            case .nextFrame: effects.append(.nextFrame)
            case .quit: effects.append(.quit)
            case .landed:
                mode = .grid
                grid.hide(nil)
                grid.setFocus(viewer.index)
                effects.append(.want)
            }
        }
    }

    private mutating func take(
        _ asked: [GridEffect], at moment: Moment, into effects: inout [Effect]
    ) {
        for effect in asked {
            switch effect {
            case .open(let index):
                viewer.prepare(index, at: moment)
                opening = index
                effects.append(.want)
                pictureArrived(at: moment)
            case .selectionChanged: break
            case .toggleFullscreen: effects.append(.toggleFullscreen)
            case .leave where opening != nil:
                opening = nil
                effects.append(.want)
            case .leave: effects.append(.quit)
            }
        }
    }
}

extension BrowserModel: GestureTarget {
    package mutating func handle(
        _ gesture: Gesture, modifiers: KeyEvent.Modifiers, at moment: Moment,
        effects: inout [Effect]
    ) {
        if isBesideFlight(gesture.beginning, at: moment) { takeHands(at: moment) }
        switch mode {
        case .grid:
            var asked: [GridEffect] = []
            grid.handle(gesture, modifiers: modifiers, at: moment, effects: &asked)
            take(asked, at: moment, into: &effects)
        case .viewer:
            alignGrid(at: moment)
            var asked: [Viewer.Effect] = []
            viewer.handle(gesture, at: moment, effects: &asked)
            take(asked, at: moment, into: &effects)
        }
    }

    package mutating func handle(_ key: KeyEvent, at moment: Moment, effects: inout [Effect]) {
        if mode == .viewer, viewer.isHoming, key.action != .up { takeHands(at: moment) }
        switch mode {
        case .grid:
            var asked: [GridEffect] = []
            grid.handle(key, at: moment, effects: &asked)
            take(asked, at: moment, into: &effects)
        case .viewer:
            alignGrid(at: moment)
            var asked: [Viewer.Effect] = []
            viewer.handle(key, at: moment, effects: &asked)
            take(asked, at: moment, into: &effects)
        }
    }

    package mutating func resize(to size: Size?, scale: Double?, at moment: Moment) {
        viewer.resize(to: size, scale: scale, at: moment)
        grid.resize(to: viewer.viewport.size, at: moment)
        guard mode == .viewer else { return }
        // The cell that a picture flies to lies elsewhere now.
        grid.bringIntoView(viewer.index, at: moment)
        alignGrid(at: moment)
        viewer.followHome(at: moment)
    }

    package mutating func advance(to moment: Moment, effects: inout [Effect]) {
        grid.advance(to: moment)
        if viewer.isHoming {
            isOverGrid = true
        } else if viewer.coversSurface(at: moment) {
            isOverGrid = false
        }
        var asked: [Viewer.Effect] = []
        viewer.advance(to: moment, effects: &asked)
        take(asked, at: moment, into: &effects)
        endLanding(at: moment, effects: &effects)
    }

    package var deadline: Moment? {
        switch mode {
        case .grid: grid.deadline
        case .viewer: viewer.deadline
        }
    }

    package func isAnimating(at moment: Moment) -> Bool {
        if landing != nil { return true }
        return mode == .grid ? grid.isAnimating(at: moment) : viewer.isAnimating(at: moment)
    }

    package func context(at moment: Moment, near point: Point?) -> GestureArena.Context {
        guard mode == .grid || isBesideFlight(point, at: moment) else {
            return viewer.context(at: moment, near: point)
        }
        return GestureArena.Context(
            contentIsMoving: grid.isMoving(at: moment), doubleTapMatters: false, rotates: false)
    }
}

extension Gesture {
    /// Where a gesture begins, on the surface; nil where it goes on with something.
    fileprivate var beginning: Point? {
        switch self {
        case .caught(let point), .tap(let point, _), .chromeTap(let point), .doubleTap(let point),
            .twoFingerTap(let point), .longPress(let point), .quickZoomBegan(let point),
            .wheel(_, let point, _), .scrollZoom(_, let point):
            point
        case .manipulationBegan(let fingers): fingers.base
        case .manipulationRebased, .manipulationChanged, .manipulationPredicted, .manipulationEnded,
            .manipulationReverted, .resumed, .chromeDrag, .quickZoomChanged, .quickZoomPredicted,
            .quickZoomEnded:
            nil
        }
    }
}
