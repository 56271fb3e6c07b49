import EventLoop
import Motion
import Testing

@Suite
struct EventSourcesTests {
    private let sources = EventSources()

    @Test func handlersRunInTheOrderOfRegistration() {
        let pipes = [Pipe(), Pipe(), Pipe()]
        var handled: [Int] = []
        for (number, pipe) in pipes.enumerated() {
            _ = sources.add(descriptor: pipe.reading) {
                pipe.read()
                handled.append(number)
            }
        }
        pipes[2].write()
        pipes[0].write()
        #expect(sources.wait(atMost: 1000) == 2)
        #expect(sources.handleReady() == 2)
        #expect(handled == [0, 2])
        #expect(sources.wait(atMost: 0) == 0)
        #expect(sources.handleReady() == 0)
    }

    @Test func aHandlerRunsOncePerWait() {
        let pipe = Pipe()
        var count = 0
        _ = sources.add(descriptor: pipe.reading) { count += 1 }
        pipe.write()
        #expect(sources.wait(atMost: 1000) == 1)
        sources.handleReady()
        sources.handleReady()
        #expect(count == 1)
        // The byte was not read: the next wait finds it again.
        #expect(sources.wait(atMost: 1000) == 1)
        sources.handleReady()
        #expect(count == 2)
    }

    /// Data that is not urgent does not wake a source of urgent data up.
    @Test func urgentDataHaveSourcesOfTheirOwn() throws {
        let pair = try SocketPair()
        var count = 0
        let source = sources.add(urgentDescriptor: pair.first) { count += 1 }
        pair.send(isUrgent: false)
        #expect(sources.wait(atMost: 0) == 0)
        pair.send(isUrgent: true)
        #expect(sources.wait(atMost: 1000) == 1)
        #expect(sources.handleReady() == 1)
        #expect(count == 1)
        sources.remove(source)
        #expect(sources.wait(atMost: 0) == 0)
    }

    @Test func aHandlerMayRemoveALaterSource() {
        let (first, second) = (Pipe(), Pipe())
        var later: EventSources.Source?
        var isHandled = false
        _ = sources.add(descriptor: first.reading) { [sources] in
            first.read()
            if let later { sources.remove(later) }
        }
        later = sources.add(descriptor: second.reading) { isHandled = true }
        first.write()
        second.write()
        #expect(sources.wait(atMost: 1000) == 2)
        #expect(sources.handleReady() == 1)
        #expect(!isHandled)
        #expect(sources.wait(atMost: 0) == 0)
    }

    @Test func aHandlerMayRemoveItselfAndRegisterOthers() {
        let (first, second) = (Pipe(), Pipe())
        var own: EventSources.Source?
        var isHandled = false
        own = sources.add(descriptor: first.reading) { [sources] in
            if let own { sources.remove(own) }
            _ = sources.add(descriptor: second.reading) { isHandled = true }
        }
        first.write()
        second.write()
        #expect(sources.wait(atMost: 1000) == 1)
        #expect(sources.handleReady() == 1)
        #expect(!isHandled)
        #expect(sources.wait(atMost: 1000) == 1)
        sources.handleReady()
        #expect(isHandled)
    }

    @Test func aReplacedDescriptorKeepsItsPlaceAndLosesItsEvents() {
        let (old, new, other) = (Pipe(), Pipe(), Pipe())
        var handled: [String] = []
        let source = sources.add(descriptor: old.reading) { handled.append("replaced") }
        _ = sources.add(descriptor: other.reading) { handled.append("other") }
        old.write()
        #expect(sources.wait(atMost: 1000) == 1)
        sources.setDescriptor(new.reading, of: source)
        #expect(sources.handleReady() == 0)
        new.write()
        other.write()
        #expect(sources.wait(atMost: 1000) == 2)
        sources.handleReady()
        #expect(handled == ["replaced", "other"])
    }

    @Test func aNegativeDescriptorIsIgnored() {
        let pipe = Pipe()
        var count = 0
        let source = sources.add(descriptor: -1) { count += 1 }
        #expect(sources.wait(atMost: 0) == 0)
        sources.setDescriptor(pipe.reading, of: source)
        pipe.write()
        #expect(sources.wait(atMost: 1000) == 1)
        sources.handleReady()
        #expect(count == 1)
    }

    @Test func theOwnerAsksASourceWithoutHandler() {
        let pipe = Pipe()
        let source = sources.add(descriptor: pipe.reading)
        _ = sources.wait(atMost: 0)
        #expect(!sources.isReadable(source))
        pipe.write()
        #expect(sources.wait(atMost: 1000) == 1)
        #expect(sources.handleReady() == 0)
        #expect(sources.isReadable(source))
        sources.remove(source)
        #expect(!sources.isReadable(source))
    }

    @Test func aWritableSourceIsNotReadable() throws {
        let ends = try SocketPair()
        let source = sources.add(descriptor: ends.first)
        #expect(sources.wait(atMost: 0) == 0)
        sources.setWantsWrite(true, of: source)
        #expect(sources.wait(atMost: 0) == 1)
        #expect(!sources.isReadable(source))
        sources.setWantsWrite(false, of: source)
        #expect(sources.wait(atMost: 0) == 0)
    }

    @Test func aClosedPeerIsReadable() throws {
        let ends = try SocketPair()
        let source = sources.add(descriptor: ends.first)
        ends.closeSecond()
        #expect(sources.wait(atMost: 1000) == 1)
        #expect(sources.isReadable(source))
    }
}

@Suite struct DeadlineTests {
    private let sources = EventSources()

    @Test func onlyDueDeadlinesAreHandledInOrder() {
        var handled: [Double] = []
        for milliseconds in [30.0, 10, 20] {
            _ = sources.add(deadline: { Moment(milliseconds: milliseconds) }) {
                handled.append(milliseconds)
            }
        }
        #expect(sources.deadline == Moment(milliseconds: 10))
        #expect(sources.handleDeadlines(at: Moment(milliseconds: 9.999)) == 0)
        #expect(sources.handleDeadlines(at: Moment(milliseconds: 20)) == 2)
        #expect(handled == [10, 20])
        #expect(sources.handleDeadlines(at: Moment(milliseconds: 30)) == 3)
        #expect(handled == [10, 20, 30, 10, 20])
    }

    /// A script's clock can be far behind the system's clock, or ahead of it.
    @Test(arguments: [(run: 5.0, system: 1e9), (run: 1e9, system: 5), (run: 20, system: 20)])
    func eachDeadlineIsComparedWithItsClock(_ now: (run: Double, system: Double)) {
        var handled: Set<String> = []
        for due in [4.0, 6, 1e6] {
            let moment = Moment(milliseconds: due)
            _ = sources.add(runDeadline: { moment }) { handled.insert("run \(due)") }
            _ = sources.add(deadline: { moment }) { handled.insert("system \(due)") }
        }
        func names(_ clock: String, _ now: Double) -> Set<String> {
            Set([4.0, 6, 1e6].filter { $0 <= now }.map { "\(clock) \($0)" })
        }
        sources.handleDeadlines(at: Moment(milliseconds: now.run), by: .run)
        #expect(handled == names("run", now.run))
        sources.handleDeadlines(at: Moment(milliseconds: now.system), by: .system)
        #expect(handled == names("run", now.run).union(names("system", now.system)))
        // A window has one clock.
        #expect(sources.handleDeadlines(at: Moment(milliseconds: 1e6)) == 6)
    }

    @Test func aDeadlineMayBeAbsentAndReturn() {
        var moment: Moment?
        var count = 0
        _ = sources.add(deadline: { moment }) {
            count += 1
            moment = nil
        }
        #expect(sources.deadline == nil)
        #expect(sources.handleDeadlines(at: Moment(milliseconds: 1000)) == 0)
        moment = Moment(milliseconds: 5)
        #expect(sources.deadline == moment)
        #expect(sources.handleDeadlines(at: Moment(milliseconds: 5)) == 1)
        #expect(sources.handleDeadlines(at: Moment(milliseconds: 5)) == 0)
        #expect(count == 1)
    }

    @Test func aHandlerMayRemoveALaterDeadline() {
        var later: EventSources.Source?
        var isHandled = false
        _ = sources.add(deadline: { .zero }) { [sources] in
            if let later { sources.remove(later) }
        }
        later = sources.add(deadline: { .zero }) { isHandled = true }
        #expect(sources.handleDeadlines(at: .zero) == 1)
        #expect(!isHandled)
    }
}
