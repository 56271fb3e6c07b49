import Geometry

/// What the own decorations of a window look like in a state.
extension WindowState {
    /// In logical pixels.
    private static let floatingCornerRadius = 12.0

    /// Whether the window floats: neither fullscreen nor maximised nor tiled.
    package var isFloating: Bool { !isFullscreen && !isMaximized && tiledEdges.isEmpty }

    /// The radius of the corners of the window, in logical pixels; 0 for square corners.
    package var cornerRadius: Double {
        guard drawsOwnDecorations, isFloating else { return 0 }
        return min(Self.floatingCornerRadius, size.width / 2, size.height / 2)
    }

    /// Whether the window has a shadow, which it draws itself.
    var hasShadow: Bool { drawsOwnDecorations && isFloating }

    /// The edges whose borders resize the window.
    var resizableEdges: Edges {
        guard drawsOwnDecorations, !isFullscreen, !isMaximized else { return [] }
        return Edges.all.subtracting(tiledEdges).subtracting(constrainedEdges)
    }
}

extension WindowState.Edges {
    package static let all: WindowState.Edges = [.left, .right, .top, .bottom]
}
