import Geometry

/// Finds the section of a picture by binary search over the sections' first pictures.
struct SectionIndex: Sendable {
    let count: Int
    /// The first picture of each section; without headers, one section has all pictures.
    let starts: [Int]
    let hasHeaders: Bool

    init(_ contents: GridContents, _ level: SectionLevel = .own) {
        count = contents.count
        let sections = contents.sections(level)
        hasHeaders = !sections.isEmpty
        starts = hasHeaders ? sections.map(\.first) : (count > 0 ? [0] : [])
    }

    /// The section of a picture; `index` must be valid.
    func section(of index: Int) -> Int {
        max(firstIndex(below: starts.count) { starts[$0] > index } - 1, 0)
    }

    func range(of section: Int) -> Range<Int> {
        starts[section]..<(section + 1 < starts.count ? starts[section + 1] : count)
    }
}

/// The smallest number below `end` for which `isBeyond` is true, or `end`.
///
/// `isBeyond` must be true for every number after the first one for which it is true. O(log n).
func firstIndex(below end: Int, where isBeyond: (Int) -> Bool) -> Int {
    var (low, high) = (0, end)
    while low < high {
        let middle = (low + high) / 2
        if isBeyond(middle) { high = middle } else { low = middle + 1 }
    }
    return low
}

extension Int {
    /// `value` rounded down and clamped to `range`; NaN becomes the number nearest to 0.
    init(floor value: Double, in range: ClosedRange<Int>) {
        let whole = Int(clamping: value.rounded(.down))
        self = Swift.min(Swift.max(whole, range.lowerBound), range.upperBound)
    }
}
