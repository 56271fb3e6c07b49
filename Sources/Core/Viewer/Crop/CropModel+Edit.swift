import CMath
package import Edits
import Geometry

/// The result of a crop.
extension CropModel {
    /// The turn and the part that the frame shows at rest: in whole pixels, and inside of the picture.
    package var edit: PictureEdit { edit(of: target) }

    func edit(of view: CropView) -> PictureEdit {
        let rect = wholeRect(of: view)
        if view.angle == 0, rect == Rect(origin: .zero, size: turnedSize.size) {
            return PictureEdit(turn: turn)
        }
        return PictureEdit(
            turn: turn, crop: .init(angle: view.angle * 180 / .pi, rect: rect))
    }

    /// The largest rectangle of whole pixels near what a view shows that lies inside the rotated
    /// picture, in the frame of the turned picture before its rotation.
    private func wholeRect(of view: CropView) -> Rect {
        let size = turnedSize.size
        let center = view.center.rotated(by: view.angle)
        let middle = Point(x: size.width / 2 + center.dx, y: size.height / 2 + center.dy)
        var best = Rect(
            center: Point(x: size.width / 2, y: size.height / 2), size: Size(width: 1, height: 1))
        let fitting = Int(clamping: max(view.width, view.height).rounded(.up))
        for less in 0...max(fitting, 1) {
            let sides = wholeSides(of: view, less: Double(less))
            let near = Point(
                x: (middle.x - sides.width / 2).rounded(),
                y: (middle.y - sides.height / 2).rounded())
            let found = Self.steps.lazy.map { step in
                Rect(origin: near + step, size: sides)
            }.first { isInside($0, view.angle) }
            if let found {
                best = found
                break
            }
        }
        return best
    }

    /// The sides of a view in whole pixels, the longer one made shorter by `less`; with fixed proportions
    /// the shorter side follows.
    private func wholeSides(of view: CropView, less: Double) -> Size {
        let (width, height) = (view.width, view.height)
        guard let proportions = fixedProportions else {
            return Size(
                width: max(width.rounded() - less, 1), height: max(height.rounded() - less, 1))
        }
        if proportions >= 1 {
            let long = max(width.rounded() - less, 1)
            return Size(width: long, height: max((long / proportions).rounded(), 1))
        }
        let long = max(height.rounded() - less, 1)
        return Size(width: max((long * proportions).rounded(), 1), height: long)
    }

    /// Where a rectangle may be instead, in pixels, the nearest place first.
    private static let steps: [Vector] = [
        Vector(dx: 0, dy: 0), Vector(dx: -1, dy: 0), Vector(dx: 1, dy: 0), Vector(dx: 0, dy: -1),
        Vector(dx: 0, dy: 1), Vector(dx: -1, dy: -1), Vector(dx: 1, dy: -1),
        Vector(dx: -1, dy: 1), Vector(dx: 1, dy: 1),
    ]

    /// Whether a rectangle lies inside the picture that is rotated by `angle`, in radians.
    private func isInside(_ rect: Rect, _ angle: Double) -> Bool {
        let size = turnedSize.size
        let arm =
            Point(x: rect.center.x, y: rect.center.y)
            - Point(x: size.width / 2, y: size.height / 2)
        let center = arm.rotated(by: -angle)
        let (sine, cosine) = (abs(sin(angle)), abs(cos(angle)))
        let across = (rect.width * cosine + rect.height * sine) / 2
        let down = (rect.width * sine + rect.height * cosine) / 2
        return abs(center.dx) + across <= size.width / 2 + Self.rounding
            && abs(center.dy) + down <= size.height / 2 + Self.rounding
    }

    /// What a rounding error may move a corner, in pixels.
    private static let rounding = 1e-7
}
