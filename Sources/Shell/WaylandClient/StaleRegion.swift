package import Geometry

/// What of a buffer's contents is older than the last frame.
package enum StaleRegion: Hashable, Sendable {
    /// Nothing in it can be used.
    case everything
    case rects([PixelRect])

    /// More rectangles than this are not worth their bookkeeping and become one.
    private static let mostRects = 16

    /// Adds what another buffer's frame has changed.
    package mutating func add(_ damage: [PixelRect]) {
        guard case .rects(var rects) = self else { return }
        for rect in damage where !rect.isEmpty {
            if rects.contains(where: { $0.intersection(rect) == rect }) { continue }
            rects.removeAll { $0.intersection(rect) == $0 }
            rects.append(rect)
        }
        self = .rects(rects.count > Self.mostRects ? [rects.boundingBox] : rects)
    }

    /// What is to be repainted of a buffer of that size.
    package func rects(in size: PixelSize) -> [PixelRect] {
        switch self {
        case .everything: [PixelRect(size)]
        case .rects(let rects): rects
        }
    }

    /// Area that is to be repainted, to choose the buffer with the least.
    var area: Int {
        switch self {
        case .everything: .max
        case .rects(let rects): rects.reduce(0) { $0 + $1.width * $1.height }
        }
    }
}

extension [PixelRect] {
    /// The smallest rectangle around all.
    package var boundingBox: PixelRect {
        reduce(PixelRect(x: 0, y: 0, width: 0, height: 0)) { $0.union($1) }
    }
}
