import CWayland
package import WaylandProtocol

/// An object of the protocol, as the server sees it.
///
/// libwayland owns it, and it owns the Swift object: both go when the client destroys the object or
/// disconnects. Events to an object that is gone are dropped, as they would be on a real server.
package class Resource {
    /// The interface of the class's objects.
    package class var interface: Interface {
        preconditionFailure("only the generated classes have an interface")
    }

    package let client: ServerClient
    /// The version that was agreed upon for the object.
    package let version: UInt32
    /// Called once, when the object goes for whatever reason.
    package var onDestroy: (() -> Void)?
    private var raw: OpaquePointer?

    /// Makes an object for a client; `id` is the client's number for it, or 0 for an object that an
    /// event is about to introduce.
    package required init(client: ServerClient, version: UInt32, id: UInt32) {
        self.client = client
        self.version = version
        raw = wl_resource_create(
            client.target, Self.interface.raw, Int32(version), id)
        guard let raw else { preconditionFailure("no memory for a protocol object") }
        // Retained until resourceDestroyed.
        wl_resource_set_dispatcher(
            raw, dispatchRequest, Self.tag, Unmanaged.passRetained(self).toOpaque(),
            resourceDestroyed)
    }

    /// Stands for an object that libwayland serves itself.
    package required init(foreign raw: OpaquePointer) {
        self.raw = raw
        client = ServerClient.find(wl_resource_get_client(raw))
        version = UInt32(wl_resource_get_version(raw))
        wl_resource_add_destroy_listener(
            raw, DestroyListener.make(owner: self, notify: foreignDestroyed))
    }

    /// Whether the client still has the object.
    package var isAlive: Bool { raw != nil }

    /// The object's number on the wire; 0 when gone.
    package var id: UInt32 { raw.map { wl_resource_get_id($0) } ?? 0 }

    /// The object as an argument of an event; null when gone.
    package var target: OpaquePointer? { raw }

    /// Ends the object from the server's side, as only misbehaviour or disconnection does.
    package func destroyResource() {
        if let raw { wl_resource_destroy(raw) }
    }

    /// Ends the connection with an error about this object.
    package func postError(_ code: UInt32, _ message: String) {
        if let raw { cwayland_post_error(raw, code, message) }
    }

    /// Hands one request to the handler; each generated class knows its own.
    package func dispatch(_ opcode: UInt32, _ arguments: WireArguments) {}

    /// Lets go of the handler, and so of what it holds.
    package func clearHandler() {}

    fileprivate func receive(_ opcode: UInt32, _ arguments: WireArguments) {
        dispatch(opcode, arguments)
        if type(of: self).interface.isDestructor(request: opcode) { destroyResource() }
    }

    fileprivate func forget() {
        raw = nil
        clearHandler()
        let onDestroy = onDestroy
        self.onDestroy = nil
        onDestroy?()
    }
}

// MARK: Events

extension Resource {
    func send(_ opcode: UInt32) {
        if let raw { wl_resource_post_event_array(raw, opcode, nil) }
    }

    func send<let count: Int>(_ opcode: UInt32, _ arguments: [count of wl_argument]) {
        guard let raw else { return }
        var arguments = arguments
        var span = arguments.mutableSpan
        span.withUnsafeMutableBufferPointer { buffer in
            wl_resource_post_event_array(raw, opcode, buffer.baseAddress)
        }
    }
}

// MARK: From C's objects to ours

extension Resource {
    /// What tells our resources from libwayland's own, by its address alone.
    // Written to by nobody.
    nonisolated(unsafe) fileprivate static let tag =
        UnsafeRawPointer(UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

    /// The Swift object for a resource, made where libwayland serves it itself.
    static func find(_ raw: OpaquePointer) -> Self? {
        if wl_resource_instance_of(raw, interface.raw, tag) != 0 {
            guard let data = wl_resource_get_user_data(raw) else { return nil }
            return Unmanaged<Resource>.fromOpaque(data).takeUnretainedValue() as? Self
        }
        if let listener = wl_resource_get_destroy_listener(raw, foreignDestroyed) {
            return DestroyListener.owner(of: listener) as? Self
        }
        return Self(foreign: raw)
    }
}

extension WireArguments {
    /// The object that a request names; nil where there is none.
    func object<R: Resource>(_ index: Int) -> R? {
        self[index].o.flatMap { R.find($0) }
    }

    /// The object that a request has to name.
    func requiredObject<R: Resource>(_ index: Int) -> R {
        guard let object: R = object(index) else {
            preconditionFailure("libwayland lets no request without its object through")
        }
        return object
    }

    /// The object that a request creates.
    func newObject<R: Resource>(_ index: Int, of parent: Resource) -> R {
        R(client: parent.client, version: parent.version, id: self[index].n)
    }
}

/// `wl_dispatcher_func_t` of every resource of ours.
private func dispatchRequest(
    _ implementation: UnsafeRawPointer?, _ target: UnsafeMutableRawPointer?, _ opcode: UInt32,
    _ message: UnsafePointer<wl_message>?, _ arguments: UnsafeMutablePointer<wl_argument>?
) -> Int32 {
    guard let target, let data = wl_resource_get_user_data(OpaquePointer(target)) else { return 0 }
    Unmanaged<Resource>.fromOpaque(data).takeUnretainedValue()
        .receive(opcode, WireArguments(arguments))
    return 0
}

/// `wl_resource_destroy_func_t` of every resource of ours.
private func resourceDestroyed(_ raw: OpaquePointer?) {
    guard let raw, let data = wl_resource_get_user_data(raw) else { return }
    Unmanaged<Resource>.fromOpaque(data).takeRetainedValue().forget()
}

/// `wl_notify_func_t` of the resources that libwayland serves itself.
private func foreignDestroyed(
    _ listener: UnsafeMutablePointer<wl_listener>?, _ data: UnsafeMutableRawPointer?
) {
    guard let listener else { return }
    (DestroyListener.release(listener) as? Resource)?.forget()
}
