import Viewer

/// The state of a slideshow that is kept from one run to the next.
struct SlideshowMemory: Equatable {
    /// The key of the picture that was shown last; nil before the first one.
    var place: UInt64?
    /// How far a shuffle has come; nil if none was played.
    var progress: SlideProgress?

    /// More exceptions of the order are not remembered: their pictures come once more, or in the next
    /// round.
    private static let mostExceptions = 128
    private static let mostRanks = 8
    /// A longer file is not ours, in bytes.
    static let longest = 1 << 16

    init() {}

    // MARK: Reading

    /// Nil unless the text is one that this program writes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.longest, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            let numbers = words.dropFirst().compactMap(Self.number)
            guard let name = words.first, numbers.count == words.count - 1, numbers.count > 0,
                read(String(name), numbers)
            else { return nil }
        }
        guard place != nil, progress?.last != nil || progress == nil else { return nil }
    }

    /// Returns whether the line is one that this program writes.
    private mutating func read(_ name: String, _ numbers: [UInt64]) -> Bool {
        switch (name, numbers.count) {
        case ("place", 1) where place == nil: place = numbers[0]
        case ("shuffle", 4) where progress == nil:
            var new = SlideProgress(seed: numbers[0])
            (new.round, new.rank, new.last) = (numbers[1], numbers[2], numbers[3])
            progress = new
        case ("early", 2)
        where progress.map { $0.early.count < Self.mostExceptions } == true:
            progress?.early[numbers[0]] = numbers[1]
        case ("extra", 2...Self.mostRanks + 1)
        where progress.map { $0.extras.count < Self.mostExceptions } == true:
            progress?.extras[numbers[0]] = Array(numbers[1...])
        default: return false
        }
        return true
    }

    private static let digits = 16

    /// Sixteen lower-case hexadecimal digits.
    private static func number(_ word: Substring) -> UInt64? {
        guard word.utf8.count == digits,
            word.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        return UInt64(word, radix: 16)
    }

    // MARK: Writing

    /// The contents of the file; nil if there is nothing to remember.
    var bytes: [UInt8]? {
        guard let place else { return nil }
        var lines = [Self.line("place", [place])]
        if let progress, let last = progress.last {
            lines.append(
                Self.line("shuffle", [progress.seed, progress.round, progress.rank, last]))
            lines += progress.early.sorted { $0.key < $1.key }.prefix(Self.mostExceptions).map {
                Self.line("early", [$0.key, $0.value])
            }
            lines += progress.extras.sorted { $0.key < $1.key }.prefix(Self.mostExceptions).map {
                Self.line("extra", [$0.key] + $0.value.sorted().prefix(Self.mostRanks))
            }
        }
        return Array(lines.joined().utf8)
    }

    private static func line(_ name: String, _ numbers: [UInt64]) -> String {
        name + numbers.map { " " + text($0) }.joined() + "\n"
    }

    /// Sixteen hexadecimal digits.
    static func text(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: digits - text.utf8.count) + text
    }
}
