package import Geometry
package import WaylandProtocol
package import WaylandServer

/// A screen, whose mode and scale may change at any time.
package final class TestOutput {
    /// The mode, in device pixels.
    package private(set) var size: PixelSize
    package private(set) var scale: Int32
    package private(set) var transform = WlOutput.Transform.normal
    package let name: String
    package private(set) var isRemoved = false
    /// The objects that clients have bound.
    package private(set) var resources: [WlOutputResource] = []
    private var global: Global?

    init(
        _ server: Server, version: UInt32, name: String, size: PixelSize, scale: Int32
    ) throws(ServerError) {
        self.name = name
        self.size = size
        self.scale = scale
        global = try server.addGlobal(WlOutputResource.self, version: version) {
            [unowned self] resource in
            resources.append(resource)
            describe(to: resource)
        }
    }

    /// The size in logical pixels.
    package var logicalSize: Size { size.size * (1 / Double(scale)) }

    /// Changes the mode, the scale or the transform and informs all clients.
    package func change(
        size: PixelSize? = nil, scale: Int32? = nil,
        transform: WlOutput.Transform? = nil
    ) {
        self.size = size ?? self.size
        self.scale = scale ?? self.scale
        self.transform = transform ?? self.transform
        for resource in resources { describe(to: resource) }
    }

    /// Removes the output.
    package func remove() {
        guard !isRemoved else { return }
        isRemoved = true
        global?.remove()
    }

    private func describe(to resource: WlOutputResource) {
        resource.geometry(
            x: 0, y: 0, physicalWidth: 300, physicalHeight: 190, subpixel: .unknown,
            make: "Vitrine", model: "Test", transform: transform)
        resource.mode(
            flags: .current, width: Int32(size.width), height: Int32(size.height), refresh: 60_000)
        if resource.version >= 2 { resource.scale(factor: scale) }
        if resource.version >= 4 { resource.name(name: name) }
        if resource.version >= 2 { resource.done() }
    }
}
