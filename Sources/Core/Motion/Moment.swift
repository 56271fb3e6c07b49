/// A point in time on the viewer's clock; only differences are meaningful.
///
/// Stored in milliseconds, the unit of event times: whole milliseconds stay exact, and a deadline
/// 300 ms after 80 is exactly 380.
package struct Moment: Comparable, Hashable, Sendable {
    package var milliseconds: Double

    package init(milliseconds: Double) {
        self.milliseconds = milliseconds
    }

    package static let zero = Moment(milliseconds: 0)

    package static func < (a: Moment, b: Moment) -> Bool { a.milliseconds < b.milliseconds }

    /// Seconds from `earlier` to this moment; negative where `earlier` is the later one.
    package func seconds(since earlier: Moment) -> Double {
        (milliseconds - earlier.milliseconds) / 1000
    }

    package func advanced(byMilliseconds duration: Double) -> Moment {
        Moment(milliseconds: milliseconds + duration)
    }
}
