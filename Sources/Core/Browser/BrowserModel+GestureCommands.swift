import Commands
import Geometry
import Gestures
import Grid
import Interface
import Motion
import Viewer

/// Commands of gestures on the grid.
extension BrowserModel {
    /// Performs the command of an eraser or of a button of a pen on the grid, for the picture at a point.
    ///
    /// The menu and the smaller zoom are what the right button of a mouse and two fingers do there;
    /// commands that the grid lacks do nothing.
    mutating func perform(
        _ control: PenControl, at point: Point, _ moment: Moment, effects: inout [ViewerEffect]
    ) {
        let command = viewer.settings.gestures.command(of: control)
        switch command {
        case .menu: handOver(.longPress(at: point, source: .pen), at: moment, effects: &effects)
        case .zoomOut: handOver(.twoFingerTap(at: point), at: moment, effects: &effects)
        case _ where CommandTable.entry(of: command).keys[.grid] == nil: break
        default:
            guard policy.allows(command), aim(at: point, for: command, moment),
                !handleOnGridChrome(command, at: moment, effects: &effects)
            else { return }
            performOnGrid(command, at: moment, effects: &effects)
        }
    }

    private mutating func handOver(
        _ gesture: Gesture, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        grid.handle(gesture, at: moment, effects: &effects)
        answerGrid(at: moment, effects: &effects)
    }

    /// Lets a command mean the picture at a point; returns whether the command has a meaning there.
    private mutating func aim(
        at point: Point, for command: Command, _ moment: Moment
    ) -> Bool {
        let isOnPicture = grid.aim(at: point, moment)
        let isForAll = [.undo, .redo, .paste, .favouritesOnly].contains(command)
        return isOnPicture || isForAll || !Command.forFiles.contains(command)
    }
}
