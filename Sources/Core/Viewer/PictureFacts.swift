import Edits
import Geometry

/// What is known about pictures besides their pixels, by index.
struct PictureFacts: Sendable {
    /// Pictures without a mark are left out.
    private(set) var marks: [Int: PictureMark] = [:]
    /// The regions that stay in view, in fractions of the upright picture.
    private var regions: [Int: [Rect]] = [:]
    /// The latest date, as text; empty if unknown.
    private var date = (text: "", index: 0)
    /// The latest text that stands for a picture; nil if there is none.
    private var alternativeText = (text: String?.none, index: 0)

    func isFavourite(_ index: Int) -> Bool { marks[index]?.isFavourite ?? false }

    func regions(of index: Int) -> [Rect] { regions[index] ?? [] }

    func date(of index: Int) -> String? { date.index == index ? date.text : nil }

    func alternativeText(of index: Int) -> String? {
        alternativeText.index == index ? alternativeText.text : nil
    }

    mutating func setMarks(_ marks: [Int: PictureMark]) {
        self.marks = marks.filter { !$0.value.isEmpty }
    }

    mutating func setRegions(_ regions: [Rect], of index: Int) {
        self.regions[index] = regions.isEmpty ? nil : regions
    }

    mutating func setDate(_ text: String, of index: Int) { date = (text, index) }

    mutating func setAlternativeText(_ text: String?, of index: Int) {
        alternativeText = (text, index)
    }

    /// Forgets the regions of pictures that are not `retained`.
    mutating func prune(to retained: Set<Int>) {
        regions = regions.filter { retained.contains($0.key) }
    }

    /// Follows a change of the listing.
    mutating func update(mapping: (_ old: Int) -> Int?) {
        marks = moved(marks, by: mapping)
        regions = moved(regions, by: mapping)
        date = mapping(date.index).map { (date.text, $0) } ?? ("", 0)
    }

    private func moved<Fact>(
        _ facts: [Int: Fact], by mapping: (_ old: Int) -> Int?
    ) -> [Int: Fact] {
        facts.reduce(into: [:]) { moved, fact in
            if let index = mapping(fact.key) { moved[index] = fact.value }
        }
    }
}
