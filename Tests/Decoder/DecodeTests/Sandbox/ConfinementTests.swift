import CLinux
import Glibc
import TestKit
import Testing
import Threads

@testable import ImageWire

/// What a compromised decoder can reach: each test shows the attempt refused, and the same attempt
/// succeed without the measures that refuse it.
@Suite(.enabled(if: SandboxSupport.isWhole, "\(SandboxSupport.obstacle)"))
struct ConfinementTests {
    private let folder = TemporaryFolder()

    /// The outcome of an attempt by a decoder that lacks these measures; nil if the attempt ended
    /// the decoder.
    private func outcome(_ command: String, without lacking: String, isIsolated: Bool = true)
        -> String?
    {
        SandboxedProcess(
            Binaries.hostileDecoder("without-\(lacking)", in: folder), isIsolated: isIsolated
        ).outcome(of: command)
    }

    // MARK: Files

    /// The names, sizes and times of a person's files stay unknown.
    @Test(arguments: ["/home", "/tmp", "/etc/passwd", "/proc/self", "/dev/null", "DIARY"])
    func filesDoNotExistForTheDecoder(_ name: String) {
        let path = name == "DIARY" ? folder.file("diary", "secret") : name
        #expect(outcome("looks-at \(path)", without: "nothing") == "error \(ENOENT)")
        #expect(outcome("looks-at \(path)", without: "root") == "ok")
    }

    /// The empty root and Landlock each refuse the file alone.
    @Test(arguments: ["/etc/passwd", "/proc/self/maps", "/dev/urandom"])
    func filesCannotBeRead(_ path: String) {
        #expect(outcome("opens \(path)", without: "nothing") == "error \(ENOENT)")
        #expect(outcome("opens \(path)", without: "files") == "error \(ENOENT)")
        #expect(outcome("opens \(path)", without: "root") == "error \(EACCES)")
        #expect(outcome("opens \(path)", without: "root+files") == "ok")
    }

    @Test func nothingCanBeMounted() {
        #expect(outcome("mounts", without: "nothing") == nil)
        #expect(outcome("mounts", without: "calls") == "error \(EPERM)")
        #expect(outcome("mounts", without: "calls+files+noCapabilities") == "ok")
    }

    /// The library folders are mounted read-only.
    @Test func librariesCannotBeChanged() {
        let path = "/usr/lib/vitrine-trespass"
        let lacking = "calls+files+noCapabilities"
        #expect(outcome("opens-for-writing \(path)", without: lacking) == "error \(EROFS)")
    }

    // MARK: Processes

    /// seccomp kills the decoder; without it the PID namespace hides every other process.
    @Test(arguments: ["kills", "traces", "reads-memory-of"])
    func otherProcessesCannotBeReached(_ action: String) {
        let byte: UInt8 = 7
        withUnsafePointer(to: byte) { address in
            let command = "\(action) \(getpid()) \(UInt(bitPattern: address))"
            #expect(outcome(command, without: "nothing") == nil)
            #expect(outcome(command, without: "calls") == "error \(ESRCH)")
            // Landlock and the own user namespace refuse it too.
            #expect(outcome(command, without: "calls", isIsolated: false) == "error \(EPERM)")
            #expect(outcome(command, without: "all", isIsolated: false) == "ok")
        }
    }

    /// kill(2) of the own process group would reach the viewer, even from a PID namespace.
    @Test func theDecoderHasAProcessGroupOfItsOwn() {
        let child = SandboxedProcess(Binaries.hostileDecoder("decoder", in: folder))
        #expect(getpgid(child.server) == child.server)
    }

    @Test func noProcessCanBeStarted() {
        #expect(outcome("forks", without: "nothing") == nil)
        #expect(outcome("forks", without: "calls") == "ok")
    }

    /// seccomp kills the decoder; the root has no programs, and Landlock refuses execution.
    @Test func noProgramCanBeExecuted() {
        let program = folder / "program"
        _ = ChildProcess.run(["/bin/cp", "/usr/bin/true", program])
        #expect(outcome("execs \(program)", without: "nothing") == nil)
        #expect(outcome("execs \(program)", without: "calls") == "error \(ENOENT)")
        #expect(outcome("execs \(program)", without: "calls+root") == "error \(EACCES)")
        // The program replaces the decoder.
        #expect(outcome("execs \(program)", without: "calls+root+files") == nil)
    }

    // MARK: Network and memory

    @Test func theNetworkCannotBeReached() {
        #expect(outcome("connects", without: "nothing") == nil)
        let refused = "error \(ECONNREFUSED)"
        // The own network namespace has no route, not even to the same machine.
        #expect(outcome("connects", without: "calls+files") == "error \(ENETUNREACH)")
        #expect(outcome("connects", without: "calls", isIsolated: false) != refused)
        #expect(outcome("connects", without: "all", isIsolated: false) == refused)
    }

    @Test func noMemoryCanBeLocked() {
        #expect(outcome("locks-memory", without: "nothing") == nil)
        #expect(outcome("locks-memory", without: "calls") == "error \(EPERM)")
        #expect(outcome("locks-memory", without: "calls+limits") == "ok")
    }

    @Test func limitsCannotBeLifted() {
        #expect(outcome("lifts-its-limits", without: "nothing") == "error \(EPERM)")
        #expect(outcome("lifts-its-limits", without: "calls") == "error \(EPERM)")
        #expect(outcome("lifts-its-limits", without: "calls+limits") == "ok")
    }

    // MARK: The end of a decoder

    /// A decoder at work ends at once with the viewer, and with the fork server even without a PID
    /// namespace.
    @Test(arguments: [true, false]) func theDecoderEndsWithItsViewer(_ isIsolated: Bool) {
        func end(_ body: (SandboxedProcess) -> Void) -> Bool {
            let child = SandboxedProcess(
                Binaries.hostileDecoder("decoder", in: folder), isIsolated: isIsolated)
            child.show(Array("HOSTILE hangs".utf8))
            // The report, then the info of the picture.
            for _ in 0..<2 { child.receive() }
            body(child)
            return child.ends(within: 5000)
        }
        #expect(end { $0.closeServerSocket() })
        #expect(end { kill($0.server, SIGKILL) })
    }

    /// The first process of a PID namespace ignores most signals; crashes, refused calls and the limit
    /// of processor time still end it, and only the limit ends it as SIGKILL does.
    @Test func theViewerSeesHowTheDecoderEnded() {
        func end(_ command: String, seconds: Int? = nil) -> Int32 {
            let child = SandboxedProcess(Binaries.hostileDecoder("decoder", in: folder))
            // The decoder is there when it has reported its sandbox.
            child.receive()
            if let seconds {
                _ = ChildProcess.run(
                    ["/usr/bin/prlimit", "--pid", child.decoder, "--cpu=\(seconds)"])
            }
            child.show(Array("HOSTILE \(command)".utf8))
            return child.endingSignal()
        }
        // The Swift runtime handles faults, and then makes a call that seccomp refuses.
        for crash in ["crashes", "faults", "loses-its-memory"] {
            #expect(![0, SIGKILL].contains(end(crash)))
        }
        #expect(end("forks") == SIGSYS)
        #expect(end("spins", seconds: 1) == SIGKILL)
    }
}
