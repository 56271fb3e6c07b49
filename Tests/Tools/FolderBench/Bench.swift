import CLinux
import DecodeClient
import Folders
import Glibc
import Thumbnails

/// The benchmarks; each prints `name value` pairs on one line, with times in milliseconds.
enum Bench {
    /// Reading a folder, compared with a plain directory walk with `stat` as the lower bound.
    static func list(_ path: String) {
        let clock = ContinuousClock()
        var start = clock.now
        let walked = walk(path)
        let walk = milliseconds(clock.now - start)
        start = clock.now
        let listing = FolderMonitor([FilePath(path)]).waitUntilComplete().listing
        let list = milliseconds(clock.now - start)
        start = clock.now
        let options = ListingOptions(order: ListingOrder(.modified))
        _ = FolderMonitor([FilePath(path)], options: options).waitUntilComplete()
        let dated = milliseconds(clock.now - start)
        print("names \(walked) pictures \(listing.count) walk \(walk) list \(list) dated \(dated)")
    }

    private static func walk(_ path: String) -> Int {
        guard let folder = opendir(path) else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) {
            var info = stat()
            withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 1) {
                    _ = fstatat(dirfd(folder), $0, &info, 0)
                }
            }
            count += 1
        }
        return count
    }

    /// All thumbnails of a folder, requested screenful by screenful from top to bottom.
    static func thumbnails(_ path: String, _ side: String, cache: String, decoder: String) {
        let clock = ContinuousClock()
        let start = clock.now
        let listing = FolderMonitor([FilePath(path)]).waitUntilComplete().listing
        let queue = queue(listing, cache, decoder)
        var (ready, broken, first) = (0, 0, 0.0)
        var worst = 0.0
        let screenful = 40
        for top in stride(from: 0, to: listing.count, by: screenful) {
            let indices = top..<min(top + screenful, listing.count)
            queue.want(
                indices.map { want($0, listing, side) })
            var missing = indices.count
            while missing > 0 {
                var poll = pollfd(fd: queue.pollDescriptor, events: Int16(POLLIN), revents: 0)
                Glibc.poll(&poll, 1, -1)
                let before = clock.now
                for outcome in queue.handleReadable() {
                    missing -= 1
                    if case .broken = outcome { broken += 1 } else { ready += 1 }
                }
                worst = max(worst, milliseconds(clock.now - before))
            }
            if top == 0 { first = milliseconds(clock.now - start) }
        }
        let time = milliseconds(clock.now - start)
        let rate = Double(listing.count) / time * 1000
        // The last ones are still being written to the cache.
        usleep(300_000)
        print(
            "thumbnails \(ready) broken \(broken) time \(time) rate \(rate) first-\(screenful) \(first)"
                + " longest-turn \(worst) resident-MiB \(residentPeak())")
    }

    /// A fast fling of four seconds through a folder, with 240 cells per second at 60 Hz.
    ///
    /// Measures the main thread's time for thumbnails per frame, and how many cells have their
    /// thumbnail in time.
    static func fling(_ path: String, _ side: String, cache: String, decoder: String) {
        let clock = ContinuousClock()
        let listing = FolderMonitor([FilePath(path)]).waitUntilComplete().listing
        let queue = queue(listing, cache, decoder)
        let (frames, screenful) = (240, 40)
        var times: [Double] = []
        var shown = 0
        for frame in 0..<frames {
            let start = clock.now
            let top = max(0, min(4 * frame, listing.count - 2 * screenful))
            let wanted = top..<min(top + 2 * screenful, listing.count)
            queue.want(wanted.map { want($0, listing, side) })
            _ = queue.handleReadable()
            for index in wanted.prefix(screenful) {
                let key = ThumbnailKey(picture: listing.entries[index].id)
                if queue.bitmap(key) != nil { shown += 1 }
            }
            let time = clock.now - start
            times.append(milliseconds(time))
            usleep(UInt32(max(0, 16_667 - 1000 * milliseconds(time))))
        }
        times.sort()
        print(
            "fling frames \(frames) worst \(times[frames - 1]) 99th \(times[frames * 99 / 100])"
                + " median \(times[frames / 2]) cells-shown \(shown) of \(frames * screenful)"
                + " resident-MiB \(residentPeak())")
    }

    private static func queue(
        _ listing: Listing, _ cache: String, _ decoder: String
    ) -> ThumbnailQueue {
        ThumbnailQueue(
            program: DecoderProgram(decoder),
            cache: ThumbnailCache(cacheFolder: Array(cache.utf8), program: "vitrine-bench"),
            budget: 96 << 20
        ) { key in
            listing.index(of: key.picture).map { .file(listing.path(at: $0).bytes) }
        }
    }

    private static func want(_ index: Int, _ listing: Listing, _ side: String) -> ThumbnailWant {
        let key = ThumbnailKey(picture: listing.entries[index].id)
        return ThumbnailWant(index: index, key: key, side: Int(side) ?? 256)
    }

    private static func milliseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return (Double(seconds) * 1e6 + Double(attoseconds) / 1e12).rounded() / 1000
    }

    /// The peak resident memory of this process.
    private static func residentPeak() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss / 1024
    }
}
