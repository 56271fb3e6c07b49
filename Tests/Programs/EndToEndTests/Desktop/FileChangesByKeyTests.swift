import TestKit
import Testing

/// Changes of files in Sway, by keys, looked at with other programs: deleted and brought back, turned,
/// cropped, copied, opened with another program.
@Suite(.serialized) struct FileChangesByKeyTests {
    @Test func filesAreChangedByKeys() {
        let session = CompositorSession([:])
        for name in ["keep", ".local", ".local/share", ".local/share/applications"] {
            session.folder.folder(name)
        }
        session.photographs(["a", "b", "c"])
        let result = session.run(
            .sway, "1280x800",
            """
            # The first key of wtype's new keyboard may be lost.
            press() { wtype -s 500 -k F5 -s 300 "$@" -s 300; }
            exif() { exiftool -n -s3 "$@"; }
            bus
            python3 portal answers calls.txt "file://$PWD/keep" 9>ready.txt &
            until_true [ -s ready.txt ]
            printf '#!/bin/sh\\nprintf %%s "$1" >part && mv part "$HOME/opened.txt"\\n' >editor
            chmod +x editor
            applications=.local/share/applications
            printf '[Desktop Entry]\\nType=Application\\nName=Editor\\nExec=%s %%f\\n' \\
                "$PWD/editor" >$applications/editor.desktop
            printf '[MIME Cache]\\nimage/jpeg=editor.desktop;\\n' >$applications/mimeinfo.cache
            touch -d '2020-02-02 12:00' album/*.jpg
            name=$(printf 'file://%s/album/a.jpg' "$PWD" | md5sum | cut -d' ' -f1).png
            thumbnails() { find cache/thumbnails -name "$name" | grep -q .; }
            ./vitrine --fullscreen --trace trace.txt album 2>errors.txt & viewer=$!
            settled '"mode":"grid"'
            until_true thumbnails
            press -k Return
            settled '"image":\\[640,480\\]'

            press -k Delete
            until_true [ -e .local/share/Trash/files/a.jpg ]
            [ -e album/a.jpg ] && echo "still there"
            press -M ctrl z -m ctrl
            until_true [ -e album/a.jpg ]
            [ -e .local/share/Trash/files/a.jpg ] && echo "still in the trash"
            press -k Home
            settled '"index":0,.*"image":\\[640,480\\]'

            press r
            turned() { [ "$(exif -Orientation album/a.jpg)" = 6 ]; }
            until_true turned
            # The time is kept, so that a thumbnail of the upright picture would stay for ever.
            date -r album/a.jpg '+%F %R'
            find cache/thumbnails -name "$name" -exec identify -format '%w×%h\\n' {} + |
                grep -v '192×256\\|96×128'
            settled '"index":0,.*"image":\\[480,640\\]'
            press -M ctrl z -m ctrl
            upright() { [ -z "$(exif -Orientation album/a.jpg)" ]; }
            until_true upright

            press c -s 500 a -s 500 a -s 500 -k Return
            until_true [ -e 'album/a (cropped).jpg' ]
            exif -ImageSize 'album/a (cropped).jpg'

            # The cropped copy is on the screen, and C copies that picture.
            press C
            until_true [ -e 'keep/a (cropped).jpg' ]
            press o -s 1000 -k Return
            until_true [ -s opened.txt ]
            kill $viewer
            ended $viewer
            # A file that a person deletes is not missed.
            ./vitrine --fullscreen --trace trace.txt --ui ui.txt 'keep/a (cropped).jpg' 2>errors.txt & viewer=$!
            settled '"path":"keep/a (cropped).jpg"'
            # The menu of a later run has what the run before has done.
            press -k Menu
            until_true grep -q '"command":"undo"' ui.txt
            press -k Escape
            press -k Delete
            settled '"mode":"grid"'
            kill $viewer
            ended $viewer
            cat errors.txt
            """)
        #expect(result.output == "2020-02-02 12:00\n480 480\ncode 0\ncode 0\n", "\(result)")
    }
}
