package import Geometry

extension Scene {
    /// The scene as a surface shows it that is a part of this one, with its own scale.
    package func part(_ rect: Rect, scale: Double) -> Scene {
        let translation = Vector(dx: -rect.x, dy: -rect.y)
        var part = self
        part.size = Size(width: rect.width, height: rect.height)
        part.scale = scale
        part.items = items.filter { !$0.bounds.intersection(rect).isEmpty }.map {
            $0.translated(by: translation)
        }
        return part
    }
}

extension SceneItem {
    /// The item at another place.
    package func translated(by translation: Vector) -> SceneItem {
        switch self {
        case .picture(var item):
            item.placement.center = item.placement.center + translation
            item.clip = item.clip.map { $0 + translation }
            return .picture(item)
        case .fill(var item):
            item.rect = item.rect + translation
            return .fill(item)
        case .layer(var item):
            item.rect = item.rect + translation
            item.clip = item.clip.map { $0 + translation }
            return .layer(item)
        }
    }
}
