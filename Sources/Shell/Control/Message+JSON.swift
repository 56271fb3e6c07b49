import JSON

/// The protocol of the control socket: a request and a reply are a line of JSON each.
package enum ControlProtocol {
    /// Raised by a change that a peer has to know of.
    package static let version = 1
    /// The longest request, in bytes with its line break.
    package static let longestRequest = 64 << 10

    /// A request as a line; `output` names the output whose window is meant, if not the first one.
    package static func request(
        _ command: String, _ arguments: [String], output: String? = nil
    ) -> String {
        var line = JSONLine()
        line.add("command", command)
        line.add("arguments", arguments)
        if let output { line.add("output", output) }
        return line.close()
    }

    /// The message of a line.
    package static func message(_ line: [UInt8]) throws(MessageError) -> Message {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(line)
        } catch { throw MessageError("the request is not JSON: \(error)") }
        guard case .object = value, let command = value["command"]?.string else {
            throw MessageError("a request is an object with a text “command”")
        }
        if let wanted = value["version"], wanted != .number(Double(version)) {
            throw MessageError("this viewer speaks version \(version) of the protocol only")
        }
        let message = try MessageTable.message(command, try arguments(value["arguments"]))
        guard let output = value["output"] else { return message }
        guard let name = output.string else { throw MessageError("“output” is a text") }
        return .addressed(output: name, message)
    }

    private static func arguments(_ given: JSONValue?) throws(MessageError) -> [String] {
        guard let given else { return [] }
        guard let values = given.array else { throw MessageError("“arguments” is an array") }
        var arguments: [String] = []
        for value in values { arguments.append(try text(of: value)) }
        return arguments
    }

    /// An argument as the command line has it: `5` and `"5"`, `true` and `"on"` are the same.
    private static func text(of value: JSONValue) throws(MessageError) -> String {
        switch value {
        case .string(let text): return text
        case .bool(let flag): return flag ? "on" : "off"
        case .number(let number):
            return Int(exactly: number).map { String($0) } ?? String(number)
        case .null, .array, .object:
            throw MessageError("an argument is a text, a number, true or false")
        }
    }
}

extension Reply {
    /// The reply as a line.
    package var text: String {
        var line = JSONLine()
        switch self {
        case .done: line.add("ok", true)
        case .line(let text): return text
        case .error(let reason): line.add("error", reason)
        }
        return line.close()
    }
}
