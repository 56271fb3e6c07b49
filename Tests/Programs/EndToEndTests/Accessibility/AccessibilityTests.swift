import TestKit
import Testing

/// In Sway, with the registry of AT-SPI and a reader that is a program of its own.
@Suite(.serialized) struct AccessibilityTests {
    private static let helpers = """
        served() { grep -q 'assistive technology is served' errors.txt; }
        bus

        """

    private func session() -> CompositorSession {
        let session = CompositorSession([:])
        session.folder.folder("album")
        for (name, width) in [("one", 320), ("two", 500), ("three", 400)] {
            _ = session.folder.file("album/\(name).png", TestPicture.card(width, 200).png())
        }
        return session
    }

    /// From the grid into the viewer, through a menu, and a file is renamed.
    @Test func aReaderUsesTheViewer() {
        let session = session()
        let result = session.run(
            .sway, "1280x800",
            Self.helpers + """
                touch -d 2024-05-06T12:00 album/*
                ./vitrine --verbose --trace trace.txt album 2>errors.txt & viewer=$!
                await '"mode":"grid"'
                until_true grep -q "the desktop's settings" errors.txt
                served && echo "served although nobody asked"
                python3 reader enable
                until_true served
                reader tree 'focus/list item/three.png' 'heard/focused 1 .three.png' \\
                    'press/list item/three.png' 'wait/image/three.png' \\
                    'heard/announcement .*three.png'
                settled '"mode":"viewer".*"image":\\[400,200\\]'
                reader 'press/image/three.png' 'wait/push button/Menu' 'at/640/400' \\
                    'wait/label/2 of 3 .*' 'press/push button/Menu' 'wait/menu/.*' tree 'press/menu item/File.*' \\
                    'press/menu item/Rename.*' 'write/entry/Rename/four.png' \\
                    'heard/text-changed:insert' 'press/push button/Rename' \\
                    'heard/announcement .*four.png'
                ls album
                reader 'wait/image/.*' flood
                python3 reader disable
                reader absent
                python3 reader enable
                reader 'wait/image/.*'
                kill $viewer
                ended $viewer
                """)
        // The names of the folders above are those of this run.
        let above = session.folder.path.split(separator: "/").map { "push button '\($0)' (press)" }
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { line in !above.contains { line.hasSuffix($0) } }
        #expect(lines.joined(separator: "\n") == Self.transcript, "\(result)")
    }

    private static let transcript = """
        application 'Vitrine'
          frame 'Vitrine' active
            table 'album' focused
              list item 'one.png' (press)
              list item 'three.png' (press)
              list item 'two.png' (press)
            tool bar 'Header'
              push button 'Folders above' (press)
              heading 'album'
              label '3 pictures'
            tool bar 'Commands'
              push button 'Smaller pictures' (press)
              push button 'Larger pictures' (press)
              push button 'Find' (press)
              push button 'Sort' (press)
              push button 'Select pictures' (press)
              push button 'Menu' (press)
        True
        True
        True
        image 'three.png' '400 × 200' focused (press)
        True
        application 'Vitrine'
          frame 'three.png' active
            image 'three.png' '400 × 200' (press)
            tool bar 'Picture'
              push button 'Back to the grid' (press)
              heading 'three.png'
              label '2 of 3 · 6 May 2024, 12:00'
            tool bar 'Commands'
              toggle button 'Information' (press)
              push button 'Menu' (press)
            tool bar 'Actions'
              push button 'Rotate left' (press)
              push button 'Rotate right' (press)
              toggle button 'Favourite' (press)
              push button 'Share and open' (press)
              push button 'Edit' (press)
              push button 'Slideshow' (press)
              push button 'Fullscreen' (press)
              push button 'Help' (press)
              push button 'Delete' (press)
            tool bar 'Zoom'
              push button 'Zoom out' (press)
              push button 'Zoom level' (press)
              push button 'Zoom in' (press)
              push button 'Fit to window' (press)
              push button 'Actual size' (press)
            entry 'Zoom' '100 %' editable (press)
            list 'Pictures' '2 of 3'
            menu 'Menu' focused modal
              menu item 'Edit' (press)
              menu item 'Share and open' (press)
              menu item 'File' (press)
              check menu item 'Favourite' 'm' (press)
              menu item 'Rate…' '*' (press)
              menu item 'View' (press)
              menu item 'Pictures' (press)
              check menu item 'Slideshow' 's' (press)
              menu item 'Undo' 'Ctrl+Z' disabled
              menu item 'Redo' 'Ctrl+Shift+Z' disabled
              menu item 'Settings…' 'Ctrl+,' (press)
              menu item 'Help' '?' (press)
              menu item 'Back to the grid' 'Escape' (press)
        True
        True
        True
        True
        four.png
        one.png
        two.png
        all answered, results and errors
        code 0

        """

    /// Cells are selected, and the caret of a field is moved.
    @Test func aReaderSelectsAndEdits() {
        let session = session()
        let result = session.run(
            .sway, "1280x800",
            Self.helpers + """
                command() { ./vitrine msg --socket socket do "$1" | cut -c 1-11; }
                export -f command
                ./vitrine --verbose --socket socket --trace trace.txt album 2>errors.txt & viewer=$!
                await '"mode":"grid"'
                python3 reader enable
                until_true served
                reader 'wait/list item/one.png' selection
                command open
                settled '"mode":"viewer"'
                reader 'wait/image/one.png' 'run/command zoom-in' 'heard/announcement .*150 %'
                command rename
                reader 'caret/entry/Rename'
                kill $viewer
                ended $viewer
                """)
        #expect(
            result.output == """
                True True
                ['three.png', 'two.png'] False True
                2 3
                0
                {"ok":true}
                {"ok":true}
                {"ok":true}
                3 True
                2 0
                True
                0 3 one
                code 0

                """, "\(result)")
    }

    /// A gesture script of one finger that is at points at times, lifts at the last one, and waits.
    private func finger(_ course: [(time: Int, x: Int, y: Int)]) -> String {
        var lines: [String] = []
        for (number, place) in course.enumerated() {
            let event = number == 0 ? "down 0" : "move 0"
            lines.append("\(place.time) touch \(event) \(place.x) \(place.y)")
            lines.append("\(place.time) touch frame")
        }
        let end = course.last?.time ?? 0
        return (lines + ["\(end) touch up 0", "\(end) touch frame", "\(end + 800) end"])
            .joined(separator: "\n")
    }

    /// With a screen reader a finger reads, and two taps act.
    @Test func aFingerReadsWhatItTouches() {
        let session = session()
        let tap = [(0, 900, 600), (40, 900, 600)]
        let swipe = (0...6).map { (time: $0 * 10, x: 900 - $0 * 80, y: 400) }
        let scripts = [
            "rest": finger([(0, 380, 200), (500, 380, 200)]),
            "taps": finger(tap).split(separator: "\n").dropLast().joined(separator: "\n") + "\n"
                + finger([(140, 900, 600), (180, 900, 600)]),
            "swipe": finger(swipe),
        ]
        for (name, script) in scripts {
            _ = session.folder.file(name + ".txt", Array(script.utf8))
        }
        let result = session.run(
            .sway, "1280x800",
            Self.helpers + """
                touching() { ./vitrine msg --socket socket play "$PWD/$1.txt" | cut -c 1-11; }
                export -f touching
                ./vitrine --verbose --socket socket --trace trace.txt album 2>errors.txt & viewer=$!
                await '"mode":"grid"'
                python3 reader enable
                until_true served
                reader 'wait/list item/one.png'
                grep -c 'a finger reads' errors.txt
                python3 reader speak
                until_true grep -q 'a finger reads what it touches' errors.txt
                reader 'run/touching rest' 'heard/focused 1 .three.png' 'run/touching taps' \\
                    'wait/image/three.png' 'run/touching swipe' 'wait/image/three.png'
                python3 reader hush
                until_true grep -q 'fingers act as usual' errors.txt
                touching swipe
                reader 'wait/image/two.png'
                kill $viewer
                ended $viewer
                """)
        #expect(
            result.output == """
                0
                {"ok":true}
                {"ok":true}
                {"ok":true}
                {"ok":true}
                code 0

                """, "\(result)")
    }

    /// A slideshow pauses for a person who uses a screen reader, as for a touch.
    @Test func aSlideshowPausesForAReader() {
        let session = session()
        let result = session.run(
            .sway, "1280x800",
            Self.helpers + """
                shown() { grep -o '"image":\\[[0-9]*' trace.txt | tail -n 1; }
                ./vitrine --verbose --slideshow 1.5 --set slideshow.resume=600 --trace trace.txt album \
                    2>errors.txt & viewer=$!
                await '"mode":"viewer"'
                until_true grep -q "the desktop's settings" errors.txt
                python3 reader enable
                until_true served
                first=$(shown)
                until_true sh -c "! tail -n 1 trace.txt | grep -qF '$first'"
                reader 'press/image/.*'
                paused=$(shown)
                sleep 5
                [ "$(shown)" = "$paused" ] && echo "the same picture"
                kill $viewer
                ended $viewer
                """)
        #expect(result.output == "True\nthe same picture\ncode 0\n", "\(result)")
    }

    /// The accessibility bus goes away: the viewer goes on, and serves the next one.
    @Test func theBusMayGoAway() {
        let session = session()
        let result = session.run(
            .sway, "1280x800",
            Self.helpers + """
                ./vitrine --verbose --socket socket --trace trace.txt album 2>errors.txt & viewer=$!
                await '"mode":"grid"'
                python3 reader enable
                until_true served
                reader 'wait/list item/one.png'
                for program in at-spi-bus-launcher at-spi2-registryd; do
                    for process in /proc/[0-9]*; do
                        name=$(tr '\\0' '\\n' 2>/dev/null <$process/cmdline | head -n 1)
                        [ "${name##*/}" = $program ] || continue
                        tr '\\0' '\\n' <$process/environ 2>/dev/null | grep -q "$PWD" || continue
                        kill -KILL ${process##*/}
                        echo "killed $program"
                    done
                done
                sleep 0.5
                ./vitrine msg --socket socket do next | cut -c 1-11
                python3 reader enable
                reader 'wait/list item/one.png'
                grep -c 'assistive technology is served' errors.txt
                kill $viewer
                ended $viewer
                """)
        #expect(
            result.output == """
                killed at-spi-bus-launcher
                killed at-spi2-registryd
                {"ok":true}
                2
                code 0

                """, "\(result)")
    }
}
