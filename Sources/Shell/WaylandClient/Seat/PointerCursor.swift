import Geometry
import WaylandProtocol

/// A device that shows a cursor of the client.
protocol CursorDevice: AnyObject {
    /// Shows a surface, or nothing; `serial` is that of the event by which the device has entered.
    func setCursor(serial: UInt32, surface: WlSurface?, hotspotX: Int32, hotspotY: Int32)
}

extension WlPointer: CursorDevice {}

extension ZwpTabletToolV2: CursorDevice {}

/// The cursor of one pointer or pen: the window's cursor, or hidden while a finger is in use.
///
/// The cursor must be set again after each enter event, with the serial of that event.
final class PointerCursor {
    /// Cursors at larger scales are not worth their loading time.
    private static let largestScale = 4.0

    private let device: any CursorDevice
    private unowned let connection: Connection
    private let shapes: WpCursorShapeDeviceV1?
    private lazy var surface = connection.globals.compositor?.createSurface()
    private weak var window: Window?
    /// The cursor over the border of the window, instead of the window's own one.
    private var borderCursor: Cursor?
    private var serial: UInt32?
    private var isHiddenByTouch = false
    /// The cursor that was last sent to the compositor since the enter event.
    private var shown: (cursor: Cursor, scale: Int32)?

    /// `shapes` chooses cursors by their names, where the compositor does.
    init(of device: any CursorDevice, _ shapes: WpCursorShapeDeviceV1?, connection: Connection) {
        (self.device, self.shapes, self.connection) = (device, shapes, connection)
    }

    /// The pointer has entered the window, or its border if there is a `borderCursor`.
    func entered(serial: UInt32, window: Window?, borderCursor: Cursor? = nil) {
        self.serial = serial
        self.window = window
        self.borderCursor = borderCursor
        shown = nil
        isHiddenByTouch = false
        update()
    }

    /// The pointer has moved to another part of the border.
    func show(borderCursor: Cursor) {
        self.borderCursor = borderCursor
        update()
    }

    func left() {
        window = nil
        borderCursor = nil
        serial = nil
    }

    /// Hides the cursor until the pointer moves, since a finger is in use.
    func hideUntilMotion() {
        isHiddenByTouch = true
        update()
    }

    func moved() {
        guard isHiddenByTouch else { return }
        isHiddenByTouch = false
        update()
    }

    /// Sends the cursor again: the theme has changed.
    func reload() {
        shown = nil
        update()
    }

    /// Sends the window's current cursor if it changed; does nothing before the window has a frame.
    func update() {
        guard let window, let serial, window.isMapped else { return }
        let cursor = isHiddenByTouch ? .hidden : borderCursor ?? window.cursor
        let scale = Int32(clamping: min(window.scale.rounded(.up), Self.largestScale))
        if let shown, shown == (cursor, scale) { return }
        shown = (cursor, scale)
        if cursor == .hidden {
            device.setCursor(serial: serial, surface: nil, hotspotX: 0, hotspotY: 0)
        } else if let shapes, let shape = cursor.shape {
            shapes.setShape(serial: serial, shape: shape)
        } else {
            showThemed(cursor, scale, serial)
        }
    }

    /// Sends a cursor of the theme; while the theme is being loaded, `update` is called again later.
    private func showThemed(_ cursor: Cursor, _ scale: Int32, _ serial: UInt32) {
        guard let shm = connection.globals.shm, let surface,
            let image = connection.cursors.image(cursor.themeNames, scale: scale, shm: shm)
        else {
            shown = nil
            return
        }
        // A theme without that size returns the nearest size; the scale must divide that size.
        let fits = image.width % scale == 0 && image.height % scale == 0
        let divisor = fits ? scale : 1
        device.setCursor(
            serial: serial, surface: surface, hotspotX: image.hotspotX / divisor,
            hotspotY: image.hotspotY / divisor)
        surface.setBufferScale(scale: divisor)
        surface.attach(foreignBuffer: image.buffer)
        surface.damageBuffer(x: 0, y: 0, width: image.width, height: image.height)
        surface.commit()
    }
}
