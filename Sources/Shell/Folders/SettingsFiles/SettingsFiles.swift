import CLinux
import FileAccess
import Glibc
import Synchronization
package import SystemCalls
package import Threads

/// The settings files of the user and of the command line, read and watched on a thread of their own.
///
/// Nothing waits for a folder that does not answer: the thread waits for the server of `FolderClient`.
package final class SettingsFiles: Sendable {
    /// What was found at a path.
    package struct File: Hashable, Sendable {
        package enum Content: Hashable, Sendable {
            case bytes([UInt8])
            case failed(SystemError)
            /// Somebody else can change the file, so it is not used.
            case untrusted(Distrust)
        }

        package let path: FilePath
        package let content: Content

        package init(path: FilePath, content: Content) {
            (self.path, self.content) = (path, content)
        }
    }

    private let folder: FilePath?
    private let extra: FilePath?
    private let found = Mutex<[File]?>(nil)
    /// Raised when there are new contents.
    package let updated = Wakeup()
    private let stopping = Wakeup()

    /// A file is read once it has been at rest for so long, in milliseconds.
    private static let rest: Int32 = 100
    private static let longest = 1 << 20

    /// Reads `config.toml` in `folder` and the files in `config.d` beside it, in the order of their
    /// names, then `extra`.
    ///
    /// Takes over the socket that `FileClient.connectFolders` returned.
    package init(folder: FilePath?, extra: FilePath?, socket: Int32, watches: Bool) {
        (self.folder, self.extra) = (folder, extra)
        let (stop, owner) = (stopping, Weak(self))
        Thread.start { [folder, extra] in
            var reader = Reader(
                folder: folder, extra: extra, files: FolderClient(socket, stop: stop.descriptor),
                stop: stop)
            reader.run(watches: watches) { owner.post($0) }
        }
    }

    deinit { stopping.raise() }

    /// The contents, if they have changed since the last call.
    package func fetch() -> [File]? {
        updated.lower()
        return found.withLock { found in
            defer { found = nil }
            return found
        }
    }

    /// Waits until the files are read, at most this time in milliseconds.
    package func fetch(within milliseconds: Int32) -> [File]? {
        var polls = [pollfd(fd: updated.descriptor, events: Int16(POLLIN), revents: 0)]
        poll(&polls, 1, milliseconds)
        return fetch()
    }

    private func post(_ files: [File]) {
        found.withLock { $0 = files }
        updated.raise()
    }

    /// The thread does not keep the files alive.
    ///
    /// `@unchecked Sendable`: the reference is set once, before the thread starts, and loaded by the
    /// runtime's own lock.
    private final class Weak: @unchecked Sendable {
        private weak let owner: SettingsFiles?
        init(_ owner: SettingsFiles) { self.owner = owner }
        func post(_ files: [File]) { owner?.post(files) }
    }

    /// The thread's side.
    private struct Reader {
        let folder: FilePath?
        let extra: FilePath?
        var files: FolderClient
        let stop: Wakeup

        mutating func run(watches: Bool, _ post: ([File]) -> Void) {
            var watch = FolderWatch(files.watches)
            var last: [File]?
            var attempts = 0
            while true {
                // Before reading: a change in between is read again.
                if watches { watchFolders() }
                let now = read(last: last ?? [])
                if !files.isConnected, attempts < Self.mostAttempts, connectAnew() {
                    watch = FolderWatch(files.watches)
                    attempts += 1
                    continue
                }
                if now != last { post(now) }
                (last, attempts) = (now, 0)
                guard watches, files.isConnected, waitForChange(watch) else { return }
            }
        }

        /// Servers that are tried for one reading.
        private static let mostAttempts = 3

        /// Continues with a server on a thread of this process, because the server has ended; returns whether
        /// that one answers.
        private mutating func connectAnew() -> Bool {
            guard let new = try? FolderClient.startThread(stop: stop.descriptor), new.isConnected
            else { return false }
            files = new
            return true
        }

        private func watchFolders() {
            var folders: [FilePath] = []
            if let folder {
                folders += [
                    FilePath(folder.parentPrefix), folder, folder.appending(Array("config.d".utf8)),
                ]
            }
            if let extra {
                folders.append(
                    FilePath(extra.parentPrefix.isEmpty ? [UInt8(ascii: ".")] : extra.parentPrefix))
            }
            for folder in folders {
                try? files.list(
                    folder.bytes, wantsDetails: false, wantsSubfolders: false,
                    onFolder: { _ in }, onItems: { _ in })
            }
        }

        /// Waits for a change, and then until nothing changes any more; returns false at the end.
        private func waitForChange(_ watch: borrowing FolderWatch) -> Bool {
            var timeout: Int32 = -1
            while true {
                var polls = [watch.descriptor, stop.descriptor, files.descriptor].map {
                    pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
                }
                let count = poll(&polls, nfds_t(polls.count), timeout)
                if polls[1].revents != 0 { return false }
                if count == 0 || files.fetchLateAnswers() || !files.isConnected { return true }
                guard polls[0].revents != 0 else { continue }
                _ = watch.read()
                timeout = SettingsFiles.rest
            }
        }

        /// A file that cannot be read for now is as it was in `last`: a person has not changed it.
        private func read(last: [File]) -> [File] {
            var found: [File] = []
            if let folder {
                found += file(folder.appending(Array("config.toml".utf8)), last)
                let parts = folder.appending(Array("config.d".utf8))
                do throws(SystemError) {
                    let names = try files.read(parts.folderPrefix, limit: SettingsFiles.longest)
                        .bytes
                    for name in names.split(separator: 0) where name.hasTOMLName {
                        found += file(parts.appending(Array(name)), last)
                    }
                } catch {
                    if error.mayPass {
                        found += last.filter { $0.path.parentPrefix == parts.folderPrefix }
                    }
                }
            }
            if let extra {
                let missing = File(path: extra, content: .failed(SystemError(code: ENOENT)))
                found += file(extra, last, instead: [missing])
            }
            return found
        }

        /// `instead` for a file that does not exist.
        private func file(_ path: FilePath, _ last: [File], instead: [File] = []) -> [File] {
            do throws(SystemError) {
                let (bytes, trust) = try files.read(path.bytes, limit: SettingsFiles.longest)
                let distrust = Distrust(trust)
                return [File(path: path, content: distrust.map { .untrusted($0) } ?? .bytes(bytes))]
            } catch {
                let known = last.filter { $0.path == path }
                if error == FolderClient.stalled || error.mayPass && !known.isEmpty { return known }
                return error.code == ENOENT ? instead : [File(path: path, content: .failed(error))]
            }
        }
    }
}

extension SystemError {
    /// Whether the system, and not the file, is the reason.
    fileprivate var mayPass: Bool {
        let reasons = [
            FolderClient.stalled.code, ECONNRESET, EIO, ESTALE, EMFILE, ENFILE, ENOMEM, EAGAIN,
            EINTR, ENOTCONN,
        ]
        return reasons.contains(code)
    }
}

extension ArraySlice<UInt8> {
    fileprivate var hasTOMLName: Bool { suffix(5).elementsEqual(".toml".utf8) }
}
