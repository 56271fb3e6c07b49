import CWayland

extension WlSurface {
    /// Attaches a buffer of another user of libwayland, as libwayland-cursor's are; it stays theirs.
    package func attach(foreignBuffer buffer: OpaquePointer) {
        // The opcode of wl_surface.attach, whose generated form takes our own objects only.
        send(1, [wl_argument(o: buffer), wl_argument(i: 0), wl_argument(i: 0)])
    }
}
