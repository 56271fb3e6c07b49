import Geometry
import Glibc
import Motion
import Testing
import WaylandProtocol
import WaylandServer

@testable import WaylandClient

/// Windows on the test's own compositor.
@Suite struct WindowTests {
    @Test func theFirstFrameAcknowledgesTheFirstConfigure() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        let surface = try desktop.windowSurface
        #expect(surface.drain() == ["commit"])
        let state = WindowState(size: Size(width: 300, height: 200), scale: 1)
        #expect(log.drain().contains(.configured(state)))
        #expect(desktop.acknowledged.isEmpty)
        try log.show(0x112233, callback: true)
        try desktop.pump()
        #expect(desktop.acknowledged == [1])
        #expect(surface.drain() == ["attach 300x200", "damage 0 0 300 200", "frame", "commit"])
        #expect(surface.firstPixel == 0x112233)
        surface.callbacks.first?.done(callbackData: 16)
        surface.callbacks.first?.destroyResource()
        try desktop.pump()
        #expect(log.drain() == [.frameDone])
    }

    @Test func onlyTheLastOfSeveralConfiguresIsAcknowledgedAndOnce() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        try log.show(0)
        for serial in 2...4 {
            desktop.toplevel?.configure(
                width: 300 + Int32(serial), height: 200, states: WireArray(words: []))
            desktop.xdgSurface?.configure(serial: UInt32(serial))
        }
        try desktop.pump()
        try log.show(0)
        try log.show(0)
        try desktop.pump()
        #expect(desktop.acknowledged == [1, 4])
    }

    @Test func aFramePaintedForAnOldConfigureDoesNotAcknowledgeTheNewOne() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        let frame = try #require(try log.window.acquireFrame())
        try desktop.configure(width: 400, height: 300, serial: 2)
        log.window.commit(frame, damage: [], requestFrameCallback: false)
        try desktop.pump()
        #expect(desktop.acknowledged == [1])
        try log.show(0)
        try desktop.pump()
        #expect(desktop.acknowledged == [1, 2])
        #expect(try desktop.windowSurface.committed.last?.shm?.width == 400)
    }

    @Test func aConfigureThatNeedsNoFrameIsAcknowledgedAtOnce() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        try log.show(0)
        try desktop.configure(width: 300, height: 200, states: [.activated], serial: 2)
        #expect(desktop.acknowledged == [1, 2])
        #expect(log.window.state?.isActivated == true)
    }

    @Test func aSizeLeftOpenIsChosenByTheWindow() throws {
        let desktop = try Desktop()
        let options = WindowOptions(title: "t", appID: "a", size: Size(width: 640, height: 480))
        let log = try desktop.makeWindow(options, width: 0, height: 0)
        #expect(log.window.state?.size == Size(width: 640, height: 480))
        try desktop.configure(width: 500, height: 400)
        try desktop.configure(width: 800, height: 600, states: [.fullscreen])
        #expect(log.window.isFullscreen)
        try desktop.configure(width: 0, height: 0)
        #expect(log.window.state?.size == Size(width: 500, height: 400))
    }

    @Test func aFullscreenWindowUsesTheOutputSizeUntilConfigured() throws {
        let desktop = try Desktop()
        let options = WindowOptions(title: "t", appID: "a", isFullscreen: true)
        let log = try desktop.makeWindow(options, width: 0, height: 0)
        #expect(log.window.state?.size == Size(width: 800, height: 600))
    }

    @Test func statesAreReportedAndUnknownOnesIgnored() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        let unknown = XdgToplevel.State(rawValue: 999)
        try desktop.configure(
            width: 300, height: 200,
            states: [.tiledLeft, .tiledTop, .resizing, .suspended, .maximized, unknown])
        let state = try #require(log.window.state)
        #expect(state.tiledEdges == [.left, .top])
        #expect(state.isResizing && state.isSuspended && state.isMaximized)
        #expect(!state.isFullscreen)
    }

    @Test func constrainedEdgesAreNotResized() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        try desktop.configure(
            width: 300, height: 200, states: [.constrainedLeft, .constrainedTop])
        #expect(log.window.state?.constrainedEdges == [.left, .top])
        #expect(log.window.state?.resizableEdges == [.right, .bottom])
    }

    /// Cage says that it can restore a window, and does not.
    @Test func aWindowThatIsNotRestoredLosesTheButton() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        func frame() throws {
            try log.show(0, callback: true)
            try desktop.pump()
            let callback = try desktop.windowSurface.callbacks.last
            callback?.done(callbackData: 16)
            callback?.destroyResource()
            try desktop.pump()
        }
        try desktop.configure(width: 300, height: 200, states: [.maximized], serial: 2)
        log.window.setMaximized(false)
        try frame()
        #expect(log.window.state?.capabilities == .all)
        _ = log.drain()
        desktop.now += 600
        try frame()
        #expect(log.window.state?.capabilities.contains(.maximize) == false)
        #expect(
            log.drain().contains { if case .configured = $0 { true } else { false } })
        try desktop.configure(width: 300, height: 200, states: [.maximized, .activated], serial: 3)
        #expect(log.window.state?.capabilities.contains(.maximize) == false)
        // Another compositor restores after a while.
        try desktop.configure(width: 300, height: 200, serial: 4)
        #expect(log.window.state?.capabilities == .all)
    }

    @Test func pingsAreAnsweredAndCloseRequestsReported() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        _ = log.drain()
        desktop.shell?.ping(serial: 77)
        desktop.toplevel?.close()
        try desktop.pump()
        #expect(desktop.pongs == [77])
        #expect(log.drain() == [.closeRequested])
    }

    @Test func decorationsFollowTheCompositor() throws {
        var options = Desktop.Options()
        options.hasDecorations = true
        let desktop = try Desktop(options)
        let log = try desktop.makeWindow()
        #expect(log.window.state?.drawsOwnDecorations == true)
        desktop.decoration?.configure(mode: .serverSide)
        try desktop.configure(width: 300, height: 200)
        #expect(log.window.state?.drawsOwnDecorations == false)
    }

    @Test func aFractionalScaleMakesAFinerBufferForTheSameWindow() throws {
        var options = Desktop.Options()
        options.hasFractionalScale = true
        let desktop = try Desktop(options)
        let log = try desktop.makeWindow(width: 301, height: 201)
        desktop.fractional?.preferredScale(scale: 180)
        try desktop.pump()
        #expect(log.drain().contains(.scaleChanged(1.5)))
        try log.show(0)
        try desktop.pump()
        let surface = try desktop.windowSurface
        #expect(surface.requests.contains("attach 452x302"))
        #expect(!surface.requests.contains { $0.hasPrefix("scale") })
        #expect(surface.destination == Size(width: 301, height: 201))
    }

    @Test func thePreferredScaleOverridesTheOutputScale() throws {
        var options = Desktop.Options()
        options.compositorVersion = 6
        let desktop = try Desktop(options)
        let log = try desktop.makeWindow()
        desktop.output?.scale(factor: 3)
        desktop.output?.done()
        try desktop.pump()
        #expect(log.window.scale == 3)
        try desktop.windowSurface.resource.preferredBufferScale(factor: 2)
        try desktop.pump()
        #expect(log.window.scale == 2)
        try log.show(0)
        try desktop.pump()
        let surface = try desktop.windowSurface
        #expect(surface.requests.contains("scale 2"))
        #expect(surface.requests.contains("attach 600x400"))
    }

    @Test func presentationReportsTheCommitAndTheTime() throws {
        var options = Desktop.Options()
        options.hasPresentation = true
        let desktop = try Desktop(options)
        let log = try desktop.makeWindow()
        try log.show(0)
        try log.show(0)
        try desktop.pump()
        _ = log.drain()
        desktop.feedbacks[0].discarded()
        desktop.feedbacks[0].destroyResource()
        desktop.feedbacks[1].presented(
            tvSecHi: 0, tvSecLo: 1000, tvNsec: 16_000_000, refresh: 16_666_667, seqHi: 0, seqLo: 0,
            flags: [])
        desktop.feedbacks[1].destroyResource()
        try desktop.pump()
        let shown = WindowEvent.presented(
            commit: 2, at: Moment(milliseconds: 1_000_016), refresh: 16.666667)
        #expect(log.drain() == [shown])
    }

    @Test func titlesOfAnyLengthAndContentsAreSafe() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        log.window.setTitle(String(repeating: "👩‍👩‍👧‍👦", count: 5000) + "\0")
        try desktop.pump()
        #expect(log.window.isFullscreen == false)
    }

    @Test(
        arguments: [
            ("xdg_wm_base", 1), ("wl_shm", 1), ("wl_compositor", 4),
        ] as [(String, UInt32)])
    func aMissingRequiredGlobalIsNamed(name: String, needed: UInt32) throws {
        var options = Desktop.Options()
        options.hasShell = name != "xdg_wm_base"
        options.hasSharedMemory = name != "wl_shm"
        options.compositorVersion = name == "wl_compositor" ? 3 : 4
        let found: UInt32? = name == "wl_compositor" ? 3 : nil
        let desktop = try Desktop(options)
        try desktop.pump()
        let error = ConnectionError.missingGlobal(name: name, needed: needed, found: found)
        #expect(throws: error) {
            try Window(
                connection: desktop.connection, options: WindowOptions(title: "", appID: ""))
        }
    }

    @Test func aClosedWindowLeavesNothingBehind() throws {
        let desktop = try Desktop()
        var log: WindowLog? = try desktop.makeWindow()
        try log?.show(0, callback: true)
        try desktop.pump()
        weak let window = log?.window
        log = nil
        try desktop.pump()
        #expect(window == nil)
        #expect(desktop.toplevel?.isAlive == false)
        #expect(desktop.xdgSurface?.isAlive == false)
        #expect(try desktop.windowSurface.resource.isAlive == false)
    }

    /// A mode may have any refresh rate; frames are planned by a plausible one.
    @Test(arguments: [(0, 60.0), (-1, 60), (1, 60), (.max, 60), (120_000, 120), (24_000, 24)])
    func anAbsurdRefreshRateIsIgnored(_ millihertz: Int32, hertz: Double) throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        desktop.output?.mode(flags: .current, width: 800, height: 600, refresh: millihertz)
        desktop.output?.done()
        try desktop.pump()
        #expect(abs(log.window.assumedRefresh - 1000 / hertz) < 1e-9)
    }
}
