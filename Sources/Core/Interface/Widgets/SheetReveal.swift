import Geometry
import Motion
import SceneModel

/// How a sheet appears over the dimmed surface, and leaves.
struct SheetReveal: Hashable, Sendable {
    /// The opacity of what dims the surface around the sheet.
    private static let dim = 0.45
    /// A sheet rises by this distance as it appears, in logical pixels.
    private static let rise = 40.0

    /// Whether the sheet takes input; a sheet that leaves does not.
    private(set) var isShown = true
    /// The part of the sheet that is shown: 0 hidden, 1 shown.
    private var motion = ScalarMotion.still(0)

    /// Appears, or comes back while it leaves; at once if `isStill`.
    mutating func show(at moment: Moment, isStill: Bool) {
        isShown = true
        motion.move(to: 1, at: moment, isStill: isStill)
    }

    mutating func leave(at moment: Moment, isStill: Bool) {
        isShown = false
        motion.move(to: 0, at: moment, isStill: isStill)
    }

    /// The opacity of the sheet, 0…1.
    func share(at moment: Moment) -> Double { min(max(motion.value(at: moment), 0), 1) }

    func isMoving(at moment: Moment) -> Bool { !motion.isAtRest(at: moment, tolerance: .opacity) }

    /// Whether the sheet has left.
    func isOver(at moment: Moment) -> Bool { !isShown && !isMoving(at: moment) }

    mutating func advance(to moment: Moment) {
        if !isMoving(at: moment) { motion = .still(motion.restValue) }
    }

    /// The dimmed surface and the sheet, whose widget is at the place where it rests.
    func items(
        of widget: @autoclosure () -> Widget, on layout: BarLayout, _ focus: WidgetFocus,
        at moment: Moment
    ) -> [SceneItem] {
        let share = share(at: moment)
        guard share > 0 else { return [] }
        var layer = widget().layer(layout.theme, focus, opacity: share)
        layer.rect.y += Self.rise * (1 - share)
        return [Self.veil(on: layout, share: share), .layer(layer)]
    }

    /// What dims all that is below a sheet that is shown to a share, 0…1.
    static func veil(on layout: BarLayout, share: Double) -> SceneItem {
        let surface = Rect(origin: .zero, size: layout.surface)
        return .fill(FillItem(rect: surface, color: .black(dim * share)))
    }

    /// The layers as dim as the pictures below a sheet that is shown to a share: the painter paints all
    /// pictures and fills before the layers.
    static func dimLayers(of items: inout ArraySlice<SceneItem>, share: Double) {
        // Each step has the painted layers made anew.
        let part = dim * (share * steps).rounded() / steps
        for index in items.indices {
            if case .layer(let layer) = items[index] {
                items[index] = .layer(layer.dimmed(by: part))
            }
        }
    }

    private static let steps = 4.0
}
