import CLinux
import FileAccess
import Glibc
import ImageWire
import SystemCalls
import Threads

extension SettingsFiles {
    /// The thread's side.
    struct Reader {
        /// A file is read once it has been at rest for so long, in milliseconds.
        private static let rest: Int32 = 100
        /// The time between two looks at files of which the system does not tell, in milliseconds.
        private static let lookPause: Int32 = 5000
        private static let longest = 1 << 20

        let folder: FilePath?
        let extra: FilePath?
        var files: FolderClient
        let stop: Wakeup
        /// Whether the system does not tell of all changes.
        private var isPolled = false
        private var isAtLimit = false
        /// The watches of folders, whose names matter; of ways only the folders themselves do.
        private var folders: Set<Int32> = []

        init(folder: FilePath?, extra: FilePath?, files: FolderClient, stop: Wakeup) {
            (self.folder, self.extra, self.files, self.stop) = (folder, extra, files, stop)
        }

        mutating func run(watches: Bool, _ post: (_ files: [File], _ isAtLimit: Bool) -> Void) {
            var watch = FolderWatch(files.watches)
            var last: [File]?
            var attempts = 0
            while true {
                // Before reading: a change in between is read again.
                if watches { watchFiles() }
                let states = states
                let now = read(last: last ?? [])
                if !files.isConnected, attempts < Self.mostAttempts, connectAnew() {
                    watch = FolderWatch(files.watches)
                    attempts += 1
                    continue
                }
                if now != last { post(now, isAtLimit) }
                (last, attempts) = (now, 0)
                guard watches, files.isConnected, waitForChange(watch, since: states) else {
                    return
                }
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

        /// The files and folders that decide what the settings are, as far as their names are known.
        private var paths: [FilePath] {
            var paths: [FilePath] = []
            if let folder {
                paths += [folder.appending(Array("config.toml".utf8)), parts(of: folder)]
                paths += partNames.map { parts(of: folder).appending($0) }
            }
            return paths + [extra].compactMap(\.self)
        }

        private func parts(of folder: FilePath) -> FilePath {
            folder.appending(Array("config.d".utf8))
        }

        /// The names of the files in `config.d`.
        private var partNames: [[UInt8]] {
            guard let folder,
                let names = try? files.read(
                    parts(of: folder).folderPrefix, limit: Self.longest)
            else { return [] }
            return names.bytes.split(separator: 0).filter(\.hasTOMLName).map { Array($0) }
        }

        /// Watches the folders of the files, and where links to the files lead.
        private mutating func watchFiles() {
            (isPolled, isAtLimit, folders) = (false, false, [])
            if let folder {
                for folder in [FilePath(folder.parentPrefix), folder, parts(of: folder)] {
                    watch(folder)
                }
            }
            if let extra {
                let here = [UInt8(ascii: ".")]
                watch(FilePath(extra.parentPrefix.isEmpty ? here : extra.parentPrefix))
            }
            for path in paths {
                do throws(SystemError) {
                    if try !files.follow(path.bytes).isWhole, try exists(path) { isPolled = true }
                } catch { isPolled = true }
            }
        }

        private mutating func watch(_ folder: FilePath) {
            do throws(SystemError) {
                let answer = try files.watch(folder.bytes)
                if answer.origin == .remote || !answer.watching.isWatched { isPolled = true }
                if answer.watching.isRefusedByLimit { isAtLimit = true }
                if case .watched(let number) = answer.watching { folders.insert(number) }
            } catch { if error.code != ENOENT { isPolled = true } }
        }

        /// Whether a path leads to a file or folder, or is a link that leads to none.
        private func exists(_ path: FilePath) throws(SystemError) -> Bool {
            do throws(SystemError) {
                _ = try files.inspect(path.bytes, wantsDetails: false)
                return true
            } catch {
                guard error.code == ENOENT else { throw error }
                return false
            }
        }

        /// How the files are found, where the system does not tell of their changes.
        private var states: [FileState?] {
            isPolled ? (try? files.states(of: paths.map(\.bytes))) ?? [] : []
        }

        /// Waits for a change, and then until nothing changes any more; returns false at the end.
        private func waitForChange(
            _ watch: borrowing FolderWatch, since states: [FileState?]
        ) -> Bool {
            var hasChanged = false
            while true {
                var polls = [watch.descriptor, stop.descriptor, files.descriptor].map {
                    pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
                }
                let pause = isPolled ? Self.lookPause : -1
                let count = poll(
                    &polls, nfds_t(polls.count), hasChanged ? Self.rest : pause)
                if polls[1].revents != 0 { return false }
                if files.fetchLateAnswers() || !files.isConnected { return true }
                if count == 0 {
                    if hasChanged { return true }
                    hasChanged = self.states != states
                } else if polls[0].revents != 0 {
                    let isMeant = watch.read().contains {
                        $0.name.isEmpty || folders.contains($0.watch)
                    }
                    if isMeant { hasChanged = true }
                }
            }
        }

        /// A file that cannot be read for now is as it was in `last`: a person has not changed it.
        private func read(last: [File]) -> [File] {
            var found: [File] = []
            if let folder {
                found += file(folder.appending(Array("config.toml".utf8)), last)
                let parts = parts(of: folder)
                do throws(SystemError) {
                    let names = try files.read(parts.folderPrefix, limit: Self.longest)
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
                let (bytes, trust) = try files.read(path.bytes, limit: Self.longest)
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
