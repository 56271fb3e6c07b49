import Input
import SceneModel

/// Insertion and deletion.
extension TextField {
    /// The most scalars of an inserted text that are looked at, unless the limit of the field allows more.
    private static let longestInsertion = 4096

    /// Inserts a text in place of the selection, and returns whether something was inserted.
    ///
    /// Control characters and line breaks become spaces; characters that the filter rejects, and
    /// those beyond the limit, are left out.
    @discardableResult
    package mutating func insert(_ inserted: String) -> Bool {
        let most = max(mostScalars, Self.longestInsertion)
        let accepted = Self.singleLine(inserted.unicodeScalars.prefix(most))
            .compactMap(filter.character(for:))
        let range = byteOffset(of: selection.lowerBound)..<byteOffset(of: selection.upperBound)
        let kept = text.unicodeScalars.count - selectedText.unicodeScalars.count
        let scalars = String(accepted).unicodeScalars.prefix(max(mostScalars - kept, 0))
        var addition = String(String.UnicodeScalarView(scalars))
        // Clusters at the edges may join, so the limit holds for the result.
        while !addition.isEmpty {
            let excess = replacing(range, with: addition).count - limit
            guard excess > 0 else { break }
            addition.removeLast(min(excess, addition.count))
        }
        guard !addition.isEmpty else { return false }
        replace(range, with: addition)
        return true
    }

    /// Deletes the selection; returns whether there was one.
    @discardableResult
    package mutating func deleteSelection() -> Bool {
        guard !selection.isEmpty else { return false }
        delete(selection)
        return true
    }

    /// Deletes the selection, or else what is before the cursor: a cluster, or a word.
    package mutating func deleteBackward(byWord: Bool = false) {
        guard !deleteSelection() else { return }
        delete((byWord ? wordBoundary(before: cursor) : max(cursor - 1, 0))..<cursor)
    }

    /// Deletes the selection, or else what is after the cursor: a cluster, or a word.
    package mutating func deleteForward(byWord: Bool = false) {
        guard !deleteSelection() else { return }
        delete(cursor..<(byWord ? wordBoundary(after: cursor) : min(cursor + 1, count)))
    }

    private mutating func delete(_ range: Range<Int>) {
        replace(byteOffset(of: range.lowerBound)..<byteOffset(of: range.upperBound), with: "")
    }

    /// Replaces bytes of UTF-8 between code points; the cursor goes behind the replacement.
    mutating func replace(_ bytes: Range<Int>, with replacement: String) {
        text = replacing(bytes, with: replacement)
        cursor = position(atOrAfter: bytes.lowerBound + replacement.utf8.count)
        anchor = cursor
        preedit = nil
        changeCause = .other
    }

    private func replacing(_ bytes: Range<Int>, with replacement: String) -> String {
        let utf8 = text.utf8
        let low = utf8.index(utf8.startIndex, offsetBy: bytes.lowerBound)
        let high = utf8.index(low, offsetBy: bytes.count)
        var scalars = text.unicodeScalars
        scalars.replaceSubrange(low..<high, with: replacement.unicodeScalars)
        return String(scalars)
    }

    /// The text without line breaks and other control characters: each becomes a space.
    static func singleLine(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in scalars {
            // A carriage return with its line feed is one line break.
            if scalar != "\n" || previous != "\r" { result.append(scalar.isControl ? " " : scalar) }
            previous = scalar
        }
        return String(result)
    }
}

// MARK: Positions

extension TextField {
    func index(of position: Int) -> String.Index {
        text.index(text.startIndex, offsetBy: position)
    }

    /// The position in bytes of UTF-8.
    func byteOffset(of position: Int) -> Int {
        text.utf8.distance(from: text.startIndex, to: index(of: position))
    }

    /// The first position between clusters that is at least `offset` bytes from the beginning.
    func position(atOrAfter offset: Int) -> Int {
        var (position, bytes) = (0, 0)
        for character in text {
            guard bytes < offset else { break }
            bytes += character.utf8.count
            position += 1
        }
        return position
    }
}
