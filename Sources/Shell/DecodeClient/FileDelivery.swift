import FileAccess
import Glibc
import ImageTypes
import ImageWire
import Localization

/// The file of a request on its way to the decoder, and the requests that follow the file.
final class FileDelivery {
    private enum State {
        /// The decoder has the file, or there is no request.
        case done
        /// The decoder may not have the file yet.
        case held(message: DecodeRequest, PictureSource)
        /// The file server opens the file; the number of its request.
        case opening(Int)
    }

    /// Nil if all files are in memory.
    private let files: FileClient?
    private var state = State.done
    /// The requests that follow the file, with the descriptors that go with them, or -1.
    private var followers: [(request: DecodeRequest, descriptor: Int32)] = []

    init(_ files: FileClient?) { self.files = files }

    deinit { drop() }

    /// Whether the file waits for the permission to be sent.
    var isHeld: Bool {
        if case .held = state { true } else { false }
    }

    /// Keeps a file with its message until `send`.
    func hold(_ message: DecodeRequest, _ source: PictureSource) {
        state = .held(message: message, source)
    }

    /// Sends the held file to `process`; returns whether the process has the file now.
    ///
    /// If not, `onOpen` is called after the file server has opened the file, or has failed.
    func send(
        to process: DecoderProcess,
        onOpen: @escaping (Result<FileStatus, DecodeFailure>) -> Void
    ) throws(DecodeFailure) -> Bool {
        guard case .held(let message, let source) = state else { return false }
        state = .done
        switch source {
        case .descriptor(let descriptor):
            process.send(message, with: descriptor)
            close(descriptor)
            return true
        case .file(let path):
            guard let files else { throw .unreadable(reason: localized("no process opens files")) }
            // The decoder does not know the name. Formats with a signature are known by that.
            if let format = PictureFormat.named(path), format.signatures.isEmpty {
                process.send(.expect(id: message.id, format))
            }
            state = .opening(
                try files.send(path, with: message.bytes, over: process.socket, onEnd: onOpen))
            return false
        }
    }

    /// The file server has sent the file, or has failed.
    func noteOpened() { state = .done }

    /// Keeps a request that must not arrive before the file, and its descriptor, or -1; returns false
    /// if the decoder has the file.
    ///
    /// The decoder's first reply may arrive before the file server's, so requests that answer a reply
    /// are kept, too.
    func keep(_ request: DecodeRequest, owning descriptor: Int32) -> Bool {
        if case .done = state { return false }
        followers.append((request, descriptor))
        return true
    }

    /// The requests that were made before the decoder had its file; the caller owns their descriptors.
    func takeFollowers() -> [(request: DecodeRequest, descriptor: Int32)] {
        defer { followers = [] }
        return followers
    }

    /// Forgets the file and the requests that follow it.
    func drop() {
        switch state {
        case .held(_, .descriptor(let descriptor)): close(descriptor)
        case .opening(let number): files?.forget(number)
        case .held(_, .file), .done: break
        }
        for follower in followers where follower.descriptor >= 0 { close(follower.descriptor) }
        (state, followers) = (.done, [])
    }
}
