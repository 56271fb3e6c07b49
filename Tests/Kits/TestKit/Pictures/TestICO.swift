/// Icons.
package enum TestICO {
    /// An icon of PNGs, with a directory that gives no sizes.
    package static func encode(_ pictures: [[UInt8]]) -> [UInt8] {
        func little(_ value: Int, _ size: Int) -> [UInt8] {
            TestMetadata.number(value, size).reversed()
        }
        var offset = 6 + 16 * pictures.count
        var directory = little(0, 2) + little(1, 2) + little(pictures.count, 2)
        for picture in pictures {
            directory += little(0, 4) + little(1, 2) + little(32, 2)
            directory += little(picture.count, 4) + little(offset, 4)
            offset += picture.count
        }
        return directory + pictures.flatMap(\.self)
    }
}
