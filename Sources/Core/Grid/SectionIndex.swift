/// Which section a picture is in: binary searches over where the sections begin.
struct SectionIndex: Sendable {
    let count: Int
    /// The first picture of each section; one section for all where there are no headers.
    let starts: [Int]
    let hasHeaders: Bool

    init(_ contents: GridContents) {
        count = contents.count
        hasHeaders = !contents.sections.isEmpty
        starts = hasHeaders ? contents.sections.map(\.first) : (count > 0 ? [0] : [])
    }

    /// The section of a picture that exists.
    func section(of index: Int) -> Int {
        max(firstIndex(below: starts.count) { starts[$0] > index } - 1, 0)
    }

    func range(of section: Int) -> Range<Int> {
        starts[section]..<(section + 1 < starts.count ? starts[section + 1] : count)
    }
}

/// The least number below `end` for which `isBeyond` holds, or `end`.
///
/// `isBeyond` holds for every number after the first one for which it does. O(log n).
func firstIndex(below end: Int, where isBeyond: (Int) -> Bool) -> Int {
    var (low, high) = (0, end)
    while low < high {
        let middle = (low + high) / 2
        if isBeyond(middle) { high = middle } else { low = middle + 1 }
    }
    return low
}

extension Int {
    /// The whole number below `value`, kept in `range`; what is no number counts as the least.
    init(floor value: Double, in range: ClosedRange<Int>) {
        let whole = value.rounded(.down)
        if whole >= Double(range.upperBound) {
            self = range.upperBound
        } else if whole > Double(range.lowerBound) {
            self = Int(whole)
        } else {
            self = range.lowerBound
        }
    }
}
