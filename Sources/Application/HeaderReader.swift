import Collection
import DecodeClient
import Glibc
import Motion
import Pictures

/// Finds out when the pictures of a collection were taken, in the background, where the order or the
/// headers want it.
///
/// Headers are read by a decoder of its own, in its sandbox; pictures that do not say go by their
/// file's date.
final class DateReader {
    private let album: Album
    private let client: DecodeClient
    private let clock: () -> Moment
    /// Entries that were asked about, with the revision of then.
    private var known: [Int: Int] = [:]
    private var waiting: [Int] = []
    private var current: Int?
    private var found: [Int: Timestamp] = [:]
    private var lastReport = Moment.zero

    /// How often what was found is told while more is looked for, in milliseconds: each time the
    /// wall is sorted anew.
    private static let reportPause = 500.0

    init(
        _ album: Album, limits: DecodeLimits, clock: @escaping () -> Moment
    ) throws(DecodeClientError) {
        self.album = album
        self.clock = clock
        client = try DecodeClient(
            decoderPath: PictureLoader.decoderPath(), niceness: 10, limits: limits)
    }

    var descriptors: [Int32] { client.pollDescriptors }

    /// On the real clock.
    var deadline: Moment? { client.deadline }

    var isBusy: Bool { current != nil || !waiting.isEmpty }

    /// Looks at what the listing has that was not looked at yet.
    func follow() {
        for entry in album.listing.entries
        where entry.descriptor == nil && known[entry.id] != entry.revision {
            known[entry.id] = entry.revision
            waiting.append(entry.id)
        }
        // The last is taken first from an array: keep the listing's order.
        if current == nil {
            waiting.reverse()
            next()
        }
    }

    private func next() {
        while current == nil, let id = waiting.popLast() {
            guard let path = album.path(id),
                let descriptor = try? PictureFile.open(path.bytes)
            else { continue }
            current = id
            client.describe(id, descriptor: descriptor, now: clock())
        }
        report()
    }

    func handleReadable(_ descriptor: Int32) {
        for event in client.handleReadable(descriptor, now: clock()) { take(event) }
    }

    func handleDeadline() {
        for event in client.handleDeadline(now: clock()) { take(event) }
    }

    private func take(_ event: DecodeEvent) {
        guard event.id == current else { return }
        switch event {
        case .info(let id, let info):
            found[id] = info.taken.map { Timestamp(seconds: $0) }
        case .pixels, .frame, .part, .metadata: break
        case .finished, .failed:
            current = nil
            next()
        }
    }

    private func report() {
        let now = clock()
        let isDue = now.seconds(since: lastReport) * 1000 > Self.reportPause
        guard !found.isEmpty, isDue || !isBusy else { return }
        lastReport = now
        album.setTaken(found)
        found = [:]
    }
}
