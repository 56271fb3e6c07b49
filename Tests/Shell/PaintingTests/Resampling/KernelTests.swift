import SeededRandom
import Glibc
import Painting
import ImageTypes
import SystemCalls
import Testing

/// Every set of instructions paints the same pixels.
extension ResamplingTests {
    /// All sets but the portable one, which paints in place of those that this processor lacks.
    static let sets = PaintingKernel.allCases.filter { $0 != .portable }

    /// Opaque and transparent pictures of 1×1 to 400×500, upright and rotated, in rows that begin with
    /// a cache line and in others.
    @Test(arguments: sets, [false, true])
    func everySetPaintsThePixelsOfThePortableOne(set: PaintingKernel, isRotated: Bool) {
        var random = SeededGenerator(seed: 21)
        for number in 0..<60 {
            let test =
                number % 3 == 0
                ? randomCase(&random, zoom: -4...5) { _, _, random in
                    UInt32.random(in: 0...0xFF_FFFF, using: &random)
                } : transparentCase(&random, isRotated: isRotated)
            let expected = test.scene.painted(with: test.bitmap, kernel: .portable)
            for isAligned in [true, false] {
                #expect(
                    expected
                        == test.scene.painted(
                            with: test.bitmap, kernel: set, isAligned: isAligned),
                    "\(test.item) \(test.bitmap.format)")
            }
        }
    }

    /// A set that is not detected would be compared with itself: with the portable one.
    @Test func theSetsThatTheKernelOfLinuxListsAreSupported() throws {
        #expect(PaintingKernel.portable.isSupported)
        #expect(PaintingKernel.best.isSupported)
        #if arch(x86_64)
            let flags = try processorFlags()
            #expect(PaintingKernel.simd.isSupported == flags.contains("ssse3"))
            #expect(PaintingKernel.avx2.isSupported == flags.contains("avx2"))
        #elseif arch(arm64)
            #expect(PaintingKernel.simd.isSupported)
            #expect(!PaintingKernel.avx2.isSupported)
        #endif
    }

    /// The flags of the first processor in /proc/cpuinfo.
    private func processorFlags() throws -> Set<Substring> {
        let descriptor = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let text = String(decoding: try readToEnd(of: descriptor), as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("flags") })
        return Set(line.split(separator: " "))
    }
}
