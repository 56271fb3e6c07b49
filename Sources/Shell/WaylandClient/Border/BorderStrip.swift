import Geometry
import WaylandProtocol

/// One strip of a window's border: a subsurface below the window, with its own buffers.
///
/// Its buffers have one pixel per logical pixel at every scale, which is enough for a shadow. The
/// commits of a strip take effect with the next commit of the window.
final class BorderStrip {
    let side: BorderLayout.Side
    let surface: WlSurface
    private let subsurface: WlSubsurface
    private let frames: FramePool
    private unowned let connection: Connection
    private var isShown = false

    /// Memory is allocated for lengths of a multiple of this, so that few resizes need new memory.
    private static let lengthStep = 512

    init(
        _ side: BorderLayout.Side, parent: WlSurface, compositor: WlCompositor,
        subcompositor: WlSubcompositor, shm: WlShm, connection: Connection
    ) {
        self.side = side
        self.connection = connection
        surface = compositor.createSurface()
        subsurface = subcompositor.getSubsurface(surface: surface, parent: parent)
        subsurface.placeBelow(sibling: parent)
        frames = FramePool(shm: shm)
    }

    /// Destroys the role before the surface, as the protocol requires.
    func destroy() {
        subsurface.destroy()
        surface.destroy()
    }

    /// Shows the strip of a layout; returns false if the compositor holds all buffers.
    func show(_ layout: BorderLayout) throws(FrameError) -> Bool {
        let rect = layout.rect(side)
        guard !rect.isEmpty else {
            hide()
            return true
        }
        func step(_ length: Int) -> Int {
            (length + Self.lengthStep - 1) / Self.lengthStep * Self.lengthStep
        }
        let isLying = side == .top || side == .bottom
        let room = PixelSize(
            width: isLying ? step(rect.width) : rect.width,
            height: isLying ? rect.height : step(rect.height))
        guard let slot = try frames.acquire(rect.size, screen: room), let buffer = slot.buffer
        else { return false }
        paint(rect, of: layout, into: slot)
        subsurface.setPosition(x: Int32(clamping: rect.x), y: Int32(clamping: rect.y))
        setInputRegion(layout.handles(side))
        surface.attach(buffer: buffer, x: 0, y: 0)
        surface.damageBuffer(
            x: 0, y: 0, width: Int32(clamping: rect.width), height: Int32(clamping: rect.height))
        surface.commit()
        frames.committed(slot, damage: [PixelRect(rect.size)])
        isShown = true
        return true
    }

    func hide() {
        guard isShown else { return }
        isShown = false
        surface.attach(buffer: nil, x: 0, y: 0)
        surface.commit()
    }

    private func paint(_ rect: PixelRect, of layout: BorderLayout, into slot: FrameSlot) {
        let memory = UnsafeMutableRawBufferPointer(
            start: slot.memory.base, count: slot.stride * rect.height)
        if let radius = layout.shadowedRadius {
            WindowShadow(around: layout.size, radius: radius)
                .paint(rect, into: memory, stride: slot.stride)
        } else {
            memory.initializeMemory(as: UInt8.self, repeating: 0)
        }
    }

    private func setInputRegion(_ rects: [PixelRect]) {
        guard let region = connection.globals.compositor?.createRegion() else { return }
        for rect in rects {
            region.add(
                x: Int32(clamping: rect.x), y: Int32(clamping: rect.y),
                width: Int32(clamping: rect.width), height: Int32(clamping: rect.height))
        }
        surface.setInputRegion(region: region)
        region.destroy()
    }
}
