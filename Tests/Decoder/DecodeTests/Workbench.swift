import Geometry
import TestKit
import Testing

/// A temporary folder for the command-line tools of the formats.
struct Workbench {
    let folder = TemporaryFolder()

    /// Writes a file and returns its path.
    @discardableResult func put(_ name: String, _ bytes: [UInt8]) -> String {
        folder.file(name, bytes)
    }

    /// Whether a shell command in the folder ends with status 0.
    func succeeds(_ command: String) -> Bool { execute(command).status == 0 }

    private func execute(_ command: String) -> ChildProcess {
        ChildProcess.run(["bash", "-c", "cd \(folder.path) && \(command)"])
    }

    /// Runs a shell command in the folder; a non-zero status is an error.
    func run(_ command: String) throws {
        let done = execute(command)
        try #require(done.status == 0, "\(command): \(done.errors)")
    }

    func bytes(_ name: String) -> [UInt8] { TestFile.read(folder / name) ?? [] }

    /// Reads a PGM, PPM or PAM file that a tool wrote.
    func pixels(_ name: String) throws -> ReferencePixels {
        try #require(ReferencePixels(netpbm: bytes(name)))
    }
}

/// Reference pixels: four channels from 0 to 1, straight alpha.
struct ReferencePixels {
    let size: PixelSize
    private let samples: [Float]

    /// Parses PGM, PPM and PAM with binary samples; nil for other formats.
    init?(netpbm bytes: [UInt8]) {
        var words: [String] = []
        var offset = 0
        func isOver() -> Bool {
            words.first == "P7" ? words.last == "ENDHDR" : words.count == 4
        }
        while offset < bytes.count, !isOver() {
            let word = bytes[offset...].prefix { $0 > 32 }
            offset += max(word.count, 1)
            if word.first == UInt8(ascii: "#") {
                offset += bytes[offset...].prefix { $0 != 10 }.count
            } else if !word.isEmpty {
                words.append(String(decoding: word, as: UTF8.self))
            }
        }
        offset += 1
        func number(_ name: String, _ place: Int) -> Int? {
            guard words.first == "P7" else { return Int(words[place]) }
            return words.firstIndex(of: name).flatMap { Int(words[$0 + 1]) }
        }
        guard isOver(), let width = number("WIDTH", 1), let height = number("HEIGHT", 2),
            let largest = number("MAXVAL", 3),
            let channels = words[0] == "P7"
                ? number("DEPTH", 0) : ["P5": 1, "P6": 3][words[0]]
        else { return nil }
        let depth = largest > 255 ? 2 : 1
        guard bytes.count - offset >= width * height * channels * depth else { return nil }
        size = PixelSize(width: width, height: height)
        samples = (0..<(width * height * channels)).map { index in
            let place = offset + index * depth
            let value =
                depth == 1 ? Int(bytes[place]) : Int(bytes[place]) << 8 | Int(bytes[place + 1])
            return Float(value) / Float(largest)
        }
    }

    private var channels: Int { samples.count / (size.width * size.height) }

    /// Red, green, blue and alpha.
    func color(_ x: Int, _ y: Int) -> SIMD4<Float> {
        let start = (y * size.width + x) * channels
        let pixel = samples[start..<(start + channels)].map { $0 }
        switch channels {
        case 1: return SIMD4(pixel[0], pixel[0], pixel[0], 1)
        case 2: return SIMD4(pixel[0], pixel[0], pixel[0], pixel[1])
        case 3: return SIMD4(pixel[0], pixel[1], pixel[2], 1)
        default: return SIMD4(pixel[0], pixel[1], pixel[2], pixel[3])
        }
    }
}

extension TestPicture {
    /// A PNG whose straight alpha fades out to the right.
    func fadingPNG() -> [UInt8] {
        var samples: [UInt8] = []
        for place in 0..<(size.width * size.height) {
            samples += pixels[(place * 3)..<(place * 3 + 3)]
            samples.append(UInt8(255 - place % size.width * 255 / (size.width - 1)))
        }
        return TestPicture.png(samples, size, colorType: 6)
    }
}
