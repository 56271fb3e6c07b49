import CLinux
import Glibc
package import ImageTypes
import Localization
import SystemCalls

/// The bytes of a picture file.
///
/// The file is read into memory, so that the bytes cannot change while a library uses them; only a
/// file larger than `PictureLimits.readSize` is mapped. A file that shrinks while it is read just
/// has fewer bytes.
package struct FileContents: ~Copyable {
    private let memory: UnsafeMutableRawBufferPointer
    private let count: Int
    private let isMapped: Bool

    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    /// Reads an open file from its start, up to `most` bytes.
    ///
    /// Throws if the file is empty, not a regular file, unreadable or too large.
    package init(descriptor: Int32, most: Int? = nil) throws(DecodeFailure) {
        (memory, count, isMapped) = try Self.load(descriptor, most)
    }

    private static func load(
        _ descriptor: Int32, _ most: Int?
    ) throws(DecodeFailure) -> (UnsafeMutableRawBufferPointer, Int, isMapped: Bool) {
        let size = min(try size(of: descriptor), most ?? .max)
        guard size <= PictureLimits.fileSize else {
            throw .unreadable(reason: localized("the file is larger than 8 GiB"))
        }
        if size > PictureLimits.readSize, let base = clinux_map_file(descriptor, size) {
            return (UnsafeMutableRawBufferPointer(start: base, count: size), size, true)
        }
        let memory = allocate(size)
        do throws(DecodeFailure) {
            return (memory, try read(descriptor, into: memory), false)
        } catch {
            memory.deallocate()
            throw error
        }
    }

    /// Allocates huge pages if possible: the page faults take longer than reading the file.
    private static func allocate(_ size: Int) -> UnsafeMutableRawBufferPointer {
        guard size >= largePage else { return .allocate(byteCount: size, alignment: 16) }
        let whole = (size + largePage - 1) / largePage * largePage
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: whole, alignment: largePage)
        madvise(memory.baseAddress, whole, MADV_HUGEPAGE)
        return UnsafeMutableRawBufferPointer(rebasing: memory[..<size])
    }

    private static let largePage = 2 << 20

    deinit {
        if isMapped {
            clinux_unmap_file()
        } else {
            memory.deallocate()
        }
    }

    private static func size(of descriptor: Int32) throws(DecodeFailure) -> Int {
        var info = stat()
        do throws(SystemError) {
            try reporting { fstat(descriptor, &info) }
        } catch { throw unreadable(error) }
        switch info.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .notAFile(kind: localized("a folder"))
        case S_IFIFO: throw .notAFile(kind: localized("a pipe"))
        case S_IFSOCK: throw .notAFile(kind: localized("a socket"))
        default: throw .notAFile(kind: localized("a device"))
        }
        guard info.st_size > 0 else { throw .empty }
        return info.st_size
    }

    /// Fills `memory`; returns the number of bytes read, fewer if the file has become shorter.
    private static func read(
        _ descriptor: Int32, into memory: UnsafeMutableRawBufferPointer
    ) throws(DecodeFailure) -> Int {
        let count: Int
        do throws(SystemError) {
            count = try readBytes(of: descriptor, into: memory)
        } catch { throw unreadable(error) }
        guard count > 0 else { throw .empty }
        return count
    }

    private static func unreadable(_ error: SystemError) -> DecodeFailure {
        .unreadable(reason: localized("the file cannot be read: \(error)"))
    }
}
