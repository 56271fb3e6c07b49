import CLinux
import Control
import EventLoop
import Glibc
import Motion
import TestKit
import Testing

@Suite struct ServiceNotifierTests {
    private let sources = EventSources()

    /// A socket of a service manager, at a path or, after `@`, at an abstract name.
    private static func manager(_ address: String) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let length = address.utf8.count
        withUnsafeMutableBytes(of: &name.sun_path) { bytes in
            for (index, byte) in address.utf8.enumerated() {
                bytes[index] = index == 0 && byte == UInt8(ascii: "@") ? 0 : byte
            }
        }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + length)
        let code = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size + (address.hasPrefix("@") ? 0 : 1))
            }
        }
        precondition(code == 0, "cannot bind \(address)")
        return descriptor
    }

    private static func receive(_ descriptor: Int32) -> [String] {
        var texts: [String] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(
            descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)), count > 0
        {
            texts.append(String(decoding: bytes.prefix(count), as: UTF8.self))
        }
        return texts
    }

    @Test(arguments: [true, false])
    func theManagerHearsWhatHappens(isAbstract: Bool) throws {
        let folder = TemporaryFolder()
        let address = isAbstract ? "@vitrine-test-\(getpid())" : folder / "notify"
        let manager = Self.manager(address)
        defer { close(manager) }
        var environment = ServiceEnvironment()
        environment.notify = address
        environment.watchdog = 2000
        var now = Moment.zero
        let notifier = try #require(ServiceNotifier(environment, sources, now: { now }))
        func turn(_ milliseconds: Double) -> [String] {
            now = Moment(milliseconds: milliseconds)
            #expect(sources.handleDeadlines(at: now) == 0)
            return Self.receive(manager)
        }
        notifier.ready()
        notifier.ready()
        #expect(turn(0) == ["READY=1", "WATCHDOG=1"])
        #expect(turn(999) == [])
        #expect(turn(1000) == ["WATCHDOG=1"])
        notifier.setStatus("a\nb")
        #expect(turn(1100) == ["STATUS=a b"])
        // At most one line a second, and the newest one.
        notifier.setStatus("c")
        notifier.setStatus("d")
        #expect(turn(1500) == [])
        #expect(sources.deadline == Moment(milliseconds: 2000))
        #expect(turn(2150) == ["WATCHDOG=1", "STATUS=d"])
        notifier.stopping()
        #expect(Self.receive(manager) == ["STOPPING=1"])
    }

    @Test func withoutAManagerNothingIsReported() {
        #expect(ServiceNotifier(ServiceEnvironment(), sources, now: { .zero }) == nil)
        var environment = ServiceEnvironment()
        environment.notify = "/nonexistent/notify"
        // A manager that has gone is no harm.
        ServiceNotifier(environment, sources, now: { .zero })?.ready()
    }
}
