import Browser
import Geometry
import Motion
import SceneModel

/// What the surface of a window shows.
struct SurfaceContent {
    /// The scene of the frame; nil before the first one.
    private(set) var scene: Scene?
    /// The scene as it was painted, in the scale of the buffer.
    private var painted: Scene?
    /// Sampled pixels per device pixel, along each side.
    private(set) var resolution = 1.0
    /// Whether pixels were dropped that the frame shows, so that no part of it can stay.
    var lacksPixels = false
    /// Whether the frame is part of a motion, so that another frame must follow; the last frame shows
    /// the scene at rest.
    private(set) var showsMotion = false
    /// The moment of the last frame in motion.
    private var lastMotion: Moment?
    /// The headroom of the deep pixels of the last frame; nil after one of 8 bits.
    private(set) var headroom: Double?

    /// How long fingers must rest before the frame is painted at full resolution, in milliseconds.
    private static let restDelay = 80.0

    /// The size of the buffer; empty before the first frame.
    var pixelSize: PixelSize { painted?.pixelSize ?? .zero }

    func differs(from new: Scene) -> Bool { new != scene || lacksPixels }

    /// When a motion has come to rest; nil without one.
    var rest: Moment? { lastMotion?.advanced(byMilliseconds: Self.restDelay) }

    func hasRested(at moment: Moment) -> Bool {
        guard let lastMotion else { return true }
        return moment.seconds(since: lastMotion) * 1000 >= Self.restDelay
    }

    /// Notes the motion of a planned frame.
    mutating func begin(_ plan: FramePacing.Plan) {
        showsMotion = plan.isAnimating
        if plan.isMoving { lastMotion = plan.moment }
    }

    /// Takes the scene of a frame, as it is painted; returns the area that differs, in buffer pixels.
    ///
    /// `headroom` is that of deep pixels.
    mutating func paint(
        _ plan: FramePacing.Plan, as new: Scene, headroom: Double?
    ) -> [PixelRect] {
        // If the resolution or the meaning of pixels changes, every pixel may change.
        let changesAll =
            plan.resolution != resolution || headroom != self.headroom || lacksPixels
        let damage = new.damage(since: changesAll ? nil : painted)
        (scene, painted) = (plan.frame.scene, new)
        (resolution, lacksPixels) = (plan.resolution, false)
        self.headroom = headroom
        return damage
    }
}
