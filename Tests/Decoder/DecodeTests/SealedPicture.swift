import Geometry
import Glibc
import ImageTypes
import TestKit
import Testing

@testable import Codecs
@testable import ImageWire
@testable import RasterPipeline

extension SealedPicture {
    /// Closes the descriptor.
    init(_ memory: Int32) throws {
        defer { close(memory) }
        try self.init(try #require(TestFile.read("/proc/self/fd/\(memory)")))
    }

    /// Decodes a file in this process.
    static func decoded(
        _ file: [UInt8], asPlanes: Bool
    ) throws -> (pixels: SealedPicture, message: String?) {
        try file.withUnsafeBytes { bytes in
            var decoder = try PictureDecoders.open(bytes)
            let sink = FinalSink(acceptsPlanes: asPlanes)
            let message = try decoder.decode(for: PixelSize(width: 100, height: 100), to: sink)
            return (try SealedPicture(sink.memory), message)
        }
    }

    /// Expects that the readable parts of truncated files are the same as planes and as pixels, with the same
    /// message; `ratio` is the least one, in decibels.
    static func expectReadableParts(of file: [UInt8], ratio least: Double) throws {
        for length in [file.count / 3, file.count * 2 / 3, file.count - 3] {
            let cut = Array(file.prefix(length))
            let planes = try decoded(cut, asPlanes: true)
            let pixels = try decoded(cut, asPlanes: false)
            #expect(planes.message == pixels.message && planes.message != nil)
            let ratio = planes.pixels.ratio(to: pixels.pixels, level: 0)
            #expect(ratio >= least, "\(length) of \(file.count): \(ratio) dB")
        }
    }
}

/// Keeps the final memory of a decoding.
final class FinalSink: DecodeSink {
    let acceptsPlanes: Bool
    private(set) var memory: Int32 = -1

    init(acceptsPlanes: Bool) { self.acceptsPlanes = acceptsPlanes }

    func shouldContinue() -> Bool { true }

    func deliver(_ memory: Int32, isFinal: Bool) {
        guard isFinal else {
            close(memory)
            return
        }
        self.memory = memory
    }
}
