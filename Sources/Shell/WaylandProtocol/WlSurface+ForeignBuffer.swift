import CWayland

extension WlSurface {
    /// Attaches a buffer that another user of libwayland owns, for example libwayland-cursor.
    package func attach(foreignBuffer buffer: OpaquePointer) {
        // The opcode of wl_surface.attach; the generated method accepts only our own objects.
        send(1, [wl_argument(o: buffer), wl_argument(i: 0), wl_argument(i: 0)])
    }
}
