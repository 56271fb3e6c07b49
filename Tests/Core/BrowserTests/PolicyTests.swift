import Commands
import CoreTestKit
import Geometry
import Gestures
import Input
import Interface
import Motion
import Testing
import Viewer

@testable import Browser

/// What a kiosk does not allow has no key, no button and no effect.
@Suite struct PolicyTests {
    private static let forbidden = CommandTable.entries.filter {
        !CommandPolicy.looking.allows($0.command)
    }

    private func rig(_ mode: BrowserModel.Mode) -> BrowserRig {
        var rig = BrowserRig(mode, count: 12)
        rig.hands.target.setPolicy(.looking)
        rig.rest()
        return rig
    }

    private func summary(_ rig: BrowserRig) -> [String] {
        let interface = rig.browser.interface(title: "", name: { "\($0)" }, at: rig.moment)
        return ["\(rig.browser.mode)", "\(rig.browser.viewer.index)"] + interface.descendants
    }

    @Test(arguments: [BrowserModel.Mode.grid, .viewer])
    func theirKeysDoNothing(_ mode: BrowserModel.Mode) {
        let commandMode: CommandMode = mode == .grid ? .grid : .viewer
        #expect(Self.forbidden.count > 10)
        for entry in Self.forbidden {
            for key in entry.keys[commandMode] ?? [] {
                var rig = rig(mode)
                let before = summary(rig)
                rig.effects = []
                var modifiers: KeyEvent.Modifiers = key.hasControl ? .control : []
                if key.hasShift { modifiers.insert(.shift) }
                rig.send(.key(KeyEvent(name: key.name, modifiers: modifiers)))
                rig.rest()
                #expect(rig.effects.allSatisfy { $0 == .want }, "\(entry.command)")
                #expect(summary(rig) == before, "\(entry.command)")
            }
        }
    }

    @Test(arguments: [BrowserModel.Mode.grid, .viewer])
    func everyButtonIsAllowed(_ mode: BrowserModel.Mode) {
        var rig = rig(mode)
        if mode == .viewer {
            rig.key("Return")
            rig.pass(to: rig.now + 500)
        }
        let actions = rig.browser.interface(title: "", name: { "\($0)" }, at: rig.moment).actions
        for action in actions {
            switch action {
            case .command(let command): #expect(CommandPolicy.looking.allows(command))
            case .show, .edit, .present: break
            case .back, .endSearch, .folder, .position, .closeSheet, .openMenu,
                .sort,
                .beginSelection,
                .endSelection,
                .window,
                .answer, .crop, .setting, .zoom, .about, .homePage:
                Issue.record("\(action)")
            }
        }
        #expect(!actions.isEmpty)
    }

    /// Without a grid below, a picture that may not be left cannot be thrown away.
    @Test func aThrowDoesNotLeave() {
        var rig = rig(.viewer)
        rig.key("Escape")
        rig.key("q")
        rig.throwAway(from: Point(x: 640, y: 300), by: Vector(dx: 0, dy: 400))
        rig.rest()
        #expect(rig.browser.mode == .viewer)
        #expect(!rig.effects.contains(.quit))
        #expect(rig.browser.viewer.hasPicture)
    }

    @Test func theGridComesBackButIsNotLeft() {
        var rig = rig(.grid)
        rig.key("Return")
        rig.rest()
        #expect(rig.browser.mode == .viewer)
        rig.key("Escape")
        rig.rest()
        #expect(rig.browser.mode == .grid)
        rig.key("Escape")
        rig.rest()
        #expect(rig.browser.mode == .grid && !rig.effects.contains(.quit))
    }
}

extension Widget {
    fileprivate var descendants: [String] { [id] + children.flatMap(\.descendants) }

    fileprivate var actions: [Action] { [action].compactMap(\.self) + children.flatMap(\.actions) }
}
