#if canImport(Application)
    import Input

    @testable import Application

    extension Harnesses {
        /// What people write: a build for bad addresses in C leaves this out.
        static var ofCommands: [any Harness] { [ArgumentsHarness(), ScriptHarness()] }
    }

    /// Arguments of the command line, separated by NUL: options, settings of `--set`, paths.
    struct ArgumentsHarness: Harness {
        let name = "arguments"
        var seeds: [[UInt8]] {
            let settings = SettingValues.descriptions.map { "--set\0\($0.name)=\($0.values)" }
            let lines = [
                "--viewer\0--size\0640x400\0a.png",
                "--headless\064x64@2\0--shot-at\0100:a.png\0--\0-",
                "--set\0kiosk.dark=mon-fri 19:00-07:00; sat,sun 00:00-24:00\0--kiosk",
                "--set\0kiosk.folders=mon-fri 08:00-12:00 /srv/a; 12:00-18:00 /srv/b",
                "--set\0peek.dim=[0.4, 0.8]\0--set=slideshow.interval=1e300",
            ]
            return (settings + lines).map { Array($0.utf8) }
        }

        func run(_ bytes: UnsafeRawBufferPointer) {
            let arguments = bytes.split(separator: 0, omittingEmptySubsequences: false).map(
                Array.init)
            do throws(UsageError) { _ = try Options(arguments) } catch {
                precondition(!"\(error)".isEmpty, "an error without a reason")
            }
        }
    }

    /// Gesture scripts; what parses must also parse after it was printed.
    struct ScriptHarness: Harness {
        let name = "gesture-scripts"
        var seeds: [[UInt8]] {
            let lines = [
                "0 touch down 0 1 2\n0 touch frame\n16 touch move 0 3 4\n16 touch frame",
                "120 touch up 0\n120 touch frame\n130 touch cancel", "200 pinch begin 2",
                "208 pinch update 1.5 0.0 1.05 0.0\n300 pinch end cancelled",
                "310 swipe begin 3\n311 swipe update 1 2\n312 swipe end\n313 hold begin 1\n314 hold end",
                "400 pointer move 100 200\n401 pointer button left down\n402 pointer leave",
                "410 pointer axis vertical 15.0 wheel 120\n420 pointer axis-stop vertical",
                "500 key Ctrl+plus\n501 key Right down\n502 text commit abc",
                "600 resize 1200x800\n700 scale 1.5\n2000 end # comment",
            ]
            return lines.map { Array($0.utf8) } + [Array(lines.joined(separator: "\n").utf8)]
        }

        func run(_ bytes: UnsafeRawBufferPointer) {
            guard let script = try? GestureScript(parsing: String(decoding: bytes, as: UTF8.self))
            else { return }
            precondition((try? GestureScript(parsing: script.text)) != nil, script.text)
        }
    }
#else
    extension Harnesses {
        static var ofCommands: [any Harness] { [] }
    }
#endif
