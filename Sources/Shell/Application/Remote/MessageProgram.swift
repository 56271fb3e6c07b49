import Control
import Desktop
import Folders
import Glibc
import Localization
import SystemCalls

/// `vitrine msg`: speaks to a running viewer.
enum MessageProgram {
    /// How long a reply may take, in seconds.
    private static let patience = 30
    /// The longest script that is sent as text, in bytes.
    private static let longestScript = ControlProtocol.longestRequest / 4

    static func run(_ arguments: [[UInt8]]) -> ExitCode {
        do throws(UsageError) {
            var rest = arguments[...]
            let socket = try takeSocket(&rest)
            let output = try takeOutput(&rest)
            guard let command = rest.popFirst() else {
                throw UsageError(reason: localized("msg needs a command; see vitrine msg --help"))
            }
            let name = String(decoding: command, as: UTF8.self)
            if name == "--help" || name == "-h" {
                return Help.print(help) ? .done : .nothingShown
            }
            // Arguments after two hyphens are no options.
            if rest.first == Array("--".utf8) { rest.removeFirst() }
            let texts = try self.arguments(of: name, Array(rest))
            return speak(name, texts, socket: socket, output: output)
        } catch {
            Diagnostics.error(error.reason)
            return .wrongArguments
        }
    }

    // MARK: The socket

    /// The socket of the viewer with this process number; nil without a folder for it.
    static func usualSocket(of process: Int32) -> FilePath? {
        (try? UsualSockets()).map { FilePath($0.path(of: process)) }
    }

    /// The socket by the options `--socket` and `--pid`; nil without either.
    private static func takeSocket(
        _ rest: inout ArraySlice<[UInt8]>
    ) throws(UsageError) -> FilePath? {
        var socket: FilePath?
        for (option, read) in [("--socket", true), ("--pid", false)] {
            guard let value = try takeValue(option, &rest) else { continue }
            if read {
                socket = FilePath(value)
                continue
            }
            let text = String(decoding: value, as: UTF8.self)
            guard let process = Int32(text) else {
                throw UsageError(
                    reason: localized("--pid takes the number of a process, not “\(text)”"))
            }
            guard let path = usualSocket(of: process) else {
                throw UsageError(reason: self.text(of: .unset))
            }
            socket = path
        }
        return socket
    }

    private static func takeOutput(
        _ rest: inout ArraySlice<[UInt8]>
    ) throws(UsageError) -> String? {
        guard let name = try takeValue("--output", &rest) else { return nil }
        return try text(name)
    }

    /// The value of an option that stands first, as `NAME VALUE` or `NAME=VALUE`.
    private static func takeValue(
        _ name: String, _ rest: inout ArraySlice<[UInt8]>
    ) throws(UsageError) -> [UInt8]? {
        guard let first = rest.first else { return nil }
        if first.starts(with: Array((name + "=").utf8)) {
            rest.removeFirst()
            return Array(first.dropFirst(name.utf8.count + 1))
        }
        guard first == Array(name.utf8) else { return nil }
        rest.removeFirst()
        guard let value = rest.popFirst() else {
            throw UsageError(reason: localized("\(name) needs a value; see vitrine msg --help"))
        }
        return value
    }

    /// The socket of the only viewer that runs.
    private static func onlySocket() throws(MessageClient.Failure) -> [UInt8] {
        do throws(UsualSockets.Failure) {
            return try UsualSockets().only()
        } catch { throw MessageClient.Failure(reason: text(of: error)) }
    }

    private static func text(of failure: UsualSockets.Failure) -> String {
        switch failure {
        case .unset:
            return localized("XDG_RUNTIME_DIR is not set; name the socket with --socket FILE")
        case .unreadable(let folder, let error):
            return "\(FilePath(folder)): \(error.pathMessage)"
        case .tooLong(let folder):
            let (name, most) = ("\(FilePath(folder))", UsualSockets.longestPath)
            return localized(
                "no viewer is found in \(name), as the path of a socket has at most \(most) bytes; "
                    + "start vitrine with --socket FILE, and name the same file here")
        case .none:
            return localized("no viewer runs; start vitrine, or name its socket with --socket FILE")
        case .several(let viewers):
            let list = viewers.map { FilePath($0).description }.joined(separator: ", ")
            return localized("several viewers run; choose one with --pid or --socket: \(list)")
        }
    }

    // MARK: Arguments

    /// The arguments as the viewer gets them: paths are absolute, as its working folder is another one.
    private static func arguments(
        of command: String, _ arguments: [[UInt8]]
    ) throws(UsageError) -> [String] {
        var texts: [String] = []
        for argument in arguments {
            switch command {
            case "open": texts.append(try openable(argument))
            case "screenshot":
                guard FilePath(argument).descriptor == nil else {
                    throw UsageError(
                        reason: localized(
                            "msg screenshot takes the name of a file, not \(FilePath(argument))"))
                }
                texts.append(try text(FilePath(argument).absolute))
            case "play":
                let script = try script(of: argument)
                if let script {
                    texts.append(script)
                } else {
                    texts.append(try text(FilePath(argument).absolute))
                }
            default: texts.append(try text(argument))
            }
        }
        return texts
    }

    private static func text(_ bytes: [UInt8]) throws(UsageError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw UsageError(reason: localized("an argument is not UTF-8: \(FilePath(bytes))"))
        }
        return text
    }

    /// A path as text; one that is not UTF-8 becomes a URI, whose escapes name every byte.
    static func openable(_ argument: [UInt8]) throws(UsageError) -> String {
        let path = try file(argument)
        return String(validating: path.bytes, as: UTF8.self) ?? LocalFileURI.uri(of: path)
    }

    /// The file that an argument names, as a URI or as a path: the viewer has other descriptors and
    /// another working folder.
    private static func file(_ argument: [UInt8]) throws(UsageError) -> FilePath {
        let given = FilePath(argument)
        if LocalFileURI.isURI(argument), !exists(given) {
            do throws(LocalFileURI.Refusal) { return try LocalFileURI.read(argument) } catch {
                throw UsageError(reason: LocalFileURI.refusal(of: given.description))
            }
        }
        let isInput = argument == [UInt8(ascii: "-")]
        guard !isInput, let descriptor = given.descriptor else {
            if isInput { throw notInput }
            return FilePath(given.absolute)
        }
        guard let path = descriptor.openedPath else { throw notInput }
        return path
    }

    private static var notInput: UsageError {
        UsageError(reason: localized("msg open takes files and folders, not standard input"))
    }

    private static func exists(_ path: FilePath) -> Bool {
        var info = stat()
        return path.withCString { lstat($0, &info) } == 0
    }

    /// The text of a script that the viewer cannot open: that of standard input, or of another
    /// descriptor of this process.
    private static func script(of argument: [UInt8]) throws(UsageError) -> String? {
        let path = FilePath(argument)
        let isInput = argument == [UInt8(ascii: "-")]
        guard isInput || path.descriptor != nil else { return nil }
        do throws(SystemError) {
            let text = String(
                decoding: try readToEnd(of: path.descriptor?.number ?? 0, limit: longestScript),
                as: UTF8.self)
            // What begins with a slash would be a path.
            return "\n" + text
        } catch {
            throw UsageError(
                reason: error.code == EFBIG
                    ? localized("the script is too long for standard input; name its file")
                    : isInput
                        ? localized("standard input cannot be read: \(error)")
                        : "\(path): \(error.pathMessage)")
        }
    }

    // MARK: The conversation

    private static func speak(
        _ name: String, _ arguments: [String], socket: FilePath?, output: String?
    ) -> ExitCode {
        let isEndless = name == "watch"
        let request = ControlProtocol.request(name, arguments, output: output)
        guard request.utf8.count <= ControlProtocol.longestRequest else {
            Diagnostics.error(localized("the message is too long"))
            return .wrongArguments
        }
        do throws(MessageClient.Failure) {
            let path: [UInt8]
            if let socket { path = socket.bytes } else { path = try onlySocket() }
            var client = try MessageClient(path: path)
            try client.send(request, seconds: patience)
            // A script ends when it ends.
            let limit = isEndless || name == "play" ? nil : patience
            guard var line = try client.receive(seconds: limit) else {
                throw MessageClient.Failure(
                    reason: localized("the viewer ended before it answered"))
            }
            while true {
                guard (try? writeAll(line, to: 1)) != nil else { return .nothingShown }
                if MessageClient.isError(line) { return .nothingShown }
                guard isEndless, let next = try client.receive(seconds: nil) else { return .done }
                line = next
            }
        } catch {
            Diagnostics.error(error.reason)
            return .nothingShown
        }
    }

    // MARK: Help

    static let help: String = {
        var text = """
            Usage: vitrine msg [--socket FILE | --pid PID] [--output NAME] COMMAND [ARGUMENT…]

            Sends a message to the viewer that runs, and prints its reply, a line of JSON. The exit
            code is 1 if the reply is an error, or if there is none. With --output the message is
            for the window on that output of a kiosk.

            Commands:

            """
        for entry in MessageTable.entries { text += Help.row(entry.usage, entry.help) }
        return text
    }()
}
