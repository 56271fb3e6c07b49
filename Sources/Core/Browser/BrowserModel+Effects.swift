import Commands
import Grid
import Motion
import Viewer

/// Requests of the grid and of the viewer: requests to one another are performed here, all others are
/// passed on.
extension BrowserModel {
    /// Runs `body` with the viewer, and performs the requests of the viewer.
    mutating func withViewer(
        at moment: Moment, effects: inout [Effect],
        _ body: (_ viewer: inout ViewerModel, _ requests: inout [Viewer.Effect]) -> Void
    ) {
        var requests: [Viewer.Effect] = []
        body(&viewer, &requests)
        handle(requests, at: moment, into: &effects)
    }

    /// Runs `body` with the grid, and performs the requests of the grid.
    mutating func withGrid(
        at moment: Moment, effects: inout [Effect],
        _ body: (_ grid: inout GridModel, _ requests: inout [GridEffect]) -> Void
    ) {
        var requests: [GridEffect] = []
        body(&grid, &requests)
        handle(requests, at: moment, into: &effects)
    }

    private mutating func handle(
        _ requests: [Viewer.Effect], at moment: Moment, into effects: inout [Effect]
    ) {
        for effect in requests {
            switch effect {
            case .show: effects.append(.want)
            case .toggleFullscreen: effects.append(.toggleFullscreen)
            case .playPause: effects.append(.playPause)
            case .nextFrame: effects.append(.nextFrame)
            case .openFiles: effects.append(.openFiles)
            case .openFolder: effects.append(.openFolder)
            case .turned(let index, let quarters):
                effects.append(.turned(index: index, quarters: quarters))
            case .files(let command): effects.append(.files(command))
            case .answered(let purpose, let answer):
                effects.append(.answered(purpose, answer))
            case .saveCrop(let edit, let save, let index):
                effects.append(.saveCrop(edit, save, index: index))
            case .openSettings: effects.append(.openSettings)
            case .changeSettings(let change): effects.append(.changeSettings(change))
            case .quit: effects.append(.quit)
            case .moveWindow: effects.append(.moveWindow)
            case .showWindowMenu(let point): effects.append(.showWindowMenu(at: point))
            case .dragOut(let point):
                effects.append(.dragOut(indexes: [viewer.index], from: point))
            case .window(let action): effects.append(.window(action))
            case .landed:
                set(.grid, at: moment)
                grid.hide(nil)
                grid.setFocus(viewer.index)
                effects.append(.want)
            }
        }
    }

    /// Opens a picture of the grid as soon as its size is known.
    ///
    /// Until then the picture has the focus, so that a key opens no other one.
    private mutating func open(_ index: Int, at moment: Moment, effects: inout [Effect]) {
        grid.setFocus(index)
        viewer.prepare(index, at: moment)
        opening = index
        effects.append(.want)
        pictureArrived(at: moment)
    }

    mutating func handle(
        _ requests: [GridEffect], at moment: Moment, into effects: inout [Effect]
    ) {
        for effect in requests {
            switch effect {
            case .open(let index): open(index, at: moment, effects: &effects)
            case .startSlideshow(let index):
                viewer.startSlideshow(at: moment)
                open(index, at: moment, effects: &effects)
            case .selectionChanged: break
            case .dragOut(let indexes, let point):
                effects.append(.dragOut(indexes: indexes, from: point))
            case .toggleFullscreen: effects.append(.toggleFullscreen)
            case .openFiles: effects.append(.openFiles)
            case .openFolder: effects.append(.openFolder)
            case .openSettings: effects.append(.openSettings)
            case .files(let command): effects.append(.files(command))
            case .leave where opening != nil:
                opening = nil
                effects.append(.want)
            case .leave: if policy.allowsLeaving { effects.append(.quit) }
            }
        }
    }
}
