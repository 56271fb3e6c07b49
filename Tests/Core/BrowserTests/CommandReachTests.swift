import Commands
import Geometry
import Gestures
import Grid
import ImageTypes
import Input
import Interface
import Motion
import SceneModel
import Testing
import Viewer

@testable import Browser

/// Everything by keyboard, and everything by one finger without a hold, a double tap or a second finger.
@Suite struct CommandReachTests {
    /// Commands of a mode for which a finger needs neither button nor menu, and what it does instead.
    private static let byFingerItself: [CommandMode: [Command: String]] = [
        .viewer: [
            .left: "drag", .right: "drag", .up: "drag", .down: "drag", .chrome: "tap",
            .focusNext: "tap of the button", .focusPrevious: "tap of the button",
            // From the grid, or by the button that closes a viewer without a grid.
            .quit: "back, then the menu of the grid",
        ],
        .grid: [
            .left: "tap of the cell", .right: "tap of the cell", .up: "tap of the cell",
            .down: "tap of the cell", .pageUp: "drag", .pageDown: "drag", .first: "drag",
            .last: "drag", .focusNext: "tap of the button", .focusPrevious: "tap of the button",
        ],
    ]

    /// What a finger can press, by bars and menus.
    private struct Reach {
        var actions: Set<Widget.Action> = []
        /// Widgets that keys do not reach.
        var withoutKeys: [String] = []

        func has(_ command: Command, in mode: CommandMode) -> Bool {
            if actions.contains(.command(command)) { return true }
            return switch command {
            case .open: actions.contains { if case .show = $0 { true } else { false } }
            case .select: actions.contains(.beginSelection)
            case .menu: actions.contains(.openMenu(mode == .grid ? .grid : .picture))
            case .leave, .grid: actions.contains(.back) || actions.contains(.window(.close))
            case .quit: actions.contains(.window(.close))
            case .parentFolder: actions.contains(.folder(.up(1)))
            case .previousFolder: actions.contains(.folder(.back))
            default: false
            }
        }
    }

    private func widgets(_ rig: BrowserRig) -> [Widget] {
        func all(_ widget: Widget) -> [Widget] { [widget] + widget.children.flatMap(all) }
        let window = rig.browser.interface(title: "", name: { "\($0)" }, at: rig.moment)
        let menu = window.children.last { $0.role == .menu }
        return all(menu ?? window)
    }

    /// Presses every button that opens a menu, with one finger, from here on.
    private func explore(_ rig: BrowserRig, into reach: inout Reach) {
        for widget in widgets(rig) {
            guard let action = widget.action, !widget.states.contains(.disabled) else { continue }
            let isInMenu = widget.role == .menuItem || widget.role == .checkMenuItem
            if !isInMenu, !widget.states.contains(.focusable) {
                reach.withoutKeys.append(widget.id)
            }
            guard reach.actions.insert(action).inserted else { continue }
            if case .openMenu = action {
                var next = rig
                next.tap(widget.rect.center)
                next.pass(to: next.now + 40)
                explore(next, into: &reach)
            }
        }
    }

    private func reach(_ mode: CommandMode, _ size: Size) throws -> Reach {
        var rig = BrowserRig(.grid)
        var files = FileFacts()
        (files.undoTitle, files.redoTitle, files.hasCommands) = ("Delete", "Move", true)
        rig.hands.target.setFiles(files)
        rig.hands.target.setFolders(0, above: ["Pictures"], canGoBack: true, at: rig.moment)
        rig.send(.resize(size))
        // Pictures can be smaller and larger.
        rig.key("plus")
        rig.rest()
        if mode == .viewer {
            rig.tap(try #require(rig.cell(0)).center)
            rig.rest()
            // An animation, whose bars a tap shows.
            rig.hands.target.viewer.setPlayback(.playing)
            rig.tap(Point(x: size.width / 2, y: size.height / 2))
            rig.pass(to: rig.now + 400)
        }
        var reach = Reach()
        explore(rig, into: &reach)
        if mode == .viewer {
            // A picture that is brighter than white.
            var (lit, more) = (rig, Reach())
            lit.hands.target.viewer.light(0, at: lit.moment)
            explore(lit, into: &more)
            reach.actions.formUnion(more.actions)
        }
        if mode == .grid {
            // What can be done with a selection.
            let button = widgets(rig).first { $0.action == .beginSelection }
            rig.tap(try #require(button).rect.center)
            rig.tap(try #require(rig.cell(0)).center)
            rig.pass(to: rig.now + 400)
            reach.actions.remove(.openMenu(.grid))
            explore(rig, into: &reach)
        }
        return reach
    }

    @Test(
        arguments: CommandMode.allCases,
        [Size(width: 1280, height: 800), Size(width: 360, height: 640)])
    func everyCommandIsReachedByOneFinger(mode: CommandMode, size: Size) throws {
        let reach = try reach(mode, size)
        let missing = CommandTable.entries.filter { entry in
            entry.keys[mode] != nil && Self.byFingerItself[mode]?[entry.command] == nil
                && !reach.has(entry.command, in: mode)
        }
        #expect(missing.map(\.command.rawValue) == [])
    }

    /// A command has a key, and all that a finger presses can have the focus.
    @Test(
        arguments: CommandMode.allCases,
        [Size(width: 1280, height: 800), Size(width: 360, height: 640)])
    func everyCommandIsReachedByKeys(mode: CommandMode, size: Size) throws {
        let reach = try reach(mode, size)
        #expect(reach.withoutKeys == [])
        for entry in CommandTable.entries {
            for key in entry.keys[mode] ?? [] {
                var modifiers: KeyEvent.Modifiers = []
                if key.hasControl { modifiers.insert(.control) }
                if key.hasAlt { modifiers.insert(.alt) }
                if key.hasShift { modifiers.insert(.shift) }
                let event = KeyEvent(name: key.name, modifiers: modifiers)
                #expect(CommandTable.command(for: event, in: mode) == entry.command)
            }
        }
    }

    /// The exceptions hold: a drag moves, and a tap shows the bars and opens.
    @Test func aDragAndATapNeedNoButton() throws {
        var grid = BrowserRig(.grid)
        grid.rest()
        grid.throwAway(from: Point(x: 640, y: 700), by: Vector(dx: 0, dy: -600))
        grid.rest()
        #expect(grid.browser.grid.frame(at: grid.moment).cells.first?.index != 0)
        var viewer = BrowserRig(.viewer)
        viewer.rest()
        viewer.throwAway(from: Point(x: 900, y: 400), by: Vector(dx: -600, dy: 0))
        viewer.rest()
        #expect(viewer.browser.viewer.index == 1)
        viewer.tap(Point(x: 640, y: 400))
        viewer.pass(to: viewer.now + 400)
        #expect(widgets(viewer).contains { $0.id == "menu" })
    }
}
