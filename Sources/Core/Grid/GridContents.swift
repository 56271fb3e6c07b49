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

/// Which sections an arrangement of cells has.
package enum SectionLevel: Hashable, Sendable {
    /// Those of the contents, such as folders.
    case own
    /// The months and the years of an overview with many small cells.
    case months, years
}

/// The contents of the grid: number of pictures, sections, and the aspect ratios known so far.
package struct GridContents: Sendable {
    package let count: Int
    /// In ascending order, starting at picture 0; empty if the grid has no headers.
    package let sections: [GridSection]
    /// The sections of the overviews; empty where the order of the pictures is not that of their dates.
    private let months: [GridSection]
    private let years: [GridSection]
    /// Whether the grid has overviews, with more columns than the base arrangement.
    package let hasOverviews: Bool
    /// Width divided by height of each picture; 0 if unknown.
    package private(set) var aspects: [Float]
    /// The oriented sizes of pictures that may be smaller than a cell, in pixels.
    private(set) var smallSizes: [Int: PixelSize] = [:]

    /// A picture whose shorter side is at least this long, in pixels, is larger than a cell.
    private static let largeSide = 1024

    /// The aspect ratio assumed for a picture of unknown size.
    package static let assumedAspect: Float = 1.5
    /// The largest ratio between the longer and the shorter side of a cell.
    ///
    /// With this limit a picture of 1 × 20000 pixels still gets a usable cell.
    package static let maximumAspect: Float = 4

    /// Sorts `sections`, and drops those out of range and all but one for each first picture.
    ///
    /// The first section always starts at picture 0. The same holds for `overviews`, the months and the years of the
    /// overviews; nil for a grid without overviews. `sizes` returns the oriented size of a picture
    /// in pixels, by index; nil or an empty size means unknown.
    package init(
        count: Int, sections: [GridSection] = [],
        overviews: (months: [GridSection], years: [GridSection])? = nil,
        sizes: (Int) -> PixelSize? = { _ in nil }
    ) {
        self.count = max(count, 0)
        self.sections = Self.valid(sections, count)
        months = Self.valid(overviews?.months ?? [], count)
        years = Self.valid(overviews?.years ?? [], count)
        hasOverviews = overviews != nil
        var small: [Int: PixelSize] = [:]
        aspects = (0..<self.count).map { index in
            let size = sizes(index)
            if let size, Self.isSmall(size) { small[index] = size }
            return Self.aspect(size)
        }
        smallSizes = small
    }

    private static func valid(_ sections: [GridSection], _ count: Int) -> [GridSection] {
        var kept: [GridSection] = []
        for section in sections.sorted(by: { $0.first < $1.first }) where section.first < count {
            if let last = kept.last, max(section.first, 0) <= last.first { continue }
            kept.append(GridSection(title: section.title, first: kept.isEmpty ? 0 : section.first))
        }
        return kept
    }

    /// The sections of an arrangement.
    func sections(_ level: SectionLevel) -> [GridSection] {
        switch level {
        case .own: sections
        case .months: months
        case .years: years
        }
    }

    package static let empty = GridContents(count: 0)

    /// Sets the oriented size of a picture, in pixels.
    mutating func setSize(_ size: PixelSize, of index: Int) {
        guard aspects.indices.contains(index) else { return }
        aspects[index] = Self.aspect(size)
        smallSizes[index] = Self.isSmall(size) ? size : nil
    }

    private static func isSmall(_ size: PixelSize) -> Bool {
        !size.isEmpty && min(size.width, size.height) < largeSide
    }

    private static func aspect(_ size: PixelSize?) -> Float {
        guard let size, !size.isEmpty else { return 0 }
        let aspect = Float(size.width) / Float(size.height)
        return min(max(aspect, 1 / maximumAspect), maximumAspect)
    }
}
