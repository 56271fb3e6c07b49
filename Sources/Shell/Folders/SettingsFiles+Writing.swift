import CLinux
import FileAccess
import Glibc
package import SystemCalls
package import TOML

/// Changes of a setting in the user's file.
extension SettingsFiles {
    /// Why a setting could not be stored.
    package enum StoreError: Error, Hashable {
        case failed(SystemError)
        /// The file has no place for the key, for example because a part of it is a value.
        case noPlace
        case untrusted
    }

    /// Stores a setting in `config.toml` of a folder; every other byte of the file stays.
    ///
    /// The new file takes the place of the old one as a whole, with the same mode; a symbolic link is
    /// followed. Waits for the folder, so it belongs on a thread of its own.
    package static func store(
        _ name: String, _ value: TOMLValue, in folder: FilePath
    ) throws(StoreError) {
        let given = folder.appending(Array("config.toml".utf8))
        do throws(SystemError) {
            FileReplacement.makeFolders(folder.bytes)
            let target = given.target
            var mode: UInt32 = 0o600
            var bytes: [UInt8] = []
            var isTrusted = true
            do throws(SystemError) {
                let file = try readSettings(target)
                (bytes, mode, isTrusted) = file
            } catch { guard error.code == ENOENT else { throw error } }
            guard isTrusted else { throw SystemError(code: EPERM) }
            let path = name.split(separator: ".").map(String.init)
            guard let new = TOMLDocument(bytes).setting(path, to: value) else {
                throw SystemError(code: EINVAL)
            }
            if new.bytes == bytes { return }
            try FileReplacement.write(new.bytes, to: target.bytes, mode: mode, isSynced: true)
        } catch {
            switch error.code {
            case EINVAL: throw .noPlace
            case EPERM: throw .untrusted
            default: throw .failed(error)
            }
        }
    }

    private static func readSettings(
        _ path: FilePath
    ) throws(SystemError) -> ([UInt8], UInt32, Bool) {
        let descriptor = try reporting {
            path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
        }
        defer { close(descriptor) }
        var info = stat()
        try reporting { fstat(descriptor, &info) }
        guard info.st_mode & S_IFMT == S_IFREG else { throw SystemError(code: ENXIO) }
        let isOwn = info.st_uid == getuid() || info.st_uid == 0
        return (
            try readToEnd(of: descriptor, limit: TOMLDocument.longest), info.st_mode & 0o777,
            isOwn && info.st_mode & (S_IWGRP | S_IWOTH) == 0
        )
    }
}

extension FilePath {
    /// Where symbolic links lead; the path itself if there is no file.
    fileprivate var target: FilePath {
        guard let resolved = withCString({ realpath($0, nil) }) else { return self }
        defer { free(resolved) }
        return FilePath(Array(String(cString: resolved).utf8))
    }
}
