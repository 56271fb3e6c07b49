package import Motion

/// Whether somebody uses the devices of a seat on other surfaces, as ext-idle-notify tells: a keyboard or
/// a mouse that goes to another program.
///
/// The compositor reports the end of idle times without saying which surface received the input, so
/// reports that input on an own window explains do not count.
package struct SeatPresence: Hashable, Sendable {
    /// After this time without input the compositor calls a seat idle, in milliseconds.
    package static let timeout = 1000.0
    /// Own input so close to a report explains it, in milliseconds.
    private static let slack = 250.0

    /// Whether reports go by input alone.
    ///
    /// Otherwise inhibitors of idleness, such as those of the kiosk
    /// itself, end idle times too, and the seat may never become idle again.
    package var ignoresIdleInhibitors = false
    private var isActive = false
    /// When the seat was resumed last.
    private var resumed: Moment?
    /// The latest time of input elsewhere that is certain.
    private var elsewhere: Moment?
    private var own: Moment?

    package init() {}

    /// The seat has been idle for `timeout`.
    package mutating func idled(at moment: Moment) {
        if let resumed, !isOwn(resumed) { noteElsewhere(resumed) }
        (isActive, resumed) = (false, nil)
        let last = moment.advanced(byMilliseconds: -Self.timeout)
        if ignoresIdleInhibitors, !isOwn(last) { noteElsewhere(last) }
    }

    private mutating func noteElsewhere(_ moment: Moment) {
        elsewhere = max(elsewhere ?? moment, moment)
    }

    package mutating func resumed(at moment: Moment) {
        isActive = true
        resumed = moment
    }

    /// A window of the program has received input.
    package mutating func received(at moment: Moment) {
        // A report that this input does not explain any more was about other input.
        if let resumed, !isClose(resumed, moment) {
            if !isOwn(resumed) { noteElsewhere(resumed) }
            self.resumed = nil
        }
        own = max(own ?? moment, moment)
    }

    /// The latest time at which the seat was used elsewhere, as far as known; nil for never.
    package func lastInputElsewhere(at now: Moment) -> Moment? {
        var last = elsewhere
        if let resumed, !isOwn(resumed), !isClose(resumed, now) {
            last = max(last ?? resumed, resumed)
        }
        // Without a pause of that length the seat would have become idle.
        let quiet = Self.timeout + Self.slack
        let isQuiet = own.map { now.milliseconds - $0.milliseconds > quiet } ?? true
        if ignoresIdleInhibitors, isActive, isQuiet { last = now }
        return last
    }

    private func isOwn(_ moment: Moment) -> Bool { own.map { isClose($0, moment) } ?? false }

    private func isClose(_ first: Moment, _ second: Moment) -> Bool {
        abs(first.milliseconds - second.milliseconds) <= Self.slack
    }
}
