import Commands
import Grid
import Interface
import Motion
import Viewer

/// Requests of the grid and of the viewer to one another.
///
/// All other requests are effects, which the models append to the list of the program.
extension BrowserModel {
    /// Does what the grid has asked for; called after the grid has handled a gesture or a command.
    mutating func answerGrid(at moment: Moment, effects: inout [ViewerEffect]) {
        switch grid.consumeRequest() {
        case .open(let index): open(index, at: moment, effects: &effects)
        case .startSlideshow(let index): startSlideshow(index, at: moment, effects: &effects)
        case .leave where opening != nil:
            opening = nil
            effects.append(.want)
        case .enter(let folder): effects.append(.folder(.into(folder)))
        case .leave where chrome.search != nil: endSearch(at: moment, effects: &effects)
        case .leave where facts.canGoBack: effects.append(.folder(.back))
        case .leave: if policy.allowsLeaving { effects.append(.quit) }
        case nil: break
        }
    }

    /// Opens a picture of the grid as soon as its size is known.
    ///
    /// Until then the picture has the focus, so that a key opens no other one.
    mutating func open(_ index: Int, at moment: Moment, effects: inout [ViewerEffect]) {
        grid.setFocus(index)
        viewer.prepare(index, at: moment)
        opening = index
        effects.append(.want)
        pictureArrived(at: moment)
    }

    /// Opens a picture of the grid, and goes on with those that follow.
    mutating func startSlideshow(
        _ index: Int, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        viewer.startSlideshow(at: moment)
        open(index, at: moment, effects: &effects)
    }

    /// Shows the grid if the picture of the viewer has reached its cell.
    mutating func receiveLanding(at moment: Moment, effects: inout [ViewerEffect]) {
        guard viewer.consumeLanding() else { return }
        set(.grid, at: moment)
        grid.hide(nil)
        grid.setFocus(viewer.index)
        effects.append(.want)
    }
}
