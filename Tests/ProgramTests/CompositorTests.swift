import Geometry
import TestKit
import Testing
import WaylandProtocol
import WaylandServer

/// The released viewer on a compositor that does what no real one can be made to do.
@Suite(.serialized) struct CompositorTests {
    private let card = TestPicture.card(1600, 1200)

    private func shown(_ options: TestCompositor.Options = .init()) throws -> TestCompositor {
        let compositor = try TestCompositor([card.png(), card.png()], options)
        #expect(compositor.await { $0.numbers("image") == [1600, 1200] })
        return compositor
    }

    /// A spread of two fingers; they stay down.
    private func spread(_ compositor: TestCompositor) throws {
        let touch = try #require(compositor.touch)
        let surface = try #require(compositor.surface)
        touch.down(serial: 1, time: compositor.now, surface: surface, id: 4, x: 350, y: 300)
        touch.down(serial: 2, time: compositor.now, surface: surface, id: 7, x: 450, y: 300)
        touch.frame()
        for step in 1...20 {
            touch.motion(time: compositor.now, id: 4, x: 350 - Double(step) * 8, y: 300)
            touch.motion(time: compositor.now, id: 7, x: 450 + Double(step) * 8, y: 300)
            touch.frame()
            compositor.serve(0.008)
        }
    }

    @Test func theFirstFrameIsTheWholePicture() throws {
        let compositor = try shown()
        // The picture is there within the patience of the first frame: nothing empty before it.
        #expect(compositor.trace.first?.numbers("image") == [1600, 1200])
        #expect(compositor.pixels.count == 800 * 600)
        #expect(compositor.pixels[100 * 800 + 100] >> 16 & 255 > 190)
        #expect(compositor.violations == [])
    }

    @Test func aTouchpadPinchZoomsAboutThePointer() throws {
        let compositor = try shown()
        let (pointer, surface) = (
            try #require(compositor.pointer), try #require(compositor.surface)
        )
        pointer.enter(serial: 1, surface: surface, surfaceX: 200, surfaceY: 150)
        pointer.frame()
        compositor.serve(0.1)
        let pinch = try #require(compositor.pinch)
        pinch.begin(serial: 2, time: compositor.now, surface: surface, fingers: 2)
        for step in 1...20 {
            pinch.update(
                time: compositor.now, dx: 0, dy: 0, scale: 1 + Double(step) * 0.05, rotation: 0)
            compositor.serve(0.008)
        }
        // Held still before the end: nothing is carried on.
        compositor.serve(0.1)
        pinch.end(serial: 3, time: compositor.now, cancelled: 0)
        #expect(compositor.await { $0.zoom == 1 && $0.text("phase") == "idle" })
        let rect = try #require(compositor.trace.last?.rect)
        #expect(abs(rect.x + 200) < 1 && abs(rect.y + 150) < 1)
    }

    @Test func aCancelledTouchpadPinchGoesBack() throws {
        let compositor = try shown()
        let surface = try #require(compositor.surface)
        compositor.pointer?.enter(serial: 1, surface: surface, surfaceX: 400, surfaceY: 300)
        compositor.pointer?.frame()
        compositor.serve(0.1)
        let pinch = try #require(compositor.pinch)
        pinch.begin(serial: 2, time: compositor.now, surface: surface, fingers: 2)
        pinch.update(time: compositor.now, dx: 0, dy: 0, scale: 3, rotation: 0)
        #expect(compositor.await { $0.zoom > 1.2 })
        pinch.end(serial: 3, time: compositor.now, cancelled: 1)
        #expect(compositor.await { $0.zoom == 0.5 && $0.text("phase") == "idle" })
    }

    @Test func aTouchCancelSettlesAtRest() throws {
        let compositor = try shown()
        try spread(compositor)
        #expect(compositor.await { $0.text("gesture") == "pinch" && $0.zoom > 1 })
        compositor.touch?.cancel()
        #expect(compositor.await { $0.text("phase") == "idle" })
        #expect((compositor.trace.last?.zoom ?? 0) > 1)
        #expect(compositor.viewer.exitCode == nil)
    }

    @Test func losingTheTouchscreenMidGestureEndsTheGesture() throws {
        let compositor = try shown()
        try spread(compositor)
        #expect(compositor.await { $0.text("gesture") == "pinch" })
        compositor.seat?.capabilities(capabilities: .pointer)
        #expect(compositor.await { $0.text("gesture") == "none" && $0.text("phase") == "idle" })
    }

    @Test func aThrowEndsTheProgram() throws {
        let compositor = try shown()
        let (touch, surface) = (try #require(compositor.touch), try #require(compositor.surface))
        touch.down(serial: 1, time: compositor.now, surface: surface, id: 0, x: 400, y: 150)
        touch.frame()
        let start = compositor.now
        for step in 1...12 {
            touch.motion(
                time: start &+ UInt32(step * 8), id: 0, x: 400, y: 150 + Double(step) * 14)
            touch.frame()
        }
        // No frame after the up, as mutter has it.
        touch.up(serial: 2, time: start &+ 98, id: 0)
        #expect(compositor.serve { compositor.viewer.exitCode != nil })
        #expect(compositor.viewer.exitCode == 0)
        #expect(compositor.trace.filter(\.isDismissed).count == 1)
    }

    @Test func resizesAreAnsweredInOrder() throws {
        let compositor = try shown()
        for width in stride(from: Int32(810), through: 1200, by: 10) {
            compositor.configure(width: width, height: width / 2)
            compositor.serve(0.025)
        }
        #expect(compositor.await { $0.numbers("buffer") == [1200, 600] })
        #expect(compositor.violations == [])
        #expect(compositor.pixels.count == 1200 * 600)
    }

    @Test func buffersThatNeverComeBackAndFramesThatNeverEndStopNothing() throws {
        for keepsBuffers in [true, false] {
            var options = TestCompositor.Options()
            options.releasesBuffers = !keepsBuffers
            options.sendsFrameCallbacks = keepsBuffers
            let compositor = try TestCompositor([card.png()], options)
            compositor.serve { compositor.commits > 0 }
            try spread(compositor)
            compositor.serve(0.3)
            // It waits, and does not spin.
            let before = compositor.viewer.processorTime
            compositor.serve(1)
            #expect(compositor.viewer.processorTime - before < 0.1)
            #expect(compositor.commits <= (keepsBuffers ? 3 : 1))
            compositor.viewer.terminate()
            #expect(compositor.serve { compositor.viewer.exitCode == 0 })
        }
    }

    @Test func whatIsMissingIsSaidInOneLine() throws {
        var options = TestCompositor.Options()
        options.hasShell = false
        let bare = try TestCompositor([card.png()], options)
        #expect(bare.serve { bare.viewer.exitCode != nil })
        #expect(bare.viewer.exitCode == 1)
        #expect(bare.errors.contains("xdg_wm_base"), "\(bare.errors)")
        #expect(bare.errors.split(separator: "\n").count == 1)
    }

    @Test func noSeatAndNoGesturesIsFine() throws {
        var options = TestCompositor.Options()
        options.hasSeat = false
        let compositor = try shown(options)
        #expect(compositor.violations == [])
    }

    @Test func aHangUpAndAProtocolErrorEndWithTheirCode() throws {
        let gone = try shown()
        gone.hangUp()
        #expect(gone.serve { gone.viewer.exitCode != nil })
        #expect(gone.viewer.exitCode == 3)
        #expect(gone.errors.contains("the compositor went away"))
        let angry = try shown()
        angry.surface?.postError(WlSurface.Error.invalidScale.rawValue, "no reason")
        #expect(angry.serve { angry.viewer.exitCode != nil })
        #expect(angry.viewer.exitCode == 3)
        #expect(angry.errors.contains("wl_surface"), "\(angry.errors)")
    }
}
