import CLinux
import Folders
import Glibc
import SystemCalls

/// A small file with state that outlives the program.
struct StateFile {
    private let folder: FilePath
    private let path: FilePath

    /// More than any state needs; a longer file is not ours.
    private static let longest = 4096

    init(_ name: String, in folder: FilePath) {
        self.folder = folder
        path = folder.appending(Array(name.utf8))
    }

    /// The folder of the user for the state of this program: below $XDG_STATE_HOME if that is an
    /// absolute path, else below ~/.local/state; nil without a home folder.
    ///
    /// Source: XDG Base Directory Specification 0.8.
    static var userFolder: FilePath? {
        func variable(_ name: String) -> FilePath? {
            guard let value = getenv(name), value.pointee == CChar(bitPattern: 0x2F) else {
                return nil
            }
            return FilePath(Array(String(cString: value).utf8))
        }
        let home = variable("HOME")?.appending(Array(".local/state".utf8))
        return (variable("XDG_STATE_HOME") ?? home)?.appending(Array("vitrine".utf8))
    }

    /// The contents; nil if there are none that can be read.
    func read() -> [UInt8]? { try? InputFile.read(path, limit: Self.longest) }

    /// Replaces the file as a whole: it is written beside, synced and renamed.
    func write(_ bytes: [UInt8]) throws(SystemError) {
        Self.makeFolders(folder.bytes[...])
        var temporary = (path.bytes + Array(".XXXXXX".utf8) + [0]).map { CChar(bitPattern: $0) }
        let descriptor = try reporting { clinux_make_temporary(&temporary) }
        do throws(SystemError) {
            try Self.fill(descriptor, with: bytes)
            try reporting { path.withCString { rename(temporary, $0) } }
        } catch {
            unlink(temporary)
            throw error
        }
        syncFolder()
    }

    private static func fill(_ descriptor: Int32, with bytes: [UInt8]) throws(SystemError) {
        do throws(SystemError) {
            try writeAll(bytes, to: descriptor)
            try reporting { retrying { fsync(descriptor) } }
        } catch {
            close(descriptor)
            throw error
        }
        // Some file systems report a full disk only at this point.
        try reporting { close(descriptor) }
    }

    /// Makes the rename last, where the file system can.
    private func syncFolder() {
        let descriptor = folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Makes a folder and its parents, accessible by the user only; the later open reports errors.
    private static func makeFolders(_ path: ArraySlice<UInt8>) {
        let folder = FilePath(Array(path))
        do throws(SystemError) {
            try reporting { folder.withCString { mkdir($0, 0o700) } }
            return
        } catch { guard error.code == ENOENT else { return } }
        guard let end = path.lastIndex(of: 0x2F), end > path.startIndex else { return }
        makeFolders(path[..<end])
        _ = folder.withCString { mkdir($0, 0o700) }
    }
}
