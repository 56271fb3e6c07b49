package import Geometry
package import Gestures
import Interface
package import Motion

/// Pictures that are dragged to other programs.
extension GridModel {
    /// When a mouse that is pressed at a point drags pictures out: at once for selected pictures.
    package func mouseDragOut(at point: Point?, _ moment: Moment) -> DragOut {
        guard allowsDragOut, let point, let index = draggable(at: point, moment) else {
            return .never
        }
        return selection.contains(index) ? .always : .afterRest
    }

    /// Drags the selection out if the picture at the point belongs to it, else that picture.
    ///
    /// The long press before a drag by touch has selected the picture; if it was selected before, the
    /// long press has taken it out, and it returns.
    mutating func dragOut(
        at point: Point, _ source: Manipulation.Source, _ moment: Moment,
        effects: inout [ViewerEffect]
    ) {
        guard allowsDragOut, let index = draggable(at: point, moment) else { return }
        if source != .mouse { select(selection.union([index])) }
        let indexes = selection.contains(index) ? selection.sorted() : [index]
        effects.append(.dragOut(indexes: indexes, from: point))
    }

    private func draggable(at point: Point, _ moment: Moment) -> Int? {
        guard !isMoving(at: moment), !isOnHandle(point, moment) else { return nil }
        return projection(at: moment).target(at: point).flatMap { $0 == hidden ? nil : $0 }
    }
}
