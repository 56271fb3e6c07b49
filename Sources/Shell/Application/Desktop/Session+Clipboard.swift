import Browser
import Commands
import Folders
import Geometry
import ImageService
import Interface
import Localization
import Motion
import SceneModel
import SystemCalls
import Viewer
import WaylandClient

/// Copying, pasting, and dragging to and from other programs.
extension Session {
    /// Uses the clipboard of a window; nil where there is none, and in a kiosk.
    func use(_ clipboard: Clipboard?) {
        self.clipboard = clipboard
        clipboard?.onMessage = { [unowned self] in notify($0) }
        clipboard?.onDrop = { [unowned self] in receive($0) }
        clipboard?.wantsOwnDrop = { [unowned self] in markDropFolder(at: $0) }
        setDropHighlight(false)
    }

    /// Allows drags to other programs where there is a way, with a browser that is new, too.
    func allowDragOut() {
        let allows = clipboard?.isAvailable == true && browser.policy.allows(.copy)
        if browser.allowsDragOut != allows { browser.allowsDragOut = allows }
    }

    // MARK: Out

    /// Copies the selection, or the picture.
    func copy(at moment: Moment) {
        let paths = copyable(targets)
        guard !paths.isEmpty else {
            return notify(localized("only pictures in files can be copied"))
        }
        guard let clipboard, clipboard.copy(paths) else {
            return notify(localized("there is no clipboard to copy to"))
        }
        browser.show(
            Toast(
                paths.count == 1
                    ? localized("Picture copied")
                    : localized(
                        "\(paths.count) picture copied", many: "\(paths.count) pictures copied",
                        count: paths.count)),
            at: moment)
    }

    /// Drags pictures to another program.
    func dragOut(_ indexes: [Int], from point: Point) {
        let indexes = indexes.filter { $0 < album.count }
        let paths = copyable(indexes.map { album.id($0) })
        guard let clipboard, let first = indexes.first, !paths.isEmpty else { return }
        _ = clipboard.beginDrag(paths, icon: dragIcon(first))
    }

    /// The paths of pictures; those from standard input and the clipboard have none.
    private func copyable(_ ids: [Int]) -> [FilePath] {
        ids.compactMap { id in
            guard let entry = album.entry(id), entry.descriptor == nil else { return nil }
            return album.path(id)
        }
    }

    private func dragIcon(_ index: Int) -> DragIcon? {
        let scale = browser.viewer.viewport.scale
        let provider = pictures.provider
        if let source = provider.source(of: album.id(index)), let bitmap = provider.bitmap(source) {
            return DragIcon(bitmap, scale: scale)
        }
        let cells = pictures.cells
        guard let source = cells.preview(index), let bitmap = cells.bitmap(source) else {
            return nil
        }
        return DragIcon(bitmap, scale: scale)
    }

    // MARK: In

    /// Pastes into the folder of the grid, or opens what is pasted.
    func paste(at moment: Moment) {
        guard let clipboard else { return notify(localized("there is no clipboard to paste from")) }
        paste(.clipboard, from: clipboard)
    }

    /// Pastes what is selected in another program, as the middle button does.
    func pastePrimary() {
        guard let clipboard, browser.policy.allows(.paste), !browser.isModal else { return }
        paste(.primary, from: clipboard)
    }

    private func paste(_ selection: Selection, from clipboard: Clipboard) {
        clipboard.paste(selection) { [weak self] content in
            guard let self else { return }
            receive(content, imports: browser.mode == .grid && album.hasFolder)
        }
    }

    private func receive(_ drop: Clipboard.Drop) {
        switch drop {
        case .entered(let point), .moved(let point):
            if browser.policy.allows(.paste) { setDropHighlight(!markDropFolder(at: point)) }
        case .left: endDrop()
        case .dropped(let content, let point, let copies):
            let folder = browser.markDropFolder(at: point, now())
            endDrop()
            if let folder, album.subfolders.indices.contains(folder) {
                put(content, into: album.subfolders[folder].path)
            } else {
                receive(content, imports: copies)
            }
        }
    }

    /// Marks the folder into which files would be put at a point; returns whether there is one.
    private func markDropFolder(at point: Point) -> Bool {
        guard album.subfolders.count > 0, browser.policy.allows(.paste) else { return false }
        window?.invalidate()
        return browser.markDropFolder(at: point, now()) != nil
    }

    private func endDrop() {
        _ = browser.markDropFolder(at: nil, now())
        setDropHighlight(false)
        window?.invalidate()
    }

    /// Puts files into a subfolder: pictures of the album are moved, other files are copied.
    private func put(_ content: Clipboard.Content, into folder: FilePath) {
        guard browser.policy.allows(.paste) else { return }
        switch content {
        case .files(let paths, _):
            let areListed = paths.allSatisfy { album.id(of: $0) != nil }
            send(paths.map(\.absolute), to: folder.folderPrefix, isMove: areListed)
        case .image(let descriptor, let type): importImage(descriptor, type, into: folder)
        }
    }

    /// Opens files or a picture, or with `imports` hands them over to be put into the folder.
    private func receive(_ content: Clipboard.Content, imports: Bool) {
        guard browser.policy.allows(.paste) else { return }
        switch content {
        case .files(let paths, let isCut):
            if imports { return importFiles(paths, isCut: isCut) }
            open(paths, in: paths.count == 1 ? .viewer : nil)
        case .image(let descriptor, let type):
            if imports { return importImage(descriptor, type) }
            open(pasted: descriptor)
        }
        window?.invalidate()
    }

    private func setDropHighlight(_ isShown: Bool) {
        guard let clipboard, clipboard.showsDropHighlight != isShown else { return }
        clipboard.showsDropHighlight = isShown
        window?.invalidate()
    }

    /// Outlines the surface while something is dragged over it that can be dropped.
    func addDropHighlight(to scene: inout Scene) {
        guard clipboard?.showsDropHighlight == true else { return }
        let width = 4.0
        let surface = Rect(
            x: width, y: width, width: max(scene.size.width - 2 * width, 0),
            height: max(scene.size.height - 2 * width, 0))
        let whole = Rect(origin: .zero, size: surface.size)
        let color = browser.layout.theme.focus
        scene.items.append(
            .layer(
                LayerItem(
                    rect: surface,
                    elements: [
                        .box(
                            .init(
                                whole, color.faded(0.12), cornerRadius: 16, border: color,
                                borderWidth: width))
                    ])))
    }
}
