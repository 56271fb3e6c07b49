import CWayland

/// Attaches a Swift object to an object of libwayland-server.
///
/// The Swift object is retained until the libwayland object is destroyed, and can be looked up by
/// that object. libwayland identifies a listener by its function, so each kind of owner has its own
/// function.
struct DestroyListener {
    // The listener must be the first member, because libwayland has a pointer to it only.
    private var listener: wl_listener
    private var owner: UnsafeMutableRawPointer

    /// Allocates a listener that holds `owner`; `release` frees it.
    static func make(
        owner: AnyObject, notify: @escaping wl_notify_func_t
    ) -> UnsafeMutablePointer<wl_listener> {
        let memory = UnsafeMutablePointer<DestroyListener>.allocate(capacity: 1)
        memory.initialize(
            to: DestroyListener(
                listener: wl_listener(link: wl_list(), notify: notify),
                owner: Unmanaged.passRetained(owner).toOpaque()))
        return UnsafeMutableRawPointer(memory).assumingMemoryBound(to: wl_listener.self)
    }

    /// The owner of a listener from `make`.
    static func owner(of listener: UnsafeMutablePointer<wl_listener>) -> AnyObject {
        let memory = UnsafeMutableRawPointer(listener)
            .assumingMemoryBound(to: DestroyListener.self)
        return Unmanaged<AnyObject>.fromOpaque(memory.pointee.owner).takeUnretainedValue()
    }

    /// Frees the listener during its notification and returns its owner.
    static func release(_ listener: UnsafeMutablePointer<wl_listener>) -> AnyObject {
        let memory = UnsafeMutableRawPointer(listener)
            .assumingMemoryBound(to: DestroyListener.self)
        wl_list_remove(&memory.pointee.listener.link)
        let owner = Unmanaged<AnyObject>.fromOpaque(memory.pointee.owner).takeRetainedValue()
        memory.deinitialize(count: 1)
        memory.deallocate()
        return owner
    }
}
