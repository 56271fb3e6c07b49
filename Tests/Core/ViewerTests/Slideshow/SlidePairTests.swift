import SeededRandom
import Geometry
import Gestures
import Input
import Interface
import Motion
import SceneModel
import Testing

@testable import Viewer

/// Two upright pictures side by side in a slideshow.
@Suite struct SlidePairTests {
    private static let portrait = PixelSize(width: 1000, height: 1500)
    private static let landscape = PixelSize(width: 1500, height: 1000)

    private static func rig(
        _ sizes: [PixelSize], on size: Size = Size(width: 1280, height: 800),
        order: SlideshowSettings.Order = .listing, motion: SlideshowSettings.Motion = .still,
        margins: SlideMargins = .black, withheld: Set<Int> = [],
        captions: [Caption.Field] = []
    ) -> Rig {
        var settings = ViewerSettings()
        settings.slideshow.interval = 3
        settings.slideshow.transitionTime = 600
        settings.slideshow.pairs = true
        settings.slideshow.order = order
        settings.slideshow.motion = motion
        settings.slideshow.margins = margins
        settings.slideshow.caption = captions
        var rig = Rig(sizes, on: size, settings: settings, withheld: withheld, keepsFrames: false)
        rig.finishAll()
        rig.key("s")
        return rig
    }

    private static let mixed = [landscape, portrait, portrait, landscape, portrait, portrait]

    @Test func uprightPicturesAreShownInPairs() throws {
        var rig = Self.rig(Self.mixed)
        var shown: [[Int]] = []
        for slide in 0..<6 {
            rig.playSlides(to: 3000 * Double(slide) + 600 * Double(slide) + 1000)
            shown.append(rig.pictures.keys.sorted())
        }
        #expect(shown == [[0], [1, 2], [3], [4, 5], [0], [1, 2]])
        let (left, right) = try (#require(rig.pictures[1]), #require(rig.pictures[2]))
        #expect(left.bounds.maxX <= 640.001 && right.bounds.x >= 639.999)
        #expect(left.bounds.height > 760 && right.bounds.height == left.bounds.height)
        #expect(rig.isAtRest)
    }

    @Test func widePicturesArePairedOnAnUprightSurface() throws {
        var rig = Self.rig(
            [Self.portrait, Self.landscape, Self.landscape, Self.portrait],
            on: Size(width: 800, height: 1280))
        rig.playSlides(to: 4000)
        let (top, bottom) = try (#require(rig.pictures[1]), #require(rig.pictures[2]))
        #expect(top.bounds.maxY <= 640.001 && bottom.bounds.y >= 639.999)
    }

    /// Each caption is over its own picture, and fades with the pair.
    @Test(arguments: [false, true])
    func eachPictureOfAPairHasItsCaption(isRightToLeft: Bool) throws {
        var rig = Self.rig(Self.mixed, captions: [.name])
        rig.interaction.target.setLooks(
            Theme(isRightToLeft: isRightToLeft), windowControls: nil)
        func caption(_ number: Int) -> Caption {
            Caption([.name], .init(name: "picture \(number)", folder: ""), date: "")
        }
        func widgets() -> [Widget] {
            let all = rig.viewer.widgets(title: "", at: Moment(milliseconds: rig.now))
            return ["caption", "caption-second"].compactMap { id in
                all.lazy.compactMap { $0.widget(id) }.first
            }
        }
        var described: Set<Int> = []
        func describe() {
            for index in rig.viewer.captioned where described.insert(index).inserted {
                rig.interaction.target.setCaption(caption(index), of: index)
            }
        }
        while rig.now < 4500 {
            rig.playSlides(to: rig.now + 100)
            describe()
        }
        #expect(rig.pictures.keys.sorted() == [1, 2])
        let captions = widgets()
        #expect(captions.map(\.name) == ["picture 1", "picture 2"])
        for (widget, index) in zip(captions, [1, 2]) {
            // In the half of the surface that belongs to the picture.
            let isLeft = try #require(rig.pictures[index]).bounds.center.x < 640
            #expect(isLeft ? widget.rect.maxX < 640 : widget.rect.x > 640)
            #expect(isLeft != ((index == 2) != isRightToLeft))
            #expect(widget.rect.maxY < 800)
        }
        rig.playSlides(to: 8500)
        #expect(rig.pictures.keys.sorted() == [3] && widgets().map(\.name) == ["picture 3"])
    }

    /// In a random order each picture still comes once before any comes again.
    @Test func eachPictureComesOnce() {
        var rig = Self.rig(
            [PixelSize](repeating: Self.portrait, count: 9), order: .shuffle)
        var (counts, last) = ([Int: Int](), Set<Int>())
        // The first one alone, then four pairs.
        while rig.now < 17_000 {
            rig.playSlides(to: rig.now + 100)
            guard rig.viewer.slideshow.fade == nil else { continue }
            let shown = Set(rig.pictures.keys)
            if shown != last { for index in shown { counts[index, default: 0] += 1 } }
            last = shown
        }
        #expect(counts.count == 9 && counts.values.allSatisfy { $0 == 1 })
    }

    /// A pair begins only when both pictures are whole, but the first one does not wait for ever.
    @Test func theSecondPictureIsWaitedFor() {
        var rig = Self.rig(Self.mixed, withheld: [2])
        rig.playSlides(to: 8000)
        #expect(rig.viewer.index == 0 && rig.isAtRest)
        var other = rig
        other.playSlides(to: 64_000)
        #expect(other.pictures.keys.sorted() == [1])
        rig.withheld = []
        rig.load()
        rig.playSlides(to: 9000)
        #expect(rig.pictures.keys.sorted() == [1, 2])
    }

    @Test func aPictureWhosePartnerIsBrokenComesAlone() {
        var rig = Self.rig(Self.mixed, withheld: [2])
        rig.playSlides(to: 2000)
        rig.interaction.target.fail(index: 2, text: "broken", at: Moment(milliseconds: rig.now))
        rig.playSlides(to: 4000)
        #expect(rig.pictures.keys.sorted() == [1])
    }

    @Test func aTapLeavesThePair() {
        var rig = Self.rig(Self.mixed)
        rig.playSlides(to: 4000)
        rig.tap(Point(x: 900, y: 400))
        rig.playSlides(to: rig.now + 1000)
        #expect(rig.pictures.keys.sorted() == [1, 2] && rig.viewer.index == 1)
    }

    @Test(arguments: [(300.0, 1, 2), (900.0, 2, 1)])
    func aFingerTakesThePictureThatItTouches(x: Double, taken: Int, other: Int) throws {
        var rig = Self.rig(Self.mixed)
        rig.playSlides(to: 4000)
        let before = try #require(rig.pictures[taken]?.placement)
        let point = Point(x: x, y: 400)
        rig.touch([.down(id: 0, at: point)], after: 8)
        rig.touch([.down(id: 1, at: point + Vector(dx: 0, dy: 100))])
        rig.touch(
            [
                .move(id: 0, to: point - Vector(dx: 0, dy: 60)),
                .move(id: 1, to: point + Vector(dx: 0, dy: 160)),
            ], after: 30)
        rig.touch([.up(id: 0), .up(id: 1)], after: 30)
        rig.playSlides(to: rig.now + 1500)
        #expect(rig.viewer.index == taken)
        #expect(rig.pictures.keys.sorted() == [taken])
        #expect(rig.placement.zoom >= rig.viewer.limits(rotation: 0).fit * 0.999)
        #expect(rig.placement != before && rig.isAtRest)
        rig.playSlides(to: rig.now + 10_000)
        #expect(rig.viewer.index != taken || other == 2)
    }

    @Test func aDoubleTapShowsThePictureAlone() {
        var rig = Self.rig(Self.mixed)
        rig.playSlides(to: 4000)
        rig.doubleTap(Point(x: 900, y: 400))
        rig.playSlides(to: rig.now + 1500)
        #expect(rig.viewer.index == 2 && rig.pictures.keys.sorted() == [2])
        // The picture was as large as at fit already.
        #expect(abs(rig.placement.zoom - rig.viewer.limits(rotation: 0).fill) < 0.001)
    }

    @Test func aSwipeTurnsFromThePictureThatItTouches() {
        var rig = Self.rig(Self.mixed)
        rig.playSlides(to: 4000)
        rig.drag(from: Point(x: 1000, y: 400), by: Vector(dx: -400, dy: 0), speed: 2000)
        #expect(rig.viewer.index == 3)
        rig.playSlides(to: rig.now + 2000)
        #expect(rig.pictures.keys.sorted() == [3])
    }

    @Test func aResizeEndsThePair() {
        var rig = Self.rig(Self.mixed)
        rig.playSlides(to: 4000)
        rig.send(.resize(Size(width: 1000, height: 700)))
        #expect(rig.pictures.keys.sorted() == [1])
        #expect(rig.viewer.limits(rotation: 0).isFit(rig.placement.zoom))
        #expect(abs(rig.placement.center.x - 500) < 0.01)
    }

    @Test func aListingThatChangesKeepsThePair() {
        var rig = Self.rig(Self.mixed)
        rig.playSlides(to: 4000)
        var effects: [ViewerEffect] = []
        // The first picture goes, and the pair stays; then the second picture of the pair goes.
        rig.interaction.target.update(
            count: 5, mapping: { $0 > 0 ? $0 - 1 : nil }, nearest: { _ in 0 },
            at: Moment(milliseconds: rig.now), effects: &effects)
        #expect(rig.viewer.index == 0 && rig.viewer.slideshow.partner?.index == 1)
        rig.interaction.target.update(
            count: 4, mapping: { $0 == 1 ? nil : $0 > 1 ? $0 - 1 : $0 }, nearest: { _ in 0 },
            at: Moment(milliseconds: rig.now), effects: &effects)
        #expect(rig.viewer.slideshow.partner == nil)
        rig.pass(to: rig.now + 1500)
        #expect(abs(rig.placement.center.x - 640) < 0.01)
    }

    @Test func marginsAreBesideBothPictures() {
        var rig = Self.rig(Self.mixed, margins: .blurred)
        rig.playSlides(to: 5000)
        let blurred = rig.frame.scene.items.compactMap { item -> PictureItem? in
            if case .picture(let item) = item, item.source.kind == .blurred { item } else { nil }
        }
        #expect(Set(blurred.map(\.source.picture)) == [1, 2])
        #expect(
            blurred.allSatisfy { item in
                let isLeft = item.source.picture == 1
                return item.clip.map { isLeft ? $0.maxX <= 640.001 : $0.x >= 639.999 } ?? false
            })
    }

    /// 300 fingers at any phase, on either picture: the picture under the finger follows it without a
    /// jump, and the slideshow goes on.
    @Test func aFingerTakesOneOfAPairAtAnyPhase() {
        var random = SeededGenerator(seed: 11)
        var rig = Self.rig(Self.mixed, motion: .panZoom)
        var largest = 0.0
        for touch in 0..<300 {
            rig.playSlides(to: rig.now + 15_000)
            let index = rig.viewer.index
            var steps = 0
            while rig.viewer.index == index, steps < 1000 {
                rig.playSlides(to: rig.now + 1000 / 60)
                steps += 1
            }
            #expect(steps < 1000, "touch \(touch)")
            rig.playSlides(to: rig.now + Double.random(in: 0...900, using: &random))
            let start = Point(
                x: .random(in: 100...1180, using: &random),
                y: .random(in: 150...650, using: &random))
            rig.touch([.down(id: 0, at: start)], after: 4)
            rig.advance(to: Moment(milliseconds: rig.now))
            // Up and down, so that no page is turned.
            var (moved, last) = (0.0, [Int: Point]())
            for step in 1...12 {
                moved = Double(step) * 3
                let seen = rig.centers
                rig.touch([.move(id: 0, to: start + Vector(dx: 0, dy: moved))], after: 8)
                rig.advance(to: Moment(milliseconds: rig.now))
                let now = rig.centers
                if let placement = now[rig.viewer.index], let before = seen[rig.viewer.index] {
                    // A frame shows the finger at most three pixels further, and predicts it.
                    largest = max(largest, (placement - before).length - 6)
                }
                last = now
            }
            #expect(!last.isEmpty)
            rig.touch([.up(id: 0)], after: 100)
        }
        #expect(largest <= 0.5, "\(largest)")
    }
}

extension Rig {
    /// The centres of the pictures in the scene, by their indices.
    fileprivate var centers: [Int: Point] { pictures.mapValues(\.placement.center) }
}
