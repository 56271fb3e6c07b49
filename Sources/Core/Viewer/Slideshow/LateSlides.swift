import Motion

/// The late pictures of a slideshow: their folder does not answer, or the system has stopped their
/// decoders.
///
/// After a timeout the slideshow passes over a late picture, and tries it again a round later. There is a
/// pause between rounds in which every picture fails.
struct LateSlides: Hashable, Sendable {
    private struct Wait: Hashable, Sendable {
        let index: Int
        let start: Moment
        var end: Moment
    }

    private var wait: Wait?
    /// The skipped pictures, and the number of shown slides from which on each is tried again.
    private var passed: [Int: Int] = [:]
    /// How many slides were shown, and the last one.
    private var (shown, last) = (0, -1)
    /// Whether no picture has arrived since one was passed over.
    private(set) var isStarved = false

    /// Timeout for a picture without pixels, in milliseconds; at least an interval.
    private static let patience = 10_000.0
    /// Timeout for a picture with some pixels, in milliseconds: a large picture takes its time.
    private static let patienceForPart = 60_000.0

    /// The end of the pause that the first failure of a round begins; nil without a failure.
    private var pauseEnd: Moment?
    /// How many pauses have begun since a picture has arrived.
    private var pauseCount = 0

    /// The lengths of the pauses, in milliseconds; the last one repeats.
    private static var pauses: [Double] { [2000, 8000, 30_000, 60_000] }

    /// The end of the timeout, or of the pause before the next round; nil for neither.
    var deadline: Moment? { wait?.end ?? pauseEnd }

    /// The pictures that do not count for now.
    var skipped: Set<Int> { Set(passed.keys) }

    /// Waits for a due picture; returns false after the timeout.
    mutating func wait(for index: Int, hasPart: Bool, interval: Double, at moment: Moment) -> Bool {
        let patience = max(hasPart ? Self.patienceForPart : Self.patience, interval)
        let start = wait.flatMap { $0.index == index ? $0.start : nil } ?? moment
        let end = start.advanced(byMilliseconds: patience)
        wait = Wait(index: index, start: start, end: end)
        return moment < end
    }

    /// Passes over a picture of `count` pictures.
    mutating func pass(_ index: Int, count: Int) {
        passed[index] = shown + count - 1
        (wait, isStarved) = (nil, true)
    }

    /// Passes over a picture of `count` pictures that cannot be decoded for now.
    mutating func fail(_ index: Int, count: Int, at moment: Moment) {
        pass(index, count: count)
        guard pauseEnd == nil else { return }
        let pause = Self.pauses[min(pauseCount, Self.pauses.count - 1)]
        pauseEnd = moment.advanced(byMilliseconds: pause)
        pauseCount += 1
    }

    /// Tries all pictures again, because no others are left; returns false during a pause.
    mutating func retryAll(at moment: Moment) -> Bool {
        if let pauseEnd, moment < pauseEnd { return false }
        (passed, pauseEnd) = ([:], nil)
        return true
    }

    mutating func endWait() { wait = nil }

    /// Follows a change of the listing; nothing begins anew, since a folder may change all the time.
    mutating func followListing(mapping: (_ old: Int) -> Int?) {
        wait = wait.flatMap { wait in
            mapping(wait.index).map { Wait(index: $0, start: wait.start, end: wait.end) }
        }
        passed = passed.reduce(into: [:]) { followed, picture in
            if let index = mapping(picture.key) { followed[index] = picture.value }
        }
        last = last < 0 ? last : mapping(last) ?? -1
    }

    /// Notes that a slide is shown.
    mutating func show(_ index: Int) {
        wait = nil
        guard index != last else { return }
        (shown, last) = (shown + 1, index)
        passed = passed.filter { $0.value > shown }
    }

    /// Notes that a picture is whole.
    mutating func arrive(_ index: Int) {
        isStarved = false
        passed[index] = nil
        (pauseEnd, pauseCount) = (nil, 0)
    }
}
