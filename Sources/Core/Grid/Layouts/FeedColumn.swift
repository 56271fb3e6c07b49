import Geometry

/// The cells of the feed, at its resting scale: one column that opens from squares to whole pictures.
///
/// The *openness* is 0 for squares as wide as the column, and 1 for cells with the shapes of their
/// pictures. Every cell is linear in the openness, so that the sums of the open heights alone give
/// every position. Lengths are in logical pixels.
struct FeedColumn: Sendable {
    /// The shape of the column.
    struct Metrics: Hashable, Sendable {
        var width: Double
        /// The largest height of an open cell.
        var maximumHeight: Double
        var spacing: Double
        /// Free space on each side of the column.
        var margin: Double
        var header: Double
    }

    private let metrics: Metrics
    private let index: SectionIndex
    /// Width divided by height of each picture; 0 if unknown.
    private var aspects: [Float]
    /// The heights of the open cells.
    private var heights: PrefixSums

    init(_ contents: GridContents, index: SectionIndex, metrics: Metrics) {
        (self.metrics, self.index, aspects) = (metrics, index, contents.aspects)
        heights = PrefixSums(
            contents.aspects.map { Self.openSize(of: Self.known($0), metrics).height })
    }

    // MARK: Cells

    private static func known(_ aspect: Float) -> Double {
        Double(aspect > 0 ? aspect : GridContents.assumedAspect)
    }

    /// An open cell is as wide as the column, unless it would be too high then.
    private static func openSize(of aspect: Double, _ metrics: Metrics) -> Size {
        let height = min(metrics.width / aspect, metrics.maximumHeight)
        return Size(width: min(height * aspect, metrics.width), height: height)
    }

    /// The aspect ratio of a picture's open cell.
    func aspect(of picture: Int) -> Double {
        aspects.indices.contains(picture) ? Self.known(aspects[picture]) : 1
    }

    /// The length above a picture's cell that does not depend on the shapes of the pictures.
    private func fixedLength(before picture: Int, _ openness: Double) -> Double {
        let headers = index.hasHeaders ? Double(index.section(of: picture) + 1) : 0
        return headers * metrics.header
            + Double(picture) * (metrics.spacing + metrics.width * (1 - openness))
    }

    private func top(of picture: Int, _ openness: Double) -> Double {
        fixedLength(before: picture, openness) + openness * heights.sum(before: picture)
    }

    /// The last cell that begins at or above `y`, or the first one.
    private func picture(at y: Double, _ openness: Double) -> Int {
        heights.number(at: y, weight: openness) { fixedLength(before: $0, openness) }
    }

    func contentSize(_ openness: Double) -> Size {
        let width = metrics.width + 2 * metrics.margin
        guard index.count > 0 else { return Size(width: width, height: 0) }
        let last = rect(of: index.count - 1, openness)
        return Size(width: width, height: last.maxY)
    }

    func rect(of picture: Int, _ openness: Double) -> Rect {
        guard aspects.indices.contains(picture) else {
            return Rect(x: 0, y: 0, width: 0, height: 0)
        }
        let open = Self.openSize(of: Self.known(aspects[picture]), metrics)
        let width = metrics.width + (open.width - metrics.width) * openness
        return Rect(
            x: metrics.margin + (metrics.width - width) / 2, y: top(of: picture, openness),
            width: width, height: metrics.width + (open.height - metrics.width) * openness)
    }

    func nearestCell(to point: Point, _ openness: Double) -> Int? {
        index.count > 0 ? picture(at: point.y, openness) : nil
    }

    func cells(in rect: Rect, _ openness: Double) -> [LaidOutCell] {
        guard index.count > 0, !rect.isEmpty else { return [] }
        var cells: [LaidOutCell] = []
        for picture in picture(at: rect.y, openness)..<index.count {
            let cell = self.rect(of: picture, openness)
            guard cell.y < rect.maxY else { break }
            if cell.intersects(rect) { cells.append(LaidOutCell(index: picture, rect: cell)) }
        }
        return cells
    }

    func headers(in rect: Rect, _ openness: Double) -> [LaidOutHeader] {
        guard index.hasHeaders, index.count > 0 else { return [] }
        var headers: [LaidOutHeader] = []
        let width = metrics.width + 2 * metrics.margin
        for section in index.section(of: picture(at: rect.y, openness))..<index.starts.count {
            let y = top(of: index.starts[section], openness) - metrics.header
            guard y < rect.maxY else { break }
            guard y + metrics.header > rect.y else { continue }
            headers.append(
                LaidOutHeader(
                    section: section,
                    rect: Rect(x: 0, y: y, width: width, height: metrics.header)))
        }
        return headers
    }

    // MARK: Changes

    /// Sets a picture's aspect ratio; returns whether its open cell has another size now.
    mutating func setAspect(_ aspect: Float, of picture: Int) -> Bool {
        guard aspects.indices.contains(picture), aspects[picture] != aspect else { return false }
        let old = Self.openSize(of: Self.known(aspects[picture]), metrics)
        let new = Self.openSize(of: Self.known(aspect), metrics)
        aspects[picture] = aspect
        heights.add(new.height - old.height, to: picture)
        return old != new
    }
}
