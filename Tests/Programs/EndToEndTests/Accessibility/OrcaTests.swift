import TestKit
import Testing

/// In Sway, with Orca, whose debug file has what Orca says.
///
/// Versions of Orca differ in the names of roles (“frame”, “push button”), and in what one line has.
/// Orca 48 does not say in which dialog a combo box is: its `_generate_combo_box` leaves ancestors out.
///
/// Orca needs an X server for its keys; the server is empty. There is no sound.
@Suite(.serialized) struct OrcaTests {
    private static let helpers = """
        # The first key of wtype's new keyboard may be lost.
        press() { wtype -s 300 -k F5 -s 100 "$@" -s 100; }
        says() { tail -n "+$1" orca.txt | grep -Eq "SPEECH OUTPUT: '$2"; }
        # heard TEXT… -- COMMAND…: what Orca says after the command.
        heard() {
            local texts=() line text
            while [ "$1" != -- ]; do texts+=("$1"); shift; done
            shift
            line=$(($(wc -l <orca.txt) + 1))
            "$@"
            for text in "${texts[@]}"; do until_true says "$line" "$text"; done
        }
        # Each line of the debug file at once.
        mkdir python
        cat >python/sitecustomize.py <<'END'
        import builtins
        whole = builtins.open
        def by_line(file, mode="r", buffering=-1, *others, **named):
            return whole(file, mode, 1 if mode == "w" else buffering, *others, **named)
        builtins.open = by_line
        END
        bus
        unset NO_AT_BRIDGE
        Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp 3>display.txt 2>xvfb.txt & server=$!
        until_true [ -s display.txt ]
        export DISPLAY=:$(cat display.txt) XDG_DATA_HOME=$PWD/data

        """

    @Test func orcaSaysWhatIsShown() {
        let session = CompositorSession([:])
        session.folder.folder("album")
        _ = session.folder.file("album/a.png", TestPicture.card(320, 200).png())
        _ = session.folder.file("album/b.jpg", AccessibilityWalkTests.picture())
        _ = session.folder.file("album/c.jpg", Array("\u{FF}not a picture".utf8))
        let result = session.run(
            .sway, "1280x800",
            Self.helpers + """
                ./vitrine --verbose --socket socket --trace trace.txt album 2>errors.txt & viewer=$!
                await '"mode":"grid"'
                touch orca.txt
                PYTHONPATH=$PWD/python orca --replace --debug-file=$PWD/orca.txt >log.txt 2>&1 & orca=$!
                until_true says 1 'Vitrine( frame|.\\{)'
                until_true says 1 'album'
                heard 'a.png image' '(a.png image )?320 × 200' -- press -k Return
                heard 'b.jpg' '(b.jpg image )?A boat' -- press -k Right
                heard 'Menu menu' -- press -k Menu
                heard 'Edit' -- press -k Down
                heard 'b.jpg image' '(b.jpg image )?A boat' -- press -k Escape
                case $(orca --version 2>/dev/null) in
                *" 48."*) settings=('Colours combo box') ;;
                *) settings=('Settings dialog' 'Colours combo box') ;;
                esac
                heard "${settings[@]}" -- press -M ctrl -k comma -m ctrl
                heard 'b.jpg image' -- press -k Escape
                heard 'c.jpg: this is a text file' -- press -k Right
                heard 'Back to the grid (push )?button' -- press -k Tab
                kill $viewer
                ended $viewer
                kill $orca $server
                grep 'SPEECH OUTPUT' orca.txt >speech.txt
                """)
        #expect(
            result.output == "code 0\n",
            "\(result)\n\(TestFile.text(session.folder / "speech.txt") ?? "")")
    }
}
