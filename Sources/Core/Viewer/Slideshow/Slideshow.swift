import Motion

/// A slideshow as the trace reports it.
package struct SlideshowState: Hashable, Sendable {
    /// The opacity of the picture that comes, 0…1; nil between transitions.
    package var transition: Double?
    /// The index of the picture that goes, or that is shown.
    package var from: Int
    /// The index of the picture that comes; nil if that is not decided.
    package var to: Int?
}

/// When a slideshow shows the next picture: a function of the moments of what has happened.
struct Slideshow: Hashable, Sendable {
    /// When the slideshow was started, or its present picture was shown whole; nil while it is off.
    private(set) var since: Moment?
    /// When the slideshow was last started.
    private var started = Moment.zero
    /// In milliseconds.
    private static let startTime = 500.0
    /// Whether a person was told that a slideshow goes on by itself.
    var hasExplainedPause = false
    /// When a person last did something.
    private var lastInput: Moment?
    /// The picture that follows; nil if that is not decided.
    private(set) var next: Int? { didSet { second = nil } }
    /// The picture after that one; nil if that is not decided.
    private(set) var second: Int?
    /// The second picture of the pair that is shown; nil for a single picture.
    var partner: SlidePartner?
    /// The picture that fades out after the other one of its pair was chosen.
    var leaving: LeavingPartner?
    /// Pictures that cannot be shown.
    private var skipped: Set<Int> = []
    private(set) var late = LateSlides()
    private(set) var order: SlideOrder
    /// The fade that is shown; nil for none.
    var fade: CrossFade?
    /// Whether the picture that follows was due, and was not there.
    private(set) var isBlocked = false
    /// Whether the picture is an animation that has not been shown to its end.
    var isAnimationUnfinished = false
    /// Whether the picture was to move again since the last input, so that no timer is needed for that.
    private var isMotionTried = false
    /// Timeout for the end of an animation: in intervals, and in milliseconds.
    private static let (mostIntervals, longestAnimation) = (10.0, 300_000.0)

    init(_ settings: SlideshowSettings) { order = SlideOrder(settings) }

    var isOn: Bool { since != nil }

    /// Changes to another order.
    mutating func setOrder(_ settings: SlideshowSettings) {
        guard !order.isOrder(of: settings) else { return }
        order.set(settings)
        next = nil
    }

    /// Sets the pictures of a shuffled slideshow.
    mutating func setCards(_ cards: SlideCards) {
        guard cards != order.deck.cards else { return }
        order.deck.setCards(cards)
        next = nil
    }

    /// Sets the pictures in the order of the slideshow; none for that of the listing.
    mutating func set(sequence: [Int]) {
        order.set(sequence: sequence)
        next = nil
    }

    /// Goes on where another run has ended.
    mutating func restore(_ progress: SlideProgress) {
        order.deck.restore(progress)
        next = nil
    }

    mutating func start(at moment: Moment) {
        (since, started) = (moment, moment)
        lastInput = nil
        (skipped, isBlocked, late) = ([], false, LateSlides())
    }

    mutating func stop() { (since, next, isBlocked) = (nil, nil, false) }

    /// Notes that a person has done something; the slideshow pauses.
    ///
    /// Returns false shortly after the start: the key or the finger that started the slideshow still
    /// lifts.
    @discardableResult
    mutating func pause(at moment: Moment) -> Bool {
        guard isOn, moment.milliseconds - started.milliseconds > Self.startTime else {
            return false
        }
        lastInput = moment
        isMotionTried = false
        return true
    }

    /// When the slideshow goes on after the last input; nil if nobody has done anything.
    private func resumption(_ settings: SlideshowSettings) -> Moment? {
        lastInput?.advanced(byMilliseconds: Double(settings.resume) * 1000)
    }

    /// Whether a picture at rest may begin to move: nobody has done anything for a while.
    mutating func mayBeginMotion(at moment: Moment, _ settings: SlideshowSettings) -> Bool {
        guard isOn, resumption(settings).map({ $0 <= moment }) ?? true else { return false }
        isMotionTried = true
        return true
    }

    /// Notes that a picture is shown from `moment` on.
    mutating func show(_ index: Int, from moment: Moment) {
        guard isOn else { return }
        (since, next, isBlocked) = (moment, nil, false)
        isAnimationUnfinished = false
        order.show(index)
        late.show(index)
    }

    /// Whether a person has done something, and the slideshow has not gone on since.
    func isPaused(_ settings: SlideshowSettings, at moment: Moment) -> Bool {
        resumption(settings).map { moment < $0 } ?? false
    }

    /// How long the slideshow still waits after what a person has done, in milliseconds; nil while it does not.
    func remainingPause(_ settings: SlideshowSettings, at moment: Moment) -> Double? {
        guard isOn, let end = resumption(settings), moment < end else { return nil }
        return end.milliseconds - moment.milliseconds
    }

    /// When the number of seconds that the slideshow still waits changes; nil while it does not wait.
    func nextSecond(_ settings: SlideshowSettings, after moment: Moment) -> Moment? {
        guard let rest = remainingPause(settings, at: moment) else { return nil }
        let whole = (rest / 1000).rounded(.up) - 1
        return moment.advanced(byMilliseconds: rest - whole * 1000)
    }

    /// When the next picture is due; nil while the slideshow is off.
    func due(_ settings: SlideshowSettings) -> Moment? {
        guard let since else { return nil }
        let interval = settings.interval * 1000
        let patience = max(min(interval * Self.mostIntervals, Self.longestAnimation), interval)
        let end = since.advanced(byMilliseconds: isAnimationUnfinished ? patience : interval)
        return max(end, resumption(settings) ?? end)
    }

    /// When the viewer must look at the slideshow again without an event; nil for never.
    func deadline(_ settings: SlideshowSettings) -> Moment? {
        let motion =
            !isMotionTried && isOn && settings.motion == .panZoom ? resumption(settings) : nil
        return [isBlocked ? late.deadline : due(settings), motion].compactMap(\.self).min()
    }

    /// Decides which picture follows `index`; returns it, nil if there is none for now.
    mutating func decide(after index: Int, count: Int, at moment: Moment) -> Int? {
        guard isOn else { return nil }
        if next == nil { next = following(index, count: count, at: moment) }
        return next
    }

    private mutating func following(_ index: Int, count: Int, at moment: Moment) -> Int? {
        let others = skipped.union(late.skipped)
        if let found = order.next(after: index, count: count, skipping: others) { return found }
        guard late.retryAll(at: moment) else { return nil }
        return order.next(after: index, count: count, skipping: skipped)
    }

    /// Decides which picture follows the next one.
    mutating func decideSecond(count: Int) {
        guard let next, second == nil else { return }
        // Looks ahead: the order itself stays as it is.
        var order = order
        order.show(next)
        second = order.next(after: next, count: count, skipping: skipped.union(late.skipped))
    }

    /// The pictures whose pixels are or will be needed.
    var retained: [Int] {
        [
            next, second, fade?.index, fade?.partner?.index, partner?.index, leaving?.partner.index,
        ].compactMap(\.self)
    }

    /// Notes that a picture is shown together with the present one.
    mutating func showPartner(_ partner: SlidePartner) {
        self.partner = partner
        next = nil
        order.show(partner.index)
        late.show(partner.index)
    }

    /// Notes that the picture that follows cannot be shown.
    mutating func skip() {
        if let next { skipped.insert(next) }
        next = nil
    }

    /// Notes that the picture that follows cannot be shown for now: it is tried again a round later.
    mutating func passOver(count: Int, at moment: Moment) {
        if let next { late.fail(next, count: count, at: moment) }
        next = nil
    }

    /// Notes that a picture, perhaps the awaited one, is whole or cannot be shown.
    mutating func pictureArrived(_ index: Int) {
        if index == next || index == second { isBlocked = false }
    }

    /// Notes that a picture is whole.
    ///
    /// If it could not be shown before, the others may be shown again, too: perhaps the system had
    /// stopped all decoders for a while.
    mutating func pictureIsWhole(_ index: Int) {
        late.arrive(index)
        if skipped.contains(index) { (skipped, isBlocked) = ([], false) }
        pictureArrived(index)
    }

    /// Notes whether the picture that is due is missing, so that only an event can go on.
    mutating func setBlocked(_ isBlocked: Bool) {
        self.isBlocked = isBlocked
        late.endWait()
    }

    /// Waits for the next picture; returns false after the timeout, and passes over the picture.
    mutating func awaitNext(
        hasPart: Bool, count: Int, _ settings: SlideshowSettings, at moment: Moment
    ) -> Bool {
        guard let next else { return true }
        isBlocked = late.wait(
            for: next, hasPart: hasPart, interval: settings.interval * 1000, at: moment)
        guard !isBlocked else { return true }
        late.pass(next, count: count)
        self.next = nil
        return false
    }

    /// Follows a change of the listing: pictures that could not be shown are tried again, but those that
    /// were late when they would be anyway.
    ///
    /// `mapping` gives the new index of an old one, nil for a removed picture.
    mutating func followListing(mapping: (_ old: Int) -> Int?) {
        order.set(sequence: [])
        (next, skipped, isBlocked) = (nil, [], false)
        late.followListing(mapping: mapping)
        fade = fade?.followed(by: mapping)
        leaving = leaving?.followed(by: mapping)
        let new = partner.flatMap { mapping($0.index) }
        if let new { partner?.index = new } else { partner = nil }
    }
}
