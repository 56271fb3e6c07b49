package import Geometry
package import Motion
package import SceneModel
package import Viewer
package import Grid

/// What the painter needs to know of a cell's picture, from whoever has thumbnails.
package struct CellContent: Sendable {
    /// The thumbnail, with its size in pixels; none while there is none.
    package var thumbnail: (source: PictureItem.Source, size: PixelSize)?
    /// The mean colour, shown until there is a thumbnail.
    package var color: FillItem.Color?
    /// Whether the thumbnail shows only a part of the picture, the rest of which is missing.
    package var isDamaged: Bool
    /// Why there will be none, and the picture's name.
    package var failure: String?

    package init(
        thumbnail: (source: PictureItem.Source, size: PixelSize)? = nil,
        color: FillItem.Color? = nil, isDamaged: Bool = false, failure: String? = nil
    ) {
        self.isDamaged = isDamaged
        self.thumbnail = thumbnail
        self.color = color
        self.failure = failure
    }
}

/// What one frame of the browser shows, and what the trace says of it.
package struct BrowserFrame: Sendable {
    package var mode: BrowserModel.Mode
    package var scene: Scene
    package var viewer: ViewerFrame
    /// Set while any of the grid can be seen.
    package var grid: GridFrame?
    /// Of an animation, which frame is shown, counted from 0.
    package var animationFrame: Int?

    /// Whether fingers hold what it shows.
    package var isHeld: Bool {
        mode == .grid ? grid?.phase == .touching : viewer.phase == .touching
    }

    package var isAnimating: Bool {
        mode == .grid ? grid?.phase == .animating : viewer.phase == .animating
    }
}

extension BrowserModel {
    /// What the surface shows at `moment`; `content` tells of a cell's picture by its index, and
    /// `name` is a picture's.
    package mutating func frame(
        at moment: Moment, content: @escaping (Int) -> CellContent,
        name: @escaping (Int) -> String
    ) -> BrowserFrame {
        let viewed = viewer.frame(
            at: moment, title: viewer.count > 0 ? name(viewer.index) : "")
        guard showsGrid(at: moment) else {
            return BrowserFrame(mode: mode, scene: viewed.scene, viewer: viewed, grid: nil)
        }
        let gridFrame = grid.frame(at: moment)
        var scene = viewed.scene
        let landing = landing.flatMap { landing in
            grid.cellRect(of: landing.index, at: moment).map {
                (item: landing.item(in: $0, at: moment), shade: landing.backdrop(at: moment))
            }
        }
        let shade = mode == .viewer ? scene.backdrop : landing?.shade ?? 0
        let gridScene = GridScene(
            frame: gridFrame, shade: shade, isEmpty: grid.contents.count == 0, content: content,
            name: name)
        var items: [SceneItem] = gridScene.items
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
        return BrowserFrame(mode: mode, scene: scene, viewer: viewed, grid: gridFrame)
    }
}
