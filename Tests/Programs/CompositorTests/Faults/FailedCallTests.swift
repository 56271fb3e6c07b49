import CompositorKit
import Glibc
import TestKit
import Testing

extension LiveTests {
    /// Calls of the C library that fail, one by one and all from one on.
    ///
    /// The viewer shows its picture nevertheless, or ends by itself and says why.
    @Suite struct FailedCallTests {
        /// A function whose calls fail, and the error number.
        struct Fault: CustomTestStringConvertible, Sendable {
            let function: String
            let code: Int32
            var testDescription: String { function }
        }

        static let faults = [
            ("memfd_create", ENOMEM), ("mmap", ENOMEM), ("ftruncate", ENOSPC), ("eventfd", EMFILE),
            ("timerfd_create", EMFILE), ("signalfd", EMFILE), ("inotify_init1", EMFILE),
            ("socketpair", EMFILE), ("pipe2", EMFILE), ("fork", EAGAIN), ("clone", EAGAIN),
            ("pthread_create", EAGAIN), ("open", EMFILE), ("openat", EMFILE),
            ("readlink", ENOENT), ("recvmsg", ENOMEM), ("sendmsg", EPIPE),
        ].map { Fault(function: $0.0, code: $0.1) }

        /// The numbers of the first calls that fail; `meson-helpers/check/faults` tries all.
        static let numbers = getenv("VITRINE_FAULTS") == nil ? [1, 3] : Array(1...1000)

        private let folder = TemporaryFolder()

        private func environment(_ fault: Fault, _ range: ClosedRange<Int>) -> [String] {
            unlink(folder / "report")
            return [
                "LD_PRELOAD=" + PreloadedLibrary.faults.path,
                "VITRINE_FAULT_REPORT=" + folder / "report",
                "VITRINE_FAULT=\(fault.function) \(range.lowerBound) \(range.upperBound) \(fault.code)",
            ]
        }

        /// Whether a call has failed.
        private var hasFailed: Bool {
            TestFile.read(folder / "report")?.dropFirst(8).contains { $0 != 0 } == true
        }

        /// Runs `body` for calls of later and later numbers, until the program makes no more calls.
        private func forEach(
            _ fault: Fault, _ body: (_ environment: [String], _ name: String) throws -> Void
        ) rethrows {
            for number in Self.numbers {
                for last in [number, 1_000_000] {
                    try body(
                        environment(fault, number...last), "\(fault.function) \(number) \(last)")
                    guard hasFailed else { return }
                }
            }
        }

        /// Expects an exit code that the manual lists, and a line with the reason of a failure.
        private func expectGoodEnd(_ code: Int32?, _ errors: String, _ name: String) {
            // GLib aborts, with a line, if it cannot start a thread of Pango. The viewer starts one before
            // that as a trial, so that only a failure of exactly the next call gets there.
            if errors.contains("GLib-ERROR"), name.hasPrefix("pthread_create") { return }
            #expect([0, 1, 3].contains(code), "\(name): \(errors)")
            // Libraries may have written lines of their own before.
            #expect(code == 0 || errors.contains("vitrine: "), "\(name): \(errors)")
        }

        @Test func theLibrariesCanBeBuilt() {
            for library in [PreloadedLibrary.faults, .turns] {
                #expect(access(library.path, R_OK) == 0)
            }
        }

        @Test(arguments: faults, [false, true])
        func withoutACompositor(_ fault: Fault, onGrid: Bool) {
            folder.folder("album")
            for name in ["a", "b", "c", "d"] { _ = folder.file("album/\(name).png", Stage.small) }
            forEach(fault) { environment, name in
                let result = Binaries.vitrine(
                    [
                        "--headless", "200x200", "--shot", folder / "shot.png",
                        onGrid ? folder / "album" : folder / "album/a.png",
                    ],
                    environment: environment + ["XDG_CACHE_HOME=" + folder / "cache"], seconds: 25)
                expectGoodEnd(result.status, result.errors, name)
            }
        }

        @Test(arguments: faults, [false, true])
        func inAWindow(_ fault: Fault, onGrid: Bool) throws {
            try forEach(fault) { environment, name in
                let stage = try Stage(
                    in: .program, pictures: [Stage.small, Stage.small], onGrid: onGrid,
                    environment: environment)
                let answers = try stage.answers {
                    let hasGoneOn = stage.compositor.run(seconds: 25) {
                        stage.exitCode != nil
                            || stage.isAtRest || stage.trace.last?.text("message") != nil
                    }
                    #expect(hasGoneOn, "\(name): \(stage.errors)")
                    guard stage.exitCode == nil else { return }
                    var hand = Hand()
                    for key in ["Right", "i"] {
                        hand.key(key)
                        hand.rest(80)
                    }
                    stage.compositor.play(hand.finishScript())
                    try stage.window.close()
                }
                let code = stage.compositor.run { stage.exitCode != nil } ? stage.exitCode : nil
                expectGoodEnd(code, stage.errors, name)
                guard hasFailed else { return }
                FaultRecord(
                    table: .calls, fault: fault.function, answers: answers,
                    seen: stage.errors.split(separator: "\n").first.map(String.init)
                        ?? stage.messageShown
                ).write()
            }
        }

        /// No change is told, so the folder is looked at, and one line says so.
        @Test func withoutWatchesTheFolderIsLookedAt() throws {
            let fault = Fault(function: "inotify_init1", code: EMFILE)
            let stage = try Stage(
                in: .program, options: ["--set", "collection.remote_interval=1"],
                pictures: (0..<2).map { GridTests.picture($0) }, onGrid: true,
                environment: environment(fault, 1...1_000_000))
            stage.until { $0.number("count") == 2 }
            TestFile.write(GridTests.picture(2), to: stage.folder / "album/02.png")
            stage.until { $0.number("count") == 3 }
            for name in ["00", "01"] { unlink(stage.folder / "album/\(name).png") }
            stage.until { $0.number("count") == 1 }
            #expect(hasFailed)
            #expect(try stage.close() == 0)
            let lines = stage.errors.split(separator: "\n")
            #expect(lines.count == 1 && lines.first?.contains("inotify") == true, "\(lines)")
        }

        // MARK: Few descriptors, no /proc

        @Test(arguments: [4, 6, 8, 9, 10, 12, 14, 16, 20, 28, 40], [false, true])
        func withFewDescriptors(_ limit: Int, onGrid: Bool) {
            folder.folder("album")
            for name in ["a", "b", "c", "d"] { _ = folder.file("album/\(name).png", Stage.small) }
            let result = ChildProcess.run([
                "/bin/sh", "-c", #"ulimit -n "$0"; exec "$@""#, "\(limit)", Binaries.vitrine,
                "--headless", "200x200", "--shot", folder / "shot.png",
                onGrid ? folder / "album" : folder / "album/a.png",
            ])
            expectGoodEnd(result.status, result.errors, "\(limit)")
        }

        /// Swift reads the arguments from /proc.
        @Test(
            .enabled(if: getuid() == 0, "only root can hide /proc"),
            .enabled(if: SandboxSupport.isWhole, "\(SandboxSupport.obstacle)"))
        func withoutProcTheArgumentsArrive() {
            let hidden = #"mount -t tmpfs none /proc && exec "$@""#
            let version = ChildProcess.run([
                "unshare", "-m", "sh", "-c", hidden, "sh", Binaries.vitrine, "--version",
            ])
            #expect(version.status == 0 && version.output.hasPrefix("vitrine "), "\(version)")
            let picture = folder.file("card.png", Stage.small)
            let shown = ChildProcess.run([
                "unshare", "-m", "sh", "-c", hidden, "sh", Binaries.vitrine, "--headless",
                "200x200", picture,
            ])
            expectGoodEnd(shown.status, shown.errors, "no /proc")
        }
    }
}
