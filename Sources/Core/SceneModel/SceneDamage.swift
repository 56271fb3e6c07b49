package import Geometry

extension Scene {
    /// The rectangles, in device pixels, that differ between `previous` and this scene.
    ///
    /// This is the whole buffer where its size or the backdrop has changed, and without a previous
    /// scene.
    package func damage(since previous: Scene?) -> [PixelRect] {
        let bounds = PixelRect(pixelSize)
        guard let previous, previous.size == size, previous.scale == scale,
            previous.backdrop == backdrop, previous.backdropColor == backdropColor
        else { return [bounds] }
        var rects = changedCorners(since: previous)
        guard previous.items != items else { return rects }
        // An inserted or removed item must not mark the items above it as changed.
        let (start, end) = unchangedEnds(previous)
        let (new, old) = (items[start..<items.count - end], previous.items[start...].dropLast(end))
        for index in start..<max(new.endIndex, old.endIndex) {
            let new = index < new.endIndex ? new[index] : nil
            let old = index < old.endIndex ? old[index] : nil
            guard new != old else { continue }
            for item in [old, new] {
                guard let item else { continue }
                // A layer beside its clip touches no pixel, although its edge may lie inside one.
                if case .layer = item, item.bounds.isEmpty { continue }
                let rect = PixelRect(touching: item.bounds * scale, in: bounds)
                if !rect.isEmpty { rects.append(rect) }
            }
        }
        return PixelRect.merged(rects)
    }

    /// The squares of the corners, in device pixels, if their radius has changed.
    private func changedCorners(since previous: Scene) -> [PixelRect] {
        guard previous.cornerRadius != cornerRadius else { return [] }
        let squares = WindowCorners(size: pixelSize, radius: cornerRadius * scale).squares
        let earlier = WindowCorners(size: pixelSize, radius: previous.cornerRadius * scale).squares
        return PixelRect.merged(squares + earlier)
    }

    /// How many items at the bottom and at the top equal those of `previous`.
    private func unchangedEnds(_ previous: Scene) -> (start: Int, end: Int) {
        let most = min(items.count, previous.items.count)
        var (start, end) = (0, 0)
        while start < most, items[start] == previous.items[start] { start += 1 }
        while start + end < most,
            items[items.count - 1 - end] == previous.items[previous.items.count - 1 - end]
        {
            end += 1
        }
        return (start, end)
    }
}

extension SceneItem {
    /// The area of the surface that the item may cover, in logical pixels.
    package var bounds: Rect {
        switch self {
        case .picture(let picture): picture.bounds
        case .fill(let fill): fill.rect
        case .layer(let layer): layer.bounds
        }
    }
}

extension PixelRect {
    /// Disjoint rectangles that cover `rects`: overlapping ones are joined into their bounding
    /// rectangle.
    package static func merged(_ rects: [PixelRect]) -> [PixelRect] {
        var result: [PixelRect] = []
        for rect in rects where !rect.isEmpty {
            var joined = rect
            while let index = result.firstIndex(where: { !$0.intersection(joined).isEmpty }) {
                joined = joined.union(result.remove(at: index))
            }
            result.append(joined)
        }
        return result
    }
}
