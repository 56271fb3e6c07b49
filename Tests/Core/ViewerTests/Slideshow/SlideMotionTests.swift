import CoreTestKit
import Geometry
import Gestures
import Input
import Motion
import SceneModel
import Settings
import TOML
import Testing

@testable import Viewer

/// Slideshows whose pictures move, with margins and animations.
@Suite struct SlideMotionTests {
    private static func rig(
        _ sizes: [PixelSize] = [
            PixelSize(width: 3000, height: 2000), PixelSize(width: 2000, height: 3000),
            PixelSize(width: 400, height: 300),
        ], motion: SlideshowSettings.Motion = .panZoom, interval: Double = 3, resume: Int = 10,
        margins: SlideMargins = .black, reducesMotion: Bool = false
    ) -> Rig {
        var settings = ViewerSettings()
        settings.reducedMotion = reducesMotion
        settings.slideshow.interval = interval
        settings.slideshow.transitionTime = 600
        settings.slideshow.resume = resume
        settings.slideshow.motion = motion
        settings.slideshow.margins = margins
        var rig = Rig(sizes, on: Size(width: 1280, height: 800), settings: settings)
        rig.finishAll()
        rig.key("s")
        return rig
    }

    // MARK: Pan and zoom

    @Test func bothPicturesMoveInAFade() throws {
        var rig = Self.rig()
        rig.playSlides(to: 3200)
        let first = rig.pictures
        rig.playSlides(to: 3300)
        let second = rig.pictures
        for index in [0, 1] {
            let (old, new) = try (#require(first[index]), #require(second[index]))
            #expect(old.placement != new.placement, "\(index)")
            #expect((old.placement.center - new.placement.center).length < 20)
        }
    }

    @Test func noFrameJumps() {
        var rig = Self.rig()
        rig.playSlides(to: 30_000)
        var last: [Int: Placement] = [:]
        for (_, frame) in rig.frames {
            var now: [Int: Placement] = [:]
            for case .picture(let item) in frame.scene.items {
                let (index, placement) = (item.source.picture, item.placement)
                now[index] = placement
                guard let earlier = last[index] else { continue }
                #expect((placement.center - earlier.center).length < 4)
                #expect(abs(placement.zoom / earlier.zoom - 1) < 0.005)
            }
            last = now
        }
        #expect(rig.viewer.index != 0)
    }

    @Test func theSurfaceIsCovered() {
        var rig = Self.rig()
        rig.playSlides(to: 4000)
        #expect(rig.viewer.index == 1)
        for time in stride(from: 4000.0, to: 6500, by: 100) {
            rig.playSlides(to: time)
            let rect = rig.placement.boundingRect(of: PixelSize(width: 2000, height: 3000))
            #expect(rect.x < 0.01 && rect.y < 0.01 && rect.maxX > 1279.9 && rect.maxY > 799.9)
        }
    }

    @Test func aSinglePictureComesToRest() {
        var rig = Self.rig([PixelSize(width: 3000, height: 2000)])
        rig.playSlides(to: 1000)
        #expect(!rig.isAtRest)
        rig.playSlides(to: 20_000)
        #expect(rig.isAtRest && rig.viewer.deadline == nil)
    }

    @Test func withReducedMotionNothingMoves() {
        var rig = Self.rig(reducesMotion: true)
        rig.playSlides(to: 5000)
        #expect(rig.viewer.index == 1 && rig.isAtRest && rig.viewer.zoomPan.drift == nil)
    }

    /// The picture stops under a finger, and later goes on from there.
    @Test func afterAPauseThePictureGoesOnFromWhereItIs() {
        var rig = Self.rig(interval: 60, resume: 2)
        rig.playSlides(to: 3000)
        #expect(rig.viewer.zoomPan.drift != nil)
        rig.tap(Point(x: 640, y: 400))
        let stopped = rig.placement
        rig.playSlides(to: rig.now + 1500)
        #expect(rig.placement == stopped)
        var last = stopped
        var moved = false
        let end = rig.now + 4000
        while rig.now < end {
            rig.playSlides(to: rig.now + 1000 / 60)
            #expect((rig.placement.center - last.center).length < 2)
            #expect(abs(rig.placement.zoom / last.zoom - 1) < 0.003)
            moved = moved || rig.placement != stopped
            last = rig.placement
        }
        #expect(moved && rig.viewer.index == 0)
    }

    /// No timer is left behind while a person uses the viewer.
    @Test func anOpenMenuHoldsThePicture() {
        var rig = Self.rig(interval: 60, resume: 2)
        rig.playSlides(to: 3000)
        rig.key("Menu")
        rig.playSlides(to: rig.now + 1000)
        let stopped = rig.placement
        for _ in 0..<10 {
            rig.playSlides(to: rig.now + 1000)
            #expect(rig.placement == stopped)
            let deadline = rig.viewer.deadline?.milliseconds ?? .infinity
            #expect(deadline > rig.now - 20)
        }
    }

    @Test func aSwipeTurnsThePageAndTheOrderGoesOn() {
        var rig = Self.rig([PixelSize](repeating: Rig.photo, count: 5))
        rig.playSlides(to: 2000)
        rig.drag(from: Point(x: 900, y: 400), by: Vector(dx: -500, dy: 0), speed: 2500)
        #expect(rig.viewer.index == 1)
        let lift = rig.now
        rig.playSlides(to: lift + 9900)
        #expect(rig.viewer.index == 1)
        rig.playSlides(to: lift + 10_300)
        #expect(rig.viewer.index == 2)
        #expect(rig.viewer.zoomPan.drift != nil)
        // Back by hand, and on from there.
        rig.drag(from: Point(x: 300, y: 400), by: Vector(dx: 500, dy: 0), speed: 2500)
        #expect(rig.viewer.index == 1)
        rig.playSlides(to: rig.now + 10_300)
        #expect(rig.viewer.index == 2)
    }

    @Test func aResizeGoesOnMoving() {
        var rig = Self.rig(interval: 20)
        rig.playSlides(to: 2000)
        rig.send(.resize(Size(width: 800, height: 1280)))
        rig.playSlides(to: rig.now + 1000)
        #expect(rig.viewer.zoomPan.drift != nil)
    }

    @Test func regionsOfAPictureCount() {
        var rig = Self.rig()
        rig.interaction.target.setRegions(
            [Rect(x: 0.4, y: 0.02, width: 0.2, height: 0.1)], of: 1)
        rig.playSlides(to: 4000)
        #expect(rig.viewer.index == 1)
        for time in stride(from: 4000.0, to: 6500, by: 100) {
            rig.playSlides(to: time)
            let top = rig.placement.surfacePoint(
                of: Point(x: 1000, y: 60), in: PixelSize(width: 2000, height: 3000))
            #expect(top.y > 0)
        }
        rig.playSlides(to: 30_000)
    }

    // MARK: Margins

    @Test func marginsAreBesideThePicture() throws {
        for margins in [SlideMargins.blurred, .color(Color(red: 1, green: 0, blue: 0))] {
            var rig = Self.rig(motion: .still, margins: margins)
            rig.playSlides(to: 5000)
            #expect(rig.viewer.index == 1)
            let picture = try #require(rig.pictures[1])
            let items = rig.frame.scene.items
            let beside = items.compactMap { item -> Rect? in
                switch item {
                case .fill(let fill): fill.rect
                case .picture(let item): item.source.kind == .blurred ? item.clip : nil
                case .layer: nil
                }
            }
            #expect(beside.count >= 2)
            // All of the surface beside the picture, and one pixel below its edge.
            let area = beside.reduce(0) { $0 + $1.width * $1.height }
            let free = 1280 * 800 - picture.bounds.width * picture.bounds.height
            #expect(area >= free - 1 && area < free + 2 * (1280 + 800) * 1.5)
            #expect(rig.frame.scene.topPicture?.item == picture)
            rig.key("s")
            rig.playSlides(to: rig.now + 100)
            #expect(
                !rig.frame.scene.items.contains {
                    if case .picture(let item) = $0 { item.source.kind == .blurred } else { false }
                })
        }
    }

    @Test func marginsFadeWithTheirPicture() {
        var rig = Self.rig(motion: .still, margins: .blurred)
        rig.playSlides(to: 3300)
        let blurred = rig.frame.scene.items.compactMap { item -> PictureItem? in
            if case .picture(let item) = item, item.source.kind == .blurred { item } else { nil }
        }
        #expect(blurred.contains { $0.source.picture == 0 && $0.opacity == 1 })
        #expect(blurred.contains { $0.source.picture == 1 && $0.opacity < 0.7 })
    }

    @Test func aPictureThatCoversTheSurfaceHasNoMargins() {
        var rig = Self.rig(margins: .blurred)
        rig.playSlides(to: 5000)
        #expect(rig.viewer.index == 1 && rig.frame.scene.items.count == 1)
    }

    @Test(arguments: [
        ("black", SlideMargins.black), ("blurred", .blurred), ("#000000", .black),
        ("#ff8000", .color(Color(red: 1, green: 128.0 / 255, blue: 0))),
    ])
    func marginsAreRead(text: String, margins: SlideMargins) throws {
        var settings = ViewerSettings()
        try ViewerSettings.table.set(Setting("slideshow.margins", .string(text)), in: &settings)
        #expect(settings.slideshow.margins == margins)
        #expect(SlideMargins(margins.text) == margins)
    }

    @Test(arguments: [
        "", "#", "#12345", "#1234567", "#12345g", "#+12345", "blue", "#é2345", "١٢٣٤٥٦",
    ])
    func otherMarginsAreRefused(text: String) {
        var settings = ViewerSettings()
        #expect(throws: SettingRefusal.self) {
            try ViewerSettings.table.set(Setting("slideshow.margins", .string(text)), in: &settings)
        }
        #expect(settings.slideshow.margins == .black)
    }

    // MARK: Animations

    @Test func anAnimationIsShownToItsEnd() {
        var rig = Self.rig(motion: .still)
        rig.playSlides(to: 1000)
        rig.interaction.target.isAnimationUnfinished = true
        rig.playSlides(to: 12_000)
        #expect(rig.viewer.index == 0)
        rig.interaction.target.isAnimationUnfinished = false
        rig.playSlides(to: 12_200)
        #expect(rig.viewer.index == 1)
    }

    @Test func aLongAnimationIsShownForTenIntervals() {
        var rig = Self.rig(motion: .still)
        rig.playSlides(to: 1000)
        rig.interaction.target.isAnimationUnfinished = true
        rig.playSlides(to: 29_000)
        #expect(rig.viewer.index == 0)
        rig.playSlides(to: 31_000)
        #expect(rig.viewer.index == 1)
        #expect(!rig.viewer.slideshow.isAnimationUnfinished)
    }
}
