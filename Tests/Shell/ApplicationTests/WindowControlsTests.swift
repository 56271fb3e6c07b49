import Desktop
import Geometry
import Interface
import Testing

@testable import Application
@testable import WaylandClient

/// The buttons of a window, by what the compositor does and can do.
@Suite struct WindowControlsTests {
    private func controls(
        ownDecorations: Bool, isMaximized: Bool, _ capabilities: WindowCapabilities
    ) -> [Widget.WindowAction]? {
        var state = WindowState(size: Size(width: 800, height: 600), scale: 1)
        state.drawsOwnDecorations = ownDecorations
        state.isMaximized = isMaximized
        state.capabilities = capabilities
        let buttons = WindowButtons()
        return WindowControls(state, buttons)?.right
    }

    /// What the compositor cannot do has no button.
    @Test func capabilitiesDecide() {
        #expect(
            controls(ownDecorations: true, isMaximized: false, .all)
                == [.minimize, .toggleMaximized, .close])
        #expect(
            controls(ownDecorations: true, isMaximized: true, [.windowMenu, .maximize])
                == [.toggleMaximized, .close])
        #expect(controls(ownDecorations: true, isMaximized: true, []) == [.close])
    }

    /// phoc says that it decorates its maximised windows, and draws nothing.
    @Test func whereNothingElseClosesThereIsAButton() {
        #expect(
            controls(ownDecorations: false, isMaximized: true, [.maximize, .fullscreen])
                == [.close])
        // KWin and labwc have title bars; Sway's windows are not maximised.
        #expect(controls(ownDecorations: false, isMaximized: true, .all) == nil)
        #expect(controls(ownDecorations: false, isMaximized: false, [.fullscreen]) == nil)
    }
}
