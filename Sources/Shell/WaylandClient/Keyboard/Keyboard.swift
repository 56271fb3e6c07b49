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
        /// The name in the active layout, where `name` is that of another layout.
        let localName: String?
        /// The name in a Latin layout of a key with punctuation; see `KeyEvent.latinName`.
        let latinName: String?
        /// Whether the key belongs to an unfinished or cancelled sequence of composed keys.
        var isComposing = false
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
    /// The composed characters; nil until the first key for a text field.
    private var compose: ComposeSequence?
    private var composeLoader: ComposeLoader?

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

    /// Whether Ctrl is held while a window has the focus.
    var holdsControl: Bool {
        window != nil && modifiers.effective.contains(.control)
    }

    /// The time of the next repetition; nil while nobody sees what a key does.
    var deadline: Moment? { window?.isUnseen == true ? nil : repetition.deadline }

    func handleDeadline(now: Moment) {
        guard window?.isUnseen != true, let code = repetition.fire(now: now), let keymap,
            let key = held.first(where: { $0.key == code })
        else { return }
        window?.handler?(.input(.key(repetition(of: key, keymap)), at: now, seat: seat.number))
    }

    /// Passes on a repetition of a compositor that repeats keys itself, from version 10 on.
    private func repeatByCompositor(_ code: UInt32, _ time: UInt32) {
        repetition.stop()
        guard window?.isUnseen != true, let keymap, keymap.repeats(code),
            let key = held.first(where: { $0.key == code })
        else { return }
        seat.send(.key(repetition(of: key, keymap)), to: window, time: EventTime(time))
    }

    /// A repetition is not part of a sequence: after "é" a held key types "eee".
    private func repetition(of key: HeldKey, _ keymap: Keymap) -> KeyEvent {
        event(key, .repeated, keymap, text: key.isComposing ? "" : keymap.text(of: key.key))
    }

    /// Releases the keys that are down, since the compositor sends their releases elsewhere.
    func leave() {
        repetition.stop()
        compose?.reset()
        let released = held
        held.removeAll()
        for key in released {
            seat.send(.key(KeyEvent(name: key.name, action: .up)), to: window)
        }
        if !modifiers.effective.isEmpty { seat.send(.modifiers([]), to: window) }
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
        case .key(let serial, let time, let key, let state):
            switch state {
            case .pressed:
                seat.pressedKey(serial: serial)
                press(key, time)
            case .repeated: repeatByCompositor(key, time)
            case .released: release(key, time)
            default: break
            }
        case .modifiers(_, let depressed, let latched, let locked, let group):
            let former = modifiers.effective
            modifiers = KeyboardModifiers(
                depressed: depressed, latched: latched, locked: locked, group: group)
            keymap?.update(modifiers)
            // Also unchanged: a latch has the place of the key that is lifted.
            let effective = modifiers.effective
            if !effective.isEmpty || !former.isEmpty {
                // Some compositors tell them to the window below the pointer, too, without the focus.
                seat.send(.modifiers(effective), to: window ?? seat.pointer?.window)
            }
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
        compose?.reset()
        if format == .xkbV1 { received = (descriptor, size) } else { close(descriptor) }
    }

    private func compileKeymap() {
        guard let (descriptor, size) = received else { return }
        received = nil
        keymap = Keymap(descriptor: descriptor, size: size)
        keymap?.update(modifiers)
        close(descriptor)
        if keymap == nil { window?.handler?(.keymapRefused) }
    }

    private func press(_ code: UInt32, _ time: UInt32) {
        compileKeymap()
        guard let keymap, let symbol = keymap.symbol(of: code),
            let local = keymap.localSymbol(of: code).flatMap(keymap.name)
        else { return }
        let name = keymap.commandSymbol(of: code).flatMap(keymap.name) ?? local
        let latin = keymap.secondCommandSymbol(of: code).flatMap(keymap.name)
        var key = HeldKey(
            key: code, name: name, localName: name == local ? nil : local, latinName: latin)
        var text = keymap.text(of: code)
        switch step(symbol, code, keymap) {
        case .outside: break
        case .inside: (key.isComposing, text) = (true, "")
        case .complete(let composed): text = composed
        }
        held.removeAll { $0.key == code }
        held.append(key)
        if keymap.repeats(code) { repetition.press(code, now: connection.now) }
        let event = event(key, .down, keymap, text: text)
        seat.send(.key(event), to: window, time: EventTime(time))
    }

    private func release(_ code: UInt32, _ time: UInt32) {
        repetition.release(code)
        guard let index = held.firstIndex(where: { $0.key == code }) else { return }
        // Without a keymap: the compositor replaced the keymap while the key was down.
        let modifiers = keymap?.modifiers(for: code) ?? []
        let event = KeyEvent(name: held.remove(at: index).name, modifiers: modifiers, action: .up)
        seat.send(.key(event), to: window, time: EventTime(time))
    }

    private func event(
        _ key: HeldKey, _ action: KeyEvent.Action, _ keymap: Keymap, text: String
    ) -> KeyEvent {
        let modifiers = keymap.modifiers(for: key.key)
        let isSilent = !modifiers.isDisjoint(with: KeyEvent.silencing)
        return KeyEvent(
            name: key.name, modifiers: modifiers, action: action, text: isSilent ? "" : text,
            isComposing: key.isComposing, localName: key.localName, latinName: key.latinName)
    }

    /// Continues a sequence of composed keys, if a text field has the focus.
    private func step(_ symbol: UInt32, _ code: UInt32, _ keymap: Keymap) -> ComposeSequence.Step {
        guard window?.wantsText == true else {
            compose?.reset()
            return .outside
        }
        guard keymap.modifiers(for: code).isDisjoint(with: KeyEvent.silencing) else {
            return .outside
        }
        if composeLoader == nil {
            let loader = ComposeLoader()
            composeLoader = loader
            loader.wait(atMost: connection.composePatience)
        }
        if compose == nil { compose = composeLoader?.table.flatMap { ComposeSequence($0) } }
        return compose?.feed(symbol) ?? .outside
    }
}
