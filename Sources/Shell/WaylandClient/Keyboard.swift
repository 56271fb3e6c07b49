import Glibc
import Input
import Motion
import WaylandProtocol

/// The keyboard of a seat.
///
/// Compiling a keymap takes milliseconds, so it is done at the first key press, well after the
/// first frame.
final class Keyboard {
    /// A key whose press was reported, with the name to report at its release.
    private struct HeldKey {
        let key: UInt32
        let name: String
    }

    private let raw: WlKeyboard
    private unowned let seat: Seat
    private unowned let connection: Connection
    private weak var window: Window?
    private var keymap: Keymap?
    /// A keymap that is not compiled yet; this object owns the descriptor.
    private var received: (descriptor: Int32, size: Int)?
    private var modifiers = KeyboardModifiers()
    private var repetition = KeyRepeat()
    private var held: [HeldKey] = []

    init(raw: WlKeyboard, seat: Seat, connection: Connection) {
        self.raw = raw
        self.seat = seat
        self.connection = connection
        raw.onEvent = { [weak self] in self?.receive($0) }
    }

    deinit {
        if let received { close(received.descriptor) }
        raw.release()
    }

    var deadline: Moment? { repetition.deadline }

    func handleDeadline(now: Moment) {
        guard let key = repetition.fire(now: now),
            let name = held.first(where: { $0.key == key })?.name
        else { return }
        let modifiers = keymap?.modifiers(for: key) ?? []
        window?.receive(
            .key(KeyEvent(name: name, modifiers: modifiers, action: .repeated)), at: now,
            seat: seat.number)
    }

    /// Releases the keys that are down, since the compositor sends their releases elsewhere.
    func leave() {
        repetition.stop()
        let released = held
        held.removeAll()
        for key in released {
            seat.send(.key(KeyEvent(name: key.name, action: .up)), to: window)
        }
        window = nil
    }

    private func receive(_ event: WlKeyboard.Event) {
        switch event {
        case .keymap(let format, let descriptor, let size):
            replaceKeymap(format, descriptor, Int(size))
        case .enter(_, let surface, _):
            // Keys that are already down were pressed for another window.
            leave()
            window = connection.window(of: surface)
        case .leave: leave()
        case .key(_, let time, let key, let state):
            if state == .pressed { press(key, time) } else { release(key, time) }
        case .modifiers(_, let depressed, let latched, let locked, let group):
            modifiers = KeyboardModifiers(
                depressed: depressed, latched: latched, locked: locked, group: group)
            keymap?.update(modifiers)
        case .repeatInfo(let rate, let delay): repetition.configure(rate: rate, delay: delay)
        }
    }

    private func replaceKeymap(
        _ format: WlKeyboard.KeymapFormat, _ descriptor: Int32, _ size: Int
    ) {
        repetition.stop()
        if let received { close(received.descriptor) }
        received = nil
        keymap = nil
        if format == .xkbV1 { received = (descriptor, size) } else { close(descriptor) }
    }

    private func compileKeymap() {
        guard let (descriptor, size) = received else { return }
        received = nil
        keymap = Keymap(descriptor: descriptor, size: size)
        keymap?.update(modifiers)
        close(descriptor)
    }

    private func press(_ key: UInt32, _ time: UInt32) {
        compileKeymap()
        guard let keymap, let name = keymap.name(of: key) else { return }
        held.removeAll { $0.key == key }
        held.append(HeldKey(key: key, name: name))
        if keymap.repeats(key) { repetition.press(key, now: connection.now) }
        send(name, key, .down, time)
    }

    private func release(_ key: UInt32, _ time: UInt32) {
        repetition.release(key)
        guard let index = held.firstIndex(where: { $0.key == key }) else { return }
        send(held.remove(at: index).name, key, .up, time)
    }

    private func send(_ name: String, _ key: UInt32, _ action: KeyEvent.Action, _ time: UInt32) {
        let modifiers = keymap?.modifiers(for: key) ?? []
        let event = KeyEvent(name: name, modifiers: modifiers, action: action)
        seat.send(.key(event), to: window, time: EventTime(time))
    }
}
