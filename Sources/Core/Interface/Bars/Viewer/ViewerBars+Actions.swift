import Commands
import Geometry
import Localization
import SceneModel

/// The bar at the bottom: what can be done with the picture.
extension ViewerBars {
    /// The menus of commands for the picture.
    var menus: FileMenus { FileMenus(.viewer, on: layout, facts.files) }

    /// The buttons at the bottom in their order on the surface, each with its rank: the buttons of the
    /// lowest ranks are shown where there is too little room for all.
    var rankedActions: [(rank: Int, button: Button)] {
        var buttons: [(rank: Int, button: Button)] = []
        func add(_ rank: Int, _ button: Button) {
            if button.command.map(layout.policy.allows) ?? true { buttons.append((rank, button)) }
        }
        // The arrow at the top leads back to the grid that the viewer was opened from.
        if facts.count > 1, !facts.returnsToGrid { add(6, Button(.grid, .grid)) }
        add(8, Button(.rotateAnticlockwise, .rotateAnticlockwise))
        add(0, Button(.rotateClockwise, .rotateClockwise))
        var favourite = Button(
            .favourite, facts.isFavourite ? .heartFilled : .heart, isChecked: facts.isFavourite)
        favourite.isMark = true
        add(1, favourite)
        if menus.hasSend { add(2, Button(.send, "send", .send, localized("Share and open"))) }
        if menus.hasEdit { add(3, Button(.edit, "edit", .edit, localized("Edit"))) }
        // Two buttons with the same sign would be one too many.
        if facts.isAnimation, facts.slideshow == .off {
            add(
                5,
                Button(
                    .playPause, facts.isPlaying ? .pause : .play,
                    facts.isPlaying ? localized("Pause") : localized("Play")))
        }
        if facts.count > 1 { add(facts.slideshow == .off ? 7 : -1, slideshowButton) }
        add(9, Button(.fullscreen, .fullscreen))
        add(10, Button(.help, .help))
        add(4, Button(.delete, .trash))
        return buttons
    }

    /// Starts a slideshow, or ends one that plays or waits to go on.
    private var slideshowButton: Button {
        switch facts.slideshow {
        case .off: return Button(.slideshow, .slideshow)
        case .playing: return Button(.slideshow, .pause, localized("End the slideshow"))
        case .paused(let seconds, let all):
            var button = Button(
                .slideshow, .pause, localized("End the slideshow"))
            button.countdown = Double(seconds) / Double(all)
            return button
        }
    }

    /// As many buttons as there is room for; the zoom control has room beside the most important ones.
    var actions: [Button] {
        let most = roomForActions
        let ranked = rankedActions
        let shown = Set(ranked.map(\.rank).sorted().prefix(most))
        return ranked.filter { shown.contains($0.rank) }.map(\.button)
    }

    /// So many buttons are shown before the zoom control gets a place beside them.
    static let mostImportant = 6

    var roomForActions: Int {
        let all = Int(clamping: ((freeWidth - 2 * Self.margin) / target).rounded(.down))
        let beside = freeWidth - 2 * (zoomWidth + 2 * Self.margin)
        let besideZoom = Int(clamping: (beside / target).rounded(.down))
        return max(besideZoom >= Self.mostImportant ? min(besideZoom, all) : all, 0)
    }

    /// The button at the bottom with an action; nil where there is none.
    package func bottomButton(for action: Widget.Action) -> Widget? {
        layout.oriented([actionBar, zoomBar].compactMap(\.self)).flatMap(\.children)
            .first { $0.action == action }
    }

    var bottom: Double { surface.height - Self.margin - target }

    var actionBar: Widget? {
        guard surface.height >= Self.lowest, !facts.coversBottom else { return nil }
        let buttons = actions
        guard !buttons.isEmpty else { return nil }
        let width = Double(buttons.count) * target
        return row(
            "actions", localized("Actions"), buttons,
            at: Point(x: ((freeWidth - width) / 2).rounded(), y: bottom))
    }
}
