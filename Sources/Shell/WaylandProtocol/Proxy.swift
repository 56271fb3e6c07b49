import CWayland

/// An object of the protocol, on the client side.
///
/// The Swift object owns the protocol object. When the last reference goes, the destructor request
/// is sent if the interface has one without arguments, and events in transit are dropped. Where the
/// protocol requires an order of destruction (a toplevel before its surface), call the destructors
/// in that order. A message to a destroyed object is a programming error and traps. Objects belong
/// to the thread that dispatches the display.
package class Proxy {
    /// The interface of the class's objects.
    package class var interface: Interface {
        preconditionFailure("only the generated classes have an interface")
    }

    /// The connection; every object keeps it open.
    package let display: Display
    /// The version that was negotiated for the object.
    package let version: UInt32
    /// The libwayland proxy; nil when destroyed.
    private var raw: OpaquePointer?

    /// Takes ownership of a libwayland proxy, and receives its events.
    package required init(adopting raw: OpaquePointer, display: Display) {
        self.raw = raw
        self.display = display
        version = wl_proxy_get_version(raw)
        wl_proxy_set_tag(raw, Self.tag)
        // Unretained: deinit destroys the proxy before the Swift object is gone.
        wl_proxy_add_dispatcher(
            raw, dispatchEvent, nil, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        guard let raw else { return }
        if let opcode = type(of: self).interface.plainDestructor(version: version) {
            wl_proxy_marshal_array_flags(raw, opcode, nil, version, Self.destroyFlag, nil)
        } else {
            wl_proxy_destroy(raw)
        }
    }

    /// Whether the object can still be used.
    package var isAlive: Bool { raw != nil }

    /// The object's number on the wire; 0 when destroyed.
    package var id: UInt32 { raw.map { wl_proxy_get_id($0) } ?? 0 }

    /// Decodes one event and calls the handler; overridden by the generated classes.
    package func dispatch(_ opcode: UInt32, _ arguments: WireArguments) {}

    /// Releases the handler, and the objects that it captures.
    package func clearHandler() {}

    /// The Swift object of a libwayland proxy; nil for proxies of other users of libwayland.
    static func find(_ raw: OpaquePointer) -> Proxy? {
        guard wl_proxy_get_tag(raw) == Self.tag, let data = wl_proxy_get_user_data(raw) else {
            return nil
        }
        return Unmanaged<Proxy>.fromOpaque(data).takeUnretainedValue()
    }
}

// MARK: Requests

extension Proxy {
    /// The object as an argument of a message.
    package var target: OpaquePointer {
        guard let raw else {
            preconditionFailure("\(type(of: self)) is used after its destruction")
        }
        return raw
    }

    func send(_ opcode: UInt32) {
        wl_proxy_marshal_array_flags(target, opcode, nil, version, 0, nil)
    }

    func send<let count: Int>(_ opcode: UInt32, _ arguments: [count of wl_argument]) {
        marshal(opcode, arguments, creating: nil, version, flags: 0)
    }

    /// Sends the destructor request, and destroys the object on this side too.
    func sendDestructor(_ opcode: UInt32) {
        wl_proxy_marshal_array_flags(target, opcode, nil, version, Self.destroyFlag, nil)
        forget()
    }

    func sendDestructor<let count: Int>(_ opcode: UInt32, _ arguments: [count of wl_argument]) {
        marshal(opcode, arguments, creating: nil, version, flags: Self.destroyFlag)
        forget()
    }

    /// Destroys the object on this side only, where no destructor request exists.
    package func discard() {
        if let raw { wl_proxy_destroy(raw) }
        forget()
    }

    /// Sends a request that creates an object of the class `type`.
    func create<T: Proxy, let count: Int>(
        _ type: T.Type, _ version: UInt32, _ opcode: UInt32, _ arguments: [count of wl_argument]
    ) -> T {
        let created = marshal(
            opcode, arguments, creating: type.interface.raw, version, flags: 0)
        guard let created else { preconditionFailure("no memory for a protocol object") }
        return T(adopting: created, display: display)
    }

    @discardableResult
    private func marshal<let count: Int>(
        _ opcode: UInt32, _ arguments: [count of wl_argument],
        creating interface: UnsafePointer<wl_interface>?, _ version: UInt32, flags: UInt32
    ) -> OpaquePointer? {
        var arguments = arguments
        var span = arguments.mutableSpan
        return span.withUnsafeMutableBufferPointer { buffer in
            wl_proxy_marshal_array_flags(
                target, opcode, interface, version, flags, buffer.baseAddress)
        }
    }

    private func forget() {
        raw = nil
        clearHandler()
    }

    /// `WL_MARSHAL_FLAG_DESTROY`, a macro that Swift does not import.
    private static var destroyFlag: UInt32 { 1 }

    /// Distinguishes our proxies from those of other users of libwayland, by its address alone.
    // Never written.
    nonisolated(unsafe) private static let tag: UnsafeMutablePointer<UnsafePointer<CChar>?> = {
        let tag = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: 1)
        tag.initialize(to: nil)
        return tag
    }()
}

/// The `wl_dispatcher_func_t` of every proxy; `target` is the libwayland proxy.
private func dispatchEvent(
    _ implementation: UnsafeRawPointer?, _ target: UnsafeMutableRawPointer?, _ opcode: UInt32,
    _ message: UnsafePointer<wl_message>?, _ arguments: UnsafeMutablePointer<wl_argument>?
) -> Int32 {
    guard let target, let proxy = Proxy.find(OpaquePointer(target)) else { return 0 }
    proxy.dispatch(opcode, WireArguments(arguments))
    if type(of: proxy).interface.isDestructor(event: opcode) { proxy.discard() }
    return 0
}
