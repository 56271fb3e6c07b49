package import Geometry

/// The region of a buffer whose contents are older than the last frame.
package enum StaleRegion: Hashable, Sendable {
    /// The whole buffer.
    case everything
    case rects([PixelRect])

    /// More rectangles than this are replaced by their bounding box.
    private static let mostRects = 16

    /// Adds the damage of a frame in another buffer.
    package mutating func add(_ damage: [PixelRect]) {
        guard case .rects(var rects) = self else { return }
        for rect in damage where !rect.isEmpty {
            if rects.contains(where: { $0.intersection(rect) == rect }) { continue }
            rects.removeAll { $0.intersection(rect) == $0 }
            rects.append(rect)
        }
        self = .rects(rects.count > Self.mostRects ? [rects.boundingBox] : rects)
    }

    /// The rectangles to repaint in a buffer of `size`.
    package func rects(in size: PixelSize) -> [PixelRect] {
        switch self {
        case .everything: [PixelRect(size)]
        case .rects(let rects): rects
        }
    }

    /// The area to repaint, in pixels, for choosing the buffer with the smallest one.
    var area: Int {
        switch self {
        case .everything: .max
        case .rects(let rects): rects.reduce(0) { $0 + $1.width * $1.height }
        }
    }
}

extension [PixelRect] {
    /// The bounding box of all rectangles.
    package var boundingBox: PixelRect {
        reduce(PixelRect(x: 0, y: 0, width: 0, height: 0)) { $0.union($1) }
    }
}
