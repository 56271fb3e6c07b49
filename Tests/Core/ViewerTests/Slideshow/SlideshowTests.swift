import SeededRandom
import Geometry
import Gestures
import Input
import Interface
import Motion
import SceneModel
import Testing

@testable import Viewer

@Suite struct SlideshowTests {
    private static let sizes = [
        PixelSize(width: 1600, height: 1000), PixelSize(width: 1000, height: 1600),
        PixelSize(width: 3000, height: 2000), PixelSize(width: 400, height: 300),
        PixelSize(width: 1200, height: 1200),
    ]

    private static func rig(
        _ transition: SlideshowSettings.Transition = .fade, count: Int = 5, refresh: Double = 60,
        motion: SlideshowSettings.Motion = .still, withheld: Set<Int> = [], keepsFrames: Bool = true
    ) -> Rig {
        var settings = ViewerSettings()
        settings.slideshow.motion = motion
        settings.slideshow.transition = transition
        settings.slideshow.interval = 3
        settings.slideshow.transitionTime = 600
        var rig = Rig(
            Array(sizes.prefix(count)), on: Size(width: 1280, height: 800), refresh: refresh,
            settings: settings, withheld: withheld, keepsFrames: keepsFrames)
        rig.finishAll()
        rig.key("s")
        return rig
    }

    // MARK: The timeline

    @Test(arguments: SlideshowSettings.Transition.allCases)
    func picturesFollowOneAnother(_ transition: SlideshowSettings.Transition) {
        var rig = Self.rig(transition)
        #expect(rig.viewer.playsSlideshow)
        let period = transition == .fade ? 3600.0 : 3000
        rig.playSlides(to: 3100)
        // From the last picture to the first one there is a fade in any case.
        for slide in 1...(transition == .slide ? 4 : 7) {
            #expect(rig.viewer.index == slide % 5, "\(transition) \(slide)")
            rig.playSlides(to: 3100 + period * Double(slide))
        }
    }

    /// A contact whose lift was lost stops nothing for ever: a finger, a button, a touchpad.
    @Test(
        arguments: [
            [.touch(.down(id: 0, at: Point(x: 640, y: 400))), .touch(.frame)],
            [
                .pointer(.move(to: Point(x: 640, y: 400))), .pointer(.button(.left, isDown: true)),
                .pointer(.move(to: Point(x: 500, y: 400))),
            ],
            [.pinch(.begin(fingers: 2)), .pinch(.update(delta: .zero, scale: 0.5, rotation: 0))],
            [.hold(.begin(fingers: 2))],
            [.pointer(.axis(.horizontal, value: 300, source: .finger, value120: nil))],
        ] as [[InputEvent]]) func aLostLiftDoesNotStopTheSlideshow(events: [InputEvent])
    {
        var rig = Self.rig()
        rig.playSlides(to: 3700)
        for event in events { rig.send(event) }
        // A mouse that moves beside, also that of another seat, keeps no contact.
        for time in stride(from: rig.now, to: rig.now + 59_000, by: 2000) {
            rig.playSlides(to: time)
            if !events.contains(where: { if case .pointer(.button) = $0 { true } else { false } }) {
                rig.send(
                    .pointer(
                        .move(to: Point(x: 600 + time.truncatingRemainder(dividingBy: 7), y: 380))))
            }
            rig.send(.pointer(.move(to: Point(x: 610, y: 380))), seat: 1)
        }
        rig.playSlides(to: rig.now + 16_000)
        #expect(rig.interaction.holdingSeat == nil)
        let index = rig.viewer.index
        rig.playSlides(to: rig.now + 3600)
        #expect(rig.viewer.index != index)
    }

    @Test func nothingMovesBetweenTransitions() throws {
        var rig = Self.rig()
        rig.playSlides(to: 3700)
        #expect(rig.viewer.index == 1 && rig.isAtRest)
        let deadline = try #require(rig.viewer.deadline)
        #expect(abs(deadline.milliseconds - 6600) < 20)
    }

    @Test func aFadeMixesBothPictures() throws {
        var rig = Self.rig()
        rig.playSlides(to: 3300)
        let (going, coming) = (rig.pictures[0], rig.pictures[1])
        #expect(try #require(going).opacity == 1)
        #expect(try abs(#require(coming).opacity - 0.5) < 0.06)
        // Beside the portrait that comes, black covers the picture that goes.
        let fills = rig.frame.scene.items.compactMap { item -> FillItem? in
            if case .fill(let fill) = item { fill } else { nil }
        }
        let cover = try #require(coming).bounds
        #expect(fills.count == 2)
        #expect(
            fills.allSatisfy {
                $0.rect.intersection(cover).width <= 0.001
                    || $0.rect.intersection(cover).height <= 0.001
            })
        #expect(rig.frame.slideshow?.from == 0)
        rig.playSlides(to: 3700)
        #expect(rig.pictures.keys.sorted() == [1])
    }

    /// A picture that is late is waited for, with a single timer; a part of the picture makes that longer.
    @Test func aPictureThatLoadsIsWaitedFor() throws {
        var rig = Self.rig(withheld: [1])
        rig.playSlides(to: 12_000)
        #expect(rig.viewer.index == 0 && rig.isAtRest)
        #expect(abs(try #require(rig.viewer.deadline).milliseconds - 13_000) < 100)
        rig.withheld = []
        rig.load()
        rig.pass(to: 40_000)
        #expect(rig.viewer.index == 0)
        rig.finishAll()
        rig.playSlides(to: 40_100)
        #expect(rig.viewer.index == 1)
    }

    /// A picture of which nothing comes is passed over, and tried again after the others.
    @Test func aPictureThatDoesNotComeIsTriedAgainLater() {
        var rig = Self.rig(.cut, withheld: [1])
        rig.playSlides(to: 12_900)
        #expect(rig.viewer.index == 0)
        rig.playSlides(to: 13_200)
        #expect(rig.viewer.index == 2)
        var shown: [Int] = []
        for _ in 0..<9 {
            rig.playSlides(to: rig.now + 3000)
            if shown.last != rig.viewer.index { shown.append(rig.viewer.index) }
            if shown == [3, 4, 0] {
                rig.withheld = []
                rig.load()
            }
        }
        #expect(shown.starts(with: [3, 4, 0, 1, 2]), "\(shown)")
    }

    /// While a folder does not answer, the pictures that were decoded go on.
    @Test func thePicturesThatAreThereGoOn() {
        var rig = Self.rig(.cut, withheld: [2, 3, 4])
        rig.playSlides(to: 4000)
        #expect(rig.viewer.index == 1)
        var changes = 0
        while rig.now < 300_000 {
            let index = rig.viewer.index
            rig.playSlides(to: rig.now + 1000)
            #expect(rig.viewer.index < 2)
            if rig.viewer.index != index { changes += 1 }
        }
        #expect(changes >= 20, "\(changes)")
        // The folder answers again: the other pictures come within a round.
        rig.withheld = []
        rig.load()
        var shown: Set<Int> = []
        for _ in 0..<40 {
            rig.playSlides(to: rig.now + 1000)
            shown.insert(rig.viewer.index)
        }
        #expect(shown == [0, 1, 2, 3, 4])
    }

    /// With a single other picture, which does not come, the viewer tries without end and without haste.
    @Test func anOnlyOtherPictureIsTriedAgainAndAgain() throws {
        var rig = Self.rig(.cut, count: 2, withheld: [1])
        rig.playSlides(to: 100_000)
        #expect(rig.viewer.index == 0)
        let rest = try #require(rig.viewer.deadline).milliseconds - rig.now
        #expect(rest > 0 && rest <= 10_100)
        rig.withheld = []
        rig.load()
        rig.playSlides(to: 100_200)
        #expect(rig.viewer.index == 1)
    }

    /// A fade goes on when another picture comes or goes, and ends with one of its own pictures.
    @Test(arguments: [0, 1])
    func aChangeOfTheListingCutsAFadeOnlyWithItsPictures(_ removed: Int) throws {
        var rig = Self.rig()
        rig.playSlides(to: 3300)
        let share = try #require(rig.frame.slideshow?.transition)
        var effects: [ViewerEffect] = []
        // A picture comes at the beginning.
        rig.interaction.target.update(
            count: 6, mapping: { $0 + 1 }, nearest: { $0 }, at: Moment(milliseconds: rig.now),
            effects: &effects)
        let state = try #require(rig.frame.slideshow)
        #expect(state.transition == share && state.from == 1 && state.to == 2)
        #expect(rig.pictures.keys.sorted() == [0, 1])
        // That one goes again, with one of the fade.
        rig.interaction.target.update(
            count: 4,
            mapping: { [removed + 1, 0].contains($0) ? nil : $0 - ($0 > removed + 1 ? 2 : 1) },
            nearest: { _ in 0 }, at: Moment(milliseconds: rig.now), effects: &effects)
        #expect(rig.viewer.slideshow.fade == nil)
    }

    @Test func brokenPicturesAreSkipped() {
        var rig = Self.rig(withheld: [1, 2])
        rig.playSlides(to: 9000)
        for index in [1, 2] {
            rig.playSlides(to: rig.now + 1500)
            rig.interaction.target.fail(
                index: index, text: "broken", at: Moment(milliseconds: rig.now))
        }
        rig.playSlides(to: rig.now + 1000)
        #expect(rig.viewer.index == 3)
    }

    /// A slideshow of five pictures, of which all but the first have failed one after the other.
    private static func rigWithFirstPictureAlone() -> Rig {
        var rig = rig(withheld: [1, 2, 3, 4])
        for index in 1...4 {
            rig.playSlides(to: rig.now + 9000)
            rig.interaction.target.fail(
                index: index, text: "broken", at: Moment(milliseconds: rig.now))
        }
        rig.playSlides(to: rig.now + 1000)
        return rig
    }

    /// With broken pictures alone nothing runs, until the listing changes.
    @Test func brokenPicturesAloneAreQuiet() {
        var rig = Self.rigWithFirstPictureAlone()
        #expect(rig.viewer.index == 0 && rig.viewer.deadline == nil && rig.isAtRest)
        rig.withheld = []
        var effects: [ViewerEffect] = []
        rig.interaction.target.update(
            count: 5, mapping: { $0 }, nearest: { $0 }, at: Moment(milliseconds: rig.now),
            effects: &effects)
        rig.forget([1, 2, 3, 4])
        rig.playSlides(to: rig.now + 8000)
        #expect(rig.viewer.index > 0)
    }

    /// When the system has stopped all decoders for a while, the neighbours are decoded again.
    @Test func aPictureThatComesBackBringsTheOthers() {
        var rig = Self.rigWithFirstPictureAlone()
        #expect(rig.viewer.index == 0 && rig.viewer.deadline == nil)
        rig.withheld = []
        rig.interaction.target.present(
            index: 1, size: Self.sizes[1], source: .init(picture: 1, revision: 9),
            at: Moment(milliseconds: rig.now))
        rig.finishAll()
        #expect(rig.viewer.deadline != nil)
        rig.playSlides(to: rig.now + 1000)
        #expect(rig.viewer.index == 1)
    }

    /// The system stops all decoders for a while, and nothing else tells that they work again.
    ///
    /// The pauses between two attempts grow.
    @Test(arguments: [2, 5])
    func picturesWhoseDecodersWereStoppedAreTriedAgain(count: Int) {
        var rig = Self.rig(count: count, withheld: [1, 2, 3, 4])
        rig.playSlides(to: 9000)
        var rounds: [Double] = []
        while rig.now < 120_000 {
            if let wanted = rig.viewer.slideshow.next, rig.viewer.pager.content(of: wanted) == nil {
                if rig.now > (rounds.last ?? 0) + 1000 { rounds.append(rig.now) }
                #expect(rig.viewer.wanted.contains(wanted))
                rig.interaction.target.fail(
                    index: wanted, text: "stopped", mayPass: true,
                    at: Moment(milliseconds: rig.now))
            }
            rig.playSlides(to: rig.now + 100)
            // Nothing that was passed over is decoded ahead.
            if rig.viewer.slideshow.next == nil { #expect(rig.viewer.wanted == [0]) }
        }
        #expect(rig.viewer.index == 0)
        let pauses = zip(rounds, rounds.dropFirst()).map { (($1 - $0) / 1000).rounded() }
        #expect(pauses == [2, 8, 30, 60], "\(rounds)")
        rig.withheld = []
        while rig.viewer.index == 0, rig.now < 180_000 { rig.playSlides(to: rig.now + 100) }
        #expect(rig.viewer.index == 1)
    }

    /// A folder that changes all the time does not make the slideshow wait for ever.
    @Test func changesOfTheFolderDoNotProlongTheWait() {
        var rig = Self.rig(count: 3, withheld: [1])
        rig.playSlides(to: 5000)
        var shown: Set<Int> = []
        for _ in 0..<12 {
            var effects: [ViewerModel.Effect] = []
            rig.interaction.target.update(
                count: 3, mapping: { $0 }, nearest: { $0 }, at: Moment(milliseconds: rig.now),
                effects: &effects)
            rig.playSlides(to: rig.now + 1000)
            shown.insert(rig.viewer.index)
        }
        #expect(shown.contains(2))
    }

    /// A clock that leaps shows one picture, not a thousand.
    @Test func aLeapOfTheClockIsOneSlide() {
        var rig = Self.rig(keepsFrames: false)
        rig.playSlides(to: 4000)
        let year = Moment(milliseconds: 365 * 86_400_000)
        rig.advance(to: year)
        rig.finishAll()
        #expect(rig.viewer.index == 2)
        rig.advance(to: year.advanced(byMilliseconds: 100))
        #expect(rig.viewer.index == 2)
    }

    @Test func aSinglePictureStays() {
        var rig = Self.rig(count: 1)
        rig.playSlides(to: 30_000)
        #expect(rig.viewer.index == 0 && rig.isAtRest && rig.viewer.deadline == nil)
    }

    // MARK: A person

    @Test func aSwipeResetsTheInterval() {
        var rig = Self.rig()
        rig.playSlides(to: 5000)
        #expect(rig.viewer.index == 1)
        rig.drag(from: Point(x: 900, y: 400), by: Vector(dx: -300, dy: 0), speed: 1500)
        let lift = rig.now
        #expect(rig.viewer.index == 2)
        rig.playSlides(to: lift + 9900)
        #expect(rig.viewer.index == 2)
        rig.playSlides(to: lift + 10_300)
        #expect(rig.viewer.index == 3)
    }

    @Test func theKeyStops() {
        var rig = Self.rig()
        rig.playSlides(to: 4000)
        rig.key("s")
        #expect(!rig.viewer.playsSlideshow)
        rig.playSlides(to: 40_000)
        #expect(rig.viewer.index == 1)
    }

    /// The slideshow of a kiosk ends with the touch that catches a picture.
    @Test(arguments: SlideshowSettings.Motion.allCases)
    func aFingerCatchesThePictureOfTheSlideshowThatItEnds(_ motion: SlideshowSettings.Motion) {
        var random = SeededGenerator(seed: 5)
        for touch in 0..<40 {
            var rig = Self.rig(.fade, motion: motion, keepsFrames: false)
            rig.playSlides(to: 3050 + .random(in: 0...500, using: &random))
            #expect(rig.viewer.slideshow.fade != nil)
            rig.interaction.target.leaveSlideshow(at: Moment(milliseconds: rig.now))
            let jump = rig.jump(under: &random)
            #expect(jump <= 0.5, "touch \(touch)")
            #expect(!rig.viewer.playsSlideshow)
        }
    }

    /// 2,000 touches at any phase of any transition with and without motion: the picture under the
    /// finger does not jump, and the slideshow goes on afterwards.
    @Test(arguments: SlideshowSettings.Transition.allCases, SlideshowSettings.Motion.allCases)
    func aFingerCatchesThePictureAtAnyPhase(
        _ transition: SlideshowSettings.Transition, _ motion: SlideshowSettings.Motion
    ) {
        var random = SeededGenerator(seed: 3)
        var largest = 0.0
        var rig = Self.rig(transition, motion: motion, keepsFrames: false)
        for touch in 0..<334 {
            rig.now += 20_000
            rig.playSlides(to: rig.now)
            // The next transition begins within the time of a slide.
            let index = rig.viewer.index
            var steps = 0
            while rig.viewer.index == index, steps < 2000 {
                rig.playSlides(to: rig.now + 1000 / 60)
                steps += 1
            }
            #expect(steps < 2000, "touch \(touch) of \(transition)")
            #expect((rig.viewer.zoomPan.drift != nil) == (motion == .panZoom))
            let phases = motion == .panZoom ? 0.0...3400 : 0...700
            rig.playSlides(to: rig.now + Double.random(in: phases, using: &random))
            largest = max(largest, rig.jump(under: &random))
            rig.touch([.up(id: 0)], after: 200)
        }
        #expect(largest <= 0.5, "\(largest)")
    }
}

extension Rig {
    /// Notes that all pictures that have arrived are whole.
    mutating func finishAll() {
        for index in 0..<viewer.count {
            interaction.target.finish(index: index, at: Moment(milliseconds: now))
        }
    }

    /// Advances as `pass` does, while pictures that arrive are whole at once.
    mutating func playSlides(to time: Double) {
        while now < time {
            finishAll()
            pass(to: min(now + 1000 / 60, time))
        }
        finishAll()
    }

    /// Loads pictures again that had failed.
    mutating func forget(_ failed: [Int]) {
        for index in failed {
            interaction.target.present(
                index: index, size: PixelSize(width: 400, height: 300),
                source: .init(picture: index, revision: 2), at: Moment(milliseconds: now))
        }
    }

    /// How far the picture that is seen best moves while a finger lands at a random point and moves a
    /// little, in logical pixels: up to the slop the picture stays where it is seen.
    fileprivate mutating func jump(under random: inout SeededGenerator) -> Double {
        let point = Point(
            x: .random(in: 100...1180, using: &random), y: .random(in: 100...700, using: &random))
        advance(to: Moment(milliseconds: now))
        let before = visible
        touch([.down(id: 0, at: point)])
        advance(to: Moment(milliseconds: now))
        touch([.move(id: 0, to: point + Vector(dx: 0.3, dy: 0))], after: 8)
        advance(to: Moment(milliseconds: now))
        guard let seen = before.max(by: { $0.value.share < $1.value.share }) else { return 0 }
        guard let placement = visible[seen.key]?.placement else { return 1000 }
        // The corners move with the zoom, too.
        let size = viewer.pager.content(of: seen.key)?.picture?.size ?? .zero
        return [Point.zero, Point(x: Double(size.width), y: Double(size.height))].map {
            (placement.surfacePoint(of: $0, in: size)
                - seen.value.placement.surfacePoint(of: $0, in: size)).length
        }.max() ?? 0
    }

    /// The pictures in the scene, and how much each is seen, 0…1.
    fileprivate var visible: [Int: (placement: Placement, share: Double)] {
        var result: [Int: (placement: Placement, share: Double)] = [:]
        for (index, item) in pictures { result[index] = (item.placement, item.opacity) }
        let share = viewer.slideshow.fade?.share(at: Moment(milliseconds: now)) ?? 1
        if let going = viewer.slideshow.fade?.index, share < 1 { result[going]?.share = 1 - share }
        return result
    }
}

/// What a person sees of a slideshow that waits.
@Suite struct SlideshowPauseTests {
    private func rig() -> Rig {
        var settings = ViewerSettings()
        settings.slideshow.interval = 30
        settings.slideshow.resume = 10
        var rig = Rig(
            Array(repeating: PixelSize(width: 1600, height: 1000), count: 3),
            on: Size(width: 1280, height: 800), settings: settings)
        rig.finishAll()
        rig.key("s")
        rig.playSlides(to: 1000)
        return rig
    }

    private func button(_ rig: Rig) -> Widget? {
        rig.viewer.widgets(title: "", at: Moment(milliseconds: rig.now)).lazy.compactMap {
            $0.widget("slideshow")
        }
        .first
    }

    @Test func aTouchSaysThatTheSlideshowGoesOn() throws {
        var rig = rig()
        rig.tap(Point(x: 640, y: 300))
        rig.playSlides(to: rig.now + 500)
        #expect(rig.viewer.chrome.messageText == "The slideshow goes on in 10 seconds")
        #expect(button(rig)?.face == .countdown(.pause, 1))
        rig.playSlides(to: rig.now + 2000)
        #expect(button(rig)?.face == .countdown(.pause, 0.8))
        // It is said once, and the slideshow goes on by itself.
        rig.playSlides(to: rig.now + 12_000)
        #expect(rig.viewer.slideshowFacts(at: Moment(milliseconds: rig.now)) == .playing)
        rig.tap(Point(x: 640, y: 300))
        rig.playSlides(to: rig.now + 500)
        #expect(rig.viewer.chrome.messageText == nil)
        // The button ends the slideshow, and says so.
        rig.tap(try #require(button(rig)).rect.center)
        rig.playSlides(to: rig.now + 100)
        #expect(!rig.viewer.playsSlideshow)
        #expect(rig.viewer.chrome.messageText == "Slideshow stopped")
    }

    @Test func theMessageEndsTheSlideshow() throws {
        var rig = rig()
        rig.tap(Point(x: 640, y: 300))
        rig.playSlides(to: rig.now + 500)
        let toast = rig.viewer.widgets(title: "", at: Moment(milliseconds: rig.now)).first {
            $0.id == "toast"
        }
        rig.tap(try #require(toast?.children.last).rect.center)
        rig.playSlides(to: rig.now + 100)
        #expect(!rig.viewer.playsSlideshow)
    }
}
