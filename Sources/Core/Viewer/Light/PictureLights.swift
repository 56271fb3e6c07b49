package import Motion
import SceneModel

/// How much of the gain of each picture with a gain plane counts: from nothing to all of it in 0.4 s once the plane is
/// there.
///
/// A picture that is shown as it is without headroom, and then breathes in, hides how long the plane takes to be
/// decoded.
package struct PictureLights: Sendable {
    /// When the planes came, by the pictures.
    private var starts: [Int: Moment] = [:]

    /// How long a picture takes to become as bright as it can, in seconds.
    private static let duration = 0.4

    var isEmpty: Bool { starts.isEmpty }

    /// Notes that the gain plane of a picture is there; with `isStill` all of the gain counts at once.
    mutating func arrive(_ picture: Int, at moment: Moment, isStill: Bool) {
        guard starts[picture] == nil else { return }
        starts[picture] = isStill ? moment.advanced(byMilliseconds: -1000 * Self.duration) : moment
    }

    /// Forgets pictures without gain planes, of which only these are left.
    mutating func keepOnly(_ pictures: Set<Int>) {
        starts = starts.filter { pictures.contains($0.key) }
    }

    /// The share of the gain of a picture that counts, 0…1.
    func share(of picture: Int, at moment: Moment) -> Double {
        guard let start = starts[picture] else { return 0 }
        let time = min(max(moment.seconds(since: start) / Self.duration, 0), 1)
        return time * time * (3 - 2 * time)
    }

    /// Whether a picture is still becoming brighter.
    func isMoving(at moment: Moment) -> Bool {
        starts.values.contains { moment.seconds(since: $0) < Self.duration }
    }
}

extension ViewerModel {
    /// Notes that the gain plane of a picture is there.
    package mutating func light(_ picture: Int, at moment: Moment) {
        lights.arrive(picture, at: moment, isStill: settings.reducedMotion)
    }

    /// Forgets the gain planes of all other pictures.
    package mutating func keepLights(of pictures: Set<Int>) { lights.keepOnly(pictures) }

    /// The items with the light of their pictures, as far as the viewer covers the grid.
    ///
    /// Thumbnails, blurred margins and tiles stay as they are without headroom.
    func lit(_ items: [SceneItem], at moment: Moment) -> [SceneItem] {
        guard !lights.isEmpty else { return items }
        let cover = backdropOpacity(at: moment)
        return items.map { item in
            guard case .picture(var picture) = item, picture.source.kind == .picture else {
                return item
            }
            picture.light = lights.share(of: picture.source.picture, at: moment) * cover
            return .picture(picture)
        }
    }
}
