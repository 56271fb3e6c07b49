import CCairo
import CPainting
import Geometry
import Glibc
import ImageTypes
import Synchronization
import Threads

/// The pixels of a level of planes, each made when it is first needed.
///
/// Interpolation at any angle reads each sample from a place of its own, which takes twice as long from two
/// planes as from pixels.
///
/// `@unchecked Sendable`: a tile of the memory is written by the thread that has claimed the tile, and read
/// after `make` has seen under the lock that the tile is made. The other properties never change.
final class PixelCopy: @unchecked Sendable {
    /// The copy as a picture; only pixels that were made may be read.
    let bitmap: Bitmap
    let level: Bitmap.Level
    private let memory: OwnedPixels
    private let resampling: PlanarResampling
    private let tiles: Mutex<[State]>
    private let columns: Int

    private enum State: UInt8 { case missing, claimed, made }

    /// The size of a tile in pixels.
    private static let (width, height) = (128, 64)

    /// Nil without memory, which is reserved for all pixels and used for those that are made.
    ///
    /// Large pages hold some pixels that are not made, but a row of a rotated picture crosses a page for each
    /// row of the level, which with small pages takes an eighth of its time.
    init?(of level: Bitmap.Level, in bitmap: Bitmap, _ kernel: PaintingKernel) {
        let matrix = cairo_matrix_t(xx: 1, yx: 0, xy: 0, yy: 1, x0: 0, y0: 0)
        guard let memory = OwnedPixels(size: level.size),
            let resampling = PlanarResampling(
                of: level, in: bitmap, by: matrix, for: PixelRect(level.size), kernel)
        else { return nil }
        (self.memory, self.resampling) = (memory, resampling)
        self.level = memory.level(mipLevel: level.mipLevel)
        self.bitmap = Bitmap(
            size: bitmap.size, format: .rgb24, levels: [self.level], memory: memory)
        columns = (level.size.width + Self.width - 1) / Self.width
        let rows = (level.size.height + Self.height - 1) / Self.height
        tiles = Mutex(Array(repeating: .missing, count: columns * rows))
    }

    /// Makes the pixels in `region` that are missing; returns when all of them are made.
    func make(_ region: PixelRect) {
        let part = region.intersection(PixelRect(level.size))
        guard !part.isEmpty else { return }
        let rows = (part.y / Self.height...(part.maxY - 1) / Self.height).map { row in
            (part.x / Self.width...(part.maxX - 1) / Self.width).map { row * columns + $0 }
        }
        // One row of tiles at a time, which leaves the others to other threads.
        for numbers in rows {
            let missing = tiles.withLock { tiles in
                let missing = numbers.filter { tiles[$0] == .missing }
                for number in missing { tiles[number] = .claimed }
                return missing
            }
            guard !missing.isEmpty else { continue }
            for number in missing { make(number) }
            tiles.withLock { tiles in for number in missing { tiles[number] = .made } }
        }
        let numbers = rows.joined()
        // Another thread makes few tiles at once, which takes less time than waking this one would.
        while !tiles.withLock({ tiles in numbers.allSatisfy { tiles[$0] == .made } }) {
            sched_yield()
        }
    }

    private func make(_ number: Int) {
        let tile = PixelRect(
            x: number % columns * Self.width, y: number / columns * Self.height,
            width: Self.width, height: Self.height)
        resampling.paint(
            tile.intersection(PixelRect(level.size)), into: memory.canvas, blending: nil,
            isReadSoon: true)
    }
}

/// The pixel copies of the last frame with a rotated picture of planes.
///
/// Any thread may use a cache.
final class PixelCopyCache: Sendable {
    /// Identifies a level of a bitmap that a copy keeps alive.
    private struct Entry {
        let bitmap: Bitmap
        let level: Bitmap.Level
        let copy: PixelCopy

        func isOf(_ bitmap: Bitmap) -> Bool { self.bitmap.memory === bitmap.memory }
    }

    private struct Copies {
        var used: [Entry] = []
        var earlier: [Entry] = []
        /// Whether the frame shows a refined picture, which stands for a rotated one at rest.
        var showsRefined = false
    }

    private let copies = Mutex(Copies())

    /// Begins a frame.
    func begin() {
        copies.withLock { $0 = Copies(used: [], earlier: $0.used + $0.earlier) }
    }

    /// The copy of a level for a rotated picture; nil without memory.
    func copy(
        of level: Bitmap.Level, in bitmap: Bitmap, _ kernel: PaintingKernel
    ) -> PixelCopy? {
        copies.withLock { copies in
            func isWanted(_ entry: Entry) -> Bool { entry.isOf(bitmap) && entry.level == level }
            if let entry = copies.used.first(where: isWanted) { return entry.copy }
            if let entry = copies.earlier.first(where: isWanted) {
                copies.used.append(entry)
                return entry.copy
            }
            // Not both copies at once.
            copies.earlier = []
            let copy = PixelCopy(of: level, in: bitmap, kernel)
            if let copy { copies.used.append(Entry(bitmap: bitmap, level: level, copy: copy)) }
            return copy
        }
    }

    /// Notes that the frame shows a refined picture.
    func noteRefinedPicture() { copies.withLock { $0.showsRefined = true } }

    /// Ends a frame: copies that it does not use are dropped, unless it shows a refined picture alone.
    func end() {
        let unused = copies.withLock { copies in
            guard !copies.used.isEmpty || !copies.showsRefined else { return [Entry]() }
            defer { copies.earlier = [] }
            return copies.earlier
        }
        guard !unused.isEmpty else { return }
        // Tens of megabytes take milliseconds to unmap; without a thread this one does that.
        _ = Thread.start { withExtendedLifetime(unused) {} }
    }
}
