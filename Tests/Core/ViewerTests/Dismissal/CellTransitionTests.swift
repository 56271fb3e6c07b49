import Geometry
import Motion
import SceneModel
import Testing

@testable import Viewer

@Suite struct CellTransitionTests {
    private let photo = PixelSize(width: 600, height: 400)
    private let source = TransitionSource(
        rect: Rect(x: 100, y: 100, width: 80, height: 80), isCropped: true)

    private func at(_ milliseconds: Double) -> Moment { Moment(milliseconds: milliseconds) }

    @Test func onlyAnExitIsTheTargetOfADismissal() {
        var cell = CellTransition(reducesMotion: false)
        #expect(cell.source == nil && cell.exit == nil)
        cell.setSource(source, isExit: false)
        #expect(cell.source == source && cell.exit == nil)
        cell.setSource(source, isExit: true)
        #expect(cell.exit == source)
    }

    @Test func theCropOpensAndCloses() {
        var cell = CellTransition(reducesMotion: false)
        cell.open(3, from: source, at: .zero)
        #expect(cell.crop(ofPage: 3, photo, at: .zero) == Size(width: 400, height: 400))
        #expect(cell.crop(ofPage: 2, photo, at: .zero) == nil)
        #expect(!cell.restsCropped && !cell.isAtRest(at: .zero))
        cell.advance(to: at(2000))
        #expect(cell.crop(ofPage: 3, photo, at: at(2000)) == nil)
        cell.close(3, to: source, at: at(2000))
        #expect(cell.restsCropped)
        cell.advance(to: at(4000))
        #expect(cell.crop(ofPage: 3, photo, at: at(4000)) == Size(width: 400, height: 400))
        #expect(
            cell.isReached(
                by: source.placement(of: photo, rotation: 0), of: photo, at: at(4000)))
    }

    /// A picture that is caught keeps its crop until the crop is removed.
    @Test func aCaughtCropStops() throws {
        var cell = CellTransition(reducesMotion: false)
        cell.setSource(source, isExit: true)
        cell.close(0, to: source, at: .zero)
        cell.stop(at: at(60))
        let caught = try #require(cell.crop(ofPage: 0, photo, at: at(60)))
        #expect(cell.crop(ofPage: 0, photo, at: at(500)) == caught && cell.isAtRest(at: at(60)))
        cell.uncrop(at: at(500))
        #expect(cell.crop(ofPage: 0, photo, at: at(500)) == caught && !cell.restsCropped)
        cell.advance(to: at(2500))
        #expect(cell.crop(ofPage: 0, photo, at: at(2500)) == nil)
    }

    @Test func reducedMotionRemovesTheCropAtOnce() {
        var cell = CellTransition(reducesMotion: true)
        cell.setSource(source, isExit: true)
        cell.close(0, to: source, at: .zero)
        cell.uncrop(at: at(60))
        #expect(cell.crop(ofPage: 0, photo, at: at(60)) == nil && cell.isAtRest(at: at(60)))
    }

    @Test func theCropFollowsTheListing() {
        var cell = CellTransition(reducesMotion: false)
        cell.open(3, from: source, at: .zero)
        cell.update { $0 + 1 }
        #expect(cell.crop(ofPage: 4, photo, at: .zero) != nil)
        cell.update { _ in nil }
        #expect(cell.crop(ofPage: 4, photo, at: .zero) == nil)
    }

    /// A cropped cell is covered by its picture, any other cell contains its picture.
    @Test func theCellDeterminesTheZoom() {
        var source = source
        #expect(source.placement(of: photo, rotation: 0).zoom == 0.2)
        source.isCropped = false
        #expect(abs(source.placement(of: photo, rotation: 0).zoom - 80.0 / 600) < 1e-12)
        #expect(source.placement(of: photo, rotation: 0).center == Point(x: 140, y: 140))
    }
}
