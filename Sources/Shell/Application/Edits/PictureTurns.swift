import DecodeClient
import EventLoop
import FileAccess
import FileChanges
import Folders
import Geometry
import Edits
import Glibc
import ImageWire
import Localization
import Motion

/// Writes turns and flips of pictures into their files: some time after the last turn, so that several
/// turns of a picture are one change.
final class PictureTurns {
    /// A picture whose file is to be turned.
    private struct Turn {
        let id: Int
        let path: [UInt8]
        var orientation: Orientation
        /// How far the viewer has turned the picture already, in clockwise quarter turns.
        var quarters: Int
    }

    /// A turned file that has replaced the original.
    private struct Replacement {
        /// How far the viewer has turned the pixels of the original, in clockwise quarter turns.
        var quarters: Int
        /// The revision of the original.
        var revision: Int
    }

    /// What became of a turn.
    enum Outcome {
        /// The file was turned.
        case turned(path: [UInt8])
        /// The turned picture is another file.
        case copied(path: [UInt8], losses: [String])
        /// Nothing was written.
        case failed(path: [UInt8], reason: String)
    }

    private let album: Album
    private let work: FileWork
    private let environment: DecoderEnvironment
    /// Made with the first turn, and given up after the last one: its decoders need memory.
    private var writing: PictureWriting?
    /// The picture that a person turns.
    private var pending: Turn?
    private var deadline: Moment?
    /// Pictures whose files wait, the first one of which is being written.
    private var queue: [Turn] = []
    /// Pictures whose new pixels are already turned, by their ids.
    private var awaited: [Int: [Replacement]] = [:]
    /// Whether the file of the first turn of the queue is being replaced.
    private var isReplacing = false
    private var eventSources: [EventSources.Source] = []
    /// Called when all turns are written.
    private var onIdle: [() -> Void] = []
    /// Called when new files of pictures are listed, or at the deadline.
    private var onListed: [(id: Int, deadline: Moment, body: () -> Void)] = []
    var onEnd: (Outcome) -> Void = { _ in }

    /// After this time without a further turn the file is written, in milliseconds.
    private static let pause = 1000.0
    /// Timeout for the listing of a new file, in milliseconds: the listing does not notice a change of a
    /// file behind a link.
    private static let listingTime = 2000.0

    init(
        _ album: Album, _ work: FileWork, _ environment: DecoderEnvironment
    ) {
        (self.album, self.work, self.environment) = (album, work, environment)
        let sources = environment.sources
        eventSources = [
            sources.add(runDeadline: { [unowned self] in deadline }) { [unowned self] in flush() },
            sources.add(deadline: { [unowned self] in onListed.map(\.deadline).min() }) {
                [unowned self] in noteListing()
            },
        ]
    }

    deinit { for source in eventSources { environment.sources.remove(source) } }

    /// The number of turns that could not be written.
    private(set) var failures = 0

    /// How the viewer shows a picture turned against the pixels that it has.
    func ahead(of id: Int) -> Orientation { Orientation(turns: quartersAhead(of: id)) }

    /// How far the viewer has turned the pixels that it has, as the file is or will be turned, in clockwise
    /// quarter turns; a twist is not among them.
    func quartersAhead(of id: Int) -> Int {
        let turns = queue.dropFirst(isReplacing ? 1 : 0) + (pending.map { [$0] } ?? [])
        let quarters =
            awaited[id, default: []].map(\.quarters)
            + turns.filter { $0.id == id }.map(\.quarters)
        return quarters.reduce(0, +)
    }

    var isBusy: Bool { pending != nil || isWriting }
    var isWriting: Bool { !queue.isEmpty }

    /// Notes a turn of a picture; `quarters` is the part of the turn that the viewer shows already.
    func add(_ orientation: Orientation, quarters: Int = 0, of id: Int, at moment: Moment) {
        guard let path = album.path(id)?.absolute else { return }
        if let pending, pending.id != id { flush() }
        var turn = pending ?? Turn(id: id, path: path, orientation: .upright, quarters: 0)
        turn.orientation = turn.orientation.followed(by: orientation)
        turn.quarters += quarters
        pending = turn
        deadline = moment.advanced(byMilliseconds: Self.pause)
    }

    /// Writes the turns that wait for more, unless they are of the picture `id`.
    func flush(except id: Int? = nil) {
        guard let pending, pending.id != id else { return }
        (self.pending, deadline) = (nil, nil)
        // Turned once around.
        guard pending.orientation != .upright else { return endIfIdle() }
        queue.append(pending)
        if queue.count == 1 { start() }
    }

    /// Calls `body` when all turns are written; at once if there are none.
    func finish(_ body: @escaping () -> Void) {
        flush()
        guard isBusy else { return body() }
        onIdle.append(body)
    }

    /// How far the viewer has turned a picture whose new pixels are turned now, in clockwise quarter turns;
    /// 0 for all others, and the second time.
    func absorb(_ id: Int) -> Int {
        guard let entry = album.entry(id), let replacements = awaited[id] else { return 0 }
        let rest = replacements.filter { $0.revision >= entry.revision }
        awaited[id] = rest.isEmpty ? nil : rest
        return replacements.filter { $0.revision < entry.revision }.reduce(0) { $0 + $1.quarters }
    }

    /// Calls `body` once the listing has the file that the last turn of a picture wrote, at once if it has;
    /// after a while in any case.
    func whenListed(_ id: Int, _ body: @escaping () -> Void) {
        guard !isListed(id) else { return body() }
        let deadline = environment.clock().advanced(byMilliseconds: Self.listingTime)
        onListed.append((id, deadline, body))
    }

    /// Notes that the album has a new listing, or that the time for one has passed.
    func noteListing() {
        let now = environment.clock()
        let due = onListed.filter { isListed($0.id) || $0.deadline <= now }
        onListed.removeAll { isListed($0.id) || $0.deadline <= now }
        for waiting in due { waiting.body() }
    }

    /// Whether the listing has the newest file of a picture, or no longer has the picture.
    private func isListed(_ id: Int) -> Bool {
        guard let entry = album.entry(id) else { return true }
        return awaited[id, default: []].allSatisfy { $0.revision < entry.revision }
    }

    // MARK: Writing

    private func start() {
        guard let turn = queue.first else { return endIfIdle() }
        // Otherwise the file of an earlier turn could be taken for that of this one.
        whenListed(turn.id) { [weak self] in self?.start(turn) }
    }

    private func start(_ turn: Turn) {
        work.changes.stamp(of: turn.path) { [weak self] stamp in
            guard let self else { return }
            switch stamp {
            case .success(let stamp): write(turn, stamp)
            case .failure(let failure):
                end(.failed(path: turn.path, reason: ChangeTexts.text(of: failure)))
            }
        }
    }

    private func write(_ turn: Turn, _ stamp: FileStamp) {
        var request = EditRequest(PictureEdit(turn: turn.orientation))
        write(turn, request) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let written): replace(turn, stamp, written)
            case .failure(.refused):
                request.mayReencode = true
                write(turn, request) { [weak self] in self?.save(turn, $0) }
            case .failure(let failure):
                end(.failed(path: turn.path, reason: failure.description))
            }
        }
    }

    private func write(
        _ turn: Turn, _ request: EditRequest,
        onEnd: @escaping (Result<WrittenPicture, WriteFailure>) -> Void
    ) {
        do throws(DecodeClientError) {
            if writing == nil { writing = try PictureWriting(environment) }
            writing?.write(.file(turn.path), request, onEnd: onEnd)
        } catch {
            end(
                .failed(
                    path: turn.path, reason: localized("the decoder cannot be started: \(error)")))
        }
    }

    private func replace(_ turn: Turn, _ stamp: FileStamp, _ written: WrittenPicture) {
        isReplacing = true
        let entry = album.entry(turn.id)
        if let entry {
            awaited[turn.id, default: []].append(
                Replacement(quarters: turn.quarters, revision: entry.revision))
        }
        let action = FileAction.replace(path: turn.path, expected: stamp, keepsTimes: true)
        perform(turn, action, written) { [weak self] result in
            guard let self else { return }
            isReplacing = false
            if let failure = result.failures.first?.failure {
                if entry != nil { forgetReplacement(of: turn.id) }
                end(.failed(path: turn.path, reason: ChangeTexts.text(of: failure)))
            } else {
                end(.turned(path: turn.path))
            }
        }
    }

    /// Forgets the last replacement, which has failed.
    private func forgetReplacement(of id: Int) {
        awaited[id]?.removeLast()
        if awaited[id]?.isEmpty == true { awaited[id] = nil }
    }

    private func save(_ turn: Turn, _ result: Result<WrittenPicture, WriteFailure>) {
        let written: WrittenPicture
        switch result {
        case .success(let picture) where picture.description.omitsPictures:
            let reason = localized("a turned copy would have only one of its pictures")
            return end(.failed(path: turn.path, reason: reason))
        case .success(let picture): written = picture
        case .failure(let failure):
            return end(.failed(path: turn.path, reason: failure.description))
        }
        let path = CopyNames.copy(
            // Translators: in the name of a copy, as in "a (turned).png".
            of: turn.path, localized("turned", context: "copy"), written.description.fileExtension)
        perform(turn, .save(path: path, like: turn.path), written) { [weak self] result in
            if let failure = result.failures.first?.failure {
                self?.end(.failed(path: turn.path, reason: ChangeTexts.text(of: failure)))
            } else {
                self?.end(
                    .copied(
                        path: result.done.first?.path ?? path,
                        losses: written.description.losses))
            }
        }
    }

    private func perform(
        _ turn: Turn, _ action: FileAction, _ written: WrittenPicture,
        onEnd: @escaping (ChangeClient.Result) -> Void
    ) {
        let contents = dup(written.file.descriptor)
        let name = ChangeTexts.name(of: turn.path)
        work.perform(
            turn.orientation.isFlip ? localized("Flip \(name)") : localized("Rotate \(name)"),
            .turn, [ChangeClient.Step(action, contents: contents)], onEnd: onEnd)
    }

    private func end(_ outcome: Outcome) {
        if case .turned = outcome {} else { failures += 1 }
        queue.removeFirst()
        if queue.isEmpty { writing = nil }
        onEnd(outcome)
        start()
    }

    private func endIfIdle() {
        guard !isBusy else { return }
        let waiting = onIdle
        onIdle = []
        for body in waiting { body() }
    }
}

/// The names of copies that edits make.
enum CopyNames {
    /// The path of a copy beside a picture, such as "a (turned).png"; a long name is cut.
    static func copy(of path: [UInt8], _ what: String, _ fileExtension: String) -> [UInt8] {
        let name = FileNames.name(of: path)
        let stem = name.lastIndex(of: UInt8(ascii: ".")).map { $0 > 0 ? name[..<$0] : name[...] }
        return FileNames.inserting(
            " (\(what))",
            into: FileNames.folder(of: path) + (stem ?? name[...]) + Array(".\(fileExtension)".utf8)
        )
    }
}

extension Orientation {
    /// Whether the picture is mirrored and not turned by a quarter.
    fileprivate var isFlip: Bool { self == .mirrored || self == .mirroredUpsideDown }
}
