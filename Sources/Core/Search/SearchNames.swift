/// The folded names of many pictures, in the order of their listing.
package struct SearchNames: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = [0]

    package init(_ names: some Collection<[UInt8]>) {
        ends.reserveCapacity(names.count + 1)
        bytes.reserveCapacity(names.count * Self.usualLength)
        for name in names {
            FoldedText.append(name, to: &bytes)
            ends.append(bytes.count)
        }
    }

    /// The number of bytes that most names have at most.
    private static let usualLength = 16

    package var count: Int { ends.count - 1 }

    /// The places of the names for which a test holds, in ascending order.
    package func places(
        where isFound: (_ place: Int, _ name: ArraySlice<UInt8>) -> Bool
    ) -> [Int] {
        (0..<count).filter { isFound($0, bytes[ends[$0]..<ends[$0 + 1]]) }
    }
}
