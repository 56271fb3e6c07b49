import CLinux
import ImageWire
import Geometry
import Glibc
import ImageTypes
import Synchronization

/// The memory that a picture's pixels are decoded into and handed over in, or a file on the disk,
/// where they only lie: a header page, the levels from the finest on.
///
/// `@unchecked Sendable`: the mapping stays until the object goes. Rows are written by the
/// decoding thread, or by others (a library's, `WorkerPool`'s) that are done with them before it goes
/// and read by the reducing ones only after `Pyramid.complete(rows:)` has told, with release and
/// acquire, that they are complete; rows of coarser levels belong to the thread that has taken their
/// chunk, and the coarsest levels to the one that waited for the other's end. Where several
/// threads decode a picture, rows and what they are reduced to belong to the one that has taken them, and
/// what is left to reduce is begun when all have ended. `isMapped` is changed once, by `seal`, when all
/// threads that write are done; the rest never changes.
final class PixelStore: LevelRows, @unchecked Sendable {
    /// The whole picture, upright.
    let size: PixelSize
    /// Every level in the memory; the first ones may be too large to be shown.
    let levels: [Bitmap.Level]
    private let descriptor: Int32
    private let base: UnsafeMutableRawPointer
    private let length: Int
    private let file: Range<Int>
    /// Whether it lies on the disk.
    let isSpilled: Bool
    /// Held by the thread that writes.
    let writing = Mutex(())
    /// Until `seal`, which comes after the last access.
    private var isMapped = true

    /// So many bytes of what lies on the disk are used before their memory is given back.
    static let relief = 64 << 20
    private let relief: Int

    /// Makes room for levels from `exponent` on, and writes the encoded picture.
    ///
    /// The coarsest level has no side longer than `smallestSide`.
    init(
        size: PixelSize, from exponent: Int, file: [UInt8] = [],
        smallestSide: Int = PixelLayout.smallestSide
    ) throws(DecodeFailure) {
        self.size = size
        isSpilled = false
        relief = Self.relief
        levels = PixelLayout.levels(of: size, from: exponent, smallestSide: smallestSide)
        let end = PixelLayout.end(of: levels)
        self.file = end..<(end + file.count)
        length = PixelLayout.aligned(self.file.upperBound)
        descriptor = clinux_memfd_create("vitrine-pixels")
        guard descriptor >= 0, ftruncate(descriptor, length) == 0,
            let base = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            base != MAP_FAILED
        else {
            if descriptor >= 0 { close(descriptor) }
            throw .unreadable(reason: "there is not enough memory for it")
        }
        self.base = base
        file.withUnsafeBytes { bytes in
            guard let source = bytes.baseAddress else { return }
            memcpy(base + self.file.lowerBound, source, bytes.count)
        }
    }

    /// Lays all levels of a picture in a file on the disk, whose descriptor is taken over and which has
    /// `PixelLayout.room(for:)`.
    init(
        size: PixelSize, in room: Int32, relief: Int = PixelStore.relief
    ) throws(DecodeFailure) {
        self.size = size
        self.relief = relief
        isSpilled = true
        levels = PixelLayout.levels(of: size)
        length = PixelLayout.aligned(PixelLayout.end(of: levels))
        file = 0..<0
        descriptor = room
        var status = stat()
        guard fstat(room, &status) == 0, status.st_size >= length,
            let base = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, room, 0),
            base != MAP_FAILED
        else {
            close(room)
            throw .unreadable(reason: "there is no room on the disk for it")
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

    /// Copies rows of a level that lie in ordinary memory as they are to lie here.
    ///
    /// That makes their memory present in less time than through the mapping: pages that are written
    /// whole are not cleared before.
    func write(_ rows: Range<Int>, of level: Bitmap.Level, from source: UnsafeRawPointer) {
        let start = level.offset + rows.lowerBound * level.stride
        let count = rows.count * level.stride
        var done = 0
        while done < count {
            let written = pwrite(descriptor, source + done, count - done, off_t(start + done))
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { break }
            done += written
        }
        // Where there is no memory this ends the process, as every access through the mapping does.
        if done < count { memcpy(base + start + done, source + done, count - done) }
    }

    /// Copies a part of another store's level to this one's, from its upper left corner on.
    func copy(
        _ rect: PixelRect, of other: Bitmap.Level, in store: PixelStore, to level: Bitmap.Level
    ) {
        for y in 0..<rect.height {
            row(y, of: level).update(
                from: store.row(rect.y + y, of: other) + rect.x, count: rect.width)
            store.relieve(after: y, of: other)
        }
    }

    /// Gives back the room on the disk that lies behind the levels.
    func endScratch() { if isSpilled { ftruncate(descriptor, length) } }

    /// Gives back the memory of what lies on the disk, and of the file it came from, now and then while
    /// one row of a level after the other is used.
    func relieve(after y: Int, of level: Bitmap.Level) {
        guard isSpilled, (y + 1) % max(1, relief / level.stride) == 0 else { return }
        relieve()
    }

    func relieve() {
        guard isSpilled else { return }
        clinux_relieve(base, length)
        clinux_relieve_file()
    }

    /// Takes rows that nobody looks at again out of the address space, while there is another thread to
    /// do something else; they are handed over all the same.
    func leave(_ rows: Range<Int>, of level: Bitmap.Level) {
        guard !isSpilled else { return }
        let page = PixelHeader.length
        let start = (level.offset + rows.lowerBound * level.stride + page - 1) / page * page
        let end = (level.offset + rows.upperBound * level.stride) / page * page
        if start < end { clinux_relieve(base + start, end - start) }
    }

    /// Makes the memory present ahead of the decoder, a piece at a time.
    func prefault(while isWanted: () -> Bool) {
        guard !isSpilled else { return }
        let piece = 4 << 20
        var offset = 0
        while offset < length, isWanted() {
            populate(offset..<min(offset + piece, length))
            offset += piece
        }
    }

    private func populate(_ bytes: Range<Int>) {
        clinux_populate(descriptor, bytes.lowerBound, base + bytes.lowerBound, bytes.count)
    }

    /// Writes the header and hands over a descriptor of memory that nobody can change any more.
    ///
    /// Call it once; nothing may be written afterwards.
    func seal(
        as format: PixelFormat, orientation: Orientation
    ) throws(DecodeFailure) -> Int32 {
        let shown = levels.filter {
            max($0.size.width, $0.size.height) <= PictureLimits.side
        }
        let header = PixelHeader(
            size: size, orientation: orientation, format: format, levels: shown, file: file
        ).bytes
        header.withUnsafeBytes { bytes in
            guard let source = bytes.baseAddress else { return }
            memcpy(base, source, min(bytes.count, PixelHeader.length))
        }
        // A mapping that could be written forbids the seal.
        munmap(base, length)
        isMapped = false
        guard clinux_add_seals(descriptor, 1, 1) == 0 else {
            throw .unreadable(reason: "the memory cannot be sealed")
        }
        let copy = dup(descriptor)
        guard copy >= 0 else { throw .unreadable(reason: "there are too many open files") }
        return copy
    }
}
