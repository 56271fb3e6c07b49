import Motion

/// The black backdrop behind the picture: its opacity, 0 transparent to 1 opaque.
struct Backdrop: Hashable, Sendable {
    private var motion = ScalarMotion.still(1)
    /// Whether motions end at once; those that have begun go on.
    var reducesMotion: Bool

    /// Below this opacity the backdrop counts as transparent.
    private static let faint = 0.02

    /// An opaque backdrop.
    init(reducesMotion: Bool) {
        self.reducesMotion = reducesMotion
    }

    /// 0…1.
    func opacity(at moment: Moment) -> Double { min(max(motion.value(at: moment), 0), 1) }

    /// Whether the backdrop is practically transparent.
    func isFaint(at moment: Moment) -> Bool { opacity(at: moment) < Self.faint }

    /// Whether the backdrop is opaque, or will be at the end of its motion.
    var restsOpaque: Bool { motion.restValue == 1 }

    func isAtRest(at moment: Moment) -> Bool { motion.isAtRest(at: moment, tolerance: .opacity) }

    /// Stops at `opacity`, 0…1.
    mutating func set(_ opacity: Double) { motion = .still(opacity) }

    /// Animates the opacity from `start` to `end`; with reduced motion `end` is set at once.
    mutating func fade(from start: Double, to end: Double, at moment: Moment) {
        guard start != end, !reducesMotion else {
            set(end)
            return
        }
        motion = .spring(
            Spring(from: start, to: end, at: moment, frequency: Spring.zoomFrequency))
    }

    /// Ends a motion that is over at `moment`.
    mutating func advance(to moment: Moment) {
        if isAtRest(at: moment) { set(motion.restValue) }
    }
}
