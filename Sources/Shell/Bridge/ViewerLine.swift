import JSON

/// What the viewer reports by `watch`.
package struct ViewerState: Hashable, Sendable {
    package var mode = ""
    package var path = ""
    /// From 0 on.
    package var index = 0
    package var count = 0
    package var isPlaying = false
    /// Whether the screen is on; nil if the viewer cannot switch it.
    package var screenIsOn: Bool?
    /// When a person last did something, in Unix seconds; nil before.
    package var touched: Int?

    package init() {}

    /// The part of a path after the last slash.
    package static func name(_ path: String) -> String {
        String(path.split(separator: "/").last ?? "")
    }
}

/// A picture that was shown, and the time in ISO 8601 at which it was first seen.
package struct ShownPicture: Hashable, Sendable {
    package var path: String
    package var time: String

    package init(path: String, time: String) { (self.path, self.time) = (path, time) }
}

/// A line that the viewer sends.
package enum ViewerLine: Hashable, Sendable {
    case hello(program: String)
    case state(ViewerState)
    /// The newest picture comes first.
    case history([ShownPicture])
    case done
    case error(String)
    /// Something that a later version of the viewer says.
    case unknown

    /// Nil if the line is not JSON.
    package init?(_ line: [UInt8]) {
        guard let value = try? JSONReader.read(line), case .object = value else { return nil }
        if value["event"] != nil {
            self = value["event"]?.string == "state" ? .state(ViewerState(value)) : .unknown
        } else if let reason = value["error"]?.string {
            self = .error(reason)
        } else if let pictures = value["history"]?.array {
            self = .history(
                pictures.compactMap { picture in
                    guard let path = picture["path"]?.string, let time = picture["time"]?.string
                    else { return nil }
                    return ShownPicture(path: path, time: time)
                })
        } else if let program = value["program"]?.string {
            self = .hello(program: program)
        } else {
            self = value["ok"] == .bool(true) ? .done : .unknown
        }
    }
}

extension ViewerState {
    fileprivate init(_ value: JSONValue) {
        mode = value["mode"]?.string ?? ""
        path = value["path"]?.string ?? ""
        index = Self.number(value["index"]) ?? 0
        count = Self.number(value["count"]) ?? 0
        isPlaying = value["slideshow"]?["on"] == .bool(true)
        if case .bool(let isOn) = value["screen"] { screenIsOn = isOn }
        touched = Self.number(value["touched"])
    }

    private static func number(_ value: JSONValue?) -> Int? {
        value?.number.flatMap { Int(exactly: $0) }
    }
}
