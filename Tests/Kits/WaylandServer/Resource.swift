import CWayland
package import WaylandProtocol

/// A protocol object on the server's side.
///
/// libwayland owns its object, which retains the Swift object; both are freed when the client
/// destroys the object or disconnects. Events to a destroyed object are dropped, as on a real
/// server.
package class Resource {
    /// The Wayland interface of the class.
    package class var interface: Interface {
        preconditionFailure("only generated subclasses have an interface")
    }

    package let client: ServerClient
    /// The negotiated version.
    package let version: UInt32
    /// Called once, when the object is destroyed for any reason.
    package var onDestroy: (() -> Void)?
    private var raw: OpaquePointer?

    /// Creates an object for a client.
    ///
    /// `id` is the client's object ID, or 0 for an object that the next event introduces.
    package required init(client: ServerClient, version: UInt32, id: UInt32) {
        self.client = client
        self.version = version
        raw = wl_resource_create(
            client.target, Self.interface.raw, Int32(version), id)
        guard let raw else { preconditionFailure("out of memory for a protocol object") }
        // Retained until resourceDestroyed.
        wl_resource_set_dispatcher(
            raw, dispatchRequest, Self.tag, Unmanaged.passRetained(self).toOpaque(),
            resourceDestroyed)
    }

    /// Wraps an object that libwayland implements itself.
    package required init(foreign raw: OpaquePointer) {
        self.raw = raw
        client = ServerClient.find(wl_resource_get_client(raw))
        version = UInt32(wl_resource_get_version(raw))
        wl_resource_add_destroy_listener(
            raw, DestroyListener.make(owner: self, notify: foreignDestroyed))
    }

    /// Whether the client still has the object.
    package var isAlive: Bool { raw != nil }

    /// The object ID; 0 after the destruction.
    package var id: UInt32 { raw.map { wl_resource_get_id($0) } ?? 0 }

    /// The object as an argument of an event; nil after the destruction.
    package var target: OpaquePointer? { raw }

    /// Destroys the object on the server's side.
    package func destroyResource() {
        if let raw { wl_resource_destroy(raw) }
    }

    /// Sends a protocol error about this object, which ends the connection.
    package func postError(_ code: UInt32, _ message: String) {
        if let raw { cwayland_post_error(raw, code, message) }
    }

    /// Decodes a request and calls its handler; generated classes override this method.
    package func dispatch(_ opcode: UInt32, _ arguments: WireArguments) {}

    /// Releases the handler and the objects that it retains.
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

// MARK: From C objects to Swift objects

extension Resource {
    /// Marks resources of this module by its address; libwayland's own resources lack this tag.
    // Never written.
    nonisolated(unsafe) fileprivate static let tag =
        UnsafeRawPointer(UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

    /// The Swift object of a resource; created if libwayland implements the resource itself.
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
    /// The object argument of a request, or nil.
    func object<R: Resource>(_ index: Int) -> R? {
        self[index].o.flatMap { R.find($0) }
    }

    /// The object argument of a request that must have one.
    func requiredObject<R: Resource>(_ index: Int) -> R {
        guard let object: R = object(index) else {
            preconditionFailure("libwayland passed a request without its object")
        }
        return object
    }

    /// The new object of a request.
    func newObject<R: Resource>(_ index: Int, of parent: Resource) -> R {
        R(client: parent.client, version: parent.version, id: self[index].n)
    }
}

/// `wl_dispatcher_func_t` of all resources of this module.
private func dispatchRequest(
    _ implementation: UnsafeRawPointer?, _ target: UnsafeMutableRawPointer?, _ opcode: UInt32,
    _ message: UnsafePointer<wl_message>?, _ arguments: UnsafeMutablePointer<wl_argument>?
) -> Int32 {
    guard let target, let data = wl_resource_get_user_data(OpaquePointer(target)) else { return 0 }
    Unmanaged<Resource>.fromOpaque(data).takeUnretainedValue()
        .receive(opcode, WireArguments(arguments))
    return 0
}

/// `wl_resource_destroy_func_t` of all resources of this module.
private func resourceDestroyed(_ raw: OpaquePointer?) {
    guard let raw, let data = wl_resource_get_user_data(raw) else { return }
    Unmanaged<Resource>.fromOpaque(data).takeRetainedValue().forget()
}

/// `wl_notify_func_t` of the resources that libwayland implements itself.
private func foreignDestroyed(
    _ listener: UnsafeMutablePointer<wl_listener>?, _ data: UnsafeMutableRawPointer?
) {
    guard let listener else { return }
    (DestroyListener.release(listener) as? Resource)?.forget()
}
