import CLinux
import Glibc
package import ImageTypes

/// The bytes of a picture file: a file that shrinks meanwhile is just short.
///
/// It is read and not mapped, so that nothing changes under a library's hands, unless it is too large
/// for that.
package struct FileContents: ~Copyable {
    private let memory: UnsafeMutableRawBufferPointer
    private let count: Int
    private let isMapped: Bool

    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    /// Reads all of an open file, from its start, or at most so many bytes.
    package init(descriptor: Int32, most: Int? = nil) throws(DecodeFailure) {
        (memory, count, isMapped) = try Self.load(descriptor, most)
    }

    private static func load(
        _ descriptor: Int32, _ most: Int?
    ) throws(DecodeFailure) -> (UnsafeMutableRawBufferPointer, Int, isMapped: Bool) {
        let size = min(try size(of: descriptor), most ?? .max)
        guard size <= PictureLimits.fileSize else {
            throw .unreadable(reason: "the file is larger than 8 GiB")
        }
        if size > PictureLimits.readSize, let base = clinux_map_file(descriptor, size) {
            return (UnsafeMutableRawBufferPointer(start: base, count: size), size, true)
        }
        let memory = allocate(size)
        let count = read(descriptor, into: memory)
        guard count > 0 else {
            let reason = words(errno)
            memory.deallocate()
            throw .unreadable(reason: reason)
        }
        return (memory, count, false)
    }

    /// In large pages where there are some: to make memory present takes longer than to read into it.
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
        guard fstat(descriptor, &info) == 0 else { throw .unreadable(reason: words(errno)) }
        switch info.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .notAFile(kind: "a folder")
        case S_IFIFO: throw .notAFile(kind: "a pipe")
        case S_IFSOCK: throw .notAFile(kind: "a socket")
        default: throw .notAFile(kind: "a device")
        }
        guard info.st_size > 0 else { throw .empty }
        return info.st_size
    }

    /// How many bytes could be read; fewer than fit when the file has become shorter.
    private static func read(
        _ descriptor: Int32, into memory: UnsafeMutableRawBufferPointer
    ) -> Int {
        var done = 0
        while done < memory.count {
            let rest = memory[done...]
            let got = pread(
                descriptor, UnsafeMutableRawBufferPointer(rebasing: rest).baseAddress, rest.count,
                done)
            if got < 0 && errno == EINTR { continue }
            if got <= 0 { break }
            done += got
        }
        return done
    }

    private static func words(_ code: Int32) -> String {
        "it cannot be read: \(String(cString: strerror(code)))"
    }
}
