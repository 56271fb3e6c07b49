import Geometry
import TestKit
import Testing

/// In Sway, with the programs of wl-clipboard: what the viewer copies, and what it pastes.
@Suite(.serialized) struct ClipboardTests {
    /// The types, the paths, the bytes of the file, and the picture as a PNG.
    @Test func otherProgramsPasteWhatIsCopied() throws {
        let jpeg = TestPicture.photograph(300, 200).jpeg(quality: 90)
        let session = CompositorSession(["a photo.jpg": jpeg])
        let result = session.run(
            .sway, "1280x800",
            """
            ./vitrine --fullscreen --trace trace.txt "a photo.jpg" & viewer=$!
            settled '"image":\\[300,200\\]'
            # The first key of wtype's new keyboard may be lost.
            wtype -s 800 -k F5 -s 300 -M ctrl c -m ctrl
            offers() { wl-paste -l | grep -q x-special/gnome-copied-files; }
            until_true offers
            wl-paste -l
            wl-paste -n -t text/uri-list > uris.txt
            wl-paste -n -t x-special/gnome-copied-files > gnome.txt
            wl-paste -n -t 'text/plain;charset=utf-8' > text.txt
            wl-paste -n -t image/jpeg > copy.jpg
            wl-paste -n -t image/png > copy.png
            cmp copy.jpg "a photo.jpg" && echo same
            kill $viewer
            """)
        for type in ["text/uri-list", "text/plain;charset=utf-8", "image/jpeg", "image/png"] {
            #expect(result.output.split(separator: "\n").contains(type[...]), "\(result)")
        }
        #expect(result.output.hasSuffix("same\n"), "\(result)")
        let uri = "file://\(session.folder.path)/a%20photo.jpg"
        #expect(TestFile.text(session.folder / "uris.txt") == uri + "\r\n")
        #expect(TestFile.text(session.folder / "gnome.txt") == "copy\n" + uri)
        #expect(
            TestFile.text(session.folder / "text.txt") == session.folder.path + "/a photo.jpg")
        let png = try #require(Screenshot(session.folder / "copy.png"))
        #expect(png.size.width == 300 && png.size.height == 200)
        // The photograph, and no black picture.
        #expect(png.color(10, 10) != png.color(290, 190))
    }

    /// The coordinates of the information panel, by keys.
    @Test func coordinatesAreCopied() {
        let session = CompositorSession([
            "photo.jpg": TestPicture.photograph(300, 200).jpeg(quality: 90)
        ])
        let result = session.run(
            .sway, "1280x800",
            """
            exiftool -q -overwrite_original -GPSLatitude=33.86 -GPSLatitudeRef=S \\
                -GPSLongitude=151.20929 -GPSLongitudeRef=E photo.jpg
            ./vitrine --fullscreen --trace trace.txt --ui ui.txt photo.jpg & viewer=$!
            settled '"image":\\[300,200\\]'
            wtype -s 800 -k F5 -s 300 i
            until_true grep -q 'Open in maps' ui.txt
            wtype -s 800 -k F5 -s 300 -k Tab -s 200 -k Tab -s 200 -k Return
            pasted() { [ "$(wl-paste -n 2>/dev/null)" = "-33.86000, 151.20929" ]; }
            until_true pasted
            wl-paste -n
            kill $viewer
            """)
        #expect(result.output == "-33.86000, 151.20929", "\(result)")
    }

    @Test func whatOtherProgramsCopyIsOpened() {
        let session = CompositorSession([
            "first.png": TestPicture.card(320, 240).png(),
            "second file.png": TestPicture.card(200, 100).png(),
            "third.png": TestPicture.card(123, 77).png(),
        ])
        let result = session.run(
            .sway, "1280x800",
            """
            ./vitrine --fullscreen --trace trace.txt first.png 2>errors.txt & viewer=$!
            settled '"image":\\[320,240\\]'
            printf 'file://%s/second%%20file.png\\r\\n' "$PWD" | wl-copy -t text/uri-list
            wtype -s 800 -k F5 -s 300 -M ctrl v -m ctrl
            await '"image":\\[200,100\\]'
            wl-copy -t image/png < third.png
            wtype -s 800 -k F5 -s 300 -M ctrl v -m ctrl
            await '"image":\\[123,77\\]'
            printf 'https://example.org/a.png\\r\\n' | wl-copy -t text/uri-list
            wtype -s 800 -k F5 -s 300 -M ctrl v -m ctrl
            refused() { grep -q 'not a file of this computer' errors.txt; }
            until_true refused
            kill $viewer
            ended $viewer
            """)
        #expect(result.output == "code 0\n", "\(result)")
    }

    /// A kiosk neither copies nor pastes.
    @Test func aKioskHasNoClipboard() {
        let session = CompositorSession([
            "first.png": TestPicture.card(320, 240).png(),
            "second.png": TestPicture.card(200, 100).png(),
        ])
        let result = session.run(
            .sway, "1280x800",
            """
            ./vitrine --kiosk --trace trace.txt first.png & viewer=$!
            settled '"image":\\[320,240\\]'
            printf 'file://%s/second.png\\r\\n' "$PWD" | wl-copy -t text/uri-list
            wtype -s 800 -k F5 -s 300 -M ctrl c -m ctrl -s 300 -M ctrl v -m ctrl
            sleep 1
            wl-paste -n -t text/uri-list | grep -c second.png
            grep -c '"image":\\[200,100\\]' trace.txt
            kill $viewer
            """)
        #expect(result.output == "1\n0\n", "\(result)")
    }
}
