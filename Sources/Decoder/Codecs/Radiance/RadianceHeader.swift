import Geometry
import ImageTypes
import Localization
import RasterPipeline

/// The text header of a Radiance picture.
struct RadianceHeader {
    /// As stored: the length of a scan line in pixels, and the number of scan lines.
    let size: PixelSize
    let orientation: Orientation
    let color: ColorSource
    /// The factor that the samples are divided by to get the original linear light.
    let exposure: Float
    /// The offset of the pixels.
    let end: Int

    /// Maximum length of a line in bytes.
    private static let longestLine = 4096

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        var offset = 0
        var exposure: Float = 1
        var primaries: [Double]?
        while let line = Self.line(bytes, &offset), !line.isEmpty {
            let (name, value) = Self.split(line)
            switch name {
            case "FORMAT" where value != "32-bit_rle_rgbe":
                throw .damaged(reason: localized("unsupported pixel format: \(value)"))
            case "EXPOSURE":
                // Each program that changed the exposure has added a line.
                if let factor = Float(value), factor > 0, factor.isFinite { exposure *= factor }
            case "PRIMARIES": primaries = value.split(separator: " ").compactMap { Double($0) }
            default: break
            }
        }
        guard let line = Self.line(bytes, &offset) else { throw .cutShort }
        guard let (size, orientation) = Self.resolution(line) else {
            throw .damaged(reason: localized("invalid resolution line in the header"))
        }
        (self.size, self.orientation, self.exposure) = (size, orientation, exposure)
        color = Self.color(primaries)
        end = offset
    }

    private static func line(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> String? {
        let remaining = bytes[offset...].prefix(longestLine)
        guard let end = remaining.firstIndex(of: 10) else { return nil }
        defer { offset = end + 1 }
        return String(decoding: bytes[offset..<end], as: UTF8.self)
    }

    /// The texts before and after the first equals sign, tidied; empty without an equals sign.
    private static func split(_ line: String) -> (String, String) {
        let sides = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2 else { return ("", "") }
        let fields = sides.map { side in
            side.split(separator: " ").joined(separator: " ")
        }
        return (fields[0], fields[1])
    }

    /// Parses a resolution line such as "-Y 480 +X 640".
    ///
    /// The axis that goes from line to line comes first. Y points up, X to the right.
    private static func resolution(_ line: String) -> (PixelSize, Orientation)? {
        let fields = line.split(separator: " ").map(String.init)
        guard fields.count == 4, let lines = Int(fields[1]), let length = Int(fields[3]),
            (1...Int(Int32.max)).contains(lines), (1...Int(Int32.max)).contains(length)
        else { return nil }
        let orientation: Orientation? =
            switch (fields[0], fields[2]) {
            case ("-Y", "+X"): .upright
            case ("-Y", "-X"): .mirrored
            case ("+Y", "-X"): .upsideDown
            case ("+Y", "+X"): .mirroredUpsideDown
            case ("+X", "-Y"): .transposed
            case ("-X", "-Y"): .rotatedLeft
            case ("-X", "+Y"): .transversed
            case ("+X", "+Y"): .rotatedRight
            default: nil
            }
        return orientation.map { (PixelSize(width: length, height: lines), $0) }
    }

    /// The colour space with these primaries: x and y of red, green, blue and white.
    ///
    /// Without primaries sRGB's are used, which today's programs mean.
    private static func color(_ xy: [Double]?) -> ColorSource {
        var primaries = ColorEncoding.Primaries.bt709
        if let xy, xy.count == 8, xy.allSatisfy({ $0 > 0.001 && $0 < 1 }) {
            primaries = ColorEncoding.Primaries(
                white: .init(xy[6], xy[7]), red: .init(xy[0], xy[1]),
                green: .init(xy[2], xy[3]), blue: .init(xy[4], xy[5]))
        }
        return .encoded(ColorEncoding(primaries: primaries, transfer: .linear))
    }
}
