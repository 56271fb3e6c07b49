import Geometry
import SceneModel

/// The margins of a picture, as items of a scene.
struct MarginItems {
    let margins: SlideMargins
    let surface: Size

    /// How far the margins reach under the edge of the picture, in logical pixels, so that a pixel that
    /// the picture covers partly is mixed with them.
    private static let overlap = 1.0
    /// How much larger the blurred picture is than the surface, so that its soft edges are outside.
    private static let enlargement = 1.08

    /// The items below a picture at rest or in motion: beside its rectangle, or everywhere below a
    /// picture that is turned.
    func items(below picture: Page.Picture, at placement: Placement, opacity: Double)
        -> [SceneItem]
    {
        // The backdrop is black.
        guard margins != .black else { return [] }
        let turns = placement.rotation / (.pi / 2)
        let isUpright = abs(turns - turns.rounded()) < 1e-9
        let cover = isUpright ? placement.boundingRect(of: picture.size) : Self.nothing
        guard !CrossFade.margins(of: cover, on: surface).isEmpty else { return [] }
        return items(
            of: picture, turned: placement.rotation, beside: cover.inset(by: Self.overlap),
            opacity: opacity)
    }

    /// The margins around the rectangle `cover`, painted with an opacity over the items below them.
    func items(
        of picture: Page.Picture, turned rotation: Double, beside cover: Rect, opacity: Double
    ) -> [SceneItem] {
        guard opacity > 0 else { return [] }
        let parts = CrossFade.margins(of: cover, on: surface)
        switch margins {
        case .color(let color):
            return parts.map { .fill(FillItem(rect: $0, color: color.faded(opacity))) }
        case .blurred:
            let item = blurred(picture, turned: rotation, opacity: opacity)
            return parts.map { part in
                var item = item
                item.clip = part
                return .picture(item)
            }
        }
    }

    private func blurred(
        _ picture: Page.Picture, turned rotation: Double, opacity: Double
    ) -> PictureItem {
        let rotation = ViewGeometry.quarterTurn(rotation)
        let quarters = Int(clamping: (rotation / (.pi / 2)).rounded())
        let size = quarters.isMultiple(of: 2) ? picture.size : picture.size.transposed
        let zoom = max(
            surface.width / Double(max(size.width, 1)),
            surface.height / Double(max(size.height, 1)))
        let source = picture.source
        return PictureItem(
            source: .init(
                .blurred, picture: source.picture,
                revision: source.kind == .picture ? source.revision : 0),
            size: picture.size,
            placement: Placement(
                center: Point(x: surface.width / 2, y: surface.height / 2),
                zoom: zoom * Self.enlargement, rotation: rotation),
            opacity: opacity)
    }

    private static let nothing = Rect(x: 0, y: 0, width: 0, height: 0)
}
