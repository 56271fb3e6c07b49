package import Geometry
import Gestures
import Input
package import Motion

/// Taps and the selection.
extension GridModel {
    /// Opens a picture; with a selection, Ctrl or Shift, changes the selection instead.
    mutating func tap(
        at point: Point, modifiers: KeyEvent.Modifiers, _ moment: Moment
    ) {
        // A tap that stops a motion does not also open or select.
        guard caught?.wasMoving != true, !isOnHandle(point, moment) else { return }
        if let folder = folder(at: point, moment) {
            if !isSelecting, selection.isEmpty { request = .enter(folder: folder) }
            return
        }
        guard let index = projection(at: moment).target(at: point), index != hidden else { return }
        folderFocus = nil
        if modifiers.contains(.shift) {
            extendSelection(to: index)
            focus = index
        } else if modifiers.contains(.control) || !selection.isEmpty || isSelecting {
            toggle(index)
            focus = index
        } else {
            request = .open(index: index)
        }
    }

    /// Adds the picture under a long press to the selection, or removes it.
    mutating func select(at point: Point, _ moment: Moment) {
        guard caught?.wasMoving != true, folder(at: point, moment) == nil,
            let index = projection(at: moment).target(at: point)
        else { return }
        toggle(index)
    }

    /// Makes commands mean the picture at a point, or the selection if the picture belongs to it; returns
    /// false where there is no picture.
    package mutating func aim(
        at point: Point, _ moment: Moment
    ) -> Bool {
        guard peek == nil, folder(at: point, moment) == nil,
            let index = projection(at: moment).target(at: point), index != hidden
        else { return false }
        if !selection.contains(index) { select([]) }
        setMarkedFocus(index)
        return true
    }

    /// Selects or deselects a picture; ignores an invalid index.
    package mutating func setSelected(
        _ isSelected: Bool, _ index: Int
    ) {
        guard (0..<contents.count).contains(index), selection.contains(index) != isSelected else {
            return
        }
        toggle(index)
    }

    mutating func toggle(_ index: Int) {
        selectionStart = index
        select(selection.symmetricDifference([index]))
    }

    /// Adds all pictures between the start of the selection and `index`.
    mutating func extendSelection(to index: Int) {
        let start = selectionStart ?? focus ?? index
        selectionStart = start
        select(selection.union(min(start, index)...max(start, index)))
    }

    /// Begins or ends the mode in which taps select pictures; the end clears the selection.
    package mutating func setSelecting(_ isSelecting: Bool) {
        guard allowsSelection || !isSelecting else { return }
        self.isSelecting = isSelecting
        if !isSelecting { select([]) }
    }

    mutating func select(_ indexes: Set<Int>) {
        guard indexes != selection, allowsSelection || indexes.isEmpty else { return }
        selection = indexes
        if indexes.isEmpty { selectionStart = nil }
    }
}
