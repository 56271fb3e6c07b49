package import Geometry

extension Scene {
    /// The device pixels that differ between `previous` and this scene; all of them when the
    /// buffer changes its size, the backdrop its opacity, or there is no previous one.
    package func damage(since previous: Scene?) -> [PixelRect] {
        let bounds = PixelRect(pixelSize)
        guard let previous, previous.size == size, previous.scale == scale,
            previous.backdrop == backdrop
        else { return [bounds] }
        guard previous.items != items else { return [] }
        var rects: [PixelRect] = []
        // An item that comes or goes must not make those above it look new.
        let (start, end) = unchangedEnds(previous)
        let (new, old) = (items[start..<items.count - end], previous.items[start...].dropLast(end))
        for index in start..<max(new.endIndex, old.endIndex) {
            let new = index < new.endIndex ? new[index] : nil
            let old = index < old.endIndex ? old[index] : nil
            guard new != old else { continue }
            for item in [old, new] {
                guard let item else { continue }
                let rect = PixelRect(touching: item.bounds * scale, in: bounds)
                if !rect.isEmpty { rects.append(rect) }
            }
        }
        return PixelRect.merged(rects)
    }

    /// How many items at the bottom and at the top are those of `previous`.
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
    /// The part of the surface that the item may touch, in logical pixels.
    package var bounds: Rect {
        switch self {
        case .picture(let picture): picture.bounds
        case .fill(let fill): fill.rect
        case .panel(let panel): panel.bounds
        }
    }
}

extension PixelRect {
    /// The same area as disjoint rectangles: what overlaps is joined into the rectangle around it.
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
