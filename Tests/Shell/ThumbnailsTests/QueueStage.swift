import EventLoop
import CLinux
import DecodeClient
import Geometry
import Glibc
import ImageTypes
import SystemCalls
import TestKit

@testable import Thumbnails

/// A folder of pictures, a thumbnail cache, and a poll loop that drives a queue.
final class QueueStage {
    let folder = TemporaryFolder()
    let cache: ThumbnailCache
    private(set) var paths: [Int: [UInt8]] = [:]
    private(set) var bitmaps: [Int: Bitmap] = [:]
    private(set) var reasons: [Int: String] = [:]
    /// The indices of pictures in the order of their outcomes.
    var order: [Int] = []

    var cacheFolder: String { folder / "cache" }

    init() {
        cache = ThumbnailCache(
            cacheFolder: Array((folder / "cache").utf8), program: "vitrine-test")
    }

    /// Writes a picture with an old modification date.
    @discardableResult
    func add(_ index: Int, _ name: String, _ bytes: [UInt8], modified: Int = 1_600_000_000)
        -> String
    {
        let path = folder.file(name, bytes)
        paths[index] = Array(path.utf8)
        setModified(path, modified)
        return path
    }

    func setModified(_ path: String, _ seconds: Int) {
        let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        utimensat(AT_FDCWD, path, times, 0)
    }

    func queue(
        decoder: String = Binaries.decoder, budget: Int = 64 << 20, workers: Int? = nil,
        cached: Bool = true, screen: ScreenProfile? = nil
    ) -> ThumbnailQueue {
        ThumbnailQueue(
            program: DecoderProgram(decoder), cache: cached ? cache : nil, budget: budget,
            workers: workers,
            screen: screen
        ) { [self] key in paths[key.picture].map { .file($0) } }
    }

    func wants(_ indices: [Int], side: Int, revision: Int = 0) -> [ThumbnailWant] {
        indices.map {
            ThumbnailWant(
                index: $0, key: ThumbnailKey(picture: $0, revision: revision), side: side)
        }
    }

    /// Handles outcomes until `isDone`, for at most `seconds`.
    func run(_ queue: ThumbnailQueue, seconds: Double = 20, until isDone: () -> Bool) {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        while !isDone(), clock.now < end {
            waitUntilReady(queue.pollDescriptor, milliseconds: 10)
            if let deadline = queue.deadline, deadline <= MonotonicClock.now() {
                queue.handleDeadline()
            }
            for outcome in queue.handleReadable() {
                switch outcome {
                case .ready(let index, _, let bitmap):
                    bitmaps[index] = bitmap
                    order.append(index)
                case .broken(let index, _, let reason):
                    reasons[index] = reason
                    order.append(index)
                }
            }
        }
    }

    /// Requests thumbnails, and waits until each one is ready or has failed.
    func get(_ indices: [Int], side: Int, _ queue: ThumbnailQueue) {
        bitmaps = [:]
        reasons = [:]
        queue.want(wants(indices, side: side))
        run(queue) { indices.allSatisfy { bitmaps[$0] != nil || reasons[$0] != nil } }
    }

    /// The path of the cached thumbnail of picture `index` in the folder of `size`.
    func thumbnailPath(_ index: Int, _ size: String) -> String {
        let name = MD5.hexDigest(of: FileURI.uri(of: paths[index] ?? []))
        return cacheFolder + "/thumbnails/\(size)/\(String(decoding: name, as: UTF8.self)).png"
    }

    /// Waits until the cache has a file, which is written after the thumbnail is shown.
    func waitFor(_ path: String) -> [UInt8]? {
        for _ in 0..<500 {
            if let bytes = Self.contents(path) { return bytes }
            usleep(10_000)
        }
        return nil
    }

    /// The names of the files in a folder.
    static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    static func contents(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return firstBytes(of: descriptor, limit: 64 << 20)
    }
}

extension Bitmap {
    /// A pixel of the finest level as red, green, blue.
    func color(_ x: Int, _ y: Int) -> (r: Int, g: Int, b: Int) {
        let level = levels[0]
        let word = memory.bytes.load(
            fromByteOffset: level.offset + y * level.stride + x * 4, as: UInt32.self)
        return (Int(word >> 16 & 255), Int(word >> 8 & 255), Int(word & 255))
    }

    /// Whether no channel of a pixel differs from `wanted` by more than `within`.
    func isNear(_ x: Int, _ y: Int, _ wanted: (r: Int, g: Int, b: Int), within: Int = 12) -> Bool {
        let (r, g, b) = color(x, y)
        return max(abs(r - wanted.r), abs(g - wanted.g), abs(b - wanted.b)) <= within
    }
}
