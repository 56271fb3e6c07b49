import Glibc
import TestKit

/// Runs the release build of the viewer inside a real, headless compositor.
///
/// A test's shell script runs as an ordinary user, in a folder with `vitrine` and the pictures.
struct CompositorSession {
    enum Compositor: String {
        case sway, mutter, weston, cage
    }

    let folder = TemporaryFolder()

    /// Copies the programs, the viewer by default, and writes the pictures by name, into the folder.
    init(
        _ pictures: [String: [UInt8]],
        programs: [String] = [Binaries.vitrine, Binaries.decoder]
    ) {
        let support = Binaries.package + "/Tests/Programs/EndToEndTests/Support"
        let portal = Binaries.package + "/Tests/Shell/DesktopTests/Support/portal"
        let tools =
            ["/mutter-play", "/input-method", "/drop-target", "/reader"].map { support + $0 }
            + [portal]
        _ = ChildProcess.run(["/bin/cp"] + programs + tools + [folder.path])
        for (name, bytes) in pictures { _ = folder.file(name, bytes) }
    }

    /// Writes photographs into the folder `album`, told apart by their widths: 640, 672, 704 and so on, by
    /// 480 pixels.
    func photographs(_ names: [String]) {
        folder.folder("album")
        for (number, name) in names.enumerated() {
            _ = folder.file(
                "album/\(name).jpg",
                TestPicture.photograph(640 + number * 32, 480).jpeg(quality: 85))
        }
    }

    /// Runs `script` with bash in a session of `compositor`.
    func run(
        _ compositor: Compositor, _ size: String, _ script: String,
        seconds: Double = 180
    ) -> ChildProcess {
        _ = folder.file("script.sh", Self.helpers + script)
        return ChildProcess.run(
            [
                "bash", Binaries.package + "/Tests/Programs/EndToEndTests/Support/session",
                compositor.rawValue, size, folder.path, "bash", "script.sh",
            ], seconds: seconds)
    }

    var trace: [TraceFrame] { TraceFrame.all(TestFile.text(folder / "trace.txt") ?? "") }

    /// Functions for scripts.
    ///
    /// Time limits allow for a busy machine; no function waits longer than necessary.
    ///
    /// - `await PATTERN` waits for a line in the trace, `settled PATTERN` also until nothing moves
    ///   after it.
    /// - `shows PATTERN` succeeds if the last frame matches within three seconds.
    /// - `until_true COMMAND…` waits until a command succeeds.
    /// - `bus` starts a session bus, whose programs show their windows in the compositor.
    /// - `reader COMMAND…` runs commands of the assistive technology in `Support/reader`, with words after
    ///   slashes, and prints what went wrong.
    /// - `ended PROCESS` waits for the end of a process and prints its exit code.
    private static let helpers = """
        await() {
            for _ in $(seq 1200); do
                grep -q -- "$1" trace.txt 2>/dev/null && return
                sleep 0.025
            done
            echo "not in the trace: $1"
            tail -n 2 trace.txt
            exit 9
        }
        shows() {
            for _ in $(seq 120); do
                tail -n 1 trace.txt | grep -q -- "$1" && return
                sleep 0.025
            done
            return 1
        }
        settled() {
            await "$1"
            for _ in $(seq 10); do shows '"phase":"idle"' && return; done
            echo "still moving after: $1"
            exit 9
        }
        until_true() {
            for _ in $(seq 1200); do
                "$@" && return
                sleep 0.025
            done
            echo "still not: $*"
            exit 9
        }
        bus() {
            # The backend of GTK is used on GNOME only; its settings are in a file of the test.
            export XDG_CURRENT_DESKTOP=GNOME GDK_BACKEND=wayland NO_AT_BRIDGE=1
            export GSETTINGS_BACKEND=keyfile XDG_CONFIG_HOME=$PWD/config
            dbus-daemon --session --nofork --nosyslog "--address=unix:path=$PWD/run/bus" \
                >bus.txt 2>&1 &
            until_true [ -S run/bus ]
            export DBUS_SESSION_BUS_ADDRESS=unix:path=$PWD/run/bus
        }
        reader() { printf '%s\\n' "$@" | tr '/' '\\t' | python3 reader 2>reader.txt || cat reader.txt; }
        ended() {
            for _ in $(seq 800); do
                kill -0 "$1" 2>/dev/null || break
                sleep 0.025
            done
            if kill -0 "$1" 2>/dev/null; then echo "still running"; kill "$1"; fi
            wait "$1"
            echo "code $?"
        }

        """
}
