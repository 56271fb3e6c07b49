import ImageTypes

/// A folder in a given folder.
package struct Subfolder: Hashable, Sendable {
    package let name: [UInt8]
    /// The path of the folder around it, with a separator at the end.
    let prefix: [UInt8]

    package var path: FilePath { FilePath(prefix + name) }

    /// The name for display.
    package var title: String { String(decoding: name, as: UTF8.self) }
}

extension [Subfolder] {
    /// The folders in the order of their names, by a collation (nil: natural order).
    func sorted(by collation: Collation?) -> [Subfolder] {
        // Keys are computed once for each name, as for pictures.
        let keys = map { folder -> [UInt8] in
            var key: [UInt8] = []
            if let collation {
                collation.appendKey(of: folder.name, to: &key)
            } else {
                NaturalOrder.appendKey(of: folder.name, to: &key)
            }
            return key
        }
        return indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }.map { self[$0] }
    }
}
