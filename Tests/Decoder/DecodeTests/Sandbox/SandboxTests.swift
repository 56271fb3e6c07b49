import CLinux
import ImageWire
import Geometry
import Glibc
import Motion
import ImageTypes
import TestKit
import Testing
import Threads

import FileAccess
@testable import DecodeClient

/// Attacks by a compromised decoder in the same sandbox as the real one.
@Suite(.enabled(if: SandboxSupport.isWhole, "\(SandboxSupport.obstacle)"))
struct SandboxTests {
    private let folder = TemporaryFolder()
    private let card = TestPicture.card(72, 40)

    /// Runs a hostile action, then decodes a valid picture with the same client.
    private func takeOver(
        _ command: String, as name: String = "decoder", patience: Double = 20_000,
        limit: Double = 60_000
    ) throws -> DecodeFailure? {
        let client = try DecodeClient(
            DecoderLauncher(DecoderProgram(Binaries.hostileDecoder(name, in: folder))),
            patience: patience,
            limit: limit)
        let result = Decoding(client, id: 1, Array("HOSTILE \(command)".utf8))
        #expect(result.bitmaps.isEmpty)
        let next = Decoding(client, id: 2, card.png())
        #expect(next.bitmaps.last?.largestDifference(from: card) == 0)
        #expect(next.failure == nil)
        return result.failure
    }

    private func outcome(_ command: String, as name: String) throws -> String? {
        guard case .damaged(let outcome) = try takeOver(command, as: name) else { return nil }
        return outcome
    }

    /// Pictures are decoded even if any sandbox measure is missing.
    @Test(arguments: SandboxMeasure.allCases.map { "\($0)" } + ["all"])
    func everyMeasureCanBeMissing(_ measure: String) throws {
        let decoder = Binaries.hostileDecoder("without-\(measure)", in: folder)
        let report = try DecoderInquiry.sandboxReport(DecoderProgram(decoder))
        for other in SandboxMeasure.allCases {
            let isLeftOut = measure == "all" || measure == "\(other)"
            #expect((report[other] == .notRequested) == isLeftOut)
        }
        let photo = TestPicture.photograph(640, 480)
        let result = try Decoding(photo.jpeg(quality: 90), decoder: decoder)
        #expect(result.bitmaps.last?.size == photo.size && result.failure == nil)
    }

    /// Without no_new_privs the kernel refuses Landlock and seccomp; the other measures are in force.
    @Test func whatTheKernelRefusesIsReported() throws {
        let decoder = Binaries.hostileDecoder("without-noNewPrivileges", in: folder)
        let report = try DecoderInquiry.sandboxReport(DecoderProgram(decoder))
        #expect(report[.files] == .refused(code: Int(EPERM)))
        #expect(report[.calls] == .refused(code: Int(EACCES)))
        #expect(report[.limits] == .inForce(version: 0))
        #expect(report[.noCapabilities] == .inForce(version: 0))
    }

    /// If the peer closes a socket with unread messages, the kernel reports the error before the data that
    /// the peer had sent.
    @Test func framesSentBeforeACrashArrive() throws {
        let client = try DecodeClient(
            DecoderLauncher(DecoderProgram(Binaries.hostileDecoder("decoder", in: folder))),
            patience: 20_000)
        let file = Decoding.file(Array("HOSTILE moves 2".utf8))
        client.start(.animation, 1, descriptor: file, now: Decoding.now())
        // The third request crashes the decoder, so the fourth is never read.
        for _ in 0..<4 { client.frame(1, now: Decoding.now()) }
        let socket = try #require(client.pollDescriptors.first)
        var poll = pollfd(fd: socket, events: 0, revents: 0)
        try #require(Glibc.poll(&poll, 1, 20_000) == 1 && poll.revents & Int16(POLLHUP) != 0)
        var events = client.handleReadable(socket, now: Decoding.now())
        let frames = events.filter { if case .frame = $0 { true } else { false } }
        #expect(frames.count == 2)
        while events.count < 4 { events += Decoding.events(of: client) }
        guard case .failed(1, .crashed) = events.last else {
            Issue.record("\(events)")
            return
        }
    }

    /// A decoder without a required measure never gets the picture; `counts` would report it.
    @Test(arguments: [
        ("calls", "seccomp"), ("files", "Landlock"), ("limits", "limits"),
        ("namespaces", "namespaces"), ("root", nil), ("noDumps", nil),
    ])
    func aRequiredMeasureThatIsMissingPreventsDecoding(_ measure: String, _ name: String?) throws {
        var limits = DecodeLimits.standard
        limits.requiresSandbox = true
        let client = try DecodeClient(
            DecoderLauncher(
                DecoderProgram(Binaries.hostileDecoder("without-\(measure)", in: folder)),
                limits: limits))
        let failure = Decoding(client, id: 1, Array("HOSTILE counts".utf8)).failure
        let refusal = name.map {
            "the decoder has no \($0), which decode.sandbox requires"
        }
        #expect(failure == refusal.map { .unreadable(reason: $0) } ?? .damaged(reason: "picture 1"))
    }

    /// A decoder that says nothing about its sandbox gets no picture either.
    @Test func aRequiredReportThatIsMissingPreventsDecoding() throws {
        var limits = DecodeLimits.standard
        limits.requiresSandbox = true
        let silent = folder.file("silent", "#!/bin/sh\nexec sleep 20\n")
        chmod(silent, 0o755)
        let client = try DecodeClient(DecoderLauncher(DecoderProgram(silent), limits: limits))
        let failure = Decoding(client, id: 1, Array("HOSTILE counts".utf8)).failure
        #expect(
            failure
                == .unreadable(
                    reason: "the decoder did not report its sandbox, which decode.sandbox requires")
        )
    }

    // MARK: Fatal calls

    private static var endings: [String] {
        var actions = [
            "connects", "forks", "execs", "kills", "traces", "reads-memory-of", "mounts",
            "locks-memory", "leaves-its-root", "takes-huge-pages", "writes-to-the-picture",
        ]
        #if arch(x86_64)
            actions.append("calls-as-x32")
        #endif
        return actions
    }

    @Test(arguments: endings) func forbiddenCallsKillTheDecoder(_ action: String) throws {
        #expect(try takeOver(action) == .crashed)
    }

    @Test func forbiddenCallsRaiseSIGSYS() throws {
        let child = SandboxedProcess(Binaries.hostileDecoder("decoder", in: folder))
        child.show(Array("HOSTILE forks".utf8))
        #expect(child.endingSignal() == SIGSYS)
    }

    // MARK: Descriptors in sockets

    /// The kernel compares the limit of a process with all descriptors of the user that wait in sockets.
    @Test func otherProgramsMayHaveManyDescriptorsInSockets() throws {
        let waiting = DescriptorsInSockets(count: 100)
        try withExtendedLifetime(waiting) { try expectPicture() }
    }

    /// Above the limit a decoder waits until the descriptors have arrived.
    @Test func aDecoderWaitsForDescriptorsOfOtherPrograms() throws {
        let waiting = DescriptorsInSockets(count: 500)
        let hasStarted = Thread.start {
            usleep(300_000)
            waiting.receiveAll()
        }
        #expect(hasStarted)
        try expectPicture()
    }

    private func expectPicture() throws {
        let result = try Decoding(card.png(), decoder: Binaries.decoder)
        #expect(result.failure == nil)
        #expect(result.bitmaps.last?.largestDifference(from: card) == 0)
    }

    // MARK: Refused calls

    /// The expected error number, and the outcome if the sandbox measure is missing.
    @Test(arguments: [
        ("allocates", ENOMEM, "without-limits", "ok"),
        ("fills-shared-memory", EFBIG, "without-limits", "ok"),
        ("holds-memory 300", EMFILE, "without-limits", "ok"),
        ("starts-a-process-by-clone3", ENOSYS, "without-calls", "ok"),
        ("lists /usr/lib", EACCES, "without-files", "ok"),
    ])
    func forbiddenAccessIsRefused(
        _ command: String, _ code: Int32, _ lacking: String, _ outcomeWithoutMeasure: String
    ) throws {
        #expect(try outcome(command, as: "decoder") == "error \(code)")
        #expect(try outcome(command, as: lacking) == outcomeWithoutMeasure)
    }

    @Test func filesCannotBeWritten() throws {
        let path = folder.file("precious", "precious")
        #expect(try outcome("opens-for-writing \(path)", as: "decoder") == "error \(EACCES)")
        // Landlock, seccomp and the empty root each refuse the write alone.
        for (other, code) in [
            ("files+root", EACCES), ("calls+root", EACCES), ("files+calls", ENOENT),
        ] {
            #expect(
                try outcome("opens-for-writing \(path)", as: "without-\(other)") == "error \(code)")
        }
        #expect(TestFile.read(path) == Array("precious".utf8))
        #expect(try outcome("opens-for-writing \(path)", as: "without-all") == "ok")
        #expect(TestFile.read(path) == [])
    }

    /// The decoder gets the picture opened for reading, so pwrite(2) on the picture fails.
    @Test func thePictureCannotBeWritten() throws {
        let file = folder.file("precious", "HOSTILE writes-into-the-picture")
        let client = try DecodeClient(
            DecoderLauncher(DecoderProgram(Binaries.hostileDecoder("decoder", in: folder))),
            patience: 20_000)
        client.start(
            .picture, 1, descriptor: try PictureFile.open(Array(file.utf8)).descriptor,
            now: Decoding.now())
        let socket = try #require(client.pollDescriptors.first)
        var events: [DecodeEvent] = []
        var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        // The picture info, then the outcome.
        while events.count < 2 {
            try #require(Glibc.poll(&poll, 1, 20_000) == 1)
            events += client.handleReadable(socket, now: Decoding.now())
        }
        guard case .failed(1, .damaged("error \(EBADF)")) = events[1] else {
            Issue.record("\(events)")
            return
        }
        #expect(TestFile.text(file) == "HOSTILE writes-into-the-picture")
    }

    // MARK: Time

    /// `spins` sends heartbeats like a busy library, but makes no progress.
    @Test func aLoopIsKilled() throws {
        let start = Decoding.now()
        #expect(try takeOver("spins", patience: 2200) == .hung)
        // Heartbeats count for as long as a library call may take (5 s here).
        #expect(Decoding.now().seconds(since: start) > 5)
    }

    /// Silence is the sign of a file that does not arrive.
    @Test func aSilentDecoderIsStalled() throws {
        #expect(try takeOver("hangs", patience: 300) == .stalled)
    }

    /// After a pause of the viewer itself, for example by SIGSTOP, the decoder gets its time anew.
    @Test func aPauseOfTheViewerIsNoFaultOfTheDecoder() throws {
        let client = try DecodeClient(
            DecoderLauncher(DecoderProgram(Binaries.hostileDecoder("decoder", in: folder))),
            patience: 1000)
        let start = Decoding.now()
        func handle(after milliseconds: Double) -> [DecodeEvent] {
            client.handleDeadline(now: start.advanced(byMilliseconds: milliseconds))
        }
        client.start(
            .picture, 1, descriptor: Decoding.file(Array("HOSTILE hangs".utf8)), now: start)
        #expect(handle(after: 20_000).isEmpty)
        #expect(handle(after: 20_200).isEmpty)
        guard case .failed(1, .stalled)? = handle(after: 20_600).first else {
            Issue.record("the decoder is not stalled")
            return
        }
    }

    @Test func aLoopThatClaimsProgressIsKilled() throws {
        #expect(try takeOver("works-for-ever", limit: 500) == .timeLimitReached)
    }

    @Test func endlessMessagesAreRejected() throws {
        #expect(try takeOver("talks-for-ever") == .invalidReply)
    }

    /// A decoder that a file has taken over could keep the descriptors of later files, and could lie
    /// about them.
    @Test(arguments: ["counts", "takes-backingFile"])
    func aDecoderGetsOneFile(_ action: String) throws {
        let client = try DecodeClient(
            DecoderLauncher(DecoderProgram(Binaries.hostileDecoder("decoder", in: folder))))
        for id in 1...3 {
            let result = Decoding(client, id: id, Array("HOSTILE \(action)".utf8))
            #expect(result.failure == .damaged(reason: "picture 1"))
        }
    }

    /// The kernel kills a decoder at its limit of processor time, by the signal of the OOM killer.
    @Test(arguments: [(1, DecodeFailure.cpuLimitReached), (300, .killed)])
    func aKilledDecoderHasReachedItsLimitOrIsNotToBlame(
        _ seconds: Int, _ failure: DecodeFailure
    ) throws {
        let client = try DecodeClient(
            DecoderLauncher(DecoderProgram(Binaries.hostileDecoder("short-lived", in: folder))),
            processorLimit: seconds)
        let command = Array("HOSTILE works".utf8)
        #expect(Decoding(client, id: 1, command).failure == failure)
    }

    /// Between a killed fork server and the next picture, the viewer starts a new fork server.
    @Test func aKilledForkServerIsReplaced() throws {
        let decoder = Binaries.hostileDecoder("served", in: folder)
        let client = try DecodeClient(DecoderLauncher(DecoderProgram(decoder)))
        for id in 1...3 {
            #expect(Decoding(client, id: id, card.png()).failure == nil)
            ChildProcess.killAll(decoder)
        }
    }

    /// Pending tile requests fail instead of waiting forever.
    @Test func tilesOfACrashedDecoderFail() throws {
        let client = try DecodeClient(
            DecoderLauncher(DecoderProgram(Binaries.hostileDecoder("decoder", in: folder))))
        let picture = Decoding(client, id: 1, Array("HOSTILE parts".utf8))
        #expect(picture.failure == nil && picture.bitmaps.count == 1)
        let part = PictureTile(mipLevel: 0, rect: PixelRect(x: 0, y: 0, width: 64, height: 64))
        for _ in 0..<2 {
            client.tile(1, part, now: Decoding.now())
            var failure: DecodeFailure?
            while failure == nil {
                for case .failed(1, let reason) in Decoding.events(of: client) { failure = reason }
            }
            #expect(failure == .crashed)
        }
    }

    // MARK: The real decoder

    @Test(arguments: [false, true])
    func theDecoderIsSandboxedBeforeItsFirstPicture(warmsUp: Bool) throws {
        let child = SandboxedProcess(Binaries.decoder, warmsUp: warmsUp)
        let report = try #require(child.sandboxReport())
        for measure in SandboxMeasure.allCases {
            if case .notRequested = report[measure] { Issue.record("\(measure) was left out") }
        }
        if case .inForce = report[.calls] { #expect(child.status("Seccomp") == "2") }
        if case .inForce = report[.noNewPrivileges] { #expect(child.status("NoNewPrivs") == "1") }
        if case .inForce = report[.noCapabilities] {
            #expect(child.status("CapEff") == "0000000000000000")
            #expect(child.status("CapBnd") == "0000000000000000")
        }
        if case .inForce = report[.limits] {
            #expect(child.limit("Max address space") == "25769803776")
            #expect(child.limit("Max core file size") == "0")
            #expect(child.limit("Max cpu time").flatMap { Int($0) } ?? 0 >= 300)
            #expect(child.limit("Max file size") == "3072000000")
            #expect(child.limit("Max open files") == "256")
            #expect(child.limit("Max locked memory") == "0")
        }
        // Standard input, output and error, and the socket.
        #expect(child.openFiles().allSatisfy { ["0", "1", "2", "3"].contains($0) })
        // A copy of a process with more threads would lack them.
        #expect(child.threadsOfServer() == 1)
    }

    @Test func theInquiryRejectsInvalidReplies() throws {
        let babbler = Binaries.hostileDecoder("babbles-about-itself", in: folder)
        #expect(throws: DecodeClientError(path: babbler, code: EPROTO)) {
            try DecoderInquiry.sandboxReport(DecoderProgram(babbler))
        }
        #expect(throws: DecodeClientError(path: "/bin/true", code: EPIPE)) {
            try DecoderInquiry.sandboxReport(DecoderProgram("/bin/true"))
        }
    }

    /// A library that consumes processor time is waited for; one that sleeps is not.
    @Test func aBusyDecoderIsNotHung() throws {
        #expect(try takeOver("ponders", patience: 2200) == .empty)
        #expect(try takeOver("dozes", patience: 2200) == .stalled)
    }
}
