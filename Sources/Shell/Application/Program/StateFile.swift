import Folders
import Glibc
import Synchronization
import SystemCalls
import Threads

/// A small file with state that outlives the program.
struct StateFile {
    let folder: FilePath
    private let path: FilePath
    /// A longer file is not ours, in bytes.
    private let longest: Int

    init(_ name: String, in folder: FilePath, longest: Int = 4096) {
        self.folder = folder
        self.longest = longest
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

    /// The contents, for which this waits; nil if there are none that can be read.
    fileprivate func read() -> [UInt8]? { try? InputFile.read(path, limit: longest) }

    /// Replaces the file as a whole, and makes its folder.
    func write(_ bytes: [UInt8]) throws(SystemError) {
        FileReplacement.makeFolders(folder.bytes)
        try FileReplacement.write(bytes, to: path.bytes, isSynced: true)
    }
}

/// A state file that is read on a thread: the disk may not answer.
final class StateReading: Sendable {
    private enum State {
        case reading
        case read([UInt8]?)
    }

    private let state = Mutex(State.reading)
    private let done = Wakeup()
    /// Readable once the file was read.
    var descriptor: Int32 { done.descriptor }

    /// How long the start of the program waits for a file that decides what is shown first, in
    /// milliseconds: enough for a disk that sleeps lightly.
    static let patienceAtStart: Int32 = 300
    /// How long an open window waits, in milliseconds: less than half a frame.
    static let patience: Int32 = 5

    init(_ file: StateFile) {
        let isStarted = Thread.start { [self] in finish(file.read()) }
        if !isStarted { finish(nil) }
    }

    private func finish(_ contents: [UInt8]?) {
        state.withLock { $0 = .read(contents) }
        done.raise()
    }

    /// Waits until the file was read, for at most `patience` milliseconds; returns whether it was.
    func wait(_ patience: Int32) -> Bool {
        waitUntilReady(done.descriptor, milliseconds: patience)
    }

    /// The contents; nil before they were read, and if there are none that can be read.
    var contents: [UInt8]? {
        state.withLock { state in
            if case .read(let contents) = state { contents } else { nil }
        }
    }
}
