/// A canonical Huffman code for the symbols of one DEFLATE block (RFC 1951, 3.2.2).
struct HuffmanCode {
    /// The longest code of a DEFLATE block, in bits.
    private static let longest = 15

    /// The length of each symbol's code in bits; 0 for symbols that do not occur.
    let lengths: [UInt8]
    /// The code of each symbol, in the order in which DEFLATE writes bits: the first bit is the lowest.
    let codes: [UInt16]

    /// The shortest code for symbols that occur `counts` times; at least two symbols have to occur.
    init(counts: [Int]) {
        var counts = counts
        var lengths = Self.lengths(counts)
        // Rare symbols count for more until no code is too long.
        while lengths.contains(where: { $0 > Self.longest }) {
            counts = counts.map { $0 > 0 ? $0 / 2 + 1 : 0 }
            lengths = Self.lengths(counts)
        }
        self.lengths = lengths.map { UInt8($0) }
        var next = UInt16(0)
        var codes = [UInt16](repeating: 0, count: counts.count)
        for length in 1...Self.longest {
            for symbol in counts.indices where lengths[symbol] == length {
                codes[symbol] = Self.reversed(next, length)
                next += 1
            }
            next <<= 1
        }
        self.codes = codes
    }

    /// The depths of the leaves in Huffman's tree, which joins the two lightest nodes again and again.
    private static func lengths(_ counts: [Int]) -> [Int] {
        let symbols = counts.indices.filter { counts[$0] > 0 }.sorted { counts[$0] < counts[$1] }
        // Leaves in the order of their weights, then inner nodes, whose weights never decrease.
        var weights = symbols.map { counts[$0] }
        var parents = [Int](repeating: 0, count: 2 * symbols.count - 1)
        var (leaf, inner) = (0, symbols.count)
        func takeLightest() -> Int {
            let takesLeaf =
                leaf < symbols.count && (inner == weights.count || weights[leaf] <= weights[inner])
            defer { if takesLeaf { leaf += 1 } else { inner += 1 } }
            return takesLeaf ? leaf : inner
        }
        for _ in 1..<symbols.count {
            let (first, second) = (takeLightest(), takeLightest())
            (parents[first], parents[second]) = (weights.count, weights.count)
            weights.append(weights[first] + weights[second])
        }
        // The root is the last node, and each node comes before its parent.
        var depths = [Int](repeating: 0, count: weights.count)
        for node in (0..<weights.count - 1).reversed() { depths[node] = depths[parents[node]] + 1 }
        var lengths = [Int](repeating: 0, count: counts.count)
        for (place, symbol) in symbols.enumerated() { lengths[symbol] = depths[place] }
        return lengths
    }

    private static func reversed(_ code: UInt16, _ length: Int) -> UInt16 {
        var (code, result) = (code, UInt16(0))
        for _ in 0..<length {
            result = result << 1 | code & 1
            code >>= 1
        }
        return result
    }
}
