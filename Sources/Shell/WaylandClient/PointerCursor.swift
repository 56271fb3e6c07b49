import WaylandProtocol

/// The cursor of one pointer: what its window wants, unless a finger has put it away.
///
/// The compositor wants it anew at each enter, with that enter's serial.
final class PointerCursor {
    /// Finer cursors than this are not worth their loading.
    private static let largestScale = 4.0

    private let pointer: WlPointer
    private unowned let connection: Connection
    private let shapes: WpCursorShapeDeviceV1?
    private lazy var surface = connection.globals.compositor?.createSurface()
    private weak var window: Window?
    private var serial: UInt32?
    private var isPutAway = false
    /// What the compositor was last told since the enter.
    private var shown: (cursor: Cursor, scale: Int32)?

    init(pointer: WlPointer, connection: Connection) {
        self.pointer = pointer
        self.connection = connection
        shapes = connection.globals.cursorShape?.getPointer(pointer: pointer)
    }

    func entered(serial: UInt32, window: Window?) {
        self.serial = serial
        self.window = window
        shown = nil
        isPutAway = false
        update()
    }

    func left() {
        window = nil
        serial = nil
    }

    /// Puts the cursor away until the pointer moves: a finger is in use.
    func hideUntilMotion() {
        isPutAway = true
        update()
    }

    func moved() {
        guard isPutAway else { return }
        isPutAway = false
        update()
    }

    /// Shows what the window wants by now; a window without a frame has to wait for it.
    func update() {
        guard let window, let serial, window.isMapped else { return }
        let cursor = isPutAway ? .hidden : window.cursor
        let scale = Int32(min(window.scale.rounded(.up), Self.largestScale))
        if let shown, shown == (cursor, scale) { return }
        shown = (cursor, scale)
        if cursor == .hidden {
            pointer.setCursor(serial: serial, surface: nil, hotspotX: 0, hotspotY: 0)
        } else if let shapes, let shape = cursor.shape {
            shapes.setShape(serial: serial, shape: shape)
        } else {
            showThemed(cursor, scale, serial)
        }
    }

    private func showThemed(_ cursor: Cursor, _ scale: Int32, _ serial: UInt32) {
        guard let shm = connection.globals.shm, let surface,
            let image = connection.cursors.image(cursor.themeNames, scale: scale, shm: shm)
        else { return }
        // A theme without that size gives the nearest, which the scale has to divide.
        let fits = image.width % scale == 0 && image.height % scale == 0
        let divisor = fits ? scale : 1
        pointer.setCursor(
            serial: serial, surface: surface, hotspotX: image.hotspotX / divisor,
            hotspotY: image.hotspotY / divisor)
        surface.setBufferScale(scale: divisor)
        surface.attach(foreignBuffer: image.buffer)
        surface.damageBuffer(x: 0, y: 0, width: image.width, height: image.height)
        surface.commit()
    }
}
