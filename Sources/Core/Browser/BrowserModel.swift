package import Geometry
import Gestures
import Input
package import Motion
package import SceneModel
package import Interface
import Commands
import Edits
package import Viewer
package import Grid

/// The grid and the viewer as one, and the transitions between them.
///
/// One of the two handles input at a time. During a transition the viewer does, so that the moving
/// picture can be caught; the grid is drawn below the picture, with an empty cell.
package struct BrowserModel: Sendable {
    package enum Mode: String, Sendable { case grid, viewer }

    /// Who handles input: the chrome knows what lies below it.
    package var mode: Mode { chrome.mode == .grid ? .grid : .viewer }
    package var viewer: ViewerModel
    package internal(set) var grid: GridModel
    /// The index of the picture to open as soon as its size is known.
    var opening: Int?
    /// Whether a slideshow begins as soon as there are pictures.
    var awaitsSlides = false
    /// Whether the slideshow that played last has ended because the grid was opened.
    package var hasLeftSlideshow = false
    /// Whether a dismissed picture returns to the grid.
    var returnsToGrid: Bool
    /// The picture that still moves to its cell while the grid already handles input.
    private(set) var landing: Landing?
    /// The folder that opens or closes over the grid; nil at rest.
    var folderFlight: FolderFlight?
    /// Whether the viewer was opened from the grid, or returns to it, and has not covered it since.
    var isOverGrid = false
    /// Whether pictures can be dragged to other programs.
    package var allowsDragOut: Bool {
        get { grid.allowsDragOut }
        set { (grid.allowsDragOut, viewer.allowsDragOut) = (newValue, newValue) }
    }
    /// The bars, menus, panels and messages over the grid or the picture; the viewer keeps them.
    var chrome: Chrome {
        get { viewer.chrome }
        _modify { yield &viewer.chrome }
    }
    /// The widget that a finger has touched last, for a screen reader; nil after other input.
    package internal(set) var touched: String?
    /// What the header shows; the counts come from the grid.
    var facts = GridFacts()

    package init(
        _ mode: Mode, viewport: Viewport, contents: GridContents, index: Int = 0,
        viewerSettings: ViewerSettings = .init(), gridSettings: GridSettings = .init(),
        text: TextMeasurement, theme: Theme = Theme()
    ) {
        viewer = ViewerModel(
            viewport: viewport, count: contents.count, index: index, settings: viewerSettings,
            text: text, theme: theme)
        grid = GridModel(
            surface: viewport.size, contents: contents, settings: gridSettings,
            below: gridSettings.header ? viewer.chrome.layout.top : 0,
            isMirrored: theme.isRightToLeft)
        grid.scale = viewport.scale
        returnsToGrid = false
        returnsToGrid = returnsToGrid(viewerSettings, otherwise: mode == .grid)
        if mode == .grid {
            viewer.prepare(index, at: .zero)
            viewer.chrome.move(over: .grid, at: .zero)
        }
    }

    // MARK: Pictures

    /// The pictures that are wanted in full size, the most urgent first.
    package var wanted: [Int] {
        if let opening { return [opening] }
        return mode == .viewer ? viewer.wanted : []
    }

    /// Discards the pictures that are not near the selected one any more, and returns those whose
    /// pixels may be needed for a frame.
    package mutating func prune(at moment: Moment) -> Set<Int> {
        let kept = viewer.prune(at: moment)
        return landing.map { kept.union([$0.index]) } ?? kept
    }

    /// Opens the picture that is waiting for its size, if the size is known now.
    package mutating func pictureArrived(at moment: Moment) {
        guard let opening, viewer.isPrepared else { return }
        self.opening = nil
        launch(opening, at: moment)
    }

    /// Starts the transition of a picture from its cell to the viewer.
    private mutating func launch(_ index: Int, at moment: Moment) {
        guard let rect = grid.pictureRect(of: index, at: moment) else { return }
        let source = TransitionSource(rect: rect, isCropped: isCropped(index, at: moment))
        set(.viewer, at: moment)
        returnsToGrid = returnsToGrid(viewer.settings, otherwise: true)
        isOverGrid = true
        // Ends any manipulation and motion of the grid.
        grid.bringIntoView(index, at: moment)
        viewer.open(from: source, at: moment)
        grid.hide(index)
    }

    /// Sets who handles input.
    mutating func set(_ mode: Mode, at moment: Moment) {
        guard mode != self.mode else { return }
        chrome.move(over: mode == .grid ? .grid : .viewer, at: moment)
        if mode == .grid {
            if viewer.playsSlideshow { hasLeftSlideshow = true }
            viewer.stopSlideshow()
        }
    }

    func returnsToGrid(_ settings: ViewerSettings, otherwise: Bool) -> Bool {
        switch settings.dismiss {
        case .quit where policy.allowsLeaving: false
        case .grid: true
        case .quit, .off, nil: otherwise
        }
    }

    private func isCropped(_ index: Int, at moment: Moment) -> Bool {
        !grid.showsWhole(index, at: moment)
    }

    /// Follows a change of the listing: pictures were added, removed or moved.
    ///
    /// `mapping` gives the new index of an old one, nil for a removed picture. `nearest` gives the
    /// new index to select where the selected picture was removed.
    package mutating func update(
        to contents: GridContents, mapping: (_ old: Int) -> Int?, nearest: (_ old: Int) -> Int?,
        at moment: Moment, effects: inout [ViewerEffect]
    ) {
        opening = opening.flatMap(mapping)
        if let index = landing?.index {
            if let new = mapping(index) { landing?.index = new } else { landing = nil }
        }
        // Without pictures the grid is shown: the grid has a message for an empty listing.
        if contents.count == 0 {
            awaitsSlides = playsSlideshow
            set(.grid, at: moment)
        }
        grid.update(to: contents, mapping: mapping, at: moment)
        viewer.update(
            count: contents.count, mapping: mapping, nearest: nearest, at: moment,
            effects: &effects)
        receiveLanding(at: moment, effects: &effects)
        resumeSlideshow(at: moment, effects: &effects)
        guard mode == .viewer, contents.count > 0 else { return }
        grid.bringIntoView(viewer.index, at: moment)
        alignGrid(at: moment)
        viewer.retargetReturn(at: moment)
    }

    /// What the grid shows, to be shown again later.
    package var gridPlace: GridModel.Place { grid.place }

    /// Shows a place of the grid again, unless a picture is open.
    package mutating func show(_ place: GridModel.Place) {
        if mode == .grid { grid.show(place) }
    }

    /// Scrolls the grid to its first picture, which a new order begins with; the picture in the viewer keeps
    /// its cell in view.
    package mutating func showTop() {
        if mode == .grid { grid.showTop() }
    }

    /// Sets the upright sizes of pictures, in pixels, as they become known.
    package mutating func setSizes(_ sizes: [(index: Int, size: PixelSize)], at moment: Moment) {
        grid.setSizes(sizes, at: moment)
    }

    // MARK: Visibility

    /// Whether the grid is visible at least in part.
    package func showsGrid(at moment: Moment) -> Bool {
        switch mode {
        case .grid: true
        case .viewer:
            viewer.hasTransitionSource && (returnsToGrid || isOverGrid || viewer.isReturningToCell)
                && !viewer.coversSurface(at: moment)
        }
    }

    package var hasContent: Bool {
        mode == .grid
            ? grid.contents.count > 0 || facts.state != .reading
            : viewer.hasPicture || viewer.hasMessage
    }

    /// Keeps the selected picture's cell in view in the grid below the viewer, and gives the viewer
    /// the cell's rectangle.
    mutating func alignGrid(at moment: Moment) {
        guard mode == .viewer else { return }
        if grid.hidden != viewer.index {
            grid.bringIntoView(viewer.index, at: moment)
            grid.hide(viewer.index)
        }
        guard let rect = grid.pictureRect(of: viewer.index, at: moment) else { return }
        viewer.setTransitionSource(
            TransitionSource(rect: rect, isCropped: isCropped(viewer.index, at: moment)),
            isExit: returnsToGrid)
    }

    // MARK: Landing

    /// A key, or a command of a program, counts for the grid while the picture flies to its cell.
    mutating func prepareForKey(at moment: Moment) {
        if mode == .viewer, viewer.isReturningToCell { switchToGrid(at: moment) }
    }

    /// Switches to the grid while a picture is still moving to its cell.
    mutating func switchToGrid(at moment: Moment) {
        landing = viewer.handOverReturn(at: moment)
        if landing == nil { grid.hide(nil) }
        grid.setFocus(viewer.index)
        set(.grid, at: moment)
    }

    /// Whether a gesture at `point` is for the grid although a picture is still moving to its cell:
    /// the gesture begins beside the picture, or on a message.
    func isBesideMovingPicture(_ point: Point?, at moment: Moment) -> Bool {
        guard let point, mode == .viewer, viewer.isReturningToCell else { return false }
        // The button of a message is above the picture.
        if viewer.context(at: moment, near: point).chrome.contains(point) { return true }
        return !viewer.isOnReturningPicture(point, at: moment)
    }

    /// Ends the landing once the picture is in its cell.
    ///
    /// The pictures of the viewer are not wanted any more then.
    mutating func endLanding(at moment: Moment, effects: inout [ViewerEffect]) {
        guard let landing else { return }
        if let cell = grid.pictureRect(of: landing.index, at: moment),
            !landing.isOver(in: cell, at: moment)
        {
            return
        }
        self.landing = nil
        // The picture that landed may not be the selected one, if that was still loading.
        if grid.hidden == landing.index || mode == .grid { grid.hide(nil) }
        effects.append(.want)
    }

    // MARK: Commands of the grid

    /// Does what a button of the grid's chrome asks for.
    mutating func performOnGrid(
        _ command: Command, showsFocus: Bool = true, at moment: Moment,
        effects: inout [ViewerEffect]
    ) {
        guard policy.allows(command) else { return }
        if performOwn(command, at: moment, effects: &effects) { return }
        grid.perform(
            command, extends: false, showsFocus: showsFocus, at: moment, effects: &effects)
        answerGrid(at: moment, effects: &effects)
    }
}
