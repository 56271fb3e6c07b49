import EventLoop
import Folders
import Glibc
import Motion
import SystemCalls

/// The viewer as a media player of the desktop (MPRIS), on the thread of the bus: for media keys, lock
/// screens and programs such as playerctl.
///
/// Calls are answered from the last state; commands go to the main thread, a few at once.
final class MediaPlayer {
    private let bus: Bus
    private let post: (MediaCommand) -> Void
    private var state = MediaPlayerState()
    private var art: String?
    /// Since when the picture is shown.
    private var start = MonotonicClock.now()
    private var commands = RateLimit(atOnce: 16, perSecond: 10)

    /// Offers the player, and takes its name on the bus; another viewer may have it already.
    init(_ bus: Bus, _ state: MediaPlayerState, post: @escaping (MediaCommand) -> Void) {
        (self.bus, self.post) = (bus, post)
        self.state = state
        art = Self.art(of: state.track)
        for interface in [MediaPlayerInterface.root, MediaPlayerInterface.player] {
            let object = BusObject(
                call: { [unowned self] method, _ in
                    if let command = MediaPlayerInterface.command(method) { perform(command) }
                },
                get: { [unowned self] in property($0) },
                set: { [unowned self] in set($0, $1) })
            guard
                bus.offer(
                    object, interface, at: MediaPlayerInterface.path, MediaPlayerInterface.xml)
            else { return }
        }
        bus.takeName(MediaPlayerInterface.name) { [weak bus] hasName in
            if !hasName {
                bus?.takeName("\(MediaPlayerInterface.name).instance\(getpid())") { _ in }
            }
        }
    }

    // MARK: State

    /// Shows another state, and tells the other programs what has changed.
    func show(_ new: MediaPlayerState) {
        let before = (
            MediaPlayerInterface.root(of: state), MediaPlayerInterface.player(of: state, art: art)
        )
        if new.track?.number != state.track?.number || new.status != state.status {
            start = MonotonicClock.now()
        }
        if new.track?.uri != state.track?.uri { art = Self.art(of: new.track) }
        state = new
        tell(MediaPlayerInterface.root, before.0, MediaPlayerInterface.root(of: new))
        tell(MediaPlayerInterface.player, before.1, MediaPlayerInterface.player(of: new, art: art))
    }

    private func tell(
        _ interface: String, _ old: [String: BusValue], _ new: [String: BusValue]
    ) {
        let changed = new.filter { old[$0.key] != $0.value }.sorted { $0.key < $1.key }
        guard !changed.isEmpty else { return }
        let entries = changed.map { BusValue.entry(.text($0.key), .variant($0.value)) }
        bus.emit(
            "PropertiesChanged", of: Bus.properties, at: MediaPlayerInterface.path,
            .tuple([.text(interface), .array(entries, of: "{sv}"), .array([], of: "s")]))
    }

    /// The thumbnail that other programs of the desktop use, if there is one.
    ///
    /// The picture itself is not offered: another program would decode a stranger's file without our
    /// sandbox.
    private static func art(of track: MediaPlayerState.Track?) -> String? {
        track?.thumbnails.first { $0.withCString { access($0, R_OK) } == 0 }.map {
            LocalFileURI.uri(of: $0)
        }
    }

    // MARK: Calls

    private func property(_ name: String) -> BusValue {
        if name == "Position" { return .integer(position) }
        return MediaPlayerInterface.player(of: state, art: art)[name]
            ?? MediaPlayerInterface.root(of: state)[name] ?? .text("")
    }

    /// How long the picture has been shown, in microseconds.
    private var position: Int {
        guard state.status == .playing, let track = state.track else { return 0 }
        return Int(min(MonotonicClock.now().seconds(since: start), track.seconds) * 1_000_000)
    }

    private func set(_ name: String, _ value: BusValue) {
        // Rate and volume stay as they are.
        if name == "Shuffle", let isOn = value.bool { perform(.shuffle(isOn)) }
    }

    private func perform(_ command: MediaCommand) {
        if commands.allows(at: MonotonicClock.now()) { post(command) }
    }
}
