import Commands
import Geometry
package import Interface
import Localization
package import Motion
import SceneModel

/// The slideshow: plays the viewer, until a person takes over for a while.
extension ViewerModel {
    package var playsSlideshow: Bool { slideshow.isOn }

    /// Starts or stops the slideshow.
    package mutating func toggleSlideshow(at moment: Moment, effects: inout [ViewerEffect]) {
        if slideshow.isOn {
            slideshow.stop()
            zoomPan.freeze(at: moment)
            chrome.endMessages(offering: .slideshow, at: moment)
            chrome.show(message: localized("Slideshow stopped"), at: moment)
        } else {
            startSlideshow(at: moment)
        }
        effects.append(.want)
    }

    /// Starts the slideshow with the selected picture.
    package mutating func startSlideshow(at moment: Moment) {
        endCrop(at: moment)
        slideshow.start(at: moment)
        hideChrome(at: moment)
    }

    /// Stops the slideshow without a message, because the viewer is left.
    package mutating func stopSlideshow() {
        slideshow.stop()
        (slideshow.fade, slideshow.partner, slideshow.leaving) = (nil, nil, nil)
    }

    /// Ends the slideshow because a person is there: a fade goes on, and the finger can catch a picture.
    package mutating func leaveSlideshow(at moment: Moment) {
        guard slideshow.isOn else { return }
        slideshow.stop()
        zoomPan.freeze(at: moment)
        slideshow.fade?.freeze(at: moment)
    }

    /// The slideshow as the trace reports it; nil while it is off.
    package func slideshowState(at moment: Moment) -> SlideshowState? {
        guard slideshow.isOn else { return nil }
        guard let fade = slideshow.fade, fade.end > moment else {
            return SlideshowState(transition: nil, from: index, to: slideshow.next)
        }
        return SlideshowState(transition: fade.share(at: moment), from: fade.index, to: index)
    }

    /// The longest side that the pictures of a slideshow need, in device pixels; nil while none plays.
    package var slideSide: Int? {
        guard slideshow.isOn else { return nil }
        let longest = max(viewport.size.width, viewport.size.height) * viewport.scale
        // A picture that moves covers the surface, and an upright one is higher than the surface then.
        let share = settings.slideshow.motion == .panZoom ? 1.5 : 1
        return Int(clamping: (longest * share).rounded(.up))
    }

    /// Whether a slideshow plays that no person has paused.
    package func playsAlone(at moment: Moment) -> Bool {
        slideshow.isOn && !isUsed && !slideshow.isPaused(settings.slideshow, at: moment)
    }

    /// Notes that the picture on a page has all its pixels.
    package mutating func finish(index: Int, at moment: Moment) {
        guard pager.finish(index) else { return }
        slideshow.pictureIsWhole(index)
        if index == pager.page { slideshow.show(index, from: moment) }
    }

    /// Whether a person uses the viewer, so that the slideshow waits.
    var isUsed: Bool {
        zoomPan.held != nil || chrome.showsMenu || chrome.showsHelp || chrome.showsInformation
            || chrome.zoomField != nil || chrome.isModal || !zoomPan.isShown
    }

    /// Pauses the slideshow, because a person has done something.
    package mutating func noticeInput(at moment: Moment) {
        let wasPaused = slideshow.isPaused(settings.slideshow, at: moment)
        guard slideshow.pause(at: moment) else { return }
        if !wasPaused { explainPause(at: moment) }
        zoomPan.freeze(at: moment)
        slideshow.fade?.freeze(at: moment)
    }

    /// Says once that the slideshow goes on by itself, and offers to end it.
    private mutating func explainPause(at moment: Moment) {
        let seconds = settings.slideshow.resume
        guard !slideshow.hasExplainedPause, chrome.layout.policy.allows(.slideshow), seconds > 0
        else {
            return
        }
        slideshow.hasExplainedPause = true
        chrome.show(
            Toast(
                localized(
                    "The slideshow goes on in \(seconds) second",
                    many: "The slideshow goes on in \(seconds) seconds", count: seconds),
                ends: .slideshow), at: moment)
    }

    /// What the button of the slideshow shows.
    func slideshowFacts(at moment: Moment) -> ViewerFacts.Slideshow {
        guard slideshow.isOn else { return .off }
        guard let rest = slideshow.remainingPause(settings.slideshow, at: moment) else {
            return .playing
        }
        return .paused(
            seconds: Int((rest / 1000).rounded(.up)), of: max(settings.slideshow.resume, 1))
    }

    /// When the button shows another number of seconds; nil while it shows none.
    var countdownDeadline: Moment? {
        guard chrome.showsBars, chrome.layout.policy.allows(.slideshow) else { return nil }
        return slideshow.nextSecond(settings.slideshow, after: slideOverlay.moment)
    }

    /// Closes the menu, which a contact at rest has opened: the slideshow would wait for its end.
    package mutating func noticeLostContacts() { chrome.closeMenu() }

    /// Shows the next picture when it is due and whole.
    mutating func advanceSlideshow(to moment: Moment, effects: inout [ViewerEffect]) {
        if let fade = slideshow.fade, fade.end <= moment {
            slideshow.fade = nil
            // The pixels of the picture that went are not needed any more.
            effects.append(.want)
        }
        if let leaving = slideshow.leaving, leaving.end <= moment { slideshow.leaving = nil }
        guard slideshow.isOn else { return zoomPan.freeze(at: moment) }
        if zoomPan.held != nil { slideshow.pause(at: moment) }
        let earlier = (slideshow.next, slideshow.second)
        // Another picture that follows is loaded at once.
        defer {
            if (slideshow.next, slideshow.second) != earlier {
                effects.append(.want)
            }
        }
        moveSlowly(at: moment)
        guard let due = slideshow.due(settings.slideshow) else { return }
        guard due <= moment else {
            slideshow.setBlocked(false)
            _ = decideNext(at: moment)
            return
        }
        guard !isUsed else {
            slideshow.pause(at: moment)
            return
        }
        for _ in 0..<max(count, 1) {
            guard let next = decideNext(at: moment) else { break }
            let content = pager.content(of: next)
            switch content {
            case .failure(_, mayPass: true):
                slideshow.passOver(count: count, at: moment)
                pager.discard(next)
            case .failure: slideshow.skip()
            case .picture(let picture) where picture.isWhole:
                let (partner, isKnown) = partner(of: next)
                guard isKnown || !awaitNext(hasPart: true, at: moment) else { return }
                return showNext(next, with: partner, at: moment, effects: &effects)
            case .picture, nil:
                let isStarved = slideshow.late.isStarved
                guard !awaitNext(hasPart: content != nil, at: moment) else { return }
                // Where nothing arrives, the pictures that are there go on.
                if isStarved, let other = pager.wholePicture(after: pager.page) {
                    return showNext(other, with: nil, at: moment, effects: &effects)
                }
            }
        }
        slideshow.setBlocked(true)
    }

    /// Waits for the picture that is due; returns false if that has taken too long.
    private mutating func awaitNext(hasPart: Bool, at moment: Moment) -> Bool {
        slideshow.awaitNext(hasPart: hasPart, count: count, settings.slideshow, at: moment)
    }

    /// Decides which picture follows, and which one follows that.
    private mutating func decideNext(at moment: Moment) -> Int? {
        let next = slideshow.decide(
            after: slideshow.partner?.index ?? index, count: count, at: moment)
        if settings.slideshow.pairs { slideshow.decideSecond(count: count) }
        return next
    }

    private mutating func showNext(
        _ next: Int, with second: Int?, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        // Pairs do not slide.
        let maySlide =
            abs(next - pager.page) == 1 && second == nil && slideshow.partner == nil
        let duration = Double(settings.slideshow.transitionTime)
        let transition =
            settings.slideshow.transition == .slide && !maySlide
            ? .fade : settings.slideshow.transition
        let fade =
            transition == .fade && duration > 0
            ? fadeOfCurrentPage(at: moment, duration: duration) : nil
        slideshow.partner = nil
        select(next, slides: transition == .slide, at: moment, effects: &effects)
        slideshow.fade = fade?.index == pager.page ? nil : fade
        zoomPan.rest(at: fitOfCurrentPage)
        slideshow.show(
            next, from: slideshow.fade?.end ?? moment)
        if let second { showPair(with: second) } else { beginSlowly(at: moment) }
    }

    /// The fade in which the picture of the current page goes; nil without a picture.
    private func fadeOfCurrentPage(at moment: Moment, duration: Double) -> CrossFade? {
        guard let picture = pager.picture, let placement = placement(at: moment) else {
            return nil
        }
        var fade = CrossFade(
            picture: picture, index: pager.page,
            course: zoomPan.drift.map { .moving($0, shift: drawnPagerOffset(at: moment)) }
                ?? .still(placement), start: moment, duration: duration)
        fade.partner = slideshow.partner
        return fade
    }

    // MARK: A finger in a fade

    /// Gives the finger the picture that is more visible.
    mutating func catchFade(at moment: Moment) {
        guard let fade = slideshow.fade, fade.share(at: moment) < 0.5, zoomPan.held == nil,
            let picture = pager.picture, let placement = placement(at: moment),
            pager.content(of: fade.index) != nil
        else { return }
        let reversed = fade.reversed(
            picture, pager.page, at: placement, with: slideshow.partner, moment)
        pager.jump(to: fade.index)
        zoomPan.rest(at: fade.placement(at: moment))
        slideshow.fade = reversed
        slideshow.show(fade.index, from: moment)
        slideshow.partner = fade.partner
    }
}
