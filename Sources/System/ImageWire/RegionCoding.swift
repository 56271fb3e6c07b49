import Geometry
import ImageTypes

/// Regions of a picture as bytes: their number, then the four sides of each in 1/65535 of the picture.
enum RegionCoding {
    private static let unit = Double(UInt16.max)

    static func write(_ regions: [Rect], to writer: inout WireWriter) {
        func side(_ value: Double) -> UInt16 {
            UInt16(clamping: Int(clamping: (min(max(value, 0), 1) * unit).rounded()))
        }
        let sides = regions.prefix(PictureInfo.mostRegions).map {
            [side($0.x), side($0.y), side($0.maxX), side($0.maxY)]
        }.filter { $0[0] < $0[2] && $0[1] < $0[3] }
        writer.add(UInt8(sides.count))
        for side in sides.joined() { writer.add(side) }
    }

    static func read(from reader: inout WireReader) throws(WireError) -> [Rect] {
        let count = Int(try reader.number(UInt8.self))
        guard count <= PictureInfo.mostRegions else { throw WireError() }
        var regions: [Rect] = []
        for _ in 0..<count {
            let left = Double(try reader.number(UInt16.self)) / unit
            let top = Double(try reader.number(UInt16.self)) / unit
            let right = Double(try reader.number(UInt16.self)) / unit
            let bottom = Double(try reader.number(UInt16.self)) / unit
            guard left < right, top < bottom else { throw WireError() }
            regions.append(Rect(x: left, y: top, width: right - left, height: bottom - top))
        }
        return regions
    }
}
