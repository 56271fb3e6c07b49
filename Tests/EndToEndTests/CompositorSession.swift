import Glibc
import TestKit

/// Runs the released viewer inside a real compositor, headless, and looks at what becomes of it.
///
/// A test writes a shell script that works in a folder where `vitrine` and its pictures are; the
/// script runs as an ordinary user.
struct CompositorSession {
    enum Compositor: String {
        case sway, mutter, weston, cage
    }

    let folder = TemporaryFolder()

    /// Puts the programs, and the pictures by name, into the folder.
    init(_ pictures: [String: [UInt8]]) {
        let support = Binaries.package + "/Tests/EndToEndTests/Support"
        _ = ChildProcess.run([
            "/bin/cp", Binaries.vitrine, Binaries.decoder, support + "/mutter-play", folder.path,
        ])
        for (name, bytes) in pictures { _ = folder.file(name, bytes) }
    }

    /// Runs `script` with bash in a session of `compositor`.
    func run(
        _ compositor: Compositor, _ size: String, _ script: String,
        seconds: Double = 60
    ) -> ChildProcess {
        _ = folder.file("script.sh", Self.helpers + script)
        return ChildProcess.run(
            [
                "bash", Binaries.package + "/Tests/EndToEndTests/Support/session",
                compositor.rawValue, size, folder.path, "bash", "script.sh",
            ], seconds: seconds)
    }

    var trace: [TraceFrame] { TraceFrame.all(TestFile.text(folder / "trace.txt") ?? "") }

    /// What scripts may call: `await PATTERN` waits for a line in the trace.
    private static let helpers = """
        await() {
            for _ in $(seq 400); do
                grep -q -- "$1" trace.txt 2>/dev/null && return
                sleep 0.025
            done
            echo "not in the trace: $1"
            tail -n 2 trace.txt
            exit 9
        }
        ended() {
            for _ in $(seq 200); do
                kill -0 "$1" 2>/dev/null || break
                sleep 0.025
            done
            if kill -0 "$1" 2>/dev/null; then echo "still running"; kill "$1"; fi
            wait "$1"
            echo "code $?"
        }

        """
}
