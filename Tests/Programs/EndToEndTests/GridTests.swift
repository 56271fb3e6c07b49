import Geometry
import TestKit
import Testing

/// The grid in real compositors: keys in Sway, fingers in mutter.
@Suite(.serialized) struct GridTests {
    private static let pictures = Dictionary(
        uniqueKeysWithValues: (1...24).map { number in
            (
                "album/\(number).jpg",
                TestPicture.photograph(400 + number * 10, 300).jpeg(quality: 85)
            )
        })

    private func session() -> CompositorSession {
        let session = CompositorSession([:])
        session.folder.folder("album")
        for (name, bytes) in Self.pictures { _ = session.folder.file(name, bytes) }
        return session
    }

    @Test func keysOpenAndLeaveAPictureInSway() throws {
        let session = session()
        let result = session.run(
            .sway, "1280x800",
            """
            ./vitrine --headless 1280x800 --shot headless.png album
            ./vitrine --fullscreen --trace trace.txt album & viewer=$!
            settled '"mode":"grid"'
            sleep 1
            grim screen.png
            wtype -s 800 -k Right -s 800 -k Right -s 800 -k Return -s 2500 -k Escape -s 2500 -k Escape &
            await '"mode":"viewer","path":"album/3.jpg".*"phase":"idle"'
            ended $viewer
            """)
        #expect(result.output.contains("code 0"), "\(result)")
        let screen = try #require(Screenshot(session.folder / "screen.png"))
        let headless = try #require(Screenshot(session.folder / "headless.png"))
        #expect(screen.difference(from: headless, tolerance: 1) < 0.001)
        let modes = session.trace.compactMap { $0.text("mode") }
        #expect(modes.first == "grid" && modes.last == "grid" && modes.contains("viewer"))
    }

    @Test func tapThrowAndPinchWorkInMutter() throws {
        let session = session()
        for (name, script) in scripts { _ = session.folder.file(name, script) }
        let result = session.run(
            .mutter, "1280x800",
            """
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
            ./vitrine --fullscreen --trace trace.txt album & viewer=$!
            settled '"mode":"grid"'
            insist tap.txt '"mode":"viewer".*"phase":"idle"'
            insist throw.txt '"mode":"grid".*"phase":"idle"'
            insist pinch.txt '"columns":[1234],.*"phase":"idle"\\|"phase":"idle".*"columns":[1234],'
            kill $viewer
            ended $viewer
            """)
        #expect(result.output.contains("code 0"), "\(result)")
        let opened = try #require(session.trace.last { $0.text("mode") == "viewer" })
        // The cell under the finger: the third one of the second row.
        #expect(opened.text("path")?.hasSuffix("album/8.jpg") == true)
    }

    private var scripts: [String: String] {
        var away = ["0 touch down 0 640 200"]
        for step in 1...12 { away.append("\(step * 10) touch move 0 640 \(200 + step * 26)") }
        away.append("126 touch up 0")
        var spread = ["0 touch down 0 600 400", "0 touch down 1 680 400"]
        for step in 1...20 {
            spread += [
                "\(step * 20) touch move 0 \(600 - step * 8) 400",
                "\(step * 20) touch move 1 \(680 + step * 8) 400",
            ]
        }
        spread += ["1900 touch up 0", "1900 touch up 1"]
        return [
            "tap.txt": "0 touch down 0 640 380\n60 touch up 0\n",
            "throw.txt": away.joined(separator: "\n") + "\n",
            "pinch.txt": spread.joined(separator: "\n") + "\n",
        ]
    }
}
