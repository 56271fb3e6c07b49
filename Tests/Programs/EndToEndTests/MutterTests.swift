import Geometry
import TestKit
import Testing

/// In mutter, GNOME's compositor, with real touches through its RemoteDesktop interface.
@Suite(.serialized) struct MutterTests {
    /// Starts the player and the viewer, and makes the touchscreen appear.
    ///
    /// The touchscreen appears with the first touch, which mutter drops. Events have the time at which
    /// mutter handles them, which may be late on a machine without a GPU. So pauses are far longer than
    /// any delay, and quick gestures are repeated: `insist SCRIPT PATTERN` plays a script until the
    /// last frame matches.
    private static let start = """
        coproc PLAYER { ./mutter-play 2>player.txt; }
        read -r -t 60 line <&"${PLAYER[0]}" || { cat player.txt; exit 8; }
        play() { echo "play $1" >&"${PLAYER[1]}"; read -r -t 60 line <&"${PLAYER[0]}"; }
        insist() {
            for _ in 1 2 3 4 5 6 7 8; do
                play "$1"
                shows "$2" && return
            done
            echo "$1 does not lead to: $2"
            exit 9
        }
        ./vitrine --fullscreen --trace trace.txt --record record.txt *.jpg & viewer=$!
        settled '"image":\\[2400,1600\\]'
        # Three fingers have no effect, but their frames are in the trace.
        for _ in 1 2 3 4 5 6 7 8; do
            before=$(wc -l < trace.txt)
            play first.txt
            sleep 0.5
            [ "$(wc -l < trace.txt)" -gt "$before" ] && break
        done

        """

    /// Three fingers that tap.
    private static let first =
        (0...2).map { "0 touch down \($0) \(300 + $0 * 200) 300\n" }.joined()
        + (0...2).map { "40 touch up \($0)\n" }.joined()

    private func session(_ scripts: [String: String], neighbours: [String] = [])
        -> CompositorSession
    {
        let photograph = TestPicture.photograph(2400, 1600).jpeg(quality: 85)
        let names = ["photo.jpg"] + neighbours
        let session = CompositorSession(
            Dictionary(uniqueKeysWithValues: names.map { ($0, photograph) }))
        _ = session.folder.file("first.txt", Self.first)
        for (name, script) in scripts { _ = session.folder.file(name, script) }
        return session
    }

    /// A spread that ends at (550, 475) and (1150, 550), and rests there.
    ///
    /// One finger after the other first moves out of the slop by a small distance. A busy compositor
    /// sends only the last of many moves, and would make the slop consume a large one.
    private func pinch() -> String {
        var lines = [
            "0 touch down 0 700 500", "0 touch down 1 900 500", "300 touch move 0 691 500",
            "600 touch move 1 909 500",
        ]
        for step in 1...25 {
            let part = Double(step) / 25
            lines += [
                "\(900 + step * 12) touch move 0 \(691 - 141 * part) \(500 - 25 * part)",
                "\(900 + step * 12) touch move 1 \(909 + 241 * part) \(500 + 50 * part)",
            ]
        }
        lines += ["2700 touch up 0", "2700 touch up 1"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// A finger that moves down and lifts at once, or after `rest` ms.
    private func flick(rest: Int) -> String {
        var lines = ["0 touch down 0 960 300"]
        for step in 1...10 { lines.append("\(step * 10) touch move 0 960 \(300 + step * 26)") }
        return (lines + ["\(106 + rest) touch up 0"]).joined(separator: "\n") + "\n"
    }

    @Test func aPinchZoomsAboutTheFingers() throws {
        let session = session(["pinch.txt": pinch()])
        let result = session.run(
            .mutter, "1920x1080",
            Self.start + """
                play pinch.txt
                settled '"gesture":"pinch"'
                kill $viewer
                ended $viewer
                """)
        #expect(result.output == "code 0\n", "\(result)")
        let last = try #require(session.trace.last { $0.gesture == "pinch" }?.rect)
        let fit = try #require(session.trace.first { $0.rect != nil }?.rect)
        #expect(last.width > 2.5 * fit.width)
        // The picture point that was under the first midpoint is under the last one.
        let point = ((800 - fit.x) / fit.width, (500 - fit.y) / fit.height)
        #expect(abs(last.x + point.0 * last.width - 850) < 12)
        #expect(abs(last.y + point.1 * last.height - 512.5) < 12)
        // The replay of the recording ends in the same place.
        let replay = Binaries.vitrine([
            "--headless", "1920x1080", "--script", session.folder / "record.txt", "--trace", "-",
            session.folder / "photo.jpg",
        ])
        let end = try #require(TraceFrame.all(replay.output).last?.rect)
        let live = try #require(session.trace.last?.rect)
        #expect(abs(end.width - live.width) < 0.02 * live.width)
        #expect(abs(end.x - live.x) < 0.02 * live.width)
    }

    @Test func aFlickEndsTheProgramAndAStopDoesNot() throws {
        let session = session(["stop.txt": flick(rest: 1500), "flick.txt": flick(rest: 0)])
        let result = session.run(
            .mutter, "1920x1080",
            Self.start + """
                play stop.txt
                settled '"gesture":"dismiss"'
                kill -0 $viewer && echo lives
                for _ in 1 2 3 4 5 6 7 8; do
                    play flick.txt
                    sleep 1
                    kill -0 $viewer 2>/dev/null || break
                done
                ended $viewer
                """)
        #expect(result.output == "lives\ncode 0\n", "\(result)")
        #expect(session.trace.filter(\.isDismissed).count == 1)
    }

    /// A slow drag sideways; only its length matters, so a late machine does no harm.
    private func swipe(from start: Int, to end: Int) -> String {
        var lines = ["0 touch down 0 \(start) 500"]
        for step in 1...25 {
            lines.append("\(step * 16) touch move 0 \(start + (end - start) * step / 25) 510")
        }
        return (lines + ["1900 touch up 0"]).joined(separator: "\n") + "\n"
    }

    @Test func aSwipeTurnsThePageAndBack() throws {
        let session = session(
            ["on.txt": swipe(from: 1700, to: 300), "back.txt": swipe(from: 300, to: 1700)],
            neighbours: ["photo-2.jpg"])
        let result = session.run(
            .mutter, "1920x1080",
            Self.start + """
                play on.txt
                settled '"index":1,.*"phase":"idle"'
                play back.txt
                settled '"index":0,.*"phase":"idle"'
                kill $viewer
                ended $viewer
                """)
        #expect(result.output == "code 0\n", "\(result)")
        let frames = session.trace
        let swipes = frames.filter { $0.gesture == "swipe" }
        let fit = try #require(frames.first { $0.rect != nil }?.rect)
        #expect(swipes.allSatisfy { $0.rect?.y == fit.y && $0.dim == 1 })
        // Less the slop of 10 px, the picture follows the finger to the left and to the right.
        for (index, delta) in [(0, -1390.0), (1, 1390)] {
            let held = try #require(swipes.last { $0.index == index }?.rect)
            #expect(abs(held.x - fit.x - delta) < 1, "\(held.x)")
        }
        let last = try #require(frames.last)
        #expect(last.index == 0 && last.rect == fit)
    }

    @Test func doubleTapsAndTwoFingerTapsGoUpAndDownTheLadder() throws {
        let session = session([
            "up.txt": """
            0 touch down 0 960 500
            50 touch up 0
            150 touch down 0 960 500
            200 touch up 0

            """,
            "down.txt": """
            0 touch down 0 900 500
            20 touch down 1 1020 500
            90 touch up 0
            140 touch up 1

            """,
        ])
        let result = session.run(
            .mutter, "1920x1080",
            Self.start + """
                insist up.txt '"zoom":1.35,.*"phase":"idle"'
                insist down.txt '"zoom":0.675,.*"phase":"idle"'
                kill $viewer
                ended $viewer
                """)
        #expect(result.output == "code 0\n", "\(result)")
        #expect(session.trace.last?.zoom == 0.675)
    }

    @Test func aDoubleClickZoomsAndAMouseDragPans() throws {
        var drag = ["0 pointer move 960 500", "200 pointer button left down"]
        for step in 1...10 { drag.append("\(200 + step * 20) pointer move \(960 - step * 10) 500") }
        drag.append("1900 pointer button left up")
        let session = session([
            "click.txt": """
            0 pointer move 960 500
            300 pointer button left down
            340 pointer button left up
            440 pointer button left down
            480 pointer button left up

            """, "drag.txt": drag.joined(separator: "\n") + "\n",
        ])
        let result = session.run(
            .mutter, "1920x1080",
            Self.start + """
                insist click.txt '"zoom":1.35,.*"phase":"idle"'
                play drag.txt
                settled '"gesture":"pan"'
                kill $viewer
                ended $viewer
                """)
        #expect(result.output == "code 0\n", "\(result)")
        let rects = session.trace.compactMap(\.rect).filter { $0.width == 3240 }
        // 100 px, less the slop of 10 px.
        let moved = (rects.map(\.x).max() ?? 0) - (rects.map(\.x).min() ?? 0)
        #expect(abs(moved - 90) < 2, "\(moved)")
    }
}
