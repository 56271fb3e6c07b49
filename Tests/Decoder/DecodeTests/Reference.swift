import Geometry
import Glibc
import ImageTypes
import TestKit

/// Pixels from another decoder: R, G, B and straight A, 8 bits each.
struct Reference {
    var size: PixelSize
    var pixels: [UInt8]

    /// Runs ImageMagick's `convert` with these arguments; `frame` selects one of several pictures.
    init(_ arguments: [String], _ size: PixelSize, frame: Int = 0) {
        let folder = TemporaryFolder()
        let result = ChildProcess.run(
            ["convert"] + arguments + ["-depth", "8", "rgba:" + folder / "out"])
        let bytes = Self.contents(folder / "out")
        let length = size.width * size.height * 4
        precondition(
            bytes.count >= length * (frame + 1), "no reference: \(arguments) \(result.errors)")
        self.size = size
        pixels = Array(bytes[(frame * length)..<((frame + 1) * length)])
    }

    /// The bytes of a file; empty if the file cannot be read.
    static func contents(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Makes a file named `name` with ImageMagick and returns its bytes.
    static func make(_ arguments: [String], _ name: String) -> [UInt8] {
        let folder = TemporaryFolder()
        let result = ChildProcess.run(["convert"] + arguments + [folder / name])
        let bytes = contents(folder / name)
        precondition(!bytes.isEmpty, "no test picture: \(arguments) \(result.errors)")
        return bytes
    }

    /// A pixel, premultiplied, 0 to 255 per channel.
    func word(_ x: Int, _ y: Int) -> (a: Int, r: Int, g: Int, b: Int) {
        let place = (y * size.width + x) * 4
        let a = Int(pixels[place + 3])
        func scaled(_ sample: Int) -> Int { (Int(pixels[place + sample]) * a + 127) / 255 }
        return (a, scaled(0), scaled(1), scaled(2))
    }
}

extension Bitmap {
    /// The largest difference of any channel of the finest level, including alpha.
    ///
    /// Returns 256 if the sizes differ.
    func largestDifference(from reference: Reference) -> Int {
        guard size == reference.size else { return 256 }
        var largest = 0
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (own, other) = (pixel(x, y), reference.word(x, y))
                largest = max(
                    largest, abs(own.a - other.a), abs(own.r - other.r), abs(own.g - other.g),
                    abs(own.b - other.b))
            }
        }
        return largest
    }
}

/// Random changes to files, reproducible by seed.
enum Damage {
    static func strike(_ bytes: [UInt8], seed: Int, times: Int = 40, from first: Int) -> [UInt8] {
        var (file, generator) = (bytes, UInt64(seed))
        for _ in 0..<times {
            generator = generator &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            file[first + Int(generator >> 33) % (file.count - first)] = UInt8(
                generator >> 24 & 255)
        }
        return file
    }

    /// Whether the decoder survives the file with several truncations and random changes.
    static func isSurvived(_ bytes: [UInt8], from first: Int = 6, seeds: Int = 12) throws -> Bool {
        var files = (1...8).map { Array(bytes.prefix(max(1, bytes.count * $0 / 9))) }
        files += (0..<seeds).map {
            strike(bytes, seed: 1 + $0, times: 1 + $0 * 4, from: min(first, bytes.count - 1))
        }
        return try files.allSatisfy {
            let failure = try Decoding($0).failure
            return failure != .crashed && failure != .hung && failure != .invalidReply
        }
    }
}
