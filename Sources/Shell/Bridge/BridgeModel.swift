import JSON

/// What the bridge knows of the viewer, and what the broker is to know of it.
package struct BridgeModel: Sendable {
    private let topics: BridgeTopics
    /// Whether paths and numbers of pictures may come from the broker.
    private let allowsOpening: Bool
    private let version: String

    /// Nil while no viewer is connected.
    package var viewer: ViewerState?
    /// The program of the viewer and its version; nil before it has said so.
    package var program: String?
    /// The newest picture comes first.
    package var history: [ShownPicture] = []
    /// In percent; nil where the brightness cannot be set.
    package var brightness: Int?

    /// How many pictures of the history are published.
    private static let longestHistory = 10
    /// The longest state that Home Assistant accepts, in characters.
    private static let longestState = 255

    package init(_ topics: BridgeTopics, allowsOpening: Bool, version: String) {
        (self.topics, self.allowsOpening, self.version) = (topics, allowsOpening, version)
    }

    /// Everything that the broker is to know now; an empty payload removes what was there.
    package var publications: [Publication] {
        var all = HomeAssistant(topics, program: program, version: version)
            .publications(
                hasScreen: viewer.map { $0.screenIsOn != nil }, brightness != nil, allowsOpening)
        if let viewer { all += states(of: viewer) }
        all.append(Publication(topics.availability, viewer == nil ? "offline" : "online"))
        return all
    }

    private func states(of viewer: ViewerState) -> [Publication] {
        var all = [
            Publication(topics.state("picture"), Self.state(ViewerState.name(viewer.path))),
            Publication(topics.state("picture/attributes"), attributes(of: viewer)),
            Publication(topics.state("playing"), viewer.isPlaying ? "ON" : "OFF"),
            Publication(topics.state("touched"), viewer.touched.map(UTCTime.text) ?? "None"),
            Publication(topics.state("shown"), shown.first.map { Self.state($0.name) } ?? "None"),
            Publication(topics.state("shown/attributes"), shownAttributes),
        ]
        if let isOn = viewer.screenIsOn {
            all.append(Publication(topics.state("screen"), isOn ? "ON" : "OFF"))
        }
        if let brightness {
            all.append(Publication(topics.state("brightness"), "\(brightness)"))
        }
        if allowsOpening {
            all.append(Publication(topics.state("goto"), "\(viewer.index + 1)"))
        }
        return all
    }

    /// The pictures before the one that is shown now.
    private var shown: [(name: String, picture: ShownPicture)] {
        let isShown = history.first.map { $0.path == viewer?.path } ?? false
        return history.dropFirst(isShown ? 1 : 0).prefix(Self.longestHistory)
            .map { (ViewerState.name($0.path), $0) }
    }

    private func attributes(of viewer: ViewerState) -> String {
        var line = JSONLine()
        line.add("path", viewer.path)
        line.add("number", viewer.count == 0 ? 0 : viewer.index + 1)
        line.add("count", viewer.count)
        line.add("mode", viewer.mode)
        return String(line.close().dropLast())
    }

    private var shownAttributes: String {
        var line = JSONLine()
        line.objects("pictures", shown) { shown, object in
            object.add("path", shown.picture.path)
            object.add("time", shown.picture.time)
        }
        return String(line.close().dropLast())
    }

    private static func state(_ text: String) -> String {
        text.isEmpty ? "None" : String(text.prefix(longestState))
    }
}

/// A time in UTC, as ISO 8601 writes it.
enum UTCTime {
    private static let day = 86_400

    static func text(_ seconds: Int) -> String {
        // Years of four digits.
        let seconds = min(max(seconds, 0), 253_402_300_799)
        let (days, rest) = (seconds / day, seconds % day)
        let (year, month, date) = date(days)
        return "\(padded(year, 4))-\(padded(month))-\(padded(date))T"
            + "\(padded(rest / 3600)):\(padded(rest / 60 % 60)):\(padded(rest % 60))+00:00"
    }

    /// The date that is some days after 1970-01-01.
    private static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
        var (year, rest) = (1970, days)
        while rest >= length(ofYear: year) {
            rest -= length(ofYear: year)
            year += 1
        }
        let february = length(ofYear: year) - 337
        let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var month = 0
        while rest >= months[month] {
            rest -= months[month]
            month += 1
        }
        return (year, month + 1, rest + 1)
    }

    private static func length(ofYear year: Int) -> Int {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365
    }

    private static func padded(_ number: Int, _ count: Int = 2) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
