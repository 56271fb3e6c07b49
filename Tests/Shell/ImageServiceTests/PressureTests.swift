import EventLoop
import Geometry
import Glibc
import ImageService
import ImageTypes
import Motion
import SceneModel
import TestKit
import Testing

/// Shortage of memory, with real decoders and a manual clock.
@Suite struct PressureTests {
    /// Urgent data on a socket take the place of the system's report.
    @Test func pressureReleasesWhatIsNotShownForAWhile() throws {
        let stage = try MemoryTests.stage(bytes: 1 << 20)
        let trigger = try UrgentSocket()
        let pressure = MemoryPressure(trigger.receiver, stage.sources) {
            trigger.clear()
            stage.provider.releaseMemory()
        }
        stage.provider.want([2, 3], keeping: [2, 3])
        #expect(stage.rest())
        #expect(MemoryTests.widths(stage) == [nil, 200, 100])
        #expect(stage.deadline == nil)
        trigger.raise()
        #expect(stage.run { stage.width(3) != 100 })
        #expect(stage.width(2) == 200)
        #expect(stage.deadline?.seconds(since: stage.now) == 10)
        stage.provider.want([2, 3, 1], keeping: [1, 2, 3])
        #expect(stage.rest())
        #expect(stage.width(1) == nil)
        stage.advance(seconds: 9.99)
        #expect(!stage.provider.isBusy)
        stage.advance(seconds: 0.01)
        #expect(stage.deadline == nil || stage.provider.isBusy)
        #expect(stage.rest())
        #expect(MemoryTests.widths(stage) == [100, 200, 100])
        withExtendedLifetime(pressure) {}
    }

    /// While memory is short, the picture to which the user turns is decoded.
    @Test func theShownPictureIsDecodedWhileMemoryIsShort() throws {
        let stage = try MemoryTests.stage(bytes: 1 << 20)
        stage.provider.want([1, 2], keeping: [1, 2])
        stage.provider.releaseMemory()
        #expect(stage.rest())
        #expect(MemoryTests.widths(stage) == [200, nil, nil])
        stage.provider.want([2, 1], keeping: [1, 2])
        #expect(stage.rest())
        #expect(stage.width(2) == 200)
    }

    /// Levels that are finer than the picture is shown are given back, and decoded again when it is shown
    /// larger; as often as memory is short.
    @Test func fineLevelsAreGivenBackWhileMemoryIsShort() throws {
        let stage = try MemoryTests.stage(bytes: 1 << 20)
        stage.provider.want([1], keeping: [1])
        #expect(stage.rest())
        func show(side: Double) throws {
            let source = try #require(stage.provider.source(of: 1))
            let size = try #require(stage.infos[1]).size
            var scene = Scene(
                size: Size(width: 64, height: 64), scale: 1, backdrop: 1,
                items: [
                    .picture(
                        PictureItem(
                            source: source, size: size,
                            placement: Placement(
                                center: Point(x: 32, y: 32), zoom: side / Double(size.width))))
                ])
            stage.provider.decodeFiner(scene, looksCloser: true)
            stage.provider.addTiles(to: &scene)
        }
        for _ in 0..<2 {
            try show(side: 64)
            #expect(stage.rest() && stage.width(1) == 200)
            stage.provider.releaseMemory()
            #expect(stage.rest() && stage.width(1) == 100)
            try show(side: 101)
            #expect(stage.rest() && stage.width(1) == 100)
            // During a pinch nothing is given back that the picture needs.
            try show(side: 150)
            #expect(stage.rest() && stage.width(1) == 200)
            stage.provider.releaseMemory()
            #expect(stage.rest() && stage.width(1) == 200)
            stage.advance(seconds: 200)
        }
    }

    /// A descriptor with an error would wake the loop up without end.
    @Test func aBrokenTriggerIsNotWatchedAnyMore() throws {
        let stage = try MemoryTests.stage(bytes: 1 << 20)
        let trigger = try UrgentSocket()
        var reports = 0
        let pressure = MemoryPressure(trigger.receiver, stage.sources) { reports += 1 }
        trigger.closeSender()
        _ = stage.sources.wait(atMost: 1000)
        stage.sources.handleReady()
        #expect(reports == 0)
        #expect(stage.sources.wait(atMost: 0) == 0)
        withExtendedLifetime(pressure) {}
    }

    /// Where the kernel measures the pressure, the trigger is accepted.
    @Test(.enabled(if: access("/proc/pressure/memory", W_OK) == 0))
    func theSystemAcceptsTheTrigger() throws {
        let stage = try MemoryTests.stage(bytes: 1 << 20)
        #expect(MemoryPressure.watch(stage.sources) {} != nil)
    }
}

/// A socket pair whose first end gets urgent data.
private final class UrgentSocket {
    struct Failure: Error {}

    /// Closed by the owner of the trigger.
    let receiver: Int32
    private var sender: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw Failure()
        }
        (receiver, sender) = (ends[0], ends[1])
    }

    deinit { closeSender() }

    func raise() {
        var byte: UInt8 = 0
        _ = send(sender, &byte, 1, Int32(MSG_OOB))
    }

    func clear() {
        var byte: UInt8 = 0
        _ = recv(receiver, &byte, 1, Int32(MSG_OOB))
    }

    func closeSender() {
        if sender >= 0 { close(sender) }
        sender = -1
    }
}
