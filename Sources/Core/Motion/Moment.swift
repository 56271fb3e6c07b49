/// A point on the viewer's clock; only differences have a meaning.
///
/// Held in milliseconds, as events bear them, so that whole milliseconds stay exact and a deadline
/// such as "300 ms after 80" is met at 380 and not a rounding error later.
package struct Moment: Comparable, Hashable, Sendable {
    package var milliseconds: Double

    package init(milliseconds: Double) {
        self.milliseconds = milliseconds
    }

    package static let zero = Moment(milliseconds: 0)

    package static func < (a: Moment, b: Moment) -> Bool { a.milliseconds < b.milliseconds }

    /// Seconds from `earlier` to this moment; negative when it is later.
    package func seconds(since earlier: Moment) -> Double {
        (milliseconds - earlier.milliseconds) / 1000
    }

    package func advanced(byMilliseconds duration: Double) -> Moment {
        Moment(milliseconds: milliseconds + duration)
    }
}
