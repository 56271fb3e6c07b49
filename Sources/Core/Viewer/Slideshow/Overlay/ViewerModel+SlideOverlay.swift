import Geometry
package import Interface
import Localization
import Motion
import SceneModel

/// What is written over the pictures of a slideshow.
extension ViewerModel {
    // MARK: Captions

    /// The pictures whose captions may be seen, the most urgent first; empty without captions.
    package var captioned: [Int] {
        guard slideshow.isOn, !settings.slideshow.caption.isEmpty, count > 0 else { return [] }
        var indices: [Int] = []
        let shown = [index, pager.page, slideshow.partner?.index]
        let others = [
            slideshow.next, slideshow.second, slideshow.fade?.index, slideshow.fade?.partner?.index,
        ]
        for index in (shown + others).compactMap(\.self)
        where index < count && !indices.contains(index) { indices.append(index) }
        return indices
    }

    package func caption(of index: Int) -> Caption? { slideOverlay.captions[index] }

    package mutating func setCaption(_ caption: Caption, of index: Int) {
        slideOverlay.set(caption, of: index, keeping: Set(captioned))
    }

    /// Whether the time is shown, which should then be set.
    package var showsTime: Bool { slideshow.isOn && settings.slideshow.clock }

    /// Sets the time as people of the locale write it.
    package mutating func setTime(_ text: String) { slideOverlay.time = text }

    // MARK: The scene

    /// The opacity of caption, time and progress bar, 0…1; 0 while the bars are shown.
    private func overlayOpacity(at moment: Moment) -> Double {
        guard slideshow.isOn, zoomPan.isShown, !zoomPan.isGone, !chrome.showsInformation else {
            return 0
        }
        return (1 - chrome.barShare(at: moment)) * backdropOpacity(at: moment)
    }

    /// A caption in the area of its picture of a pair, in logical pixels; nil means the surface.
    private struct PlacedCaption: Equatable {
        var caption: Caption
        var area: Rect?
        /// Unique among the captions of a page.
        var id: String
    }

    /// The captions of a page with one picture or a pair.
    private func captions(of index: Int, _ partner: SlidePartner?) -> [PlacedCaption] {
        let areas = PairLayout.areas(of: viewport.size, isMirrored: pager.isMirrored)
        let ids = ["caption", "caption-second"]
        return [index, partner?.index].enumerated().compactMap { number, index in
            index.flatMap(caption).map {
                PlacedCaption(
                    caption: $0, area: partner == nil ? nil : areas[number], id: ids[number])
            }
        }
    }

    /// The captions that are seen, each with its opacity.
    private func shownCaptions(at moment: Moment) -> [(caption: PlacedCaption, opacity: Double)] {
        guard !settings.slideshow.caption.isEmpty else { return [] }
        // A caption leaves with the first quarter of a swipe, and comes with the last one.
        let swipe = abs(drawnPagerOffset(at: moment)) / max(pager.pitch, 1)
        let place = max(1 - 4 * swipe, 0)
        let coming = captions(of: pager.page, slideshow.partner)
        guard let fade = slideshow.fade, fade.end > moment else {
            return coming.map { ($0, place) }
        }
        let going = captions(of: fade.index, fade.partner)
        if coming == going { return coming.map { ($0, place) } }
        let share = fade.share(at: moment)
        return going.map { ($0, (1 - share) * place) } + coming.map { ($0, share * place) }
    }

    private func widget(_ placed: PlacedCaption) -> Widget? {
        CaptionPanel.widget(placed.caption, overlayLayout, in: placed.area, id: placed.id)
    }

    private var overlayLayout: BarLayout { CaptionPanel.layout(for: chrome.layout) }

    func slideOverlayItems(at moment: Moment) -> [SceneItem] {
        let opacity = overlayOpacity(at: moment)
        guard opacity > 0 else { return [] }
        let layout = overlayLayout
        var items = progressItems(opacity, at: moment)
        func add(_ widget: Widget?, _ opacity: Double) {
            guard let widget, opacity > 0 else { return }
            items.append(.layer(widget.layer(layout.theme, WidgetFocus(), opacity: opacity)))
        }
        for (caption, share) in shownCaptions(at: moment) {
            add(widget(caption), opacity * share)
        }
        if settings.slideshow.clock {
            add(CaptionPanel.clock(slideOverlay.time, layout), opacity)
        }
        return items
    }

    /// What is written over the picture, for assistive technology.
    func slideOverlayWidgets(at moment: Moment) -> [Widget] {
        guard overlayOpacity(at: moment) > 0 else { return [] }
        let layout = overlayLayout
        let captions = shownCaptions(at: moment)
        let clearest = captions.map(\.opacity).max()
        let share = progressShare(at: moment)
        return captions.filter { $0.opacity == clearest }.compactMap { widget($0.caption) }
            + [
                settings.slideshow.clock ? CaptionPanel.clock(slideOverlay.time, layout) : nil,
                share.map {
                    Widget(
                        "slideshow-progress", .progressBar, localized("Slideshow"),
                        description: percentage(Int(($0 * 100).rounded())), rect: progressTrack)
                },
            ].compactMap(\.self)
    }

    // MARK: Progress

    /// The thickness of the bar, in logical pixels.
    private static let progressHeight = 4.0

    private var progressTrack: Rect {
        let size = viewport.size
        return Rect(
            x: 0, y: size.height - Self.progressHeight, width: size.width,
            height: Self.progressHeight)
    }

    private var progressSteps: SlideProgressSteps {
        SlideProgressSteps(interval: settings.slideshow.interval)
    }

    private func progressShare(at moment: Moment) -> Double? {
        guard settings.slideshow.progress, let due = slideshow.due(settings.slideshow) else {
            return nil
        }
        return progressSteps.share(at: moment, due: due)
    }

    /// When the bar grows next; nil without one.
    var progressDeadline: Moment? {
        guard settings.slideshow.progress, let due = slideshow.due(settings.slideshow) else {
            return nil
        }
        return progressSteps.nextStep(after: slideOverlay.moment, due: due)
    }

    /// The bar on an opaque ground, so that it shows on every picture; it ends at a whole pixel.
    private func progressItems(_ opacity: Double, at moment: Moment) -> [SceneItem] {
        guard let share = progressShare(at: moment) else { return [] }
        let theme = chrome.layout.theme
        let track = progressTrack
        let width = (track.width * viewport.scale * share).rounded() / viewport.scale
        let filled = Rect(
            x: theme.isRightToLeft ? track.maxX - width : track.x, y: track.y, width: width,
            height: track.height)
        var items = [SceneItem.fill(FillItem(rect: track, color: theme.denseGround.faded(opacity)))]
        if width > 0 {
            items.append(.fill(FillItem(rect: filled, color: theme.accent.faded(opacity))))
        }
        return items
    }
}
