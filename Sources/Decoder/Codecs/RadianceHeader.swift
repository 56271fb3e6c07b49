import Geometry
import ImageTypes

/// The lines of text at the beginning of a Radiance picture.
struct RadianceHeader {
    /// As stored: the length of a scan line, and how many there are.
    let size: PixelSize
    let orientation: Orientation
    let color: ColorSource
    /// What the samples are to be divided by, so that they are light again.
    let exposure: Float
    /// Where the pixels begin.
    let end: Int

    /// No line is longer.
    private static let longestLine = 4096

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        var offset = 0
        var exposure: Float = 1
        var primaries: [Double]?
        while let line = Self.line(bytes, &offset), !line.isEmpty {
            let (name, value) = Self.split(line)
            switch name {
            case "FORMAT" where value != "32-bit_rle_rgbe":
                throw .damaged(reason: "its colours are \(value), which is not supported")
            case "EXPOSURE":
                // Each program that changed it has added a line.
                if let factor = Float(value), factor > 0, factor.isFinite { exposure *= factor }
            case "PRIMARIES": primaries = value.split(separator: " ").compactMap { Double($0) }
            default: break
            }
        }
        guard let line = Self.line(bytes, &offset) else { throw .cutShort }
        guard let (size, orientation) = Self.resolution(line) else {
            throw .damaged(reason: "its size is not told as it should be")
        }
        (self.size, self.orientation, self.exposure) = (size, orientation, exposure)
        color = Self.color(primaries)
        end = offset
    }

    private static func line(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> String? {
        let rest = bytes[offset...].prefix(longestLine)
        guard let end = rest.firstIndex(of: 10) else { return nil }
        defer { offset = end + 1 }
        return String(decoding: bytes[offset..<end], as: UTF8.self)
    }

    /// What is before and after the first equals sign.
    private static func split(_ line: String) -> (String, String) {
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return ("", "") }
        let words = parts.map { part in
            part.split(separator: " ").joined(separator: " ")
        }
        return (words[0], words[1])
    }

    /// Such as "-Y 480 +X 640": the axis that goes from line to line comes first; Y goes up, X to the
    /// right.
    private static func resolution(_ line: String) -> (PixelSize, Orientation)? {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 4, let lines = Int(words[1]), let length = Int(words[3]),
            (1...Int(Int32.max)).contains(lines), (1...Int(Int32.max)).contains(length)
        else { return nil }
        let orientation: Orientation? =
            switch (words[0], words[2]) {
            case ("-Y", "+X"): .upright
            case ("-Y", "-X"): .mirrored
            case ("+Y", "-X"): .upsideDown
            case ("+Y", "+X"): .mirroredUpsideDown
            case ("+X", "-Y"): .transposed
            case ("-X", "-Y"): .turnedLeft
            case ("-X", "+Y"): .transversed
            case ("+X", "+Y"): .turnedRight
            default: nil
            }
        return orientation.map { (PixelSize(width: length, height: lines), $0) }
    }

    /// Red, green, blue and white, x and y each; without a word about it, sRGB's are meant nowadays.
    private static func color(_ places: [Double]?) -> ColorSource {
        var primaries = ColorEncoding.Primaries.bt709
        if let places, places.count == 8, places.allSatisfy({ $0 > 0.001 && $0 < 1 }) {
            primaries = ColorEncoding.Primaries(
                white: .init(places[6], places[7]), red: .init(places[0], places[1]),
                green: .init(places[2], places[3]), blue: .init(places[4], places[5]))
        }
        return .encoded(ColorEncoding(primaries: primaries, transfer: .linear))
    }
}
