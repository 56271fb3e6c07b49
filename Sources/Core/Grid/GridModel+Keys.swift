package import Commands
import Geometry
package import Input
package import Interface
package import Motion

extension GridModel {
    /// Fraction of the surface's height that stays visible after a page key.
    private static let pageOverlap = 0.1
    /// Distance between a cell scrolled into view and the surface's edge, in logical pixels.
    private static let clearance = 12.0

    /// Performs the command of a key: Shift extends the selection, and arrows point to the other side in a
    /// mirrored grid.
    package mutating func handle(
        _ command: Command, of key: KeyEvent, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        perform(
            isMirrored ? command.mirrored : command, extends: key.modifiers.contains(.shift),
            at: moment, effects: &effects)
    }

    /// Performs a command; `extends` the selection to the new focus.
    ///
    /// `showsFocus` is false for a finger, which does not use the focus.
    package mutating func perform(
        _ command: Command, extends: Bool, showsFocus: Bool = true, at moment: Moment,
        effects: inout [ViewerEffect]
    ) {
        advance(to: moment)
        guard peek == nil else {
            if command == .leave { putBack(isCancelled: true, at: moment) }
            return
        }
        if Command.forFiles.contains(command) {
            performOnFiles(command, at: moment, effects: &effects)
            return
        }
        relax(at: moment)
        if showsFocus { marksFocus = true }
        if focus == nil, folderFocus == nil { focusFirstVisible(command, at: moment) }
        switch command {
        case .left, .right, .up, .down, .pageUp, .pageDown, .first, .last:
            moveFocus(command, extends: extends, at: moment)
        case .open:
            if let folderFocus {
                request = .enter(folder: folderFocus)
            } else if let focus {
                request = .open(index: focus)
            }
        case .select:
            if let focus, folderFocus == nil { toggle(focus) }
        case .selectAll: select(Set(0..<contents.count))
        case .zoomIn: zoomStep(up: true, about: zoomPoint(at: moment), at: moment)
        case .zoomOut: zoomStep(up: false, about: zoomPoint(at: moment), at: moment)
        case .defaultColumns: zoom(to: 1, about: zoomPoint(at: moment), at: moment)
        case .slideshow:
            if contents.count > 0 { request = .startSlideshow(index: focus ?? 0) }
        case .openFiles: effects.append(.openFiles)
        case .openFolder: effects.append(.openFolder)
        case .newWindow: effects.append(.newWindow)
        case .fullscreen: effects.append(.window(.toggleFullscreen))
        case .settings: effects.append(.openSettings)
        case .leave:
            if selection.isEmpty, !isSelecting {
                request = .leave
            } else {
                setSelecting(false)
            }
        case .undo, .redo, .delete, .deleteForGood, .favourite, .rate, .favouritesOnly, .rename,
            .copyTo, .moveTo, .openWith, .showInFiles, .share, .print, .setBackground, .copy,
            .paste, .runCommand:
            break
        case .flipHorizontally, .flipVertically, .crop:
            break
        case .next, .previous, .fit, .oneToOne, .fill, .keepZoom, .light, .rotateClockwise,
            .rotateAnticlockwise,
            .playPause, .nextFrame, .checkerboard, .chrome, .menu, .information, .grid, .quit,
            .help, .find, .parentFolder, .previousFolder,
            .focusNext, .focusPrevious:
            break
        }
    }

    /// Passes on a command for the selected files, or else for the focused file, whose focus is then
    /// shown.
    private mutating func performOnFiles(
        _ command: Command, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        switch command {
        case .flipHorizontally, .flipVertically: return
        case .undo, .redo, .paste, .favouritesOnly: break
        default:
            if selection.isEmpty {
                // Commands are for pictures.
                guard folderFocus == nil else { return }
                focus = focus ?? firstVisible(at: moment)
                marksFocus = true
            }
        }
        effects.append(.files(command))
    }

    /// The focal point of zooms by keys: the centre of the focused cell if visible, or the middle.
    private func zoomPoint(at moment: Moment) -> Point {
        let middle = Point(x: surface.width / 2, y: surface.height / 2)
        guard let focus else { return middle }
        let center = projection(at: moment).rect(of: focus).center
        let all = Rect(x: 0, y: 0, width: surface.width, height: surface.height)
        return all.contains(center) ? center : middle
    }

    /// The focus of the first key: the first picture that is visible, or the first folder.
    private mutating func focusFirstVisible(_ command: Command, at moment: Moment) {
        let moves = [.left, .right, .up, .down, .first, .pageUp].contains(command)
        if folderCount > 0, contents.count == 0 || moves && origin(at: moment).y <= 0 {
            folderFocus = 0
        } else {
            focus = firstVisible(at: moment)
        }
    }

    private func firstVisible(at moment: Moment) -> Int? {
        let cells = projection(at: moment).cells().cells
        return (cells.first { $0.rect.y >= top } ?? cells.first)?.index
    }

    // MARK: Focus

    private mutating func moveFocus(
        _ command: Command, extends: Bool, at moment: Moment
    ) {
        if !extends, moveFolderFocus(command, at: moment) { return }
        guard contents.count > 0 else { return }
        let last = contents.count - 1
        let target: Int?
        switch (command, focus) {
        case (.first, _): target = 0
        case (.last, _): target = last
        case (.left, let focus?): target = max(focus - 1, 0)
        case (.right, let focus?): target = min(focus + 1, last)
        case (.up, let focus?): target = layout.cell(-1, rowsBelow: focus)
        case (.down, let focus?): target = layout.cell(1, rowsBelow: focus)
        case (.pageUp, let focus?): target = page(from: focus, down: false)
        case (.pageDown, let focus?): target = page(from: focus, down: true)
        case (_, _): target = nil
        }
        guard let target else { return }
        if extends { extendSelection(to: target) }
        focus = target
        reveal(target, at: moment)
    }

    /// The cell about one page from `index`, at least one row away.
    private func page(from index: Int, down: Bool) -> Int {
        var layout = layout
        layout.scale = goal.scale
        let center = layout.rect(of: index).center
        let distance = max(surface.height - top, 1) * (1 - Self.pageOverlap)
        let point = Point(x: center.x, y: center.y + (down ? distance : -distance))
        let near = layout.cell(down ? 1 : -1, rowsBelow: index)
        let far = layout.nearestCell(to: point) ?? near
        return down ? max(near, far) : min(near, far)
    }

    /// Scrolls by the shortest distance that makes a cell visible.
    mutating func reveal(_ index: Int, at moment: Moment) {
        if case .held = state { return }
        scroll(to: revealingOrigin(of: index, from: goal), at: moment)
    }

    /// The origin, nearest to the one of `scrollState`, at which a cell is visible.
    ///
    /// The header above the cell is visible as well.
    func revealingOrigin(of index: Int, from scrollState: ScrollState) -> Point {
        var layout = layout
        layout.scale = scrollState.scale
        var rect = layout.rect(of: index)
        let above = Rect(x: rect.x, y: rect.y - 1, width: rect.width, height: 1)
        if let header = layout.headers(in: above).last?.rect {
            rect = Rect(x: rect.x, y: header.y, width: rect.width, height: rect.maxY - header.y)
        }
        // `extent` is the visible length.
        func axis(_ now: Double, _ start: Double, _ length: Double, _ extent: Double) -> Double {
            let clearance = min(Self.clearance, max((extent - length) / 2, 0))
            let (low, high) = (start + length + clearance - extent, start - clearance)
            // Of a cell larger than the surface, the start is visible.
            guard low < high else { return start }
            return min(max(now, low), high)
        }
        let origin = scrollState.origin(in: layout)
        return Point(
            x: axis(origin.x, rect.x, rect.width, surface.width),
            y: axis(origin.y + top, rect.y, rect.height, max(surface.height - top, 1)) - top)
    }
}

extension Command {
    /// The command whose key points to the other side; `left` is the previous picture, and `right` the
    /// next one.
    fileprivate var mirrored: Command {
        switch self {
        case .left: .right
        case .right: .left
        default: self
        }
    }
}
