/// Prefix sums over a list of lengths that may change: a Fenwick tree.
///
/// Queries and changes are O(log n).
///
/// Source: P. M. Fenwick, "A new data structure for cumulative frequency tables" (1994).
struct PrefixSums: Sendable {
    private let count: Int
    /// tree[i] is the sum of the i & −i lengths that end with number i − 1.
    private var tree: [Double]

    init(_ lengths: [Double]) {
        count = lengths.count
        tree = [0] + lengths
        for position in tree.indices.dropFirst() {
            let above = position + (position & -position)
            if above <= count { tree[above] += tree[position] }
        }
    }

    /// The sum of the lengths before number `end`.
    func sum(before end: Int) -> Double {
        var (sum, position) = (0.0, end)
        while position > 0 {
            sum += tree[position]
            position &= position - 1
        }
        return sum
    }

    var total: Double { sum(before: count) }

    mutating func add(_ difference: Double, to number: Int) {
        var position = number + 1
        while position <= count {
            tree[position] += difference
            position += position & -position
        }
    }

    /// The number of the length that contains `offset` from the start, clamped to the valid range.
    func number(at offset: Double) -> Int { number(at: offset, weight: 1) { _ in 0 } }

    /// The last number whose length begins at or before `offset`, clamped to the valid range, where
    /// each length counts `weight`, and `extra` of a number is added to where that length begins.
    ///
    /// `extra` must not decrease.
    func number(at offset: Double, weight: Double, extra: (_ number: Int) -> Double) -> Int {
        var (position, sum) = (0, 0.0)
        var step = 1
        while step * 2 <= count { step *= 2 }
        while step > 0 {
            let next = position + step
            if next < count, weight * (sum + tree[next]) + extra(next) <= offset {
                position = next
                sum += tree[next]
            }
            step /= 2
        }
        return position
    }
}
