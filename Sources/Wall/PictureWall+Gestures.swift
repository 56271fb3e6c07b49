import Geometry
package import Gestures
import Glibc
package import Input
package import Motion

extension PictureWall {
    /// Takes what the fingers mean; `modifiers` are the keys held meanwhile.
    ///
    /// The arena's context for the wall: `isMoving(at:)`, and double taps mean nothing.
    package mutating func handle(
        _ gesture: Gesture, modifiers: KeyEvent.Modifiers = [], at moment: Moment,
        effects: inout [WallEffect]
    ) {
        guard let gesture = gesture.plausible else { return }
        advance(to: moment)
        // What follows goes on from where the fingers are seen.
        defer { if !gesture.keepsSight { (seen, seenPeek) = (nil, nil) } }
        guard peek == nil else {
            handleLifted(gesture, at: moment, effects: &effects)
            return
        }
        if !gesture.takesHold { relax(at: moment) }
        switch gesture {
        case .caught(let point): stop(touchedAt: point, at: moment)
        case .manipulationBegan(let fingers): begin(fingers, at: moment)
        case .manipulationRebased(_, let seen): rebase(seen, at: moment)
        case .manipulationChanged(let fingers): follow(fingers, at: moment)
        case .manipulationSeen(let fingers): see(fingers)
        case .manipulationEnded(let release): letGo(release, at: moment)
        case .manipulationReverted: revert(at: moment)
        case .resumed: resume(at: moment)
        case .tap(let point, _), .doubleTap(let point):
            tap(at: point, modifiers: modifiers, moment, effects: &effects)
        case .chromeTap, .chromeDrag: break
        case .twoFingerTap(let point): zoomStep(up: false, about: point, at: moment)
        case .longPress(let point): select(at: point, moment, effects: &effects)
        case .quickZoomBegan(let point):
            begin(Self.drag(from: point, by: 0), at: moment)
        case .quickZoomChanged(let distance):
            guard case .held(let hold) = state else { return }
            follow(Self.drag(from: hold.fingers.base, by: distance), at: moment)
        case .quickZoomSeen(let distance):
            guard case .held(let hold) = state else { return }
            see(Self.drag(from: hold.fingers.base, by: distance))
        case .quickZoomEnded: letGo(Release(centroid: .zero), at: moment)
        case .wheel(let detents, let point, let zooms):
            turnWheel(detents, at: point, zooms: zooms, moment)
        case .scrollZoom(let distance, let point):
            zoomByScroll(distance, about: point, at: moment)
        }
    }

    /// A tap whose second touch is dragged means nothing of its own here: it scrolls.
    private static func drag(from base: Point, by distance: Double) -> Manipulation {
        Manipulation(
            source: .touch, fingers: 1, base: base, centroid: base + Vector(dx: 0, dy: distance))
    }

    // MARK: Holding

    /// A touch stops what moves, right where it is.
    private mutating func stop(touchedAt point: Point, at moment: Moment) {
        caught = (point, isMoving(at: moment))
        interrupted = nil
        guard case .moving(let motion) = state else { return }
        if motion.scales(from: moment) { interrupted = motion.target }
        state = .resting(pose(at: moment))
    }

    /// A touch that has stopped the wall lifts without having moved: a scroll stays stopped, and a zoom
    /// goes on to its target.
    private mutating func resume(at moment: Moment) {
        defer { interrupted = nil }
        switch state {
        case .moving: return
        case .held where interrupted == nil: letGo(Release(centroid: .zero), at: moment)
        case .resting where interrupted == nil: relax(at: moment)
        case .held, .resting:
            guard let interrupted else { return }
            let now = pose(at: moment)
            var copy = layout
            copy.scale = interrupted.scale
            let way = copy.point(of: now.anchor) - copy.point(of: interrupted.anchor)
            let target = Pose(
                anchor: now.anchor, focal: interrupted.focal + way, scale: interrupted.scale)
            move(from: now, to: rest(near: target), velocity: .init(), at: moment)
        }
    }

    private mutating func begin(_ fingers: Manipulation, at moment: Moment) {
        hold(fingers, kind: kind(of: fingers, at: moment), isNew: true, at: moment)
    }

    /// What a new hold is about.
    private func kind(of fingers: Manipulation, at moment: Moment) -> WallHold.Kind {
        guard fingers.isPinch else {
            if let grip = handleGrip(of: fingers, at: moment) { return .handle(grip: grip) }
            return .scroll
        }
        guard isFeed || settings.pinch == .peek,
            let cell = projection(at: moment).cell(at: fingers.base), cell != hidden
        else { return .pinch }
        return .undecided(cell: cell)
    }

    /// The hold begins anew: what is seen now under the fingers stays under them.
    private mutating func rebase(_ fingers: Manipulation, at moment: Moment) {
        guard case .held(let old) = state else { return }
        let kind: WallHold.Kind =
            switch (old.kind, fingers.isPinch) {
            case (_, false): .scroll
            case (.pinch, true): .pinch
            case (.scroll, true), (.undecided, true), (.handle, true): kind(of: fingers, at: moment)
            }
        hold(fingers, kind: kind, isNew: false, at: moment)
    }

    /// Begins a hold with the wall as it is on the screen.
    ///
    /// The anchor is taken here and never again, or rounding would walk it away.
    private mutating func hold(
        _ fingers: Manipulation, kind: WallHold.Kind, isNew: Bool, at moment: Moment
    ) {
        var origin = pose(at: moment)
        if case .held(let old) = state { origin = old.origin }
        let start = anchored(at: isNew ? fingers.base : fingers.centroid, moment)
        let hold = WallHold(
            kind, fingers: fingers, isNew: isNew, start: start,
            startOrigin: start.origin(in: layout), origin: origin, in: bounds(at: start.scale))
        state = .held(hold)
        follow(fingers, at: moment)
    }

    private mutating func follow(_ fingers: Manipulation, at moment: Moment) {
        guard case .held(var hold) = state else { return }
        if case .undecided(let cell) = hold.kind, hold.spread(of: fingers) > 1 {
            lift(cell, from: hold, by: fingers, at: moment)
            return
        }
        hold.follow(fingers, in: bounds(at: hold.start.scale))
        state = .held(hold)
        switch hold.kind {
        case .scroll: break
        case .pinch: reflow(hold, at: moment)
        case .handle(let grip): slideHandle(hold, grip: grip, to: fingers.centroid.y)
        case .undecided:
            // A pinch that closes is about the wall and not about one picture.
            guard hold.spread(of: fingers) < Self.closingSpread else { return }
            self.hold(fingers, kind: .pinch, isNew: false, at: moment)
        }
    }

    /// Notes where the wall is seen in a frame, between the fingers' samples; nothing is decided by it.
    private mutating func see(_ fingers: Manipulation) {
        guard case .held(var hold) = state else { return }
        switch hold.kind {
        case .scroll, .pinch:
            hold.follow(fingers, in: bounds(at: hold.start.scale))
            seen = hold
        case .handle, .undecided: break
        }
    }

    /// Lets the cells flow into the columns that suit the scale in the fingers.
    private mutating func reflow(_ hold: WallHold, at moment: Moment) {
        let pose = hold.pose
        let cell = HeldCell(
            index: pose.anchor.index, fraction: pose.anchor.fraction.dx, x: pose.focal.x)
        rearrange(about: pose.anchor, at: moment) {
            $0.scale = pose.scale
            return $0.arrange(holding: cell)
        }
    }

    /// A pinch on a cell that has closed this far scales the wall.
    private static let closingSpread = 0.98

    // MARK: Letting go

    private mutating func letGo(_ release: Release, at moment: Moment) {
        guard case .held(let hold) = state else { return }
        let bounds = bounds(at: hold.start.scale)
        var velocity = hold.displayedVelocity(release, in: bounds)
        if release.isCancelled { velocity = .init() }
        // The samples say what happens, and it goes on from what is seen.
        let pose = hold.pose
        let shown = (seen ?? hold).pose
        switch hold.kind {
        case .handle: state = .resting(pose)
        case .scroll where isWhole(pose), .undecided where isWhole(pose):
            fling(shown, velocity: velocity.focal, at: moment)
        case .scroll, .undecided, .pinch:
            let scale = pose.scale * exp(Self.zoomHorizon * velocity.zoomRate)
            let aim = pose.focal + velocity.focal * (1 / Deceleration.fast)
            settle(from: shown, scale: scale, aim: aim, velocity: velocity, at: moment)
        }
    }

    /// How far ahead the speed of a zoom that is let go counts, in seconds.
    private static let zoomHorizon = 0.1

    /// Whether the wall has whole columns from edge to edge of the surface.
    private func isWhole(_ pose: Pose) -> Bool {
        var copy = layout
        let rest = layout.restScale(near: pose.scale)
        let range = scrollRange(at: pose.scale).x
        return rest == pose.scale && !copy.settle(at: rest)
            && (range.lowerBound < range.upperBound
                || abs(pose.origin(in: layout).x - range.lowerBound) < Tolerance.pixels.distance)
    }

    /// Lets come to rest what a touch has stopped on its way and nobody holds.
    mutating func relax(at moment: Moment) {
        guard case .resting(let pose) = state else { return }
        let origin = pose.origin(in: layout)
        let way = scrollRange(at: pose.scale).clamp(origin) - origin
        guard !isWhole(pose) || way.length > Tolerance.pixels.distance else { return }
        settle(from: pose, scale: pose.scale, aim: pose.focal, at: moment)
    }

    mutating func fling(_ pose: Pose, velocity: Vector, at moment: Moment) {
        let origin = pose.origin(in: layout)
        let range = scrollRange(at: pose.scale)
        guard !settings.reducedMotion else {
            state = .resting(pose.moved(to: range.clamp(origin), in: layout))
            return
        }
        state = .moving(
            WallMotion(
                flinging: pose, origin: origin, velocity: velocity, within: range, at: moment))
    }

    /// Back to where the wall was before the touchpad's gesture, which was none.
    private mutating func revert(at moment: Moment) {
        guard case .held(let hold) = state else { return }
        let now = hold.pose
        let scale = layout.restScale(near: hold.origin.scale)
        rearrange(about: now.anchor, at: moment) { $0.settle(at: scale) }
        // The old pose tells where the held point was then, whatever the columns are now.
        let before = Projection(
            layout, [],
            pose: Pose(anchor: hold.origin.anchor, focal: hold.origin.focal, scale: scale),
            surface: surface, at: moment)
        let cell = before.rect(of: now.anchor.index)
        let focal = Point(
            x: cell.x + now.anchor.fraction.dx * cell.width,
            y: cell.y + now.anchor.fraction.dy * cell.height)
        let target = rest(near: Pose(anchor: now.anchor, focal: focal, scale: scale))
        move(from: (seen ?? hold).pose, to: target, velocity: .init(), at: moment)
    }
}

extension Manipulation {
    /// Whether it scales what it holds.
    var isPinch: Bool { fingers > 1 || source == .touchpad }
}
