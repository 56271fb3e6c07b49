import Geometry
import WaylandProtocol
import WaylandServer

/// An activation of a window.
package struct Activation: Hashable, Sendable {
    package var token: String
    /// The number of frames that the surface had before.
    package var commits: Int
}

/// A request for an activation token.
package struct TokenRequest: Hashable, Sendable {
    package var serial: UInt32?
    package var appID: String?
    package var hasSurface = false
}

/// The globals about windows among others: subsurfaces, activation and icons.
extension TestCompositor {
    func addDesktopGlobals() throws(ServerError) {
        try offer(WlSubcompositorResource.self) { [unowned self] subcompositor in
            subcompositor.onRequest = { [unowned self] in
                guard case .getSubsurface(let id, let surface, let parent) = $0 else { return }
                addSubsurface(id, surface, parent)
            }
        }
        try offer(XdgActivationV1Resource.self) { [unowned self] manager in
            manager.onRequest = { [unowned self] in
                switch $0 {
                case .getActivationToken(let token): add(token)
                case .activate(let token, let surface):
                    activations.append(
                        Activation(
                            token: token, commits: self.surface(of: surface)?.commits.count ?? 0))
                case .destroy: break
                }
            }
        }
        try offer(ZxdgExporterV2Resource.self) { exporter in
            exporter.onRequest = {
                guard case .exportToplevel(let id, _) = $0 else { return }
                id.handle(handle: "window-of-the-test")
            }
        }
        try offer(XdgToplevelIconManagerV1Resource.self) { [unowned self] manager in
            manager.done()
            manager.onRequest = { [unowned self] in
                switch $0 {
                case .createIcon(let icon):
                    icon.onRequest = { [unowned self, unowned icon] in
                        if case .setName(let name) = $0 { iconNames.append((icon, name)) }
                    }
                case .setIcon(let toplevel, let icon):
                    window(of: toplevel)?.iconName = iconNames.last { $0.icon === icon }?.name
                case .destroy: break
                }
            }
        }
    }

    private func addSubsurface(
        _ resource: WlSubsurfaceResource, _ surface: WlSurfaceResource, _ parent: WlSurfaceResource
    ) {
        guard let surface = self.surface(of: surface), let parent = self.surface(of: parent) else {
            return
        }
        if surface.window != nil || surface.subsurface != nil {
            violate("wl_subcompositor: the surface has a role already")
        }
        let subsurface = TestSubsurface(resource, surface: surface)
        surface.subsurface = subsurface
        parent.children.append(subsurface)
    }

    private func add(_ token: XdgActivationTokenV1Resource) {
        var request = TokenRequest()
        token.onRequest = { [unowned self, unowned token] in
            switch $0 {
            case .setSerial(let serial, _): request.serial = serial
            case .setAppId(let appID): request.appID = appID
            case .setSurface: request.hasSurface = true
            case .commit:
                tokenRequests.append(request)
                if let text = setup.activationToken { token.done(token: text) }
            case .destroy: break
            }
        }
    }

    /// The rectangles of a region; nil for no region.
    func rects(of region: WlRegionResource?) -> [PixelRect]? {
        guard let region else { return nil }
        return regions.first { $0.resource === region }?.rects
    }
}

/// A region: rectangles that the client has added.
final class TestRegion {
    let resource: WlRegionResource
    private(set) var rects: [PixelRect] = []

    init(_ resource: WlRegionResource) {
        self.resource = resource
        resource.onRequest = { [unowned self] in
            if case .add(let x, let y, let width, let height) = $0 {
                rects.append(
                    PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
            }
        }
    }
}
