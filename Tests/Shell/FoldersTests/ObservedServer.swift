import Glibc
import ImageWire
import Synchronization
import SystemCalls
import Threads

@testable import FileAccess

/// A server of folders whose requests a test counts, or answers itself.
///
/// One thread serves, so that a call that takes long is waited for.
final class ObservedServer: Sendable {
    /// The socket for the client, which closes it.
    let socket: Int32
    private let count = Atomic(0)

    /// The number of requests until now.
    var requests: Int { count.load(ordering: .relaxed) }

    /// `answer` gets each request first; nil leaves the answer to the file system.
    init(
        _ watches: WatchInstance = WatchInstance(),
        answer: @escaping @Sendable (FolderRequest) -> FolderReply? = { _ in nil }
    ) throws(SystemError) {
        let (ours, theirs) = try PacketSocket.pair()
        socket = ours
        Thread.start { [self] in
            serve(theirs, watches, answer)
            close(theirs)
            if watches.descriptor >= 0 { close(watches.descriptor) }
        }
    }

    private func serve(
        _ socket: Int32, _ watches: WatchInstance, _ answer: (FolderRequest) -> FolderReply?
    ) {
        let ready = FolderReply.ready.bytes
        guard PacketSocket.send(ready, to: socket, with: watches.descriptor) else { return }
        let server = FolderServer(
            watches, send: { PacketSocket.send($0.bytes, to: socket) }, goesOn: { _ in true })
        while case .message(let bytes, _) = PacketSocket.receive(
            from: socket, limit: FolderRequest.longest)
        {
            guard let request = try? FolderRequest(bytes) else { return }
            count.add(1, ordering: .relaxed)
            if let reply = answer(request) {
                _ = PacketSocket.send(reply.bytes, to: socket)
                continue
            }
            do throws(SystemError) {
                // Without a connection the next receipt fails.
                _ = try server.serve(request)
            } catch {
                _ = PacketSocket.send(FolderReply.failed(code: error.code).bytes, to: socket)
            }
        }
    }
}
