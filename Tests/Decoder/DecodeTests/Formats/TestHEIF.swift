import Containers
import Testing

/// Changes to encoded HEIF files.
enum TestHEIF {
    /// Removes the properties of a type from the tiles of a grid, but not from the grid.
    ///
    /// Associations are set to index 0 (none), so that all boxes keep their offsets.
    static func takingFromTiles(_ type: String, of file: [UInt8]) throws -> [UInt8] {
        var changed = file
        try file.withUnsafeBytes { bytes in
            let boxes = ISOBoxes(try #require(ISOBoxes(bytes).first("meta")).dropping(4))
            var primary = BigEndianReader(try #require(boxes.first("pitm")).dropping(4))
            let grid = try read(2, &primary)
            let parts = ISOBoxes(try #require(boxes.first("iprp")))
            let types = try #require(parts.first("ipco").map { ISOBoxes($0).map(\.type) })
            var table = BigEndianReader(try #require(parts.first("ipma")))
            // Version and flags are 0, so associations are one byte each.
            try #require(try read(4, &table) == 0)
            for _ in 0..<(try read(4, &table)) {
                let item = try read(2, &table)
                for _ in 0..<(try read(1, &table)) {
                    let rest = UnsafeRawBufferPointer(table.rest)
                    let link = try read(1, &table)
                    guard item != grid, types[(link & 0x7F) - 1] == type else { continue }
                    let start = try #require(bytes.baseAddress)
                    changed[try #require(rest.baseAddress) - start] = 0
                }
            }
        }
        try #require(changed != file)
        return changed
    }

    private static func read(_ length: Int, _ reader: inout BigEndianReader) throws -> Int {
        let number = reader.number(length)
        return try #require(number)
    }
}
