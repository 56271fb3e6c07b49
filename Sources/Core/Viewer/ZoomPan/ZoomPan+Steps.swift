import Geometry
import SceneModel

/// The resting placements of steps by key and wheel: all start from `goal`, so that quick steps
/// accumulate.
extension ZoomPan {
    /// The placement after a pan by `translation`, in logical pixels.
    func panned(by translation: Vector, on geometry: ViewGeometry) -> Placement {
        geometry.rest(
            zoom: goal.zoom, rotation: goal.rotation, near: goal.center + translation)
    }

    /// The placement at `zoom` logical pixels per picture pixel, within the limits, that keeps the
    /// aimed point of the picture as near to its point of the surface as the limits allow.
    func zoomed(to zoom: Double, by aim: ZoomAim, on geometry: ViewGeometry) -> Placement {
        let limits = geometry.limits(rotation: goal.rotation)
        let zoom = min(max(zoom, limits.min), limits.max)
        return geometry.rest(zoom: zoom, rotation: goal.rotation, near: aim.center(at: zoom))
    }

    /// The placement after a rotation by `angle` radians about the centre of the surface; a picture
    /// at fit stays at fit.
    func rotated(by angle: Double, on geometry: ViewGeometry) -> Placement {
        let rotation = ViewGeometry.quarterTurn(goal.rotation + angle)
        let old = geometry.limits(rotation: goal.rotation)
        let new = geometry.limits(rotation: rotation)
        let zoom =
            old.isFit(goal.zoom) ? new.fit : min(max(goal.zoom, new.min), new.max)
        let pivot = geometry.viewport.center
        let center =
            pivot + (goal.center - pivot).rotated(by: angle) * (zoom / goal.zoom)
        return geometry.rest(zoom: zoom, rotation: rotation, near: center)
    }
}
