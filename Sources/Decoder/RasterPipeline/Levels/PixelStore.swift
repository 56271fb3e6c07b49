import CLinux
import ImageWire
import Geometry
import Glibc
import ImageTypes
import Localization
import Synchronization
import SystemCalls

/// The memory of a decoded picture: a header page, then the mip levels from the finest on.
///
/// The memory is either a memfd, which is sealed and delivered to the viewer, or a file on the
/// disk, which stays with the decoder.
///
/// `@unchecked Sendable`: the mapping exists until `deinit` or `seal`. Rows are written by the
/// decoding thread, or by threads of a library or of `WorkerPool` that finish before `deinit`. The
/// reducing threads read rows only after `Pyramid.complete(rows:)` has published them, with release
/// and acquire ordering. Rows of coarser levels belong to the thread that has claimed their chunk.
/// The coarsest levels belong to the thread that has waited for the end of the other one. If
/// several threads decode a picture, rows and their reductions belong to the thread that has
/// claimed them; the remaining reduction begins once all threads have ended. `isMapped` is changed
/// only by `seal`, once all writing threads have ended. The other properties never change.
final class PixelStore: LevelRows, @unchecked Sendable {
    /// The upright size of the full picture in pixels.
    let size: PixelSize
    /// How planes are sampled; nil for pixels.
    let chroma: ChromaFormat?
    /// All levels in the memory; the first ones may be too large to be displayed.
    let levels: [Bitmap.Level]
    private let descriptor: Int32
    private let base: UnsafeMutableRawPointer
    private let length: Int
    /// Room for the finest level in sRGB, behind all levels; nil without it.
    let sRGBCopy: Bitmap.Level?
    /// Whether the pixels are in a file on the disk.
    let isDiskBacked: Bool
    /// Locked by the thread that calls `write`.
    let writing = Mutex(())
    /// True until `seal`, which comes after the last access.
    private var isMapped = true

    /// Bytes of a disk-backed store that are used between two releases of resident pages.
    static let releaseInterval = 64 << 20
    private let releaseInterval: Int

    /// Allocates memory for the levels from mip level `mipLevel` on, and for a copy in sRGB; for planes if
    /// `chroma` is not nil.
    ///
    /// No side of the coarsest level is longer than `smallestSide`.
    init(
        size: PixelSize, from mipLevel: Int, chroma: ChromaFormat? = nil,
        withSRGBCopy: Bool = false, smallestSide: Int = PixelLayout.smallestSide
    ) throws(DecodeFailure) {
        self.size = size
        self.chroma = chroma
        isDiskBacked = false
        releaseInterval = Self.releaseInterval
        levels = PixelLayout.levels(
            of: size, chroma: chroma, from: mipLevel, smallestSide: smallestSide)
        let end = PixelLayout.end(of: levels)
        sRGBCopy =
            withSRGBCopy
            ? Bitmap.Level(
                mipLevel: 0, size: size, stride: Bitmap.Level.stride(ofWidth: size.width),
                offset: end) : nil
        length = PixelLayout.aligned(sRGBCopy.map { PixelLayout.end(of: [$0]) } ?? end)
        descriptor = clinux_memfd_create("vitrine-pixels")
        guard descriptor >= 0, ftruncate(descriptor, length) == 0,
            let base = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            base != MAP_FAILED
        else {
            if descriptor >= 0 { close(descriptor) }
            throw .unreadable(reason: localized("there is not enough memory"))
        }
        self.base = base
    }

    /// Maps all levels of a picture in the disk file `backingFile`, whose descriptor the store then owns.
    ///
    /// The file has at least `PixelLayout.backingFileBytes(for:)` bytes.
    init(
        size: PixelSize, in backingFile: Int32, releaseInterval: Int = PixelStore.releaseInterval
    ) throws(DecodeFailure) {
        self.size = size
        self.releaseInterval = releaseInterval
        chroma = nil
        isDiskBacked = true
        levels = PixelLayout.levels(of: size)
        length = PixelLayout.aligned(PixelLayout.end(of: levels))
        sRGBCopy = nil
        descriptor = backingFile
        var status = stat()
        guard fstat(backingFile, &status) == 0, status.st_size >= length,
            let base = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, backingFile, 0),
            base != MAP_FAILED
        else {
            close(backingFile)
            throw .unreadable(reason: localized("there is no room on the disk for it"))
        }
        self.base = base
    }

    deinit {
        if isMapped { munmap(base, length) }
        close(descriptor)
    }

    /// Row `y` of a level.
    func row(_ y: Int, of level: Bitmap.Level) -> UnsafeMutablePointer<UInt32> {
        (base + level.offset + y * level.stride).assumingMemoryBound(to: UInt32.self)
    }

    /// A row of samples at `offset` bytes from the start of the memory.
    func samples(at offset: Int) -> UnsafeMutablePointer<UInt8> {
        (base + offset).assumingMemoryBound(to: UInt8.self)
    }

    /// Copies rows of a level from ordinary memory that has the same stride.
    ///
    /// Writing through the descriptor is faster than through the mapping: the kernel does not clear
    /// pages that are written completely.
    func write(_ rows: Range<Int>, of level: Bitmap.Level, from source: UnsafeRawPointer) {
        write(rows.count * level.stride, at: level.offset + rows.lowerBound * level.stride, source)
    }

    /// Copies `count` bytes to `start` bytes from the start of the memory.
    func write(_ count: Int, at start: Int, _ source: UnsafeRawPointer) {
        var done = 0
        while done < count {
            let written = retrying {
                pwrite(descriptor, source + done, count - done, off_t(start + done))
            }
            guard written > 0 else { break }
            done += written
        }
        // Without free memory this kills the process, as does every access through the mapping.
        if done < count { memcpy(base + start + done, source + done, count - done) }
    }

    /// Copies `rect` of a level of another store to the upper left corner of a level of this one.
    func copy(
        _ rect: PixelRect, of other: Bitmap.Level, in store: PixelStore, to level: Bitmap.Level
    ) {
        for y in 0..<rect.height {
            row(y, of: level).update(
                from: store.row(rect.y + y, of: other) + rect.x, count: rect.width)
            store.releasePages(after: y, of: other)
        }
    }

    /// Truncates the disk file after the levels, which frees the disk space of the scratch memory.
    func endScratch() { if isDiskBacked { ftruncate(descriptor, length) } }

    /// Releases resident pages of a disk-backed store and of the picture's file now and then.
    ///
    /// To be called after each row, while the rows of a level are used in order.
    func releasePages(after y: Int, of level: Bitmap.Level) {
        guard isDiskBacked, (y + 1) % max(1, releaseInterval / level.stride) == 0 else { return }
        releasePages()
    }

    /// Releases resident pages of a disk-backed store and of the picture's file.
    func releasePages() {
        guard isDiskBacked else { return }
        clinux_release_pages(base, length)
        clinux_release_file_pages()
    }

    /// Unmaps the pages of rows that are not read again; the rows stay in the memfd.
    ///
    /// This is done early, while another thread can do the remaining work.
    func leave(_ rows: Range<Int>, of level: Bitmap.Level) {
        guard !isDiskBacked else { return }
        let page = PixelHeader.length
        let start = (level.offset + rows.lowerBound * level.stride + page - 1) / page * page
        let end = (level.offset + rows.upperBound * level.stride) / page * page
        if start < end { clinux_release_pages(base + start, end - start) }
    }

    /// Populates the memory ahead of the decoder, step by step while `isWanted` returns true.
    func prefault(while isWanted: () -> Bool) {
        guard !isDiskBacked else { return }
        let step = 4 << 20
        var offset = 0
        while offset < length, isWanted() {
            populate(offset..<min(offset + step, length))
            offset += step
        }
    }

    private func populate(_ bytes: Range<Int>) {
        clinux_populate(descriptor, bytes.lowerBound, base + bytes.lowerBound, bytes.count)
    }

    /// Writes the header and seals the memory; returns a new descriptor, which the caller owns.
    ///
    /// Call this once; nothing may be written afterwards.
    func seal(
        as format: PixelFormat, orientation: Orientation
    ) throws(DecodeFailure) -> Int32 {
        let shown = levels.filter {
            $0.size.longestSide <= PictureLimits.side
        }
        let header = PixelHeader(
            size: size, orientation: orientation, format: format, chroma: chroma, levels: shown,
            sRGBCopy: sRGBCopy
        ).bytes
        header.withUnsafeBytes { bytes in
            guard let source = bytes.baseAddress else { return }
            memcpy(base, source, min(bytes.count, PixelHeader.length))
        }
        // The kernel refuses the seal while a writable mapping exists.
        munmap(base, length)
        isMapped = false
        guard clinux_seal_patiently(descriptor) == 0 else {
            throw .unreadable(reason: localized("the memory cannot be sealed"))
        }
        let copy = dup(descriptor)
        guard copy >= 0 else {
            throw .unreadable(reason: localized("there are too many open files"))
        }
        return copy
    }
}
