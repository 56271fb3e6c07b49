import Geometry
package import Input
package import WaylandProtocol
package import WaylandServer

/// A seat whose devices may be added and removed, and which plays the events of gesture scripts.
package final class TestSeat {
    unowned let compositor: TestCompositor
    /// The devices of the seat; clients are informed of a change.
    package var capabilities: WlSeat.Capability {
        didSet { for seat in resources { seat.capabilities(capabilities: capabilities) } }
    }
    package private(set) var touches: [WlTouchResource] = []
    package private(set) var pointers: [WlPointerResource] = []
    package private(set) var keyboards: [WlKeyboardResource] = []
    package private(set) var textInputs: [TestTextInput] = []
    package private(set) var tablets: [TestTablet] = []

    private var resources: [WlSeatResource] = []
    private var tabletSeats: [ZwpTabletSeatV2Resource] = []
    private var global: Global?
    /// The surface with the focus of input methods.
    private var textFocus: TestSurface?
    /// The surface under the pointer.
    var pointerFocus: TestSurface?
    var keyboardFocus: TestSurface?
    var enterSerial: UInt32 = 0
    let keymap = TestKeymap()
    /// The cursor that the client shows by its shape.
    package private(set) var cursorShape: WpCursorShapeDeviceV1.Shape?
    /// Whether the client hides the cursor.
    package private(set) var hidesCursor = false
    /// The serials of the fingers and buttons that are down.
    private var presses: [Press: UInt32] = [:]

    enum Press: Hashable {
        case finger(Int)
        case button(PointerButton)
    }

    init(
        _ compositor: TestCompositor, version: UInt32, number: Int,
        capabilities: WlSeat.Capability
    ) throws(ServerError) {
        self.compositor = compositor
        self.capabilities = capabilities
        global = try compositor.server.addGlobal(WlSeatResource.self, version: version) {
            [unowned self] seat in
            resources.append(seat)
            seat.onRequest = { [unowned self] in receive($0) }
            if seat.version >= 2 { seat.name(name: "seat\(number)") }
            seat.capabilities(capabilities: self.capabilities)
        }
    }

    /// Removes the seat without events for its devices.
    package func remove() {
        global?.remove()
    }

    private func receive(_ request: WlSeatResource.Request) {
        switch request {
        case .getTouch(let touch): touches.append(touch)
        case .getPointer(let pointer):
            pointers.append(pointer)
            pointer.onRequest = { [unowned self] in
                guard case .setCursor(let serial, let surface, _, _) = $0 else { return }
                hidesCursor = surface == nil
                guard serial != enterSerial else { return }
                compositor.violate("wl_pointer: a cursor for \(serial), not \(enterSerial)")
            }
        case .getKeyboard(let keyboard):
            keyboards.append(keyboard)
            keymap.send(to: keyboard)
            // No key repeat: on a slow machine it would press a key twice.
            if keyboard.version >= 4 { keyboard.repeatInfo(rate: 0, delay: 0) }
        case .release: break
        }
    }

    // MARK: Tablets

    /// The tablet that was plugged in last; nil before the client has asked for tablets.
    package var tablet: TestTablet? { tablets.last }

    func add(_ resource: ZwpTabletSeatV2Resource) {
        tabletSeats.append(resource)
        plugIn()
    }

    /// Plugs a tablet in.
    package func plugIn() {
        guard let resource = tabletSeats.last(where: \.isAlive) else { return }
        tablets.append(TestTablet(resource, of: self))
    }

    /// The tool with that object.
    func pen(of tool: ZwpTabletToolV2Resource) -> TestPen? {
        tablets.lazy.flatMap { [$0.tip, $0.eraser] }.first { $0.tool === tool }
    }

    // MARK: Text input

    /// The text input of the client, if it made one.
    package var textInput: TestTextInput? { textInputs.last { $0.resource.isAlive } }

    func add(_ resource: ZwpTextInputV3Resource) {
        let input = TestTextInput(resource, compositor)
        textInputs.append(input)
        if let textFocus { input.enter(textFocus) }
    }

    /// Whether the resource is of this seat.
    func owns(_ seat: WlSeatResource) -> Bool { resources.contains { $0 === seat } }

    /// Moves the focus of input methods to a surface, or away from all.
    package func focusText(on surface: TestSurface?) {
        textFocus = surface
        for input in textInputs where input.resource.isAlive {
            if let surface { input.enter(surface) } else { input.leave() }
        }
    }

    func show(_ shape: WpCursorShapeDeviceV1.Shape, serial: UInt32) {
        if serial != enterSerial {
            compositor.violate("wp_cursor_shape_device_v1: \(serial), not \(enterSerial)")
        }
        cursorShape = shape
        hidesCursor = false
    }

    /// Whether the finger or button with the serial of its press is still down.
    func isDown(_ serial: UInt32) -> Bool { presses.values.contains(serial) }

    /// Records a press, or its end, and returns its serial.
    func serial(of press: Press, isDown: Bool) -> UInt32 {
        let serial = compositor.nextSerial()
        presses[press] = isDown ? serial : nil
        return serial
    }

    // MARK: Events

    /// Sends an event to a surface through all objects of the client for the device.
    package func send(_ event: InputEvent, to surface: TestSurface) {
        guard surface.isOpen else { return }
        switch event {
        case .touch(let event): send(event, to: surface)
        case .pointer(let event): send(event, to: surface)
        case .pen(let event): send(event, to: surface)
        case .pinch(let event): send(event, to: surface)
        case .swipe(let event): send(event, to: surface)
        case .hold(let event): send(event, to: surface)
        case .key(let event): send(event, to: surface)
        case .modifiers(let modifiers):
            for keyboard in keyboards where keyboard.isAlive {
                keyboard.modifiers(
                    serial: compositor.nextSerial(), modsDepressed: TestKeymap.mask(modifiers),
                    modsLatched: 0, modsLocked: 0, group: 0)
            }
        case .textInput(let change):
            focusText(on: surface)
            textInput?.send(change)
        case .resize(let size): surface.window?.configure(size)
        case .scale(let scale): compositor.prefer(scale: scale)
        }
    }

    private func send(_ event: TouchEvent, to surface: TestSurface) {
        let time = compositor.eventTime
        for touch in touches where touch.isAlive {
            switch event {
            case .down, .move, .up:
                for (stamped, stamps) in compositor.touchStamps where stamped === touch {
                    compositor.stamp(stamps)
                }
            case .shape, .frame, .cancel: break
            }
            switch event {
            case .down(let id, let point):
                touch.down(
                    serial: serial(of: .finger(id), isDown: true), time: time,
                    surface: surface.resource,
                    id: Int32(id), x: point.x, y: point.y)
            case .move(let id, let point):
                touch.motion(time: time, id: Int32(id), x: point.x, y: point.y)
            case .up(let id):
                touch.up(
                    serial: serial(of: .finger(id), isDown: false), time: time, id: Int32(id))
            case .shape(let id, let major, let minor):
                touch.shape(id: Int32(id), major: major, minor: minor)
            case .frame: touch.frame()
            case .cancel:
                presses = presses.filter { if case .finger = $0.key { false } else { true } }
                touch.cancel()
            }
        }
    }

    private func send(_ event: KeyEvent, to surface: TestSurface) {
        for keyboard in keyboards where keyboard.isAlive {
            if keyboardFocus !== surface {
                keyboard.enter(
                    serial: compositor.nextSerial(), surface: surface.resource,
                    keys: WireArray(words: []))
            }
            keyboard.modifiers(
                serial: compositor.nextSerial(), modsDepressed: TestKeymap.mask(event.modifiers),
                modsLatched: 0, modsLocked: 0, group: 0)
            guard let key = keymap.code(of: event.name) else {
                preconditionFailure("the test keymap has no key \(event.name)")
            }
            let actions: [WlKeyboard.KeyState] =
                switch event.action {
                case .click: [.pressed, .released]
                case .down: [.pressed]
                case .up: [.released]
                // Otherwise the client repeats keys by itself.
                case .repeated:
                    keyboard.version >= 10 && compositor.setup.repeatsKeys ? [.repeated] : []
                }
            for action in actions {
                keyboard.key(
                    serial: compositor.nextSerial(), time: compositor.eventTime, key: key,
                    state: action)
            }
        }
        if keyboardFocus !== surface { focusText(on: surface) }
        keyboardFocus = surface
    }
}
