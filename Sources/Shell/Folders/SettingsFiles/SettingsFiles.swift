import FileAccess
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
    private let isAtLimit = Atomic(false)
    /// Raised when there are new contents.
    package let updated = Wakeup()
    /// Whether the system watches no more folders, so that the files are looked at from time to time.
    package var hasReachedWatchLimit: Bool { isAtLimit.load(ordering: .relaxed) }
    private let stopping = Wakeup()

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
            reader.run(watches: watches) { owner.post($0, isAtLimit: $1) }
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
        waitUntilReady(updated.descriptor, milliseconds: milliseconds)
        return fetch()
    }

    private func post(_ files: [File], isAtLimit: Bool) {
        self.isAtLimit.store(isAtLimit, ordering: .relaxed)
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
        func post(_ files: [File], isAtLimit: Bool) { owner?.post(files, isAtLimit: isAtLimit) }
    }
}
