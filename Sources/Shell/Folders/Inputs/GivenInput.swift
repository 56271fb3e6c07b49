import CLinux
import Glibc
import Localization
import Synchronization
package import SystemCalls
import Threads

/// A picture without a path: that of a descriptor of this process, such as standard input, or a picture
/// in memory.
///
/// A thread reads the descriptor to its end, whenever that comes; nothing waits for the thread.
package final class GivenInput: Sendable {
    /// What has become of the input.
    enum State: Sendable {
        case waiting
        /// A file in memory that no process can write to; open as long as the input.
        case read(OwnedDescriptor)
        /// A message for the user, after the name and a colon.
        case failed(String)
    }

    private struct Progress: Sendable {
        var state = State.waiting
        var hasStarted = false
    }

    /// The name for display, in place of that of a file.
    let name: [UInt8]
    private let descriptor: Int32
    private let progress: Mutex<Progress>
    /// Raised for ever once the input was read, or has failed.
    let arrived = Wakeup()

    /// Maximum size of the picture, in bytes.
    private static let limit = 1 << 30

    /// The picture of a descriptor, which stays open; `name` is shown unless it is standard input.
    package init(_ descriptor: Int32, name: FilePath) {
        self.descriptor = descriptor
        self.name =
            descriptor == STDIN_FILENO ? Array(localized("standard input").utf8) : name.bytes
        progress = Mutex(Progress())
    }

    /// A picture in memory, sealed against every change.
    package init(pasted picture: OwnedDescriptor) {
        descriptor = picture.descriptor
        name = Array(localized("pasted picture").utf8)
        progress = Mutex(Progress(state: .read(picture), hasStarted: true))
    }

    package var title: String { String(decoding: name, as: UTF8.self) }

    /// What has become of the input; the first call starts to read.
    var state: State {
        let (state, isFirst) = progress.withLock { progress in
            defer { progress.hasStarted = true }
            return (progress.state, !progress.hasStarted)
        }
        guard isFirst else { return state }
        let isReading = Thread.start { [self] in read() }
        if !isReading { read() }
        return progress.withLock { $0.state }
    }

    /// Whether the input was read, or has failed.
    var hasArrived: Bool {
        if case .waiting = state { false } else { true }
    }

    private func read() {
        let state: State
        do throws(Failure) {
            state = .read(try Self.memory(of: descriptor))
        } catch { state = .failed(error.reason) }
        progress.withLock { $0.state = state }
        arrived.raise()
    }

    // MARK: Reading

    private struct Failure: Error {
        var reason: String
    }

    /// Copies a descriptor into a memory file (memfd).
    private static func memory(of descriptor: Int32) throws(Failure) -> OwnedDescriptor {
        try refuseUnreadable(descriptor)
        let memory: Int32
        do throws(SystemError) {
            memory = try reporting { clinux_memfd_create("vitrine-input") }
        } catch { throw Failure(reason: error.description) }
        do throws(Failure) {
            try copy(descriptor, to: memory)
            do throws(SystemError) {
                return OwnedDescriptor(try reporting { clinux_make_constant(memory) })
            } catch { throw Failure(reason: error.description) }
        } catch {
            close(memory)
            throw error
        }
    }

    private static func refuseUnreadable(_ descriptor: Int32) throws(Failure) {
        guard isatty(descriptor) == 0 else {
            throw Failure(reason: localized("is a terminal; pipe a picture into it"))
        }
        guard fcntl(descriptor, F_GETFL) & O_ACCMODE != O_WRONLY else {
            throw Failure(reason: SystemError(code: EACCES).pathMessage)
        }
    }

    private static func copy(_ descriptor: Int32, to memory: Int32) throws(Failure) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var length = 0
        while true {
            let count: Int
            do throws(SystemError) {
                count = try readAvailable(of: descriptor, into: &buffer)
            } catch { throw Failure(reason: localized("cannot be read: \(error)")) }
            if count == 0 { break }
            length += count
            guard length <= limit else { throw Failure(reason: localized("is larger than 1 GiB")) }
            guard Glibc.write(memory, buffer, count) == count else {
                throw Failure(reason: localized("does not fit into memory"))
            }
        }
        guard length > 0 else { throw Failure(reason: localized("is empty")) }
    }
}

extension GivenInput: Hashable {
    package static func == (a: GivenInput, b: GivenInput) -> Bool { a === b }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
