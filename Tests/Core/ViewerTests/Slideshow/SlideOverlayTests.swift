import CoreTestKit
import Geometry
import Gestures
import Interface
import Motion
import SceneModel
import Testing

@testable import Viewer

/// What is written over the pictures of a slideshow.
@Suite struct SlideOverlayTests {
    private static let surface = Size(width: 1280, height: 800)

    private static func rig(
        interval: Double = 3, plays: Bool = true, _ change: (inout SlideshowSettings) -> Void
    ) -> Rig {
        var settings = ViewerSettings()
        settings.slideshow.interval = interval
        settings.slideshow.transitionTime = 600
        change(&settings.slideshow)
        var rig = Rig(
            Array(repeating: PixelSize(width: 1280, height: 800), count: 4), on: surface,
            settings: settings)
        rig.finishAll()
        if plays { rig.key("s") }
        return rig
    }

    private static func caption(_ number: Int) -> Caption {
        Caption([.name], .init(name: "picture \(number)", folder: ""), date: "")
    }

    private static func captioned(_ transition: SlideshowSettings.Transition = .fade) -> Rig {
        var rig = rig {
            $0.caption = [.name]
            $0.transition = transition
        }
        rig.playSlides(to: 100)
        for index in rig.viewer.captioned {
            rig.interaction.target.setCaption(caption(index), of: index)
        }
        return rig
    }

    /// The texts over the pictures with their opacities, in painting order.
    private func texts(_ rig: Rig) -> [(text: String, opacity: Double)] {
        rig.frame.scene.items.compactMap { item in
            guard case .layer(let layer) = item else { return nil }
            for case .text(let label) in layer.elements { return (label.text, layer.opacity) }
            return nil
        }
    }

    private func widget(_ rig: Rig, _ id: String) -> Widget? {
        rig.viewer.widgets(title: "", at: Moment(milliseconds: rig.now)).lazy
            .compactMap { $0.widget(id) }.first
    }

    // MARK: Captions

    @Test func theCaptionsOfThisAndOfTheNextPictureAreWanted() {
        var rig = Self.rig { $0.caption = [.title] }
        rig.playSlides(to: 100)
        #expect(rig.viewer.captioned == [0, 1])
        rig.playSlides(to: 3300)
        #expect(rig.viewer.captioned == [1, 2, 0] || rig.viewer.captioned == [1, 0])
        rig.key("s")
        #expect(rig.viewer.captioned.isEmpty)
        #expect(Self.rig { $0.caption = [] }.viewer.captioned.isEmpty)
    }

    @Test func aCaptionFadesWithItsPicture() throws {
        var rig = Self.captioned()
        #expect(texts(rig).map(\.text) == ["picture 0"])
        #expect(widget(rig, "caption")?.role == .label)
        var sums: [Double] = []
        rig.playSlides(to: 3050)
        while let fade = rig.viewer.slideshow.fade, fade.end.milliseconds > rig.now {
            let share = fade.share(at: Moment(milliseconds: rig.now))
            let shown = texts(rig)
            #expect(shown.map(\.text) == ["picture 0", "picture 1"] || share == 0 || share == 1)
            if shown.count == 2 {
                #expect(abs(shown[0].opacity - (1 - share)) < 1e-9)
                #expect(abs(shown[1].opacity - share) < 1e-9)
                sums.append(share)
            }
            rig.playSlides(to: rig.now + 16)
        }
        #expect(sums.count > 20)
        #expect(texts(rig).map(\.text) == ["picture 1"])
    }

    @Test func aCutChangesTheCaptionAtOnce() {
        var rig = Self.captioned(.cut)
        rig.playSlides(to: 2950)
        #expect(texts(rig).map(\.text) == ["picture 0"])
        rig.playSlides(to: 3050)
        #expect(texts(rig).map(\.text) == ["picture 1"])
    }

    /// The same text stays where it is.
    @Test func theSameCaptionDoesNotFade() {
        var rig = Self.captioned()
        rig.interaction.target.setCaption(Self.caption(0), of: 1)
        rig.playSlides(to: 3300)
        #expect(texts(rig).map(\.opacity) == [1])
    }

    @Test func barsAndTheEndHideTheTexts() {
        var rig = Self.captioned()
        // A finger at the very beginning does not pause the slideshow.
        rig.playSlides(to: 700)
        rig.tap(Point(x: 640, y: 400))
        rig.playSlides(to: rig.now + 1000)
        #expect(!texts(rig).contains { $0.text == "picture 0" })
        #expect(widget(rig, "caption") == nil)
        rig.playSlides(to: rig.now + 4000)
        #expect(texts(rig).map(\.text) == ["picture 0"])
        rig.key("s")
        #expect(!texts(rig).contains { $0.text == "picture 0" })
    }

    @Test func aSwipeTakesTheCaptionAway() {
        var rig = Self.captioned()
        rig.drag(
            from: Point(x: 900, y: 400), by: Vector(dx: -500, dy: 0), rest: 400, lifts: false)
        #expect(texts(rig).isEmpty)
    }

    @Test func captionsFollowTheListing() {
        var rig = Self.captioned()
        var effects: [ViewerEffect] = []
        rig.interaction.target.update(
            count: 5, mapping: { $0 + 1 }, nearest: { $0 + 1 }, at: Moment(milliseconds: rig.now),
            effects: &effects)
        #expect(rig.viewer.index == 1)
        #expect(texts(rig).map(\.text) == ["picture 0"])
    }

    // MARK: Clock

    @Test func theTimeIsOverTheSlideshowOnly() {
        var rig = Self.rig(plays: false) { $0.clock = true }
        #expect(!rig.viewer.showsTime)
        rig.interaction.target.setTime("10:09")
        #expect(texts(rig).isEmpty)
        rig.key("s")
        #expect(rig.viewer.showsTime)
        #expect(texts(rig).map(\.text) == ["10:09"])
        #expect(widget(rig, "clock")?.name == "10:09")
        // The time is nothing that has to be painted again by itself.
        rig.playSlides(to: 1000)
        #expect(rig.isAtRest && rig.viewer.deadline?.milliseconds ?? 0 > 2900)
    }

    // MARK: Progress

    private func bar(_ rig: Rig) -> [Rect] {
        rig.frame.scene.items.compactMap { item in
            if case .fill(let fill) = item, fill.rect.height == 4 { fill.rect } else { nil }
        }
    }

    /// Twelve steps of 250 ms in 3 s, each of them one frame and one deadline.
    @Test func theBarGrowsInSteps() throws {
        var rig = Self.rig { $0.progress = true }
        var widths: [Double] = []
        var deadlines = 0
        while rig.viewer.index == 0 {
            let deadline = try #require(rig.viewer.deadline)
            rig.now = max(deadline.milliseconds, rig.now)
            rig.advance(to: Moment(milliseconds: rig.now))
            rig.finishAll()
            deadlines += 1
            let rects = bar(rig)
            #expect(rects.first == Rect(x: 0, y: 796, width: 1280, height: 4))
            if let width = rects.dropFirst().first?.width { widths.append(width) }
            try #require(deadlines < 100)
        }
        #expect(deadlines == 12)
        #expect(widths == (1..<12).map { (Double($0) * 1280 / 12).rounded() })
        #expect(widget(rig, "slideshow-progress")?.description == "0 %")
    }

    @Test(arguments: [0.1, 0.24, 0.25, 1, 3, 5, 17, 60, 86_400])
    func stepsAreFewAndCoarse(_ seconds: Double) {
        let steps = SlideProgressSteps(interval: seconds)
        let due = Moment(milliseconds: 1e7 / 3 + seconds * 1000)
        var moment = Moment(milliseconds: due.milliseconds - seconds * 1000)
        #expect(steps.share(at: moment, due: due) == 0)
        var last = moment
        var share = 0.0
        var count = 0
        while let next = steps.nextStep(after: moment, due: due) {
            #expect(next.milliseconds - last.milliseconds >= 250 - 1e-3)
            (moment, last) = (next, next)
            #expect(steps.share(at: moment, due: due) > share)
            share = steps.share(at: moment, due: due)
            count += 1
            if count > 60 { break }
        }
        #expect(count <= 60)
        #expect(share == (seconds < 0.25 ? 0 : 1))
    }

    /// While a person has paused the slideshow, the bar is empty and nothing runs.
    @Test func aPauseEmptiesTheBar() {
        var rig = Self.rig { $0.progress = true }
        rig.playSlides(to: 2000)
        #expect(bar(rig).count == 2)
        rig.drag(from: Point(x: 640, y: 400), by: Vector(dx: 4, dy: 30))
        rig.playSlides(to: rig.now + 4000)
        #expect(bar(rig).count == 1)
    }
}
