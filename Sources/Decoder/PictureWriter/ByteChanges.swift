import CLinux
import Glibc
import ImageTypes
import ImageWire
import Localization

/// Replacements of ranges of a file; all other bytes stay as they are.
struct ByteChanges {
    private struct Change {
        var range: Range<Int>
        var bytes: [UInt8]
    }

    private var changes: [Change] = []

    /// Replaces a range of the file; an empty range inserts.
    ///
    /// Of several insertions at one place, the first one comes first; all come before a replacement that
    /// begins there. Changes that overlap, as a hostile file may cause, are refused when the file is made.
    mutating func replace(_ range: Range<Int>, with bytes: [UInt8]) {
        changes.append(Change(range: range, bytes: bytes))
    }

    mutating func insert(_ bytes: [UInt8], at offset: Int) {
        replace(offset..<offset, with: bytes)
    }

    mutating func remove(_ range: Range<Int>) { replace(range, with: []) }

    /// By how many bytes the file grows; negative if it shrinks.
    var growth: Int { changes.reduce(0) { $0 + $1.bytes.count - $1.range.count } }

    /// The changes in ascending order; nil if they overlap, or leave the `length` bytes of the file.
    private func ordered(_ length: Int) -> [Change]? {
        // A stable order, so that insertions at one place keep theirs.
        let ordered = changes.enumerated().sorted {
            let (a, b) = ($0.element.range, $1.element.range)
            return (a.lowerBound, a.upperBound, $0.offset)
                < (b.lowerBound, b.upperBound, $1.offset)
        }.map(\.element)
        var done = 0
        for change in ordered {
            guard change.range.lowerBound >= done, change.range.upperBound <= length else {
                return nil
            }
            done = change.range.upperBound
        }
        return ordered
    }

    /// Calls `body` with the parts of the changed file, in order.
    private static func forEachPart(
        of source: UnsafeRawBufferPointer, _ changes: [Change],
        _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        var done = 0
        for change in changes {
            body(UnsafeRawBufferPointer(rebasing: source[done..<change.range.lowerBound]))
            change.bytes.withUnsafeBytes { body($0) }
            done = change.range.upperBound
        }
        body(UnsafeRawBufferPointer(rebasing: source[done...]))
    }

    /// The changed file as an array, for small structures.
    ///
    /// Traps if changes overlap, or leave the file.
    func applied(to source: UnsafeRawBufferPointer) -> [UInt8] {
        guard let ordered = ordered(source.count) else {
            preconditionFailure("overlapping changes")
        }
        var result: [UInt8] = []
        result.reserveCapacity(source.count + growth)
        Self.forEachPart(of: source, ordered) { result.append(contentsOf: $0) }
        return result
    }

    /// The changed file in sealed memory, whose descriptor the caller owns.
    func sealed(_ source: UnsafeRawBufferPointer) throws(EditFailure) -> Int32 {
        guard let ordered = ordered(source.count) else {
            throw .refused(localized("parts of the file lie in the same place"))
        }
        let length = source.count + growth
        guard length > 0, length <= EditReply.largestFile else {
            throw .refused(localized("the new file would be larger than 2 GiB"))
        }
        let descriptor = clinux_memfd_create("vitrine-file")
        guard descriptor >= 0, ftruncate(descriptor, length) == 0,
            let base = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            base != MAP_FAILED
        else {
            if descriptor >= 0 { close(descriptor) }
            throw .failed(.unreadable(reason: localized("there is not enough memory")))
        }
        var place = 0
        Self.forEachPart(of: source, ordered) { part in
            guard let start = part.baseAddress else { return }
            (base + place).copyMemory(from: start, byteCount: part.count)
            place += part.count
        }
        // The kernel refuses the seal while a writable mapping exists.
        munmap(base, length)
        guard clinux_seal_patiently(descriptor) == 0 else {
            close(descriptor)
            throw .failed(.unreadable(reason: localized("the memory cannot be sealed")))
        }
        return descriptor
    }
}

extension ByteChanges {
    /// The same changes of a file in which the structure begins at `offset`.
    func moved(by offset: Int) -> ByteChanges {
        var moved = self
        for index in moved.changes.indices {
            let range = moved.changes[index].range
            moved.changes[index].range = (range.lowerBound + offset)..<(range.upperBound + offset)
        }
        return moved
    }
}

extension ByteChanges {
    /// Adds the changes of another place.
    mutating func add(_ other: ByteChanges) { changes += other.changes }
}
