import CLinux
import FileAccess
import Glibc
import ImageWire
package import SystemCalls
package import TOML

/// Changes of a setting in the user's file.
extension SettingsFiles {
    /// Why a setting could not be stored.
    package enum StoreError: Error, Hashable {
        case failed(SystemError)
        /// The file has no place for the key, for example because a part of it is a value.
        case noPlace
        case untrusted(Distrust)
    }

    /// Stores a setting in `config.toml` of a folder; every other byte of the file stays.
    ///
    /// The new file takes the place of the old one as a whole, with the same mode; a symbolic link is
    /// followed. Waits for the folder, so it belongs on a thread of its own.
    package static func store(
        _ name: String, _ value: TOMLValue, in folder: FilePath
    ) throws(StoreError) {
        let given = folder.appending(ownName)
        do throws(StoreError) {
            FileReplacement.makeFolders(folder.bytes)
            let target = given.target
            let old = try readSettings(target)
            guard let new = try changed(old, name, value) else { return }
            do throws(SystemError) {
                try FileReplacement.write(
                    new, to: target.bytes, mode: old?.mode ?? 0o600, isSynced: true)
            } catch { throw StoreError.failed(error) }
        } catch {
            // The folder could not be made; the folder above says why.
            guard error == .failed(SystemError(code: ENOENT)) else { throw error }
            throw obstacle(in: folder) ?? error
        }
    }

    /// The new bytes of a file, which may be missing; nil if they are the old ones.
    private static func changed(
        _ old: Stored?, _ name: String, _ value: TOMLValue
    ) throws(StoreError) -> [UInt8]? {
        if let distrust = old?.distrust { throw .untrusted(distrust) }
        let (bytes, path) = (old?.bytes ?? [], name.split(separator: ".").map(String.init))
        guard let new = TOMLDocument(bytes).setting(path, to: value) else { throw .noPlace }
        return new.bytes == bytes ? nil : new.bytes
    }

    /// The name of the file that settings are stored in.
    package static let ownName = Array("config.toml".utf8)

    /// Why no setting can be stored in `config.toml` of a folder; nil if settings can be stored.
    ///
    /// Waits for the folder, so it belongs on a thread of its own.
    package static func obstacle(in folder: FilePath) -> StoreError? {
        let target = folder.appending(ownName).target
        do throws(StoreError) {
            if let distrust = try readSettings(target)?.distrust { return .untrusted(distrust) }
        } catch { return error }
        do throws(SystemError) {
            do throws(SystemError) {
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

    /// A settings file as it is.
    private struct Stored {
        var bytes: [UInt8]
        var mode: UInt32
        var distrust: Distrust?
    }

    /// Nil if there is no file.
    private static func readSettings(_ path: FilePath) throws(StoreError) -> Stored? {
        do throws(SystemError) {
            let descriptor = try reporting {
                path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
            }
            defer { close(descriptor) }
            var info = stat()
            try reporting { fstat(descriptor, &info) }
            guard info.isRegularFile else { throw SystemError(code: ENXIO) }
            let trust = FileTrust(owner: info.st_uid, mode: info.st_mode, user: getuid())
            return Stored(
                bytes: try readToEnd(of: descriptor, limit: TOMLDocument.longest),
                mode: info.st_mode & 0o777, distrust: Distrust(trust))
        } catch {
            guard error.code == ENOENT else { throw .failed(error) }
            return nil
        }
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
