import Geometry
import SceneModel

/// What lies over a picture that is cropped: the dimmed outside, the frame, its handles and thirds.
///
/// All of it is rectangles on whole device pixels, which cost little to paint anew in every frame.
struct CropOverlay: Hashable, Sendable {
    /// Logical pixels of the surface.
    var frame: Rect
    var surface: Size
    /// Device pixels per logical pixel.
    var scale: Double
    /// Whether fingers hold the picture or the frame: thirds are shown, and the outside is clearer.
    var isHeld: Bool
    /// 0…1.
    var opacity: Double

    private static let dim = (rest: 0.66, held: 0.45)
    /// The width of the frame's line, and of the corners' strokes, in logical pixels.
    private static let line = 1.5
    private static let corner = (width: 4.0, length: 22.0)
    private static let edge = 30.0
    /// The width of the dark line around light ones, in logical pixels.
    private static let contour = 1.0

    var items: [SceneItem] {
        guard opacity > 0 else { return [] }
        return (outside + thirds + lines + handles).filter { !$0.rect.isEmpty }.map { .fill($0) }
    }

    /// The frame on whole device pixels.
    private var rect: Rect { aligned(frame) }

    private func aligned(_ rect: Rect) -> Rect {
        Rect(PixelRect(rounding: rect * scale)) * (1 / scale)
    }

    private var outside: [FillItem] {
        let color = Color.black((isHeld ? Self.dim.held : Self.dim.rest) * opacity)
        let (rect, surface) = (rect, surface)
        let (top, bottom) = (max(rect.y, 0), min(rect.maxY, surface.height))
        return [
            Rect(x: 0, y: 0, width: surface.width, height: top),
            Rect(x: 0, y: bottom, width: surface.width, height: surface.height - bottom),
            Rect(x: 0, y: top, width: rect.x, height: bottom - top),
            Rect(
                x: rect.maxX, y: top, width: surface.width - rect.maxX, height: bottom - top),
        ].map { FillItem(rect: $0, color: color) }
    }

    private var light: Color { .gray(1, opacity) }
    private var dark: Color { .black(0.5 * opacity) }

    /// A light bar with a dark contour, which shows on every picture.
    private func bar(_ rect: Rect) -> [FillItem] {
        let rect = aligned(rect)
        return [
            FillItem(rect: aligned(rect.inset(by: -Self.contour)), color: dark),
            FillItem(rect: rect, color: light),
        ]
    }

    private var thirds: [FillItem] {
        guard isHeld else { return [] }
        let rect = rect
        let width = max(1 / scale, 1)
        return [1.0, 2.0].flatMap { part -> [FillItem] in
            let x = rect.x + rect.width * part / 3
            let y = rect.y + rect.height * part / 3
            return [
                Rect(x: x - width / 2, y: rect.y, width: width, height: rect.height),
                Rect(x: rect.x, y: y - width / 2, width: rect.width, height: width),
            ].flatMap { line in
                [
                    FillItem(
                        rect: aligned(line + Vector(dx: width, dy: width)),
                        color: .black(0.25 * opacity)),
                    FillItem(rect: aligned(line), color: .gray(1, 0.75 * opacity)),
                ]
            }
        }
    }

    private var lines: [FillItem] {
        let (rect, width) = (rect, Self.line)
        return [
            Rect(x: rect.x, y: rect.y, width: rect.width, height: width),
            Rect(x: rect.x, y: rect.maxY - width, width: rect.width, height: width),
            Rect(x: rect.x, y: rect.y, width: width, height: rect.height),
            Rect(x: rect.maxX - width, y: rect.y, width: width, height: rect.height),
        ].map { FillItem(rect: aligned($0), color: light) }
    }

    private var handles: [FillItem] {
        let (rect, width) = (rect, Self.corner.width)
        let length = min(Self.corner.length, rect.width / 3, rect.height / 3)
        var bars: [Rect] = []
        for (x, y) in [(0.0, 0.0), (1, 0), (0, 1), (1, 1)] {
            // The strokes lie outside of the frame, around its corner.
            let left = x == 0 ? rect.x - width : rect.maxX - length
            let top = y == 0 ? rect.y - width : rect.maxY - length
            bars.append(
                Rect(
                    x: left, y: y == 0 ? rect.y - width : rect.maxY, width: length + width,
                    height: width))
            bars.append(
                Rect(
                    x: x == 0 ? rect.x - width : rect.maxX, y: top, width: width,
                    height: length + width))
        }
        let middle = rect.center
        let (across, down) = (
            min(Self.edge, rect.width - 2 * length - 16),
            min(Self.edge, rect.height - 2 * length - 16)
        )
        for y in [rect.y - width, rect.maxY] where across > 8 {
            bars.append(Rect(x: middle.x - across / 2, y: y, width: across, height: width))
        }
        for x in [rect.x - width, rect.maxX] where down > 8 {
            bars.append(Rect(x: x, y: middle.y - down / 2, width: width, height: down))
        }
        let parts = bars.map(bar)
        return parts.compactMap(\.first) + parts.compactMap(\.last)
    }
}
