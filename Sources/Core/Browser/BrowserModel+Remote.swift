package import Commands
package import Motion
import Grid
package import Interface
import Viewer

/// What a program may ask for: commands without keys, and pictures by their index.
extension BrowserModel {
    /// Performs a command as its key does, also one that a person may not use.
    package mutating func perform(
        _ command: Command, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        let kept = policy
        setPolicy(.everything)
        defer { setPolicy(kept) }
        prepareForKey(at: moment)
        switch mode {
        case .grid:
            if command == .quit { return effects.append(.quit) }
            if handleOnGridChrome(command, at: moment, effects: &effects) { return }
            performOnGrid(command, at: moment, effects: &effects)
        case .viewer:
            alignGrid(at: moment)
            viewer.handle(command, at: moment, effects: &effects)
        }
    }

    /// Shows a picture by its index: turns the page, or opens the picture from its cell.
    package mutating func show(_ index: Int, at moment: Moment, effects: inout [ViewerEffect]) {
        guard (0..<viewer.count).contains(index) else { return }
        prepareForKey(at: moment)
        switch mode {
        case .grid: open(index, at: moment, effects: &effects)
        case .viewer:
            alignGrid(at: moment)
            viewer.show(index, at: moment, effects: &effects)
        }
    }

    /// Shows a picture that has just come: in the viewer, or as the cell with the focus.
    package mutating func present(_ index: Int, at moment: Moment, effects: inout [ViewerEffect]) {
        switch mode {
        case .grid: grid.present(index, at: moment)
        case .viewer: show(index, at: moment, effects: &effects)
        }
    }
}
