import Geometry
import Motion
import SceneModel
import Testing

@testable import Viewer

@Suite struct PagerTests {
    private var pager = Pager(count: 10, index: 4, width: 1000, reducesMotion: false)
    private let picture = Page.picture(
        .init(size: PixelSize(width: 60, height: 40), source: .init(picture: 0, revision: 1)))
    private let placement = Placement(center: Point(x: 500, y: 400), zoom: 1)

    private func at(_ milliseconds: Double) -> Moment { Moment(milliseconds: milliseconds) }

    // MARK: Geometry

    @Test func theOffsetRangeReachesTheFirstAndTheLastPage() {
        #expect(pager.pitch == 1045)
        #expect(pager.offsetRange(of: 4) == -5 * 1045...4 * 1045)
        #expect(pager.offsetRange(of: 0).upperBound == 0)
        #expect(pager.offsetRange(of: 9).lowerBound == 0)
    }

    @Test func theVisiblePagesFollowTheDisplacement() {
        #expect(pager.visiblePages(displacedBy: 0) == 4...4)
        #expect(pager.visiblePages(displacedBy: 300) == 3...4)
        #expect(pager.visiblePages(displacedBy: -300) == 4...5)
        // In the gap between two pages, only the nearer one is visible.
        #expect(pager.visiblePages(displacedBy: 20) == 4...4)
        #expect(pager.visiblePages(displacedBy: .nan) == 4...4)
    }

    @Test mutating func thereIsNoNeighbourPastTheEnds() {
        let (left, right) = (Vector(dx: -1, dy: 0), Vector(dx: 1, dy: 0))
        #expect(pager.hasNeighbour(towards: left) && pager.hasNeighbour(towards: right))
        pager.jump(to: 9)
        #expect(!pager.hasNeighbour(towards: left) && pager.hasNeighbour(towards: right))
        pager.jump(to: 0)
        #expect(pager.hasNeighbour(towards: left) && !pager.hasNeighbour(towards: right))
    }

    // MARK: Selection

    @Test mutating func theNextPictureInTheSameDirectionIsWantedFirst() {
        #expect(pager.wanted == [4, 5, 3])
        #expect(pager.select(3) == true)
        #expect(pager.wanted == [3, 2, 4])
        #expect(pager.page == 4 && pager.isOnPath(4) && pager.isOnPath(3) && !pager.isOnPath(2))
    }

    @Test mutating func onlyAnotherValidPictureCanBeSelected() {
        for index in [4, -1, 10] { #expect(pager.select(index) == false) }
        #expect(pager.index == 4)
    }

    @Test mutating func aSwipeSelectsThePageThatItTurnsTo() {
        #expect(pager.select(6) == true)
        pager.turn(by: -1, from: 200, velocity: 0, at: .zero)
        #expect(pager.page == 3 && pager.offset.displacement(at: .zero) == 200 - 1045)
        #expect(pager.selectCurrentPage(after: -1) == true)
        #expect(pager.index == 3 && pager.wanted == [3, 2, 4])
        #expect(pager.selectCurrentPage(after: -1) == false)
    }

    // MARK: Page turns

    @Test mutating func aNeighbourSlidesInAndAFarPageIsShownAtOnce() {
        pager.turn(to: 5, at: .zero)
        #expect(pager.page == 5 && pager.offset.displacement(at: .zero) == 1045)
        pager.turn(to: 9, at: .zero)
        #expect(pager.page == 9 && pager.offset.isAtRest(at: .zero))
    }

    @Test mutating func reducedMotionTurnsAtOnce() {
        var pager = Pager(count: 10, index: 4, width: 1000, reducesMotion: true)
        pager.turn(to: 5, at: .zero)
        #expect(pager.page == 5 && pager.offset.isAtRest(at: .zero))
        pager.settle(from: 300, velocity: 0, at: .zero)
        #expect(pager.offset.isAtRest(at: .zero))
    }

    /// A page that slides out keeps its rotation, and its motion until it has left the surface.
    @Test mutating func aPageThatHasLeftIsForgotten() {
        pager.leavePage(by: .standing(placement), rotation: .pi / 2)
        pager.turn(to: 5, at: .zero)
        #expect(pager.rotation(of: 4) == .pi / 2 && pager.rotation(of: 5) == 0)
        pager.advance(to: at(30), displacedBy: 500)
        #expect(pager.outgoingMotion(of: 4)?.target == placement)
        pager.advance(to: at(60), displacedBy: 0.5)
        #expect(pager.outgoingMotion(of: 4) == nil && pager.rotation(of: 4) == .pi / 2)
    }

    @Test mutating func aPageThatReturnsGivesItsMotionBack() {
        pager.leavePage(by: .standing(placement), rotation: 0)
        pager.turn(to: 5, at: .zero)
        #expect(pager.consumeOutgoingMotion() == nil)
        pager.turn(to: 4, at: .zero)
        #expect(pager.consumeOutgoingMotion()?.target == placement)
        #expect(pager.consumeOutgoingMotion() == nil)
    }

    @Test mutating func onlyTheMotionOfAnOutgoingPageCanBeReplaced() {
        pager.setOutgoingMotion(.standing(placement), of: 2)
        #expect(pager.outgoingMotion(of: 2) == nil)
    }

    @Test mutating func aResizePutsAllPagesToRest() {
        pager.leavePage(by: .standing(placement), rotation: 0)
        pager.turn(to: 5, at: .zero)
        pager.resize(width: 500)
        #expect(pager.offset.isAtRest(at: .zero) && pager.outgoingMotion(of: 4) == nil)
        #expect(pager.pitch == 535)
    }

    // MARK: Content

    @Test mutating func pagesOutsideOfTheRetainedOnesAreDiscarded() {
        for page in [3, 4, 8] {
            pager.setContent(picture, of: page)
            pager.setMessage("message \(page)", of: page)
        }
        pager.prune(to: pager.retained(displacedBy: 0))
        #expect(pager.content(of: 3) == picture && pager.picture != nil)
        #expect(pager.content(of: 8) == nil)
        pager.jump(to: 8)
        #expect(pager.consumeMessage() == nil && pager.picture == nil)
        pager.jump(to: 3)
        #expect(pager.consumeMessage() == "message 3")
        #expect(pager.consumeMessage() == nil)
    }

    @Test mutating func theFailureIsTheOneOfTheSelectedPicture() {
        pager.setContent(.failure("broken", mayPass: false), of: 5)
        #expect(pager.failure == nil)
        #expect(pager.select(5) == true)
        #expect(pager.failure == "broken" && pager.page == 4)
    }

    // MARK: Changes of the listing

    @Test mutating func indicesFollowTheListing() {
        pager.setContent(picture, of: 4)
        pager.setMessage("message", of: 4)
        let isReplaced = pager.update(count: 12, mapping: { $0 + 2 }, nearest: { $0 })
        #expect(!isReplaced && pager.index == 6 && pager.page == 6 && pager.count == 12)
        #expect(pager.consumeMessage() == "message" && pager.picture != nil)
    }

    @Test mutating func aRemovedPictureGivesWayToTheNearest() {
        pager.setContent(picture, of: 4)
        let isReplaced = pager.update(
            count: 9, mapping: { $0 == 4 ? nil : $0 > 4 ? $0 - 1 : $0 }, nearest: { $0 })
        #expect(isReplaced && pager.index == 4 && pager.page == 4 && pager.picture == nil)
        #expect(pager.update(count: 0, mapping: { _ in nil }, nearest: { _ in nil }) == true)
        #expect(pager.index == 0 && pager.count == 0 && pager.wanted.isEmpty)
    }
}
