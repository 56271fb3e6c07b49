package import Geometry

/// Consecutive pictures under one header, such as a folder or a month.
package struct GridSection: Hashable, Sendable {
    package var title: String
    /// The index of the section's first picture.
    package var first: Int

    package init(title: String, first: Int) {
        self.title = title
        self.first = first
    }
}

/// The contents of the grid: number of pictures, sections, and the aspect ratios known so far.
package struct GridContents: Sendable {
    package let count: Int
    /// In ascending order, starting at picture 0; empty if the grid has no headers.
    package let sections: [GridSection]
    /// Width divided by height of each picture; 0 if unknown.
    package private(set) var aspects: [Float]

    /// The aspect ratio assumed for a picture of unknown size.
    package static let assumedAspect: Float = 1.5
    /// The largest ratio between the longer and the shorter side of a cell.
    ///
    /// With this limit a picture of 1 × 20000 pixels still gets a usable cell.
    package static let maximumAspect: Float = 4

    /// Sorts `sections`, and drops those out of range and all but one for each first picture.
    ///
    /// The first section always starts at picture 0. `sizes` returns the oriented size of a picture
    /// in pixels, by index; nil or an empty size means unknown.
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

    /// Sets the oriented size of a picture, in pixels.
    mutating func setSize(_ size: PixelSize, of index: Int) {
        guard aspects.indices.contains(index) else { return }
        aspects[index] = Self.aspect(size)
    }

    private static func aspect(_ size: PixelSize?) -> Float {
        guard let size, !size.isEmpty else { return 0 }
        let aspect = Float(size.width) / Float(size.height)
        return min(max(aspect, 1 / maximumAspect), maximumAspect)
    }
}
