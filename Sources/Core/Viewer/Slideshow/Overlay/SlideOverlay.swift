import Interface
import Motion

/// What is written over the pictures of a slideshow: captions and the time.
struct SlideOverlay: Hashable, Sendable {
    /// The captions of the pictures that may be seen, by their indices.
    private(set) var captions: [Int: Caption] = [:]
    /// The time as people of the locale write it; empty while it is unknown.
    var time = ""
    /// The moment of the last frame.
    var moment = Moment.zero

    /// Sets a caption; those of pictures that are not `kept` are dropped.
    mutating func set(_ caption: Caption, of index: Int, keeping kept: Set<Int>) {
        captions = captions.filter { kept.contains($0.key) }
        captions[index] = caption.isEmpty ? nil : caption
    }

    /// Follows a change of the listing.
    mutating func update(mapping: (_ old: Int) -> Int?) {
        captions = Dictionary(
            captions.compactMap { index, caption in mapping(index).map { ($0, caption) } },
            uniquingKeysWith: { first, _ in first })
    }
}

/// The bar that fills until the next picture is due, in steps.
///
/// A step costs a frame, so that there are at most four a second and `most` until the next picture.
struct SlideProgressSteps: Hashable, Sendable {
    private let count: Double
    /// In milliseconds.
    private let interval: Double

    private static let most = 60.0
    /// The shortest step, in milliseconds.
    private static let shortest = 250.0

    /// The steps of an interval in seconds.
    init(interval seconds: Double) {
        interval = seconds * 1000
        count = min((interval / Self.shortest).rounded(.down), Self.most)
    }

    /// The part of the bar that is filled, 0…1, when the next picture is due at `due`.
    func share(at moment: Moment, due: Moment) -> Double {
        guard count >= 1 else { return 0 }
        return step(at: moment, due: due) / count
    }

    /// When the bar grows next; nil once it is full.
    func nextStep(after moment: Moment, due: Moment) -> Moment? {
        guard count >= 1, moment < due else { return nil }
        let next = step(at: moment, due: due) + 1
        return due.advanced(byMilliseconds: interval * (next / count - 1))
    }

    private func step(at moment: Moment, due: Moment) -> Double {
        let rest = due.milliseconds - moment.milliseconds
        // A moment that was computed from a step belongs to that step.
        let step = ((interval - rest) / interval * count + 1e-6).rounded(.down)
        return min(max(step, 0), count)
    }
}
