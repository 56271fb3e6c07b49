import Geometry
import Gestures
import Motion

/// Lifting a picture out of its cell; meanwhile gestures move nothing else on the grid.
extension GridModel {
    /// Turns a manipulation of the grid into a lift of one picture; the grid settles where it is.
    mutating func lift(
        _ index: Int, from hold: GridManipulation, by fingers: Manipulation, at moment: Moment
    ) {
        let home = projection(at: moment).rect(of: index)
        peek = Peek(
            index: index, home: home, fingers: fingers, base: hold.centroid,
            baseSpread: fingers.scale / hold.spread(of: fingers), settings: settings, at: moment)
        settle(
            from: hold.scrollState, scale: hold.scrollState.scale, aim: hold.scrollState.focal,
            at: moment)
    }

    /// Handles gestures while a picture is lifted.
    mutating func handleLifted(
        _ gesture: Gesture, at moment: Moment
    ) {
        guard var peek else { return }
        let home = projection(at: moment).rect(of: peek.index)
        switch gesture {
        case .manipulationBegan(let fingers) where fingers.isPinch:
            peek.grip(
                fingers, base: fingers.base, baseSpread: 1, home: home, settings: settings,
                at: moment)
            self.peek = peek
        case .manipulationRebased(_, let fingers) where fingers.isPinch && !fingers.isCoasting:
            // The picture point displayed under the fingers stays under them.
            peek = predictedPeek ?? peek
            peek.grip(
                fingers, base: fingers.centroid, baseSpread: fingers.scale, home: home,
                settings: settings, at: moment)
            self.peek = peek
        case .manipulationChanged(let fingers) where fingers.isPinch && peek.isHeld:
            peek.follow(fingers, settings: settings, at: moment)
            self.peek = peek
        case .manipulationPredicted(let fingers) where fingers.isPinch && peek.isHeld:
            peek.follow(fingers, settings: settings, at: moment)
            predictedPeek = peek
        case .manipulationEnded(let release):
            putBack(isCancelled: release.isCancelled, at: moment)
        // The first finger that lifts ends the lift, even if other fingers stay.
        case .manipulationRebased: putBack(isCancelled: false, at: moment)
        case .manipulationReverted: putBack(isCancelled: true, at: moment)
        case .caught, .manipulationBegan, .manipulationChanged, .manipulationPredicted, .resumed,
            .chrome, .tap, .doubleTap,
            .twoFingerTap, .longPress, .pen, .dragOut, .quickZoomBegan, .quickZoomChanged,
            .quickZoomPredicted,
            .quickZoomEnded, .wheel, .scrollZoom:
            break
        }
    }

    /// Sends the lifted picture back to its cell, or opens it if it was released large enough.
    mutating func putBack(isCancelled: Bool, at moment: Moment) {
        guard var peek, case .held(let grip) = peek.phase else { return }
        let home = projection(at: moment).rect(of: peek.index)
        if !isCancelled, settings.peekRelease == .open, grip.place.scale > Peek.openingScale {
            request = .open(index: peek.index)
        }
        guard !settings.reducedMotion else {
            self.peek = nil
            return
        }
        peek.release(
            predicted: predictedPeek ?? peek, isCancelled: isCancelled, home: home,
            settings: settings,
            at: moment)
        self.peek = peek
    }
}
