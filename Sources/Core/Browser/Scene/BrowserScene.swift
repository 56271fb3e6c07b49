package import Geometry
import Interface
package import Motion
package import SceneModel
package import Viewer
package import Grid

/// The content of a cell of the grid, supplied by the owner of the thumbnails.
package struct CellContent: Sendable {
    /// The thumbnail, with its size in pixels; nil while it is not available.
    package var thumbnail: (source: PictureItem.Source, size: PixelSize)?
    /// The mean colour of the picture, shown until the thumbnail is available.
    package var color: Color?
    /// Whether the picture is incomplete, so that the thumbnail shows only a part of it.
    package var isDamaged: Bool
    /// Why there is no thumbnail; nil where there was no error.
    package var failure: String?
    /// The short name of a format whose pictures usually move; nil for others.
    package var badge: String?

    package init(
        thumbnail: (source: PictureItem.Source, size: PixelSize)? = nil,
        color: Color? = nil, isDamaged: Bool = false, failure: String? = nil
    ) {
        self.isDamaged = isDamaged
        self.thumbnail = thumbnail
        self.color = color
        self.failure = failure
    }
}

/// The scene of one frame of the browser, and the values that the trace reports about the frame.
package struct BrowserFrame: Sendable {
    package var mode: BrowserModel.Mode
    package var scene: Scene
    package var viewer: ViewerFrame
    /// The frame of the grid; nil while the grid is not visible.
    package var grid: GridFrame?
    /// The text of the message that is shown for a limited time; nil while none is shown.
    package var toast: String?
    /// Whether a menu or the help is open, over the picture or over the grid.
    package var showsMenu: Bool
    package var showsHelp: Bool
    /// Whether the settings page is open.
    package var showsSettings: Bool
    /// The identifier of the widget with the focus; nil without one.
    package var focus: String?
    /// The number of the displayed frame of an animation, from 0; nil for a still picture.
    package var animationFrame: Int?

    /// Whether fingers hold the content.
    package var isHeld: Bool {
        mode == .grid ? grid?.phase == .touching : viewer.phase == .touching
    }

    package var isAnimating: Bool {
        mode == .grid ? grid?.phase == .animating : viewer.phase == .animating
    }
}

extension BrowserModel {
    /// Reports that the caller has used a frame: the next one does not report the same dismissal
    /// again.
    package mutating func acknowledgeFrame() { viewer.acknowledgeFrame() }

    /// The frame at `moment`; `content` gives the content of a cell, `name` the name of a picture, and
    /// `folder` the content of a tile, all by index.
    ///
    /// The caller reports a frame that was used with `acknowledgeFrame`.
    package func frame(
        at moment: Moment, content: @escaping (Int) -> CellContent,
        name: @escaping (Int) -> String,
        folder: @escaping (Int) -> FolderContent = { _ in FolderContent() }
    ) -> BrowserFrame {
        var viewerFrame = viewer.frame(
            at: moment, title: viewer.count > 0 ? name(viewer.index) : "")
        viewerFrame.scene.items.insert(
            contentsOf: filmstrip(viewerFrame.filmstrip, content),
            at: viewerFrame.filmstripPlace)
        guard showsGrid(at: moment) else {
            return frame(viewerFrame.scene, viewerFrame, nil, at: moment)
        }
        let gridFrame = grid.frame(at: moment)
        var scene = viewerFrame.scene
        let landing = landing.flatMap { landing in
            grid.pictureRect(of: landing.index, at: moment).map {
                (item: landing.item(in: $0, at: moment), shade: landing.backdrop(at: moment))
            }
        }
        let shade = mode == .viewer ? scene.backdrop : landing?.shade ?? 0
        let gridScene = GridScene(
            frame: gridFrame, shade: shade, content: content,
            name: name, folder: folder, layout: chrome.layout)
        var items: [SceneItem] =
            flying(gridScene, at: moment)
            + gridChromeItems(at: moment, shade: max(shade, gridFrame.lifted?.dim ?? 0))
        let surface = Rect(x: 0, y: 0, width: scene.size.width, height: scene.size.height)
        if let landing {
            items.append(SceneItem.fill(FillItem(rect: surface, color: .black(landing.shade))))
            items.append(.picture(landing.item))
        }
        if mode == .viewer {
            items.append(SceneItem.fill(FillItem(rect: surface, color: .black(shade))))
            items += scene.items
        }
        scene.items = items
        scene.backdrop = 1
        scene.backdropColor = chrome.layout.theme.page
        return frame(scene, viewerFrame, gridFrame, at: moment)
    }

    /// The items of the grid while a folder opens or closes.
    private func flying(_ scene: GridScene, at moment: Moment) -> [SceneItem] {
        let surface = Rect(origin: .zero, size: grid.surface)
        switch folderFlight?.way {
        case nil: return scene.items
        case .opening(let rect):
            return folderFlight?.opened(scene.items, from: rect, on: surface, at: moment) ?? []
        case .closing(let folder):
            guard let tile = scene.frame.folders.first(where: { $0.index == folder }),
                let closing = folderFlight?.closing(
                    into: tile.cover(textScale: chrome.layout.theme.textScale), on: surface,
                    at: moment)
            else { return scene.items }
            // Texts are painted above all pictures.
            let below = scene.items.filter {
                guard case .layer(let layer) = $0 else { return true }
                return layer.bounds.intersection(closing.rect).isEmpty
            }
            return below + scene.closing(tile, in: closing.rect, opacity: closing.opacity)
        }
    }

    private func frame(
        _ scene: Scene, _ viewerFrame: ViewerFrame, _ gridFrame: GridFrame?, at moment: Moment
    ) -> BrowserFrame {
        var dimmed = scene
        dimmed.items = chrome.dimmed(scene.items, at: moment)
        return BrowserFrame(
            mode: mode, scene: dimmed, viewer: viewerFrame, grid: gridFrame,
            toast: chrome.messageText,
            showsMenu: chrome.showsMenu, showsHelp: chrome.showsHelp,
            showsSettings: showsSettings, focus: chrome.focusedWidget)
    }

    /// The thumbnails of the filmstrip, cut to squares.
    private func filmstrip(
        _ strip: FilmstripFrame, _ content: (Int) -> CellContent
    ) -> [SceneItem] {
        guard let clip = strip.clip, strip.opacity > 0 else { return [] }
        return strip.cells.flatMap { cell -> [SceneItem] in
            let content = content(cell.index)
            let rect = cell.rect.intersection(clip)
            guard let thumbnail = content.thumbnail else {
                let color = content.color ?? chrome.layout.theme.blank
                let fill = SceneItem.fill(FillItem(rect: rect, color: color.faded(strip.opacity)))
                return content.failure == nil
                    ? [fill] : [fill, tornPicture(cell.rect, strip)]
            }
            let short = Double(min(thumbnail.size.width, thumbnail.size.height))
            let picture = SceneItem.picture(
                PictureItem(
                    source: thumbnail.source, size: thumbnail.size,
                    placement: Placement(
                        center: cell.rect.center, zoom: cell.rect.width / max(short, 1)),
                    opacity: strip.opacity, clip: rect,
                    crop: Size(width: short, height: short)))
            return content.isDamaged
                ? [picture, tornPicture(cell.rect, strip)] : [picture]
        }
    }

    /// The mark of a picture that cannot be decoded, or only in part, on a ground that shows on every
    /// picture.
    private func tornPicture(_ cell: Rect, _ strip: FilmstripFrame) -> SceneItem {
        let side = cell.width * Self.markShare
        let whole = Rect(x: 0, y: 0, width: side, height: side)
        let theme = chrome.layout.theme
        return .layer(
            LayerItem(
                rect: Rect(center: cell.center, size: whole.size),
                elements: [
                    .box(.init(whole, theme.ground, cornerRadius: side / 2)),
                    GridScene.icon(whole.inset(by: side / 5), theme.text),
                ], opacity: strip.opacity, clip: strip.clip))
    }

    /// The side of that mark, as a part of the cell.
    private static let markShare = 0.6
}
