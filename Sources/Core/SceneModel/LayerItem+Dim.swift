/// Layers that lie below a sheet.
extension LayerItem {
    /// The layer as black of the opacity `share`, 0…1, over the layer makes it.
    package func dimmed(by share: Double) -> LayerItem {
        LayerItem(
            rect: rect, elements: elements.map { $0.dimmed(by: share) }, opacity: opacity,
            clip: clip)
    }
}

extension LayerItem.Element {
    fileprivate func dimmed(by share: Double) -> LayerItem.Element {
        switch self {
        case .box(var box):
            box.color = box.color.dimmed(by: share)
            box.border = box.border?.dimmed(by: share)
            return .box(box)
        case .text(var label):
            label.color = label.color.dimmed(by: share)
            return .text(label)
        case .paths(var drawing):
            drawing.color = drawing.color.dimmed(by: share)
            return .paths(drawing)
        case .group(let clip, let elements):
            return .group(clip: clip, elements.map { $0.dimmed(by: share) })
        }
    }
}

extension Color {
    fileprivate func dimmed(by share: Double) -> Color {
        Color(
            red: red * (1 - share), green: green * (1 - share), blue: blue * (1 - share),
            alpha: alpha)
    }
}
