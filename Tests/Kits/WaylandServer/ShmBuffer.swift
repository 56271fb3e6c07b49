import CWayland
package import WaylandProtocol

/// The shared memory of a buffer.
package struct ShmBuffer {
    private let raw: OpaquePointer

    /// Width and height in pixels.
    package var width: Int { Int(wl_shm_buffer_get_width(raw)) }
    package var height: Int { Int(wl_shm_buffer_get_height(raw)) }
    /// The distance between two rows, in bytes.
    package var stride: Int { Int(wl_shm_buffer_get_stride(raw)) }
    package var format: WlShm.Format { WlShm.Format(rawValue: wl_shm_buffer_get_format(raw)) }

    fileprivate init(raw: OpaquePointer) {
        self.raw = raw
    }

    /// Calls `body` with all rows; libwayland disconnects the client if its memory is too short.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        wl_shm_buffer_begin_access(raw)
        defer { wl_shm_buffer_end_access(raw) }
        return body(
            UnsafeRawBufferPointer(start: wl_shm_buffer_get_data(raw), count: stride * height))
    }

    /// A copy of the pixels without row padding, as 0xAARRGGBB.
    package var pixels: [UInt32] {
        let (width, stride) = (width, stride)
        return withBytes { bytes in
            (0..<height).flatMap { y in
                (0..<width).map { x in
                    bytes.loadUnaligned(fromByteOffset: y * stride + x * 4, as: UInt32.self)
                }
            }
        }
    }
}

extension WlBufferResource {
    /// The shared memory of the buffer; nil if it is destroyed or of another kind.
    package var shm: ShmBuffer? {
        target.flatMap { wl_shm_buffer_get($0) }.map(ShmBuffer.init(raw:))
    }
}
