import Motion

/// How much of the gain of each picture with a gain plane counts: from nothing to all of it in 0.4 s once the plane is
/// there.
///
/// A picture that is shown as it is without headroom, and then breathes in, hides how long the plane takes to be
/// decoded.
struct PictureLights: Sendable {
    /// When the planes came, by the pictures.
    private var starts: [Int: Moment] = [:]

    /// Whether pictures are shown brighter than white.
    private(set) var isOn = true
    /// When a person has last switched that; nil before.
    private var switched: Moment?

    /// How long a picture takes to become as bright as it can, in seconds.
    private static let duration = 0.4

    var isEmpty: Bool { starts.isEmpty }

    /// Notes that the gain plane of a picture is there; with `isStill` all of the gain counts at once.
    mutating func arrive(_ picture: Int, at moment: Moment, isStill: Bool) {
        guard starts[picture] == nil else { return }
        starts[picture] = Self.start(at: moment, isStill: isStill)
    }

    /// Forgets pictures without gain planes, of which only these are left.
    mutating func keepOnly(_ pictures: Set<Int>) {
        starts = starts.filter { pictures.contains($0.key) }
    }

    /// The share of the gain of a picture that counts, 0…1.
    func share(of picture: Int, at moment: Moment) -> Double {
        guard let start = starts[picture] else { return 0 }
        let switching = switched.map { Self.progress(since: $0, at: moment) } ?? 1
        return Self.progress(since: start, at: moment) * (isOn ? switching : 1 - switching)
    }

    private static func progress(since start: Moment, at moment: Moment) -> Double {
        let time = min(max(moment.seconds(since: start) / duration, 0), 1)
        return time * time * (3 - 2 * time)
    }

    /// Whether the gain plane of a picture is there.
    func has(_ picture: Int) -> Bool { starts[picture] != nil }

    /// Shows pictures brighter than white, or no more; with `isStill` at once.
    mutating func toggle(at moment: Moment, isStill: Bool) {
        isOn.toggle()
        switched = Self.start(at: moment, isStill: isStill)
    }

    private static func start(at moment: Moment, isStill: Bool) -> Moment {
        isStill ? moment.advanced(byMilliseconds: -1000 * duration) : moment
    }

    /// Whether a picture is still becoming brighter.
    func isMoving(at moment: Moment) -> Bool {
        (starts.values + [switched].compactMap(\.self)).contains {
            moment.seconds(since: $0) < Self.duration
        }
    }
}
