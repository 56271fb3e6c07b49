import Geometry
import Motion
import SceneModel
import Testing

@testable import Viewer

@Suite struct LeavingMotionTests {
    private let start = Placement(center: Point(x: 500, y: 400), zoom: 0.5)

    private func motion(_ velocity: Vector, reducesMotion: Bool = false) -> LeavingMotion {
        LeavingMotion(
            from: start, velocity: velocity, about: Point(x: 500, y: 600), since: .zero, at: .zero,
            reducesMotion: reducesMotion)
    }

    @Test func aSlowPictureLeavesAtTheLowestSpeed() {
        #expect(motion(Vector(dx: 0, dy: 10)).velocity(at: .zero) == Vector(dx: 0, dy: 1500))
        #expect(motion(Vector(dx: 0, dy: -4000)).velocity(at: .zero) == Vector(dx: 0, dy: -4000))
    }

    @Test func withoutAVelocityThePictureShrinksAboutTheFingers() {
        let target = motion(.zero).placement.target
        #expect(target.zoom == 0.25 && target.center == Point(x: 500, y: 500))
    }

    @Test func thePictureFadesAndTheEndIsFixed() {
        let motion = motion(Vector(dx: 0, dy: 2000))
        #expect(motion.end == Moment(milliseconds: LeavingMotion.duration))
        #expect(motion.opacity(at: .zero) == 1 && motion.opacity(at: motion.end) < 0.1)
        #expect(self.motion(.zero, reducesMotion: true).end == .zero)
    }
}
