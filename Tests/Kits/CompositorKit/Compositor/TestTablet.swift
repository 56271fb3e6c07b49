package import Geometry
package import Input
package import WaylandProtocol
package import WaylandServer

/// A tablet of a seat: with the two ends of a pen, which are two tools, and a pad with a ring and a strip.
package final class TestTablet {
    package let resource: ZwpTabletV2Resource
    package let pad: ZwpTabletPadV2Resource
    package let group: ZwpTabletPadGroupV2Resource
    package let ring: ZwpTabletPadRingV2Resource
    package let strip: ZwpTabletPadStripV2Resource
    package let tip: TestPen
    package let eraser: TestPen

    init(_ tablets: ZwpTabletSeatV2Resource, of seat: TestSeat) {
        func make<R: Resource>(_ type: R.Type) -> R {
            R(client: tablets.client, version: tablets.version, id: 0)
        }
        resource = make(ZwpTabletV2Resource.self)
        tablets.tabletAdded(id: resource)
        resource.name(name: "tablet")
        resource.id(vid: 1, pid: 2)
        resource.path(path: "/dev/null")
        resource.done()
        pad = make(ZwpTabletPadV2Resource.self)
        tablets.padAdded(id: pad)
        group = make(ZwpTabletPadGroupV2Resource.self)
        pad.group(padGroup: group)
        ring = make(ZwpTabletPadRingV2Resource.self)
        group.ring(ring: ring)
        strip = make(ZwpTabletPadStripV2Resource.self)
        group.strip(strip: strip)
        group.modes(modes: 1)
        group.done()
        pad.buttons(buttons: 4)
        pad.done()
        tip = TestPen(.pen, tablets, on: resource, of: seat)
        eraser = TestPen(.eraser, tablets, on: resource, of: seat)
    }

    func pen(_ end: PenEnd) -> TestPen { end == .tip ? tip : eraser }

    /// The end of the pen that is near the surface.
    var near: TestPen? { [tip, eraser].first { $0.surface != nil } }

    /// Unplugs the tablet, without any event for its tools.
    package func unplug() { resource.removed() }
}

/// A tool of a tablet: one end of a pen.
package final class TestPen {
    package let tool: ZwpTabletToolV2Resource
    /// The surface that the tool is above; nil while it is away.
    package private(set) var surface: TestSurface?
    package private(set) var isDown = false
    /// The cursor that the client shows by its shape.
    package private(set) var cursorShape: WpCursorShapeDeviceV1.Shape?
    /// Whether the client hides the cursor.
    package private(set) var hidesCursor = false
    private let tablet: ZwpTabletV2Resource
    private unowned let seat: TestSeat
    private var enterSerial: UInt32 = 0

    init(
        _ type: ZwpTabletToolV2.TypeValue, _ tablets: ZwpTabletSeatV2Resource,
        on tablet: ZwpTabletV2Resource, of seat: TestSeat
    ) {
        (self.tablet, self.seat) = (tablet, seat)
        tool = ZwpTabletToolV2Resource(
            client: tablets.client, version: tablets.version, id: 0)
        tablets.toolAdded(id: tool)
        tool.type(toolType: type)
        tool.hardwareSerial(hardwareSerialHi: 0, hardwareSerialLo: 1)
        tool.capability(capability: .pressure)
        tool.done()
        tool.onRequest = { [unowned self] in
            guard case .setCursor(let serial, let surface, _, _) = $0 else { return }
            check(serial)
            hidesCursor = surface == nil
        }
    }

    func show(_ shape: WpCursorShapeDeviceV1.Shape, serial: UInt32) {
        check(serial)
        (cursorShape, hidesCursor) = (shape, false)
    }

    private func check(_ serial: UInt32) {
        guard serial != enterSerial else { return }
        seat.compositor.violate("zwp_tablet_tool_v2: a cursor for \(serial), not \(enterSerial)")
    }

    // MARK: Reports

    /// Moves the tool to a point above a surface.
    package func move(to point: Point, on surface: TestSurface) {
        place(at: point, on: surface)
        complete()
    }

    package func touch(at point: Point, on surface: TestSurface) {
        place(at: point, on: surface)
        isDown = true
        tool.down(serial: seat.compositor.nextSerial())
        tool.pressure(pressure: 20_000)
        complete()
    }

    package func lift() {
        isDown = false
        tool.pressure(pressure: 0)
        tool.up()
        complete()
    }

    /// Presses or releases a button where the tool is.
    package func press(_ button: PenButton, isDown: Bool) {
        tool.button(
            serial: seat.compositor.nextSerial(), button: button.inputEventCode,
            state: isDown ? .pressed : .released)
        complete()
    }

    /// Takes the tool away; one that touches the surface is gone without having been lifted.
    package func leave() {
        (surface, isDown) = (nil, false)
        tool.proximityOut()
        complete()
    }

    /// Removes the tool for good, without any event before.
    package func remove() {
        (surface, isDown) = (nil, false)
        tool.removed()
    }

    package func complete() { tool.frame(time: seat.compositor.eventTime) }

    private func place(at point: Point, on surface: TestSurface) {
        if self.surface !== surface {
            if self.surface != nil { tool.proximityOut() }
            self.surface = surface
            enterSerial = seat.compositor.nextSerial()
            tool.proximityIn(serial: enterSerial, tablet: tablet, surface: surface.resource)
        }
        tool.motion(x: point.x, y: point.y)
        tool.tilt(tiltX: 30, tiltY: -10)
        tool.distance(distance: 100)
    }
}

extension TestSeat {
    /// Sends what a pen does to a surface; a movement of a pen that is not down hovers.
    func send(_ event: PenEvent, to surface: TestSurface) {
        guard let tablet, tablet.tip.tool.isAlive else { return }
        switch event {
        case .down(let end, let point):
            let pen = tablet.pen(end)
            if let other = tablet.near, other !== pen { other.leave() }
            pen.touch(at: point, on: surface)
        case .move(let point): (tablet.near ?? tablet.tip).move(to: point, on: surface)
        case .up: tablet.near?.lift()
        case .cancel: tablet.near?.leave()
        case .button(let button, let point):
            let pen = tablet.near ?? tablet.tip
            pen.move(to: point, on: surface)
            for isDown in [true, false] { pen.press(button, isDown: isDown) }
        }
    }
}

extension PenButton {
    /// The button as linux/input-event-codes.h numbers it.
    fileprivate var inputEventCode: UInt32 {
        switch self {
        case .first: 0x14B
        case .second: 0x14C
        case .third: 0x149
        }
    }
}
