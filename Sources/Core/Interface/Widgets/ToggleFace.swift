import Geometry
import SceneModel

/// A switch: a track with a knob, at the end of the reading direction when it is on.
struct ToggleFace {
    let theme: Theme
    let rect: Rect
    let isOn: Bool
    let isDisabled: Bool

    /// The size of the track, in logical pixels.
    private static let track = Size(width: 48, height: 26)
    /// The distance of the knob from the edge of the track, in logical pixels.
    private static let inset = Theme.Space.row

    var elements: [LayerItem.Element] {
        let track = Rect(
            center: rect.center,
            size: Size(
                width: min(Self.track.width, rect.width),
                height: min(Self.track.height, rect.height)))
        let radius = track.height / 2
        let side = max(track.height - 2 * Self.inset, 0)
        let knob = Rect(
            x: isOn != theme.isRightToLeft ? track.maxX - Self.inset - side : track.x + Self.inset,
            y: track.y + Self.inset, width: side, height: side)
        let opacity = isDisabled ? 0.4 : 1
        let color = isOn ? theme.accent : theme.hovered
        let mark = isOn ? theme.onAccent : theme.dimText
        return [
            .box(
                .init(
                    track, color.faded(opacity), cornerRadius: radius,
                    border: (isOn ? theme.accent : theme.dimText).faded(opacity),
                    borderWidth: Theme.focusWidth)),
            .box(.init(knob, mark.faded(opacity), cornerRadius: side / 2)),
        ]
    }
}
