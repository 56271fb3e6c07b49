import Localization

/// One row of the table of messages.
package struct MessageEntry: Sendable {
    package let name: String
    /// The arguments as a help text writes them; empty for none.
    package let arguments: String
    /// A sentence without a period.
    package let help: String
    /// The words that an argument may be, for the completion of a shell.
    package let words: [String]
    /// How many arguments the message takes.
    private let count: ClosedRange<Int>
    private let read: @Sendable ([String]) throws(MessageError) -> Message

    /// A message without arguments.
    fileprivate init(_ name: String, _ message: Message, _ help: String) {
        self.init(name, "", count: 0...0, help) { _ in message }
    }

    fileprivate init(
        _ name: String, _ arguments: String, count: ClosedRange<Int> = 1...1,
        words: [String] = [], _ help: String,
        read: @escaping @Sendable ([String]) throws(MessageError) -> Message
    ) {
        (self.name, self.arguments, self.count) = (name, arguments, count)
        (self.words, self.help, self.read) = (words, help, read)
    }

    /// The message and its arguments as a help text writes them.
    package var usage: String { arguments.isEmpty ? name : name + " " + arguments }

    package func message(_ arguments: [String]) throws(MessageError) -> Message {
        guard count.contains(arguments.count) else {
            throw MessageError(
                self.arguments.isEmpty
                    ? "\(name) takes no argument" : "\(name) takes \(self.arguments)")
        }
        return try read(arguments)
    }
}

/// The table of all messages: parser, help, completion, man page and documentation are made from it.
package enum MessageTable {
    package static func message(
        _ name: String, _ arguments: [String]
    ) throws(MessageError) -> Message {
        guard let entry = entries.first(where: { $0.name == name }) else {
            throw MessageError("unknown command “\(name)”; see vitrine msg --help")
        }
        return try entry.message(arguments)
    }

    package static let entries: [MessageEntry] = showing + running + asking

    private static let showing: [MessageEntry] = [
        MessageEntry("open", "PATH…", count: 1...1024, localized("shows other files and folders")) {
            arguments throws(MessageError) in
            for path in arguments { try checkPath(path, of: "open", orURI: true) }
            return .open(arguments)
        },
        MessageEntry("next", .next, localized("the next picture")),
        MessageEntry("previous", .previous, localized("the previous picture")),
        MessageEntry("goto", "N", localized("the picture with this number; -1 is the last one")) {
            arguments throws(MessageError) in
            guard let number = Int(arguments[0]), number != 0 else {
                throw MessageError("goto takes a number from 1 on, not “\(arguments[0])”")
            }
            return .goto(number)
        },
        MessageEntry(
            "zoom", "FACTOR|fit|fill|1:1", words: ["fit", "fill", "1:1"],
            localized("zooms to this many logical pixels per picture pixel, or to a step")
        ) { arguments throws(MessageError) in
            switch arguments[0] {
            case "fit": return .zoom(.fit)
            case "fill": return .zoom(.fill)
            case "1:1": return .zoom(.oneToOne)
            default:
                guard let factor = Double(arguments[0]), factor.isFinite, factor > 0 else {
                    throw MessageError(
                        "zoom takes a factor above 0, fit, fill or 1:1, not “\(arguments[0])”")
                }
                return .zoom(.factor(factor))
            }
        },
        MessageEntry(
            "rotate", "DEGREES", words: ["90", "180", "-90"],
            localized("rotates clockwise by a multiple of 90 degrees")
        ) { arguments throws(MessageError) in
            guard let degrees = Int(arguments[0]), degrees % 90 == 0 else {
                throw MessageError("rotate takes a multiple of 90, not “\(arguments[0])”")
            }
            return .rotate(quarterTurns: degrees / 90 % 4)
        },
        MessageEntry("grid", .grid, localized("shows the grid")),
        MessageEntry("viewer", .viewer, localized("opens the focused picture of the grid")),
        MessageEntry(
            "slideshow", "on|off|SECONDS", words: ["on", "off"],
            localized("starts or ends the slideshow, or starts it with this interval")
        ) { arguments throws(MessageError) in
            if let isOn = flag(arguments[0]) { return .slideshow(isOn ? .on : .off) }
            guard let seconds = Double(arguments[0]), (0.1...86_400).contains(seconds) else {
                throw MessageError(
                    "slideshow takes on, off or 0.1 to 86400 seconds, not “\(arguments[0])”")
            }
            return .slideshow(.every(seconds))
        },
        MessageEntry(
            "reload", .reload, localized("decodes the picture anew, and lists the folders again")),
    ]

    private static let running: [MessageEntry] = [
        MessageEntry(
            "fullscreen", "on|off", words: ["on", "off"], localized("enters or leaves fullscreen")
        ) { arguments throws(MessageError) in
            .fullscreen(try required(arguments[0], of: "fullscreen"))
        },
        MessageEntry(
            "screenshot", "FILE.png", localized("writes the last frame, in place of the file")
        ) {
            arguments throws(MessageError) in
            try checkPath(arguments[0], of: "screenshot")
            return .screenshot(arguments[0])
        },
        MessageEntry("play", "SCRIPT", localized("plays a gesture script, and answers at its end"))
        {
            arguments throws(MessageError) in .play(arguments[0])
        },
        MessageEntry(
            "lock", "on|off", words: ["on", "off"],
            localized("ignores touch, keys and pointer, or heeds them again")
        ) { arguments throws(MessageError) in .lock(try required(arguments[0], of: "lock")) },
        MessageEntry(
            "clean", .clean, localized("ignores touches for 30 s in a kiosk, with a countdown")),
        MessageEntry(
            "screen", "on|off", words: ["on", "off"],
            localized("switches the screen of a kiosk; a touch switches it on")
        ) { arguments throws(MessageError) in .screen(try required(arguments[0], of: "screen")) },
        MessageEntry(
            "do", "COMMAND-ID", localized("does what a key does, by the table of commands")
        ) {
            arguments throws(MessageError) in .perform(arguments[0])
        },
        MessageEntry(
            "set", "KEY VALUE", count: 2...2, localized("changes a setting of the running viewer")
        ) {
            arguments throws(MessageError) in .set(key: arguments[0], value: arguments[1])
        },
        MessageEntry("quit", .quit, localized("ends the viewer")),
    ]

    private static let asking: [MessageEntry] = [
        MessageEntry("hello", .hello, localized("the version of the protocol and of the viewer")),
        MessageEntry("state", .state, localized("the last frame, as a line of the trace")),
        MessageEntry(
            "outputs", .outputs, localized("the outputs, and which of them show a window")),
        MessageEntry("watch", .watch, localized("a line now, and one for each change of state")),
        MessageEntry("ui", .ui, localized("the interface as assistive technology sees it")),
        MessageEntry("commands", .commands, localized("the table of commands, for do")),
        MessageEntry("settings", .settings, localized("all settings with their values")),
        MessageEntry("history", .history, localized("what was shown last, with times")),
    ]

    private static func flag(_ text: String) -> Bool? {
        switch text {
        case "on": true
        case "off": false
        default: nil
        }
    }

    private static func required(_ text: String, of name: String) throws(MessageError) -> Bool {
        guard let flag = flag(text) else {
            throw MessageError("\(name) takes on or off, not “\(text)”")
        }
        return flag
    }

    /// The working folder of the viewer is not that of the peer.
    private static func checkPath(
        _ path: String, of name: String, orURI: Bool = false
    ) throws(MessageError) {
        guard path.hasPrefix("/") || orURI && path.hasPrefix("file:") else {
            throw MessageError("\(name) takes an absolute path, not “\(path)”")
        }
        guard !path.utf8.contains(0) else { throw MessageError("a path cannot contain a NUL") }
    }
}
