import TestKit
import Testing

/// In Sway, for a person whose home folder cannot be written: no settings, no state, no cache, no trash.
@Suite(.serialized) struct ReadOnlyHomeTests {
    /// Pictures are shown and changed, and changes are undone by the same run; what cannot be kept is said.
    @Test func picturesAreShownAndNothingIsLost() {
        let session = CompositorSession([:])
        session.photographs(["a", "b"])
        let result = session.run(
            .sway, "1280x800",
            """
            # The first key of wtype's new keyboard may be lost.
            press() { wtype -s 500 -k F5 -s 300 "$@" -s 300; }
            bus
            mkdir -m 555 home
            export HOME=$PWD/home XDG_CONFIG_HOME=$PWD/home/config XDG_CACHE_HOME=$PWD/home/cache
            ./vitrine --fullscreen --trace trace.txt --ui ui.txt album 2>errors.txt & viewer=$!
            settled '"mode":"grid"'
            press -k Return
            settled '"image":\\[640,480\\]'
            press m
            until_true [ -e album/a.jpg.xmp ]
            press -M ctrl z -m ctrl
            until_true [ ! -e album/a.jpg.xmp ]
            press r
            await 'only the view is turned; “a.jpg”: it cannot be moved to the trash'
            press b
            until_true grep -q checkerboard errors.txt
            press -k Delete
            until_true grep -q 'for good?.*cannot be used: permission denied' ui.txt
            press -k Escape
            press -k Right
            settled '"image":\\[672,480\\]'
            kill $viewer
            ended $viewer
            ls -A album home
            sed "s|$PWD/||g" errors.txt
            """)
        #expect(
            result.output == """
                code 0
                album:
                a.jpg
                b.jpg

                home:
                vitrine: album/a.jpg: it cannot be moved to the trash: permission denied
                vitrine: viewer.checkerboard cannot be stored: Permission denied

                """, "\(result)")
    }
}
