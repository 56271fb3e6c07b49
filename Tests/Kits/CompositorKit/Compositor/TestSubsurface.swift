package import Geometry
import WaylandProtocol
package import WaylandServer

/// A surface that belongs to another one, whose commits apply its state.
package final class TestSubsurface {
    package let surface: TestSurface
    package let resource: WlSubsurfaceResource
    /// The position in the parent, in logical pixels.
    package private(set) var position = Point.zero
    /// Whether the subsurface lies below its parent.
    package private(set) var isBelow = false
    private var nextPosition = Point.zero
    private var isNextBelow = false
    private var hasCommit = false

    init(_ resource: WlSubsurfaceResource, surface: TestSurface) {
        self.resource = resource
        self.surface = surface
        resource.onRequest = { [unowned self] in
            switch $0 {
            case .setPosition(let x, let y): nextPosition = Point(x: Double(x), y: Double(y))
            case .placeBelow: isNextBelow = true
            case .placeAbove: isNextBelow = false
            case .setDesync: surface.violate("is a subsurface that is not synchronised")
            case .setSync, .destroy: break
            }
        }
    }

    /// The area of the parent's coordinates; nil while nothing is shown.
    package var rect: Rect? {
        guard surface.isMapped, resource.isAlive, let size = surface.commits.last?.logicalSize
        else { return nil }
        return Rect(origin: position, size: size)
    }

    /// Keeps a commit until that of the parent.
    func keepCommit() { hasCommit = true }

    /// Applies what was kept, at a commit of the parent.
    func applyToParent() {
        guard resource.isAlive, surface.isOpen else { return }
        (position, isBelow) = (nextPosition, isNextBelow)
        guard hasCommit else { return }
        hasCommit = false
        surface.applyCommit()
    }
}
