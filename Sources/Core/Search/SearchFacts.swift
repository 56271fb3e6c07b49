package import Edits

/// What is known about a picture apart from its name; nil for what is not known yet.
package struct SearchFacts: Hashable, Sendable {
    /// The day when the picture was taken or, if unknown, when its file was last written.
    package var date: SearchDate?
    /// The number of pixels.
    package var pixels: Int?
    /// The size of the file in bytes.
    package var bytes: Int?
    package var camera: FoldedText?
    package var mark: PictureMark?

    package init(
        date: SearchDate? = nil, pixels: Int? = nil, bytes: Int? = nil, camera: FoldedText? = nil,
        mark: PictureMark? = nil
    ) {
        (self.date, self.pixels, self.bytes) = (date, pixels, bytes)
        (self.camera, self.mark) = (camera, mark)
    }
}

extension SearchQuery {
    /// Which facts are needed.
    package var needsHeaders: Bool {
        terms.contains {
            switch $0 {
            case .word, .date, .megapixels: true
            case .pattern, .bytes, .stars, .favourite: false
            }
        }
    }

    /// Whether the times and the sizes of files are needed.
    package var needsDetails: Bool {
        terms.contains {
            switch $0 {
            case .date, .bytes: true
            case .word, .pattern, .megapixels, .stars, .favourite: false
            }
        }
    }

    package var needsStars: Bool {
        terms.contains { if case .stars = $0 { true } else { false } }
    }

    /// Whether favourites or stars are needed.
    package var needsMarks: Bool { needsStars || terms.contains(.favourite) }

    /// Whether a picture is found: its folded name and the folded title of its folder, in UTF-8.
    ///
    /// `facts` is asked only for what the name does not decide.
    package func finds(
        name: ArraySlice<UInt8>, folder: FoldedText, facts: () -> SearchFacts
    ) -> Bool {
        terms.allSatisfy { term in
            switch term {
            case .word(let word):
                name.contains(word) || folder.contains(word)
                    || facts().camera?.contains(word) == true
            case .pattern(let pattern): name.matches(pattern)
            case .date(let date, let text):
                name.contains(text) || facts().date.map { date.contains($0) } == true
            case .megapixels(let comparison, let bound):
                facts().pixels.map { comparison.holds(Double($0) / 1e6, bound) } == true
            case .bytes(let comparison, let bound):
                facts().bytes.map { comparison.holds(Double($0), bound) } == true
            case .stars(0): (facts().mark?.rating ?? 0) == 0
            case .stars(let least): (facts().mark?.rating ?? 0) >= least
            case .favourite: facts().mark?.isFavourite == true
            }
        }
    }
}

extension FoldedText {
    func contains(_ part: FoldedText) -> Bool { bytes[...].contains(part) }
}

extension ArraySlice<UInt8> {
    /// Whether a text is a part of this one.
    func contains(_ part: FoldedText) -> Bool {
        let part = part.bytes
        guard let first = part.first else { return true }
        guard count >= part.count else { return false }
        for start in startIndex...endIndex - part.count where self[start] == first {
            if self[start..<start + part.count].elementsEqual(part) { return true }
        }
        return false
    }

    /// Whether the whole text has the form of a pattern of `*` and `?`.
    func matches(_ pattern: FoldedText) -> Bool {
        let pattern = pattern.bytes
        var (place, at) = (startIndex, 0)
        // Where the last asterisk is, and how much of the text it stands for.
        var retry: (pattern: Int, text: Int)?
        while place < endIndex {
            if at < pattern.count, pattern[at] == UInt8(ascii: "*") {
                retry = (at, place)
                at += 1
            } else if at < pattern.count, pattern[at] == UInt8(ascii: "?") {
                place = endOfScalar(place)
                at += 1
            } else if at < pattern.count, pattern[at] == self[place] {
                (place, at) = (place + 1, at + 1)
            } else if let last = retry {
                retry = (last.pattern, last.text + 1)
                (place, at) = (last.text + 1, last.pattern + 1)
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    /// The place after the scalar that begins at `start`.
    private func endOfScalar(_ start: Int) -> Int {
        var end = start + 1
        while end < endIndex, self[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }
}
