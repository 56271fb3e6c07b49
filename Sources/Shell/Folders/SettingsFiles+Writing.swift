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
        let given = folder.appending(ownName)
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
            // The folder could not be made; the folder above says why.
            case ENOENT: throw obstacle(in: folder) ?? .failed(error)
            default: throw .failed(error)
            }
        }
    }

    /// The name of the file that settings are stored in.
    package static let ownName = Array("config.toml".utf8)

    /// Why no setting can be stored in `config.toml` of a folder; nil if settings can be stored.
    ///
    /// Waits for the folder, so it belongs on a thread of its own.
    package static func obstacle(in folder: FilePath) -> StoreError? {
        do throws(SystemError) {
            let target = folder.appending(ownName).target
            do throws(SystemError) {
                let (_, _, isTrusted) = try readSettings(target)
                guard isTrusted else { return .untrusted }
                try reporting { target.withCString { access($0, W_OK) } }
            } catch { guard error.code == ENOENT else { throw error } }
            // The new file takes the place of the old one, in its folder.
            var place = target.parent
            while true {
                do throws(SystemError) {
                    try reporting { place.withCString { access($0, W_OK) } }
                    return nil
                } catch {
                    // A folder that does not exist is made.
                    let parent = place.parent
                    guard error.code == ENOENT, parent != place else {
                        throw error
                    }
                    place = parent
                }
            }
        } catch { return .failed(error) }
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
        guard info.isRegularFile else { throw SystemError(code: ENXIO) }
        let isOwn = info.st_uid == getuid() || info.st_uid == 0
        return (
            try readToEnd(of: descriptor, limit: TOMLDocument.longest), info.st_mode & 0o777,
            isOwn && info.st_mode & (S_IWGRP | S_IWOTH) == 0
        )
    }
}

extension FilePath {
    /// The folder that the path is in; of a bare name the working folder.
    fileprivate var parent: FilePath {
        let prefix = parentPrefix
        if prefix.isEmpty { return FilePath([UInt8(ascii: ".")]) }
        return prefix.count == 1 ? FilePath(prefix) : FilePath(Array(prefix.dropLast()))
    }
}
