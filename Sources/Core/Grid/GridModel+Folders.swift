import Commands
package import Geometry
package import Motion

/// The folders before the pictures.
extension GridModel {
    var shelf: FolderShelf {
        FolderShelf(
            count: folderCount, width: surface.width, below: top, isMirrored: isMirrored,
            textScale: textScale)
    }

    /// Sets the number of folders, and the scale of texts, for which the tiles have room.
    package mutating func setFolders(_ count: Int, textScale: Double, at moment: Moment) {
        guard count != folderCount || textScale != self.textScale else { return }
        (folderCount, self.textScale) = (count, textScale)
        if folderFocus.map({ $0 >= count }) == true { folderFocus = nil }
        dropFolder = nil
        rebuildLayout(at: moment)
    }

    /// The folder at a point of the surface; nil where there is none.
    package func folder(at point: Point, _ moment: Moment) -> Int? {
        folderCount == 0 ? nil : shelf.index(at: point + Vector(dx: 0, dy: origin(at: moment).y))
    }

    /// Marks the folder into which files would be put that are dragged over a point of the surface; nil ends that.
    ///
    /// Returns the folder; nil where there is none.
    package mutating func markDropFolder(at point: Point?, _ moment: Moment) -> Int? {
        dropFolder = point.flatMap { folder(at: $0, moment) }
        return dropFolder
    }

    /// The visible folders.
    package func folderTiles(at moment: Moment) -> [GridFrame.Folder] {
        guard folderCount > 0 else { return [] }
        let (shelf, y) = (shelf, origin(at: moment).y)
        return shelf.indices(from: y, to: y + surface.height).map { index in
            var rect = shelf.rect(of: index)
            rect.y -= y
            return GridFrame.Folder(
                index: index, rect: rect, isFocused: marksFocus && folderFocus == index,
                isDropTarget: index == dropFolder)
        }
    }

    /// Moves the focus among the folders, and between folders and pictures; returns whether the command did.
    mutating func moveFolderFocus(_ command: Command, at moment: Moment) -> Bool {
        guard folderCount > 0 else { return false }
        guard let folder = folderFocus else {
            switch command {
            case .up:
                guard let focus, layout.cell(-1, rowsBelow: focus) == focus else { return false }
                setFolderFocus(
                    shelf.last(near: layout.rect(of: focus).center.x), at: moment)
            case .first: setFolderFocus(0, at: moment)
            case .left where focus == 0: setFolderFocus(folderCount - 1, at: moment)
            default:
                guard contents.count == 0 else { return false }
                setFolderFocus(0, at: moment)
            }
            return true
        }
        let next: Int?
        switch command {
        case .left: next = shelf.index(.previous, from: folder)
        case .right where folder == folderCount - 1: next = nil
        case .right: next = shelf.index(.next, from: folder)
        case .up: next = shelf.index(.up, from: folder)
        case .down, .pageDown: next = shelf.index(.down, from: folder)
        case .first, .pageUp: next = 0
        default: next = nil
        }
        guard next == nil, contents.count > 0 else {
            setFolderFocus(next ?? folderCount - 1, at: moment)
            return true
        }
        folderFocus = nil
        focus = command == .last ? contents.count - 1 : 0
        if let focus { reveal(focus, at: moment) }
        return true
    }

    /// Gives a folder the focus, and scrolls it into view.
    package mutating func setFolderFocus(_ index: Int?, at moment: Moment) {
        guard let index, (0..<folderCount).contains(index) else { return }
        (folderFocus, marksFocus) = (index, true)
        if case .held = state { return }
        let rect = shelf.rect(of: index)
        var origin = goal.origin(in: layout)
        let (low, high) = (rect.maxY + top - surface.height, rect.y - top - 12)
        origin.y = index == 0 ? 0 : min(max(origin.y, min(low, high)), max(low, high))
        scroll(to: origin, at: moment)
    }
}
