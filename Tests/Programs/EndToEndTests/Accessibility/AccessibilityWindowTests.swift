import TestKit
import Testing

/// A kiosk with a window on each output, and a reader that is a program of its own.
@Suite(.serialized) struct AccessibilityWindowTests {
    /// Starts a kiosk on the outputs WL-1 and WL-2 of the inner Sway, and a bus.
    private static let start = """
        bus
        export -f msg
        outputs="WL-1 $PWD/left; WL-2 $PWD/right; WL-3 $PWD/right; WL-4 $PWD/left"
        ./vitrine --kiosk --viewer --verbose --socket "$PWD/control" \\
            --set "kiosk.outputs=$outputs" 2>errors.txt & viewer=$!
        shown WL-1 300
        shown WL-2 400
        python3 reader enable
        until_true grep -q 'assistive technology is served' errors.txt

        """

    /// Runs a script, and ends the viewer after it.
    private static func run(_ script: String) -> ChildProcess {
        OutputTests.session().run(
            .sway, "1280x720",
            OutputTests.helpers + start + script + """

                kill $viewer
                ended $viewer
                kill $inner
                """)
    }

    /// Each window is read and used by itself; the focus is in the active one.
    @Test func everyWindowIsRead() {
        let result = Self.run(
            """
            swaymsg focus output WL-1 >>sway.txt
            reader 'windows/2' 'wait/image/right-0.png' tree \\
                'run/swaymsg focus output WL-2 >>sway.txt' \\
                "heard/window:deactivate 0 'left-0.png'" "heard/window:activate 0 'right-0.png'" \\
                "heard/focused 1 'right-0.png'" tree \\
                'run/msg --output WL-2 next >>msg.txt' \\
                "heard/announcement 1 'right-1.png' 'right-1.png, 2 of 2'" \\
                'run/msg --output WL-1 next >>msg.txt' \\
                "heard/announcement 1 'left-1.png' 'left-1.png, 2 of 2'" 'windows/2'
            # An action of one window does nothing in the other one.
            reader 'press/image/left-1.png' 'wait/heading/left-1.png' 'gone/heading/right-1.png' \\
                'press/push button/Zoom in' "heard/announcement 1 'left-1.png' '150 %'" \\
                'gone/heading/right-1.png'
            # A finger reads in both windows.
            both_read() { [ "$(grep -c 'a finger reads what it touches' errors.txt)" = 2 ]; }
            python3 reader speak
            until_true both_read
            """)
        #expect(
            result.output == """
                left-0.png right-0.png
                application 'Vitrine'
                  frame 'left-0.png' active
                    image 'left-0.png' '300 × 200' focused (press)
                  frame 'right-0.png'
                    image 'right-0.png' '400 × 200' (press)
                application 'Vitrine'
                  frame 'left-0.png'
                    image 'left-0.png' '300 × 200' (press)
                  frame 'right-0.png' active
                    image 'right-0.png' '400 × 200' focused (press)
                left-1.png right-1.png
                True
                True
                code 143

                """, "\(result)")
    }

    /// A window comes and goes with its output; what is asked of one that has gone ends with errors.
    @Test func windowsComeAndGoWithTheirOutputs() {
        let result = Self.run(
            """
            export -f unplug gone until_true
            export outer
            reader 'windows/2' 'keep/right-0.png' 'run/unplug WL-2' \\
                "heard/window:destroy 0" 'heard/children-changed:remove 1 .Vitrine' \\
                'windows/1' kept 'press/image/left-0.png' 'wait/heading/left-0.png' \\
                'run/swaymsg create_output >>sway.txt' \\
                'heard/children-changed:add 1 .Vitrine' \\
                'wait/image/right-0.png' 'windows/2'
            unplug WL-1
            unplug WL-3
            reader 'windows/0'
            swaymsg create_output >>sway.txt
            reader 'wait/image/left-0.png' 'windows/1'
            """)
        #expect(
            result.output == """
                left-0.png right-0.png
                left-0.png
                GetChildren error
                GetState error
                GetRole error
                GrabFocus error
                DoAction error
                True
                left-0.png right-0.png

                left-0.png
                code 143

                """, "\(result)")
    }
}
