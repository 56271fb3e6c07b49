import Geometry
import Glibc
import WaylandProtocol
import WaylandServer

/// The globals besides outputs and seats, and the handling of their requests.
extension TestCompositor {
    func addGlobals() throws(ServerError) {
        try offer(WlCompositorResource.self) { [unowned self] compositor in
            compositor.onRequest = { [unowned self] in
                switch $0 {
                case .createSurface(let surface): add(surface)
                case .createRegion(let region): regions.append(TestRegion(region))
                }
            }
        }
        try offer(XdgWmBaseResource.self) { [unowned self] in addShell($0) }
        try offer(ZxdgDecorationManagerV1Resource.self) { [unowned self] manager in
            manager.onRequest = { [unowned self] in
                guard case .getToplevelDecoration(let id, let toplevel) = $0 else { return }
                decorate(toplevel, id)
            }
        }
        try offer(WpViewporterResource.self) { [unowned self] viewporter in
            viewporter.onRequest = { [unowned self] in
                guard case .getViewport(let id, let surface) = $0 else { return }
                addViewport(id, surface)
            }
        }
        try offer(WpFractionalScaleManagerV1Resource.self) { [unowned self] manager in
            manager.onRequest = { [unowned self] in
                guard case .getFractionalScale(let id, let surface) = $0,
                    let surface = self.surface(of: surface)
                else { return }
                fractionalScales.append((surface, id))
            }
        }
        try offer(WpPresentationResource.self) { [unowned self] presentation in
            presentation.clockId(clkId: UInt32(CLOCK_MONOTONIC))
            presentation.onRequest = { [unowned self] in
                guard case .feedback(let surface, let feedback) = $0 else { return }
                self.surface(of: surface)?.feedbacks.append(feedback)
            }
        }
        try offer(ZwpPointerGesturesV1Resource.self) { [unowned self] manager in
            manager.onRequest = { [unowned self] in addGesture($0) }
        }
        try offer(ZwpInputTimestampsManagerV1Resource.self) { [unowned self] manager in
            manager.onRequest = { [unowned self] in
                switch $0 {
                case .getTouchTimestamps(let id, let touch): touchStamps.append((touch, id))
                case .getPointerTimestamps(let id, let pointer):
                    pointerStamps.append((pointer, id))
                case .getKeyboardTimestamps, .destroy: break
                }
            }
        }
        try offer(ZwpTextInputManagerV3Resource.self) { [unowned self] manager in
            manager.onRequest = { [unowned self] in
                guard case .getTextInput(let id, let seat) = $0 else { return }
                seats.first { $0.owns(seat) }?.add(id)
            }
        }
        try offer(WpCursorShapeManagerV1Resource.self) { [unowned self] manager in
            manager.onRequest = { [unowned self] in
                switch $0 {
                case .getPointer(let device, let pointer): add(device, of: pointer)
                case .getTabletToolV2(let device, let tool): add(device, of: tool)
                case .destroy: break
                }
            }
        }
        try offer(ZwpTabletManagerV2Resource.self) { [unowned self] manager in
            manager.onRequest = { [unowned self] in
                guard case .getTabletSeat(let id, let seat) = $0 else { return }
                seats.first { $0.owns(seat) }?.add(id)
            }
        }
        try addInhibitors()
        try addScreenPower()
        try addIdleNotifier()
        try addDesktopGlobals()
        try addDescriptions()
        try addLight()
        try addSessions()
        if let version = setup.offer["wl_data_device_manager"] { try data.offer(server, version) }
        if setup.offer["zwp_primary_selection_device_manager_v1"] != nil {
            try data.offerPrimary(server)
        }
    }

    private func add(_ device: WpCursorShapeDeviceV1Resource, of pointer: WlPointerResource) {
        device.onRequest = { [unowned self] in
            guard case .setShape(let serial, let shape) = $0 else { return }
            seats.first { seat in seat.pointers.contains { $0 === pointer } }?
                .show(shape, serial: serial)
        }
    }

    private func add(_ device: WpCursorShapeDeviceV1Resource, of tool: ZwpTabletToolV2Resource) {
        device.onRequest = { [unowned self] in
            guard case .setShape(let serial, let shape) = $0 else { return }
            seats.lazy.compactMap { $0.pen(of: tool) }.first?.show(shape, serial: serial)
        }
    }

    private func addInhibitors() throws(ServerError) {
        try offer(ZwpIdleInhibitManagerV1Resource.self) { [unowned self] manager in
            manager.onRequest = { [unowned self] in
                guard case .createInhibitor(let id, let surface) = $0 else { return }
                if self.surface(of: surface)?.isMapped != true {
                    violate("zwp_idle_inhibit_manager_v1: a surface without contents")
                }
                idleInhibitors += 1
                id.onRequest = { [unowned self] in
                    if case .destroy = $0 { idleInhibitors -= 1 }
                }
            }
        }
        try offer(ZwpKeyboardShortcutsInhibitManagerV1Resource.self) { [unowned self] manager in
            manager.onRequest = { [unowned self] in
                guard case .inhibitShortcuts(let id, let surface, let seat) = $0 else { return }
                let index = seats.firstIndex { $0.owns(seat) } ?? -1
                let new = Inhibition(surface: ObjectIdentifier(surface), seat: index)
                if !inhibitions.insert(new).inserted {
                    violate("zwp_keyboard_shortcuts_inhibit_manager_v1: already inhibited")
                }
                id.onRequest = { [unowned self] in
                    if case .destroy = $0 { inhibitions.remove(new) }
                }
            }
        }
    }

    private func addIdleNotifier() throws(ServerError) {
        try offer(ExtIdleNotifierV1Resource.self) { [unowned self] manager in
            manager.onRequest = { [unowned self] in
                switch $0 {
                case .getIdleNotification(let id, _, _), .getInputIdleNotification(let id, _, _):
                    idleNotifications.append(id)
                case .destroy: break
                }
            }
        }
    }

    private func addScreenPower() throws(ServerError) {
        try offer(ZwlrOutputPowerManagerV1Resource.self) { [unowned self] manager in
            manager.onRequest = { [unowned self] in
                guard case .getOutputPower(let id, _) = $0 else { return }
                id.onRequest = { [unowned self] in
                    guard case .setMode(let mode) = $0 else { return }
                    if mode != .on, mode != .off {
                        violate("zwlr_output_power_v1: there is no such mode")
                    }
                    screenSwitches.append(mode == .on)
                }
            }
        }
    }

    func offer<R: Resource>(
        _ type: R.Type, bind: @escaping (R) -> Void
    ) throws(ServerError) {
        guard let version = setup.offer[type.interface.name] else { return }
        try server.addGlobal(type, version: version, bind: bind)
    }

    private func addShell(_ shell: XdgWmBaseResource) {
        shells.append(shell)
        shell.onRequest = { [unowned self] in
            switch $0 {
            case .getXdgSurface(let id, let surface): add(id, for: surface)
            case .pong(let serial): pong(serial)
            case .destroy:
                if windows.contains(where: \.isOpen) {
                    violate("xdg_wm_base: destroyed before its surfaces")
                }
            case .createPositioner: break
            }
        }
    }

    private func decorate(
        _ toplevel: XdgToplevelResource, _ decoration: ZxdgToplevelDecorationV1Resource
    ) {
        guard let window = window(of: toplevel) else { return }
        if window.surface.isMapped {
            violate("zxdg_decoration_manager_v1: decorated a window that had contents")
        }
        window.decoration = decoration
    }

    private func addViewport(_ viewport: WpViewportResource, _ surface: WlSurfaceResource) {
        guard let surface = self.surface(of: surface) else { return }
        if surface.hasViewport { violate("wp_viewporter: a second viewport for a surface") }
        surface.hasViewport = true
        viewport.onRequest = { [unowned self, unowned surface] in
            switch $0 {
            case .setDestination(-1, -1): surface.destination = nil
            case .setDestination(let width, let height):
                if width < 1 || height < 1 { violate("wp_viewport: an empty destination") }
                surface.destination = Size(width: Double(width), height: Double(height))
            case .setSource(let x, let y, let width, let height):
                if x < 0 || y < 0 || width <= 0 || height <= 0 {
                    violate("wp_viewport: a source outside of the buffer")
                }
            case .destroy:
                surface.hasViewport = false
                surface.destination = nil
            }
        }
    }

    private func addGesture(_ request: ZwpPointerGesturesV1Resource.Request) {
        switch request {
        case .getSwipeGesture(let id, let pointer): gestures(of: pointer).swipe = id
        case .getPinchGesture(let id, let pointer): gestures(of: pointer).pinch = id
        case .getHoldGesture(let id, let pointer): gestures(of: pointer).hold = id
        case .release: break
        }
    }

    private func gestures(of pointer: WlPointerResource) -> PointerGestures {
        if let known = gestures.first(where: { $0.pointer === pointer }) { return known }
        let new = PointerGestures(pointer: pointer)
        gestures.append(new)
        return new
    }
}

/// The gesture objects of a client for one pointer.
final class PointerGestures {
    let pointer: WlPointerResource
    var swipe: ZwpPointerGestureSwipeV1Resource?
    var pinch: ZwpPointerGesturePinchV1Resource?
    var hold: ZwpPointerGestureHoldV1Resource?

    init(pointer: WlPointerResource) {
        self.pointer = pointer
    }
}
