package import Geometry

/// A run of neighbouring pictures under one header: a folder, a month.
package struct GridSection: Hashable, Sendable {
    package var title: String
    /// The index of its first picture.
    package var first: Int

    package init(title: String, first: Int) {
        self.title = title
        self.first = first
    }
}

/// What hangs on the grid: how many pictures, in which sections, and the shapes known so far.
package struct GridContents: Sendable {
    package let count: Int
    /// In ascending order, the first one beginning at picture 0; none at all means no headers.
    package let sections: [GridSection]
    /// Width over height of each picture, 0 where it is not known yet.
    package private(set) var aspects: [Float]

    /// The shape that is assumed as long as a picture's own is not known.
    package static let assumedAspect: Float = 1.5
    /// No cell is longer than this times its breadth: a strip of 1 × 20000 still gets a cell.
    package static let longestAspect: Float = 4

    /// Takes what makes sense of `sections`: those in range, sorted, one for each first picture.
    ///
    /// The first section begins with the first picture, whatever it says. `sizes` are the
    /// pictures' sizes as shown, by index; where there is none, or an empty one, it is not known.
    package init(
        count: Int, sections: [GridSection] = [], sizes: (Int) -> PixelSize? = { _ in nil }
    ) {
        self.count = max(count, 0)
        var kept: [GridSection] = []
        for section in sections.sorted(by: { $0.first < $1.first })
        where section.first < self.count {
            if let last = kept.last, max(section.first, 0) <= last.first { continue }
            kept.append(GridSection(title: section.title, first: kept.isEmpty ? 0 : section.first))
        }
        self.sections = kept
        aspects = (0..<self.count).map { Self.aspect(sizes($0)) }
    }

    package static let empty = GridContents(count: 0)

    /// Notes a picture's size as shown, in pixels.
    mutating func setSize(_ size: PixelSize, of index: Int) {
        guard aspects.indices.contains(index) else { return }
        aspects[index] = Self.aspect(size)
    }

    private static func aspect(_ size: PixelSize?) -> Float {
        guard let size, !size.isEmpty else { return 0 }
        let aspect = Float(size.width) / Float(size.height)
        return min(max(aspect, 1 / longestAspect), longestAspect)
    }
}
