import Localization
package import Motion

/// Input that is played on a virtual clock; as text, one event per line.
///
/// A line is a time in milliseconds and an event with Wayland's names; `#` starts a comment. Times
/// never decrease. A line `TIME end` sets the end. `InputEvent.scriptText` writes events.
package struct GestureScript: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var moment: Moment
        package var event: InputEvent

        package init(moment: Moment, event: InputEvent) {
            self.moment = moment
            self.event = event
        }

        /// The line of a script for this entry, without a line break.
        package var line: String {
            "\(ScriptNumber.text(moment.milliseconds)) \(event.scriptText)"
        }
    }

    /// The events, ordered by time.
    package var entries: [Entry]
    /// When the clock stops; the last event's time where the script has no `end`.
    package var end: Moment

    /// The longest script, in milliseconds: a day, since the clock visits every frame up to the
    /// end.
    package static let longestDuration = 86_400_000.0

    package init(entries: [Entry], end: Moment) {
        self.entries = entries
        self.end = end
    }

    /// Parses a whole script.
    ///
    /// The error names the first line that is wrong, and why.
    package init(parsing text: String) throws(GestureScriptError) {
        entries = []
        end = .zero
        var hasEnded = false
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, bytes) in lines.enumerated() {
            var words = WordReader(Substring(bytes), line: index + 1)
            guard !words.isAtEnd else { continue }
            let time = try words.number(localized("a time in ms"), in: 0...Self.longestDuration)
            guard !hasEnded else { throw words.error(.afterEnd) }
            guard time >= end.milliseconds else {
                throw words.error(.earlier(time: time, previous: end.milliseconds))
            }
            end = Moment(milliseconds: time)
            if words.consume("end") {
                hasEnded = true
            } else {
                entries.append(Entry(moment: end, event: try InputEvent(reading: &words)))
            }
            try words.finish()
        }
    }

    /// The script as text; parsing it gives the same script.
    package var text: String {
        var text = ""
        for entry in entries {
            text += entry.line + "\n"
        }
        return text + "\(ScriptNumber.text(end.milliseconds)) end\n"
    }
}
