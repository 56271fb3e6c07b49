import CLinux
import Glibc
package import ImageTypes
package import ImageWire
import Localization
import SystemCalls

/// Opens picture files.
package enum PictureFile {
    /// Opens the regular file at `path` (bytes without a NUL) and returns its descriptor and status.
    ///
    /// The caller closes the descriptor, or hands it on. Throws for an empty file, for anything but
    /// a regular file, and where the file cannot be opened.
    package static func open(_ path: [UInt8]) throws(DecodeFailure) -> (
        descriptor: Int32, FileStatus
    ) {
        let (descriptor, info) = try openAny(path)
        do throws(DecodeFailure) {
            var status = try status(info)
            var created: Int64 = 0
            if clinux_creation_time(descriptor, &created) == 0 { status.created = Int(created) }
            return (descriptor, status)
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// The status of the regular file at `path`; throws as `open` does.
    static func status(_ path: [UInt8]) throws(DecodeFailure) -> FileStatus {
        var info = stat()
        do throws(SystemError) {
            try reporting { UntrustedFolders.status(of: path, &info) }
            try reporting { path.withPathString { access($0, R_OK) } }
        } catch { throw .unreadable(reason: error.pictureMessage) }
        return try status(info)
    }

    private static func status(_ info: stat) throws(DecodeFailure) -> FileStatus {
        switch info.st_mode & S_IFMT {
        case S_IFREG: if info.st_size == 0 { throw .empty }
        case S_IFDIR: throw .notAFile(kind: localized("a folder"))
        case S_IFIFO: throw .notAFile(kind: localized("a pipe"))
        case S_IFSOCK: throw .notAFile(kind: localized("a socket"))
        default: throw .notAFile(kind: localized("a device"))
        }
        return FileStatus(size: info.st_size, modified: info.st_mtim.tv_sec)
    }

    /// A second descriptor of an open file, which the caller closes.
    package static func duplicate(_ descriptor: Int32) throws(DecodeFailure) -> Int32 {
        do throws(SystemError) {
            return try reporting { dup(descriptor) }
        } catch { throw .unreadable(reason: error.pictureMessage) }
    }

    /// Opens a file of any kind.
    private static func openAny(_ path: [UInt8]) throws(DecodeFailure) -> (Int32, stat) {
        do throws(SystemError) {
            let isTrusted = !UntrustedFolders.contain(path)
            let descriptor = try reporting {
                path.withPathString {
                    isTrusted
                        ? clinux_open_picture($0)
                        : clinux_open_without_links($0, O_RDONLY | O_NONBLOCK | O_NOCTTY)
                }
            }
            do throws(SystemError) {
                var info = stat()
                try reporting { fstat(descriptor, &info) }
                return (descriptor, info)
            } catch {
                close(descriptor)
                throw error
            }
        } catch { throw .unreadable(reason: error.pictureMessage) }
    }
}
