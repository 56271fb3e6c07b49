import Geometry
import Glibc
import TestKit
import Testing

/// The memory of the viewer and its decoders with pictures that take 183 MiB each.
///
/// Pixels are shared memory, which no process counts as its own, so that of the whole system is measured;
/// tests beside this one hold a few megabytes.
@Suite(.serialized) struct MemoryBudgetTests {
    private let folder = TemporaryFolder()
    private static let size = PixelSize(width: 6000, height: 6000)
    /// The preview and the window, tests beside this one, and a decoder that is ending while the next
    /// one begins, in bytes.
    private static let slack = 64 << 20

    private static var sharedBytes: Int {
        let lines = (TestFile.text("/proc/meminfo") ?? "").split(separator: "\n")
        let row = lines.first { $0.hasPrefix("Shmem:") }?.split(separator: " ") ?? []
        return row.count > 1 ? (Int(row[1]) ?? 0) << 10 : 0
    }

    /// Turns to the second and third picture and back, and returns the highest use of shared memory.
    private func run(_ setting: String, bitDepth: Int) throws -> Int {
        let greys: [UInt8] = bitDepth == 1 ? [255, 0, 255] : [60, 130, 200]
        let pictures = greys.enumerated().map { number, grey in
            let count = Self.size.width * Self.size.height * bitDepth / 8
            let samples = [UInt8](repeating: grey, count: count)
            return folder.file(
                "\(number).png",
                TestPicture.png(samples, Self.size, colorType: 0, bitDepth: bitDepth))
        }
        let script = "1000 key Right\n2000 key Right\n3000 key Left\n4000 end"
        let shots = [900, 1900, 2900, 3900].map { ($0, folder / "\($0).png") }
        let start = Self.sharedBytes
        var peak = start
        let program = RunningProcess(
            [
                Binaries.vitrine, "--headless", "400x300", "--set", setting, "--script",
                folder.file("script.txt", script),
            ] + shots.flatMap { ["--shot-at", "\($0.0):\($0.1)"] } + pictures,
            environment: ["LANG=C.UTF-8", "XDG_CACHE_HOME=\(folder.path)/cache"],
            errors: folder / "errors.txt", passing: 2)
        while program.exitCode == nil {
            peak = max(peak, Self.sharedBytes)
            usleep(5000)
        }
        #expect(program.exitCode == 0)
        let errors = TestFile.text(folder / "errors.txt") ?? "none"
        #expect(SandboxSupport.withoutNotice(errors) == "")
        for ((_, path), grey) in zip(shots, greys + [greys[1]]) {
            let color = try #require(Screenshot(path)).color(200, 150)
            #expect(color.r == Int(grey) && color.b == Int(grey), "\(path)")
        }
        return peak - start
    }

    /// The highest use in a run, or the lowest of three: other programs can only add to it.
    private func lowestPeak(_ setting: String, bitDepth: Int = 8, limit: Int) throws -> Int {
        var peak = try run(setting, bitDepth: bitDepth)
        for _ in 0..<2 where peak >= limit + Self.slack {
            peak = min(peak, try run(setting, bitDepth: bitDepth))
        }
        return peak
    }

    /// The budget holds one picture; each one is decoded when it is shown.
    @Test func neighboursBeyondTheBudgetAreDecodedWhenTheyAreShown() throws {
        let peak = try lowestPeak("decode.memory=256", limit: 256 << 20)
        #expect(peak > 128 << 20)
        #expect(peak < 256 << 20 + Self.slack)
    }

    /// A picture beyond the budget is kept on the disk, even if its file has only 5 KB.
    @Test(arguments: [8, 1]) func picturesBeyondTheBudgetAreKeptOnTheDisk(bitDepth: Int) throws {
        let peak = try lowestPeak("decode.memory=128", bitDepth: bitDepth, limit: 128 << 20)
        #expect(peak < 128 << 20 + Self.slack)
    }
}
