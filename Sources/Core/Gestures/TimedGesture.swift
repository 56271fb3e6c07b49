package import Motion

/// A gesture with its moment.
package struct TimedGesture: Hashable, Sendable {
    package var gesture: Gesture
    package var moment: Moment

    package init(_ gesture: Gesture, at moment: Moment) {
        self.gesture = gesture
        self.moment = moment
    }
}

extension [TimedGesture] {
    mutating func emit(_ gesture: Gesture, at moment: Moment) {
        append(TimedGesture(gesture, at: moment))
    }
}
