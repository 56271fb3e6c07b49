import Motion

/// Whether bars are shown: they leave some time after their last use.
struct BarVisibility: Hashable, Sendable {
    private(set) var isShown: Bool
    /// The part of the bars that is shown: 0 hidden, 1 shown.
    private var reveal: ScalarMotion
    private var lastUse: Moment?
    /// The earliest time at which the bars leave; nil if no finger is down that may tap.
    var respite: Moment?
    /// Whether the bars always stay.
    var isPermanent: Bool

    /// How long bars stay after their last use, in milliseconds.
    private static let stay = 3000.0

    init(isPermanent: Bool) {
        self.isPermanent = isPermanent
        isShown = isPermanent
        reveal = .still(isPermanent ? 1 : 0)
    }

    /// The opacity of the bars, 0…1.
    func share(at moment: Moment) -> Double { min(max(reveal.value(at: moment), 0), 1) }

    /// Shows the bars, at once if `isStill`.
    mutating func show(at moment: Moment, isStill: Bool) {
        use(at: moment)
        set(true, at: moment, isStill)
    }

    mutating func hide(at moment: Moment, isStill: Bool) {
        if !isPermanent { set(false, at: moment, isStill) }
    }

    mutating func use(at moment: Moment) { lastUse = moment }

    private mutating func set(_ isShown: Bool, at moment: Moment, _ isStill: Bool) {
        guard isShown != self.isShown else { return }
        self.isShown = isShown
        let target = isShown ? 1.0 : 0
        reveal.move(to: target, at: moment, isStill: isStill)
    }

    /// When unused bars leave; nil for bars that stay or are hidden.
    var deadline: Moment? {
        guard isShown, !isPermanent else { return nil }
        let end = lastUse?.advanced(byMilliseconds: Self.stay)
        return end.map { max($0, respite ?? $0) }
    }

    func isAnimating(at moment: Moment) -> Bool {
        !reveal.isAtRest(at: moment, tolerance: .opacity)
    }

    /// Hides the bars at their deadline, unless they are in use.
    mutating func advance(to moment: Moment, isInUse: Bool, isStill: Bool) {
        if !isAnimating(at: moment) { reveal = .still(reveal.restValue) }
        if isInUse {
            use(at: moment)
        } else if let deadline, moment >= deadline {
            hide(at: deadline, isStill: isStill)
        }
    }
}
