import CLinux
import Folders
import Glibc
import SystemCalls

/// Copies a file to another file system: contents, mode and times.
enum FileCopy {
    /// Copies a regular file or a link to a path where no file is; a failure leaves nothing there.
    ///
    /// The copy is on the disk when this returns.
    static func copy(_ source: FilePath, to target: FilePath) throws(SystemError) {
        guard let info = FileStatus.withoutLinks(source) else { throw SystemError(code: ENOENT) }
        if info.isLink { return try copyLink(source, to: target) }
        guard info.isRegularFile else { throw SystemError(code: EISDIR) }
        let input = try reporting {
            source.withCString { open($0, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) }
        }
        defer { close(input) }
        var temporary = (target.parentPrefix + Array(".vitrine.XXXXXX".utf8) + [0])
            .map { CChar(bitPattern: $0) }
        let output = try reporting { clinux_make_temporary(&temporary) }
        defer { unlink(temporary) }
        do throws(SystemError) {
            try copyContents(of: input, to: output)
            try reporting { fchmod(output, info.st_mode & 0o7777) }
            let times = [info.st_atim, info.st_mtim]
            try reporting { futimens(output, times) }
            try reporting { retrying { fsync(output) } }
        } catch {
            close(output)
            throw error
        }
        // Some file systems report a full disk only at this point.
        try reporting { close(output) }
        let made = FilePath(temporary.dropLast().map { UInt8(bitPattern: $0) })
        try RenameNew.move(made, to: target)
    }

    private static func copyLink(_ source: FilePath, to target: FilePath) throws(SystemError) {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        try reporting { source.withCString { readlink($0, &text, text.count - 1) } }
        try reporting { target.withCString { symlink(text, $0) } }
    }

    private static func copyContents(of input: Int32, to output: Int32) throws(SystemError) {
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = try reporting { retrying { read(input, &chunk, chunk.count) } }
            guard count > 0 else { return }
            try writeAll(Array(chunk[..<count]), to: output)
        }
    }
}
