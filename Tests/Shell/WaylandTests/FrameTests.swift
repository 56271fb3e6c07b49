import Geometry
import Testing
import WaylandClient
import WaylandProtocol
import WaylandServer

/// The reuse of frames, which are never written while the compositor holds them.
@Suite struct FrameTests {
    /// A window that has shown frames in the colours 1, 2 and 3, and the buffers, which are held.
    ///
    /// Of the newest frame the first one lacks everything, the second one little.
    private func threeFrames() throws -> (Desktop, WindowLog, [WlBufferResource]) {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        for color in 1...2 { try log.show(UInt32(color)) }
        try log.show(3, damage: PixelRect(x: 10, y: 20, width: 30, height: 40))
        try desktop.pump()
        return (desktop, log, try desktop.windowSurface.committed)
    }

    @Test func threeFramesMayBeHeldAndAReleasedOneComesBack() throws {
        let (desktop, log, held) = try threeFrames()
        #expect(try log.window.acquireFrame() == nil)
        #expect(held.map { $0.shm?.pixels.first } == [1, 2, 3])
        _ = log.drain()
        held[1].release()
        try desktop.pump()
        #expect(log.drain() == [.bufferReleased])
        try log.show(4)
        try desktop.pump()
        #expect(try desktop.windowSurface.committed.last === held[1])
        #expect(held.map { $0.shm?.pixels.first } == [1, 4, 3])
    }

    @Test func aReusedFrameReportsItsStaleRegion() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        let first = try #require(try log.window.acquireFrame())
        #expect(first.stale == .everything)
        log.window.commit(first, damage: [], requestFrameCallback: false)
        let damage = PixelRect(x: 10, y: 20, width: 30, height: 40)
        let second = try #require(try log.window.acquireFrame())
        log.window.commit(second, damage: [damage], requestFrameCallback: false)
        try desktop.pump()
        for buffer in try desktop.windowSurface.committed { buffer.release() }
        try desktop.pump()
        let third = try #require(try log.window.acquireFrame())
        #expect(third.stale == .rects([]))
        let fourth = try #require(try log.window.acquireFrame())
        #expect(fourth.stale == .rects([damage]))
    }

    @Test func aDroppedFrameIsCompletelyStale() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        for _ in 0..<10 {
            let frame = try #require(try log.window.acquireFrame())
            #expect(frame.stale == .everything)
        }
    }

    @Test func damageIsClippedToTheBuffer() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        try log.show(0)
        try desktop.pump()
        let surface = try desktop.windowSurface
        _ = surface.drain()
        let frame = try #require(try log.window.acquireFrame())
        log.window.commit(
            frame,
            damage: [
                PixelRect(x: 290, y: -5, width: 100, height: 10),
                PixelRect(x: 400, y: 0, width: 5, height: 5),
            ], requestFrameCallback: false)
        try desktop.pump()
        #expect(surface.drain() == ["attach 300x200", "damage 290 0 10 5", "commit"])
    }

    @Test func resizingKeepsWhatTheCompositorHolds() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        try log.show(7)
        try desktop.pump()
        for (step, width) in [400, 1000, 3000, 200].enumerated() {
            try desktop.configure(width: Int32(width), height: 500, serial: UInt32(step) + 2)
            try log.show(UInt32(width))
            try desktop.pump()
            let committed = try desktop.windowSurface.committed
            #expect(committed[step].shm?.pixels.first == (step == 0 ? 7 : committed[step].expected))
            #expect(committed.last?.shm?.pixels.last == UInt32(width))
            committed[step].release()
            try desktop.pump()
        }
    }

    @Test(arguments: [(.max, .max), (.max, 1), (1, .max), (40000, 30000)] as [(Int32, Int32)])
    func anAbsurdSizeIsLimited(width: Int32, height: Int32) throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow(width: width, height: height)
        let size = try #require(try log.window.acquireFrame()?.size)
        #expect(!size.isEmpty && size.width * size.height <= 1 << 28)
        try desktop.configure(width: 300, height: 200, serial: 2)
        try log.show(1)
        try desktop.pump()
        #expect(try desktop.windowSurface.firstPixel == 1)
    }

    /// A scale that no screen has, also for a window that is as large as can be.
    @Test func anAbsurdScaleIsLimited() throws {
        var options = Desktop.Options()
        options.hasFractionalScale = true
        let desktop = try Desktop(options)
        let log = try desktop.makeWindow(width: 8000, height: 8000)
        desktop.fractional?.preferredScale(scale: .max)
        try desktop.pump()
        #expect(log.window.scale == 4)
        let size = try #require(try log.window.acquireFrame()?.size)
        #expect(size == PixelSize(width: 16384, height: 16384))
        #expect(log.window.state?.size == Size(width: 4096, height: 4096))
    }

    /// A scale above 4 is believed where a screen has the pixels for it.
    @Test(
        arguments: [
            (1280, 800, 4.0), (3840, 2160, 10.8), (7680, 4320, 16), (.max, .max, 16), (.max, 1, 4),
        ] as [(Int32, Int32, Double)])
    func aLargeScaleNeedsALargeScreen(width: Int32, height: Int32, largest: Double) throws {
        var options = Desktop.Options()
        options.hasFractionalScale = true
        let desktop = try Desktop(options)
        let log = try desktop.makeWindow(width: 100, height: 100)
        desktop.output?.mode(flags: .current, width: width, height: height, refresh: 60000)
        desktop.output?.done()
        for scale in [1.5, 4, 10, 16, 30] {
            desktop.fractional?.preferredScale(scale: UInt32(scale * 120))
            try desktop.pump()
            #expect(log.window.scale == min(scale, largest))
        }
    }

    @Test func staleRegionsGrowBoundedly() {
        var stale = StaleRegion.rects([])
        for index in 0..<100 {
            stale.add([PixelRect(x: index * 10, y: 0, width: 5, height: 5)])
        }
        guard case .rects(let rects) = stale else {
            Issue.record("the contents are lost")
            return
        }
        #expect(rects.count <= 17)
        #expect(rects.boundingBox == PixelRect(x: 0, y: 0, width: 995, height: 5))
        var everything = StaleRegion.everything
        everything.add([])
        #expect(everything == .everything)
    }

    /// At rest there are two frames with memory; the memory that was given back is zero.
    @Test func excessMemoryIsGivenBack() throws {
        let (desktop, log, buffers) = try threeFrames()
        func colors() -> [UInt32?] { buffers.map { $0.shm?.pixels.first } }
        // The compositor holds all of them, and then two.
        #expect(!log.window.hasExcessMemory)
        buffers[0].release()
        try desktop.pump()
        #expect(!log.window.hasExcessMemory)
        log.window.giveBackExcessMemory()
        #expect(colors() == [1, 2, 3])
        buffers[1].release()
        try desktop.pump()
        #expect(log.window.hasExcessMemory)
        log.window.giveBackExcessMemory()
        #expect(!log.window.hasExcessMemory)
        // The frame that needs the least repainting is kept.
        #expect(colors() == [0, 2, 3])
        let next = try #require(try log.window.acquireFrame())
        #expect(next.stale != .everything)
        log.window.commit(next, damage: [], requestFrameCallback: false)
        let third = try #require(try log.window.acquireFrame())
        #expect(third.stale == .everything)
        #expect(log.window.usedFrameCount == 3)
    }

    /// A compositor that releases frames at once shows a copy.
    ///
    /// In another size all frames are completely stale: the one with memory is painted.
    @Test func twoFramesKeepTheirMemoryIfNoneIsHeld() throws {
        let (desktop, log, buffers) = try threeFrames()
        for buffer in buffers { buffer.release() }
        try desktop.pump()
        log.window.giveBackExcessMemory()
        #expect(buffers.map { $0.shm?.pixels.first } == [0, 2, 3])
        try desktop.configure(width: 200, height: 100, serial: 2)
        let frame = try #require(try log.window.acquireFrame())
        #expect(frame.stale == .everything)
        #expect(frame.withMemory { $0.load(as: UInt32.self) } != 0)
    }

    /// The memory of the frame is not reused and not given back, and three others may still be held.
    @Test func aFrameWhosePixelsAreReadStaysAsItIs() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        func show(_ color: UInt32) throws {
            try log.show(color)
            try desktop.pump()
        }
        #expect(log.window.shownFrame == nil)
        try show(1)
        let shown = try #require(log.window.shownFrame)
        #expect(shown.size == PixelSize(width: 300, height: 200))
        for color in 2...4 {
            try show(UInt32(color))
            if color == 2 { try desktop.windowSurface.committed[0].release() }
            try desktop.pump()
        }
        #expect(try log.window.acquireFrame() == nil)
        let buffers = try desktop.windowSurface.committed
        #expect(buffers.map { $0.shm?.pixels.first } == [1, 2, 3, 4])
        for buffer in buffers[1...] { buffer.release() }
        try desktop.pump()
        log.window.giveBackExcessMemory()
        #expect(shown.bytes.load(as: UInt32.self) == 1)
        #expect(buffers.count { $0.shm?.pixels.first != 0 } == 2)
    }

    @Test func theMemoryOfAFrameIsReusedAfterReading() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        try log.show(1)
        try desktop.pump()
        let first = try #require(try desktop.windowSurface.committed.first)
        first.release()
        try desktop.pump()
        do {
            let shown = log.window.shownFrame
            try log.show(2)
            try desktop.pump()
            #expect(shown?.bytes.load(as: UInt32.self) == 1)
        }
        try log.show(3)
        try desktop.pump()
        #expect(try desktop.windowSurface.committed.last === first)
    }

    @Test func memoryCanBePrefaultedAhead() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        let memory = try log.window.reserveMemory(for: PixelSize(width: 300, height: 200))
        memory.prefault(frames: 3)
        try log.show(5)
        try desktop.pump()
        #expect(try desktop.windowSurface.firstPixel == 5)
    }
}

extension WlBufferResource {
    /// The colour that the test paints a buffer of this width with.
    fileprivate var expected: UInt32? { shm.map { UInt32($0.width) } }
}
