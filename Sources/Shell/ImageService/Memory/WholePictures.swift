import EventLoop
import ImageTypes
import Motion

/// Requests for all pixels of pictures of which the screen needs fewer.
final class WholePictures {
    private struct Request {
        var id: Int
        /// The pixels that were held at the time of the request; nil if the first ones were awaited.
        var held: Bitmap?
        /// How often the rest was decoded: more may be given back meanwhile, if memory is short.
        var attempts = 0
        var action: (Bitmap?) -> Void
    }

    private let loader: PictureLoader
    private let sources: EventSources
    private var requests: [Request] = []
    private var deadline: EventSources.Source?

    private static let mostAttempts = 2

    init(_ loader: PictureLoader, _ sources: EventSources) {
        (self.loader, self.sources) = (loader, sources)
        // A request is served from the event loop, where nobody uses what `action` may change.
        deadline = sources.add(deadline: { [unowned self] in isAnyDue ? .zero : nil }) {
            [unowned self] in
            serve()
        }
    }

    deinit { if let deadline { sources.remove(deadline) } }

    func request(_ id: Int, _ action: @escaping (Bitmap?) -> Void) {
        guard !requests.contains(where: { $0.id == id }) else { return }
        let held = loader.cache.bitmap(id)
        guard held != nil || loader.awaitsPixels(id), loader.mayBeWhole(id) else {
            return action(nil)
        }
        requests.append(Request(id: id, held: held, action: action))
    }

    private var isAnyDue: Bool { requests.contains { !loader.awaitsPixels($0.id) } }

    private func serve() {
        for index in requests.indices
        where requests[index].attempts < Self.mostAttempts
            && !loader.awaitsPixels(requests[index].id)
            && loader.decodeWhole(requests[index].id)
        {
            requests[index].attempts += 1
        }
        // Decoding may have dropped pixels of other pictures.
        loader.onTurnEnd()
        let served = requests.filter { !loader.awaitsPixels($0.id) }
        requests.removeAll { request in served.contains { $0.id == request.id } }
        for request in served { request.action(loader.cache.bitmap(request.id) ?? request.held) }
    }
}
