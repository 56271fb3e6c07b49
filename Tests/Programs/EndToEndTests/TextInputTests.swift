import TestKit
import Testing

/// An on-screen keyboard in Sway types into a text field.
@Suite(.serialized) struct TextInputTests {
    @Test func anInputMethodComposesAndAKeyApplies() {
        let session = CompositorSession([:], programs: [Binaries.fieldWindow])
        let result = session.run(
            .sway, "640x480",
            """
            ./FieldWindow > field.txt 2>&1 & field=$!
            ./input-method await 100% purpose \\
                preedit 7 send await '' \\
                commit 75 send await 75 \\
                delete 1 0 commit 2.5% preedit 9 send await 72.5% || exit 1
            # wtype adds a keyboard, for which Sway gives the focus anew: the composition ends.
            wtype -s 800 -k BackSpace -s 200 -k Return
            ended $field
            cat field.txt
            """)
        #expect(
            result.output == """
                purpose 3
                code 0
                 [7]
                75
                72.5% [9]
                72.5%
                72.5
                committed 72.5

                """, "\(result)")
    }
}
