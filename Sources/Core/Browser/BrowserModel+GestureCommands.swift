import Commands
import Geometry
import Gestures
import Grid
import Motion
import Viewer

/// Commands of gestures on the grid.
extension BrowserModel {
    /// Performs the command of an eraser or of a button of a pen on the grid, for the picture at a point.
    ///
    /// The menu and the smaller zoom are what the right button of a mouse and two fingers do there;
    /// commands that the grid lacks do nothing.
    mutating func perform(
        _ control: PenControl, at point: Point, _ moment: Moment, effects: inout [Effect]
    ) {
        let command = viewer.settings.gestures.command(of: control)
        switch command {
        case .menu: handOver(.longPress(at: point, source: .pen), at: moment, effects: &effects)
        case .zoomOut: handOver(.twoFingerTap(at: point), at: moment, effects: &effects)
        case _ where CommandTable.entry(of: command).keys[.grid] == nil: break
        default:
            guard policy.allows(command), aim(at: point, for: command, moment, &effects),
                !handleOnGridChrome(command, at: moment, effects: &effects)
            else { return }
            performOnGrid(command, at: moment, effects: &effects)
        }
    }

    private mutating func handOver(
        _ gesture: Gesture, at moment: Moment, effects: inout [Effect]
    ) {
        withGrid(at: moment, effects: &effects) { grid, requests in
            grid.handle(gesture, at: moment, effects: &requests)
        }
    }

    /// Lets a command mean the picture at a point; returns whether the command has a meaning there.
    private mutating func aim(
        at point: Point, for command: Command, _ moment: Moment, _ effects: inout [Effect]
    ) -> Bool {
        var isOnPicture = false
        withGrid(at: moment, effects: &effects) { grid, requests in
            isOnPicture = grid.aim(at: point, moment, effects: &requests)
        }
        let isForAll = [.undo, .redo, .paste, .favouritesOnly].contains(command)
        return isOnPicture || isForAll || !Command.forFiles.contains(command)
    }
}
