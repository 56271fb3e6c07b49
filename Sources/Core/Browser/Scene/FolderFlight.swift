import Geometry
import Motion
import SceneModel

/// The flight of a folder between its tile and the surface, when the folder is entered or left.
///
/// A folder that is entered opens: its pictures grow out of the cover. A folder that is left closes: its cover shrinks
/// from the surface into the tile, over the pictures of the folder above.
struct FolderFlight: Hashable, Sendable {
    enum Way: Hashable, Sendable {
        /// From this rectangle of the surface, in logical pixels.
        case opening(from: Rect)
        /// Into the tile of this folder.
        case closing(into: Int)
    }

    let way: Way
    /// How much of the surface the folder covers: 0 is its tile, 1 is the surface.
    private let share: ScalarMotion

    init(_ way: Way, at moment: Moment) {
        self.way = way
        let (start, end) =
            switch way {
            case .opening: (0.0, 1.0)
            case .closing: (1.0, 0.0)
            }
        share = .spring(
            Spring(from: start, to: end, at: moment, frequency: Spring.zoomFrequency))
    }

    func isOver(at moment: Moment) -> Bool { share.isAtRest(at: moment, tolerance: .opacity) }

    /// Below this share the texts of cells are not shown: they keep their sizes, and would overlap.
    private static let textStart = 0.6

    /// The items of the grid of an opened folder, which grow out of a rectangle of the surface.
    func opened(_ items: [SceneItem], from rect: Rect, on surface: Rect, at moment: Moment)
        -> [SceneItem]
    {
        let share = min(max(share.value(at: moment), 0), 1)
        let window = rect.interpolated(to: surface, share: share)
        let zoom = max(window.width / surface.width, window.height / surface.height)
        guard zoom > 0 else { return [] }
        let texts = max(share - Self.textStart, 0) / (1 - Self.textStart)
        return items.map {
            $0.shown(in: window, zoom: zoom, about: surface.center, texts: texts)
        }
    }

    /// The rectangle and the opacity of the cover of a folder that closes into its tile.
    func closing(into cover: Rect, on surface: Rect, at moment: Moment)
        -> (rect: Rect, opacity: Double)
    {
        let share = min(max(share.value(at: moment), 0), 1)
        return (cover.interpolated(to: surface, share: share), 1 - share)
    }
}

extension SceneItem {
    /// The item where `middle` is at the middle of a window and lengths are multiplied by `zoom`, cut by the
    /// window; layers keep their size, and have the opacity `texts`.
    fileprivate func shown(
        in window: Rect, zoom: Double, about middle: Point, texts: Double
    ) -> SceneItem {
        func moved(_ rect: Rect) -> Rect {
            Rect(
                center: window.center + (rect.center - middle) * zoom,
                size: Size(width: rect.width * zoom, height: rect.height * zoom))
        }
        switch self {
        case .fill(var fill):
            fill.rect = moved(fill.rect).intersection(window)
            return .fill(fill)
        case .picture(var picture):
            picture.placement.center = window.center + (picture.placement.center - middle) * zoom
            picture.placement.zoom *= zoom
            picture.clip = picture.clip.map { moved($0).intersection(window) } ?? window
            return .picture(picture)
        case .layer(var layer):
            let center = moved(layer.rect).center
            layer.rect = Rect(center: center, size: layer.rect.size)
            layer.clip = layer.clip.map { moved($0).intersection(window) } ?? window
            layer.opacity *= texts
            return .layer(layer)
        }
    }
}
