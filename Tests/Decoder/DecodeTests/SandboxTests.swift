import CLinux
import ImageWire
import Geometry
import Glibc
import Motion
import ImageTypes
import TestKit
import Testing

@testable import DecodeClient

/// A decoder that was taken over, in the same cage as the real one, tries what it can.
@Suite struct SandboxTests {
    private let folder = TemporaryFolder()
    private let card = TestPicture.card(72, 40)

    /// Lets the decoder be taken over by a file, and then shows a good one by the same client.
    private func takeOver(
        _ words: String, as name: String = "decoder", patience: Double = 20_000,
        limit: Double = 60_000
    ) throws -> DecodeFailure? {
        let client = try DecodeClient(
            decoderPath: Binaries.hostileDecoder(name, in: folder), patience: patience,
            limit: limit)
        let result = Decoding(client, id: 1, Array("HOSTILE \(words)".utf8))
        #expect(result.bitmaps.isEmpty)
        let next = Decoding(client, id: 2, card.png())
        #expect(next.bitmaps.last?.largestDifference(from: card) == 0)
        #expect(next.failure == nil)
        return result.failure
    }

    private func outcome(_ words: String, as name: String) throws -> String? {
        guard case .damaged(let outcome) = try takeOver(words, as: name) else { return nil }
        return outcome
    }

    /// With any measure missing a picture is decoded all the same.
    @Test(arguments: SandboxMeasure.allCases.map { "\($0)" } + ["all"])
    func everyMeasureCanBeMissing(_ measure: String) throws {
        let decoder = Binaries.hostileDecoder("without-\(measure)", in: folder)
        let report = try DecoderInquiry.cage(decoder)
        for other in SandboxMeasure.allCases {
            let isLeftOut = measure == "all" || measure == "\(other)"
            #expect((report[other] == .leftOut) == isLeftOut)
        }
        let photo = TestPicture.photograph(640, 480)
        let result = try Decoding(photo.jpeg(quality: 90), decoder: decoder)
        #expect(result.bitmaps.last?.size == photo.size && result.failure == nil)
    }

    /// Without the first the kernel refuses two others; all the rest is in force.
    @Test func whatTheKernelRefusesIsReported() throws {
        let decoder = Binaries.hostileDecoder("without-noNewPrivileges", in: folder)
        let report = try DecoderInquiry.cage(decoder)
        #expect(report[.files] == .refused(code: Int(EPERM)))
        #expect(report[.calls] == .refused(code: Int(EACCES)))
        #expect(report[.limits] == .inForce(version: 0))
        #expect(report[.noCapabilities] == .inForce(version: 0))
    }

    /// A socket whose other end went before it had read everything says so first, and gives what came
    /// from there only then.
    @Test func whatADecoderGaveBeforeItsEndIsThere() throws {
        let client = try DecodeClient(
            decoderPath: Binaries.hostileDecoder("decoder", in: folder), patience: 20_000)
        let file = Decoding.file(Array("HOSTILE moves 2".utf8))
        client.play(1, descriptor: file, now: Decoding.now())
        // The third ends it, and the fourth is never read.
        for _ in 0..<4 { client.frame(1, now: Decoding.now()) }
        let socket = try #require(client.pollDescriptors.first)
        var poll = pollfd(fd: socket, events: 0, revents: 0)
        try #require(Glibc.poll(&poll, 1, 20_000) == 1 && poll.revents & Int16(POLLHUP) != 0)
        let events = client.handleReadable(socket, now: Decoding.now())
        let frames = events.filter { if case .frame = $0 { true } else { false } }
        #expect(frames.count == 2)
        guard case .failed(1, .crashed) = events.last else {
            Issue.record("\(events)")
            return
        }
    }

    // MARK: What ends the process

    private static var endings: [String] {
        var ways = [
            "connects", "forks", "execs", "kills-its-parent", "traces-its-parent",
            "leaves-its-root", "takes-huge-pages", "writes-to-the-picture",
        ]
        #if arch(x86_64)
            ways.append("calls-as-x32")
        #endif
        return ways
    }

    @Test(arguments: endings) func anythingThatADecoderDoesNotNeedEndsIt(_ way: String) throws {
        #expect(try takeOver(way) == .crashed)
    }

    @Test func itEndsBySIGSYS() throws {
        let stage = CagedProcess(Binaries.hostileDecoder("decoder", in: folder))
        stage.show(Array("HOSTILE forks".utf8))
        #expect(stage.endingSignal() == SIGSYS)
    }

    // MARK: What is refused

    /// With the error's number, and what the same try brings where the measure is missing.
    @Test(arguments: [
        ("opens /etc/passwd", EACCES, "without-files", "ok"),
        ("opens /proc/self/maps", EACCES, "without-files", "ok"),
        ("opens /dev/urandom", EACCES, "without-files", "ok"),
        ("allocates", ENOMEM, "without-limits", "ok"),
        ("fills-shared-memory", EFBIG, "without-limits", "ok"),
        ("starts-a-process-by-clone3", ENOSYS, "without-calls", "ok"),
    ])
    func whatIsRefused(
        _ words: String, _ code: Int32, _ lacking: String, _ outcomeThen: String
    ) throws {
        #expect(try outcome(words, as: "decoder") == "error \(code)")
        #expect(try outcome(words, as: lacking) == outcomeThen)
    }

    @Test func itCannotWriteAFile() throws {
        let path = folder.file("precious", "precious")
        #expect(try outcome("opens-for-writing \(path)", as: "decoder") == "error \(EACCES)")
        // Twice refused: by the other measure alone too.
        #expect(try outcome("opens-for-writing \(path)", as: "without-files") == "error \(EACCES)")
        #expect(try outcome("opens-for-writing \(path)", as: "without-calls") == "error \(EACCES)")
        #expect(TestFile.read(path) == Array("precious".utf8))
        #expect(try outcome("opens-for-writing \(path)", as: "without-all") == "ok")
        #expect(TestFile.read(path) == [])
    }

    /// What may be written is what it has made itself; pictures come opened for reading.
    @Test func itCannotWriteIntoThePicture() throws {
        let file = folder.file("precious", "HOSTILE writes-into-the-picture")
        let client = try DecodeClient(
            decoderPath: Binaries.hostileDecoder("decoder", in: folder), patience: 20_000)
        client.open(1, descriptor: try PictureFile.open(Array(file.utf8)), now: Decoding.now())
        let socket = try #require(client.pollDescriptors.first)
        var events: [DecodeEvent] = []
        var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        // Its info, and what came of it.
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

    /// Without seccomp the others hold; without any, what was tried was possible.
    @Test func theOtherMeasuresHoldWithoutSeccomp() throws {
        #expect(try outcome("execs", as: "without-calls") == "error \(EACCES)")
        #expect(try outcome("connects", as: "without-calls")?.hasPrefix("error") == true)
        #expect(try outcome("connects", as: "without-calls") != "error \(ECONNREFUSED)")
        #expect(try outcome("traces-its-parent", as: "without-calls") == "error \(EPERM)")
        #expect(try outcome("forks", as: "without-all") == "ok")
        #expect(try outcome("connects", as: "without-all") == "error \(ECONNREFUSED)")
        #expect(try outcome("lifts-its-limits", as: "decoder") == "error \(EPERM)")
    }

    // MARK: Time

    /// The second gives signs of life, as a library at work does, and not of getting on.
    @Test(arguments: [("hangs", 300), ("spins", 2200)])
    func aLoopIsEnded(_ way: String, patience: Double) throws {
        let start = Decoding.now()
        #expect(try takeOver(way, patience: patience) == .hung)
        // As long as it may be silent in a library, it is believed.
        if way == "spins" { #expect(Decoding.now().seconds(since: start) > 5) }
    }

    @Test func aLoopThatClaimsProgressIsEnded() throws {
        #expect(try takeOver("works-for-ever", limit: 500) == .endless)
    }

    @Test func oneThatNeverStopsTalkingIsEnded() throws {
        #expect(try takeOver("talks-for-ever") == .badReply)
    }

    @Test func oneThatHasDoneEnoughIsReplacedBeforeTheNextPicture() throws {
        let decoder = Binaries.hostileDecoder("decoder", in: folder)
        func counts(freshSeconds: Int) throws -> [DecodeFailure?] {
            let client = try DecodeClient(decoderPath: decoder, freshSeconds: freshSeconds)
            return (1...3).map { Decoding(client, id: $0, Array("HOSTILE counts".utf8)).failure }
        }
        let (one, two, three) = ("picture 1", "picture 2", "picture 3")
        #expect(
            try counts(freshSeconds: 600)
                == [.damaged(reason: one), .damaged(reason: two), .damaged(reason: three)])
        #expect(try counts(freshSeconds: 0) == Array(repeating: .damaged(reason: one), count: 3))
    }

    /// It could keep the file for good, which nobody else has a name for.
    @Test func oneThatWasGivenRoomOnTheDiskGetsNoFurtherPicture() throws {
        let client = try DecodeClient(
            decoderPath: Binaries.hostileDecoder("decoder", in: folder))
        let first = Decoding(client, id: 1, Array("HOSTILE takes-room".utf8))
        #expect(first.failure == .damaged(reason: "picture 1"))
        let second = Decoding(client, id: 2, Array("HOSTILE counts".utf8))
        #expect(second.failure == .damaged(reason: "picture 1"))
    }

    /// Who ends after that much processor time has not shown that the file is at fault.
    @Test func oneThatEndsWhenItsTimeIsUsedUpIsSpent() throws {
        let decoder = Binaries.hostileDecoder("decoder", in: folder)
        for (seconds, failure) in [(0, DecodeFailure.spent), (600, .crashed)] {
            let client = try DecodeClient(decoderPath: decoder, freshSeconds: seconds)
            #expect(Decoding(client, id: 1, Array("HOSTILE crashes".utf8)).failure == failure)
        }
        // The clock of one that has ended is still to be read.
        let client = try DecodeClient(decoderPath: decoder, freshSeconds: 1)
        #expect(Decoding(client, id: 1, Array("HOSTILE works-and-crashes".utf8)).failure == .spent)
    }

    /// Parts that nobody gives any more are failures, and no waiting for ever.
    @Test func partsOfADecoderThatHasCrashedFail() throws {
        let client = try DecodeClient(
            decoderPath: Binaries.hostileDecoder("decoder", in: folder))
        let picture = Decoding(client, id: 1, Array("HOSTILE parts".utf8))
        #expect(picture.failure == nil && picture.bitmaps.count == 1)
        let part = PicturePart(exponent: 0, rect: PixelRect(x: 0, y: 0, width: 64, height: 64))
        for _ in 0..<2 {
            client.part(1, part, now: Decoding.now())
            var failure: DecodeFailure?
            while failure == nil {
                for case .failed(1, let reason) in Decoding.events(of: client) { failure = reason }
            }
            #expect(failure == .crashed)
        }
    }

    // MARK: What the kernel says of the real one

    @Test func theDecoderIsLockedInBeforeItHasAPicture() throws {
        let stage = CagedProcess(Binaries.decoder)
        let report = try #require(stage.askForSandbox())
        for measure in SandboxMeasure.allCases {
            if case .leftOut = report[measure] { Issue.record("\(measure) was left out") }
        }
        if case .inForce = report[.calls] { #expect(stage.status("Seccomp") == "2") }
        if case .inForce = report[.noNewPrivileges] { #expect(stage.status("NoNewPrivs") == "1") }
        if case .inForce = report[.noCapabilities] {
            #expect(stage.status("CapEff") == "0000000000000000")
        }
        if case .inForce = report[.limits] {
            #expect(stage.limit("Max address space") == "25769803776")
            #expect(stage.limit("Max core file size") == "0")
            #expect(stage.limit("Max cpu time").flatMap { Int($0) } ?? 0 >= 900)
            #expect(stage.limit("Max file size") == "3072000000")
        }
        // Standard input, output and error, and the socket.
        #expect(stage.openFiles().allSatisfy { ["0", "1", "2", "3"].contains($0) })
    }

    @Test func theInquiryBelievesOnlyAnAnswer() throws {
        let babbler = folder.file("babbler", "#!/bin/sh\necho hello >&3\nsleep 10\n")
        chmod(babbler, 0o755)
        #expect(throws: DecodeClientError(path: babbler, code: EPROTO)) {
            try DecoderInquiry.cage(babbler)
        }
        #expect(throws: DecodeClientError(path: "/bin/true", code: EPIPE)) {
            try DecoderInquiry.cage("/bin/true")
        }
    }

    /// A library that works for long is waited for, and one that only waits is not.
    @Test func whoIsAtWorkIsNoneThatHangs() throws {
        #expect(try takeOver("ponders", patience: 2200) == .empty)
        #expect(try takeOver("dozes", patience: 2200) == .hung)
    }
}
