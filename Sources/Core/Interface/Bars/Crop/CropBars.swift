import Commands
package import Geometry
import Localization
import SceneModel

/// What the bars of a crop show.
package struct CropFacts: Hashable, Sendable {
    package var ratio = CropRatio.free
    package var isPortrait = false
    /// Degrees clockwise.
    package var degrees = 0.0
    /// The size of the part that is kept, in pixels.
    package var size = PixelSize.zero
    /// Whether there is something to reset, or to save.
    package var isChanged = false

    package init() {}
}

/// The bars over a picture that is cropped: Cancel and Save at the top, below the picture the dial that
/// straightens, the proportions and turns.
package struct CropBars: Hashable, Sendable {
    package let layout: BarLayout
    package let facts: CropFacts
    /// The width of the button for the proportions with the longest name.
    private let ratioWidth: Double

    /// The identifier of the dial.
    package static let dial = "straighten"

    private static let margin = BarLayout.margin
    private var target: Double { layout.target }
    private static let padding = Theme.Space.text
    private static let widestDial = 560.0
    private static let narrowestDial = 280.0
    /// The number of buttons beside the one for the proportions, and of those that zoom.
    private static let (buttons, zoomButtons) = (5.0, 2.0)
    /// The space between the frame and what is around, in logical pixels: handles reach beyond the
    /// frame.
    private static let frameMargin = Theme.Space.sheet
    /// The smallest area of the frame, in logical pixels.
    private static let smallestArea = 32.0

    package init(_ layout: BarLayout, _ facts: CropFacts = CropFacts()) {
        (self.layout, self.facts) = (layout, facts)
        let names = CropRatio.allCases.flatMap {
            [$0.title(isPortrait: true), $0.title(isPortrait: false)]
        }
        let widest = names.map { layout.text($0, layout.theme.title).width }.max() ?? 0
        ratioWidth = max(widest.rounded(.up) + Self.padding, layout.target)
    }

    private var surface: Size { layout.surface }

    /// All bars, from the bottom to the top.
    package var widgets: [Widget] {
        let (window, left, right) = layout.windowBars()
        let top = topBars(from: left, to: right) + window
        return layout.oriented(top + buttonBars) + [dialBar].compactMap(\.self)
    }

    /// The areas of the surface that belong to the bars.
    package var areas: [Rect] {
        let strip = Rect(
            x: 0, y: 0, width: surface.width, height: min(layout.top, surface.height))
        return [strip] + [dialRect, buttonRect.map { layout.oriented($0) }].compactMap(\.self)
    }

    /// Where the frame may be, in logical pixels: all that the bars leave free.
    package var frameArea: Rect {
        let top = min(layout.top, surface.height / 3)
        let bottom = [dialRect?.y, buttonRect?.y].compactMap(\.self).min() ?? surface.height
        let free = Rect(x: 0, y: top, width: surface.width, height: max(bottom - top, 1))
        func size(_ length: Double) -> Double {
            max(length - 2 * Self.frameMargin, min(length, Self.smallestArea), 1)
        }
        return Rect(
            center: free.center, size: Size(width: size(free.width), height: size(free.height)))
    }

    // MARK: Top

    private func topBars(from left: Double, to right: Double) -> [Widget] {
        let cancel = textButton(
            "crop-cancel", localized("Cancel"), .close, .crop(.cancel), at: left)
        var save = textButton(
            "crop-save", localized("Save"), .check, .openMenu(.cropSave), at: left,
            isProminent: true)
        let free = right - left
        let isNarrow = cancel.rect.width + save.rect.width + Self.margin > free
        let width = isNarrow ? target : save.rect.width
        save.rect = Rect(x: right - width, y: Self.margin, width: width, height: target)
        guard free >= 2 * target else { return [] }
        var first = cancel
        if isNarrow {
            first.rect.width = target
            (first.face, save.face) = (.icon(.close), .icon(.check))
        }
        let bars = [
            layout.bar("crop-leave", localized("Leave"), first.rect, [first]),
            layout.bar("crop-keep", localized("Keep"), save.rect, [save]),
        ]
        let title = title(from: first.rect.maxX + Self.margin, to: save.rect.x - Self.margin)
        return [title].compactMap(\.self) + bars
    }

    private func textButton(
        _ id: String, _ name: String, _ icon: Icon, _ action: Widget.Action, at x: Double,
        isProminent: Bool = false
    ) -> Widget {
        let width = max(
            layout.text(name, layout.theme.title).width.rounded(.up) + 2 * Self.padding,
            target)
        return Widget(
            id, .pushButton, name,
            rect: Rect(x: x, y: Self.margin, width: width, height: target),
            states: .focusable, action: action, face: .barButton(name, isProminent: isProminent))
    }

    private var sizeText: String { "\(facts.size.width) × \(facts.size.height)" }

    /// The title in the middle, with the size of the kept part; nil where there is no room.
    private func title(from left: Double, to right: Double) -> Widget? {
        let theme = layout.theme
        let wish = max(
            layout.text(localized("Crop"), theme.title).width,
            layout.isLarge ? 0 : layout.text(sizeText, theme.number).width)
        let width = wish.rounded(.up) + 2 * Self.padding
        guard width <= right - left else { return nil }
        let center = min(max(surface.width / 2, left + width / 2), right - width / 2)
        let rect = Rect(
            x: (center - width / 2).rounded(), y: Self.margin, width: width, height: target)
        let half = target / 2
        func line(_ y: Double, _ height: Double) -> Rect {
            Rect(
                x: rect.x + Self.padding / 2, y: y, width: width - Self.padding, height: height)
        }
        let heading = Widget(
            "crop-title", .heading, localized("Crop"),
            rect: layout.isLarge
                ? line(rect.y, target) : line(rect.y + 3, half - 2),
            face: .text(localized("Crop"), .title, .center))
        let size = Widget(
            "crop-size", .label, sizeText, rect: line(rect.y + half, half - 3),
            face: .text(sizeText, .small, .center))
        return layout.bar(
            "crop-name", localized("Crop"), rect, layout.isLarge ? [heading] : [heading, size])
    }

    // MARK: Bottom

    /// Whether dial and buttons stand side by side.
    private var isOneRow: Bool {
        surface.width >= buttonWidth + Self.narrowestDial + 3 * Self.margin
    }

    /// Whether there is room for buttons that zoom; elsewhere the menu of the proportions has them.
    package var hasZoomButtons: Bool {
        zoomWidth + actionWidth(ratioWidth) + 2 * Self.margin <= surface.width
    }

    /// The width of the bar that zooms, with the space beside.
    private var zoomWidth: Double { Self.zoomButtons * target + Self.margin }

    /// The width of the other bar with a button of this width for the proportions.
    private func actionWidth(_ ratio: Double) -> Double { Self.buttons * target + ratio }

    /// The name of the proportions, where there is room for it beside the buttons.
    private var ratioText: String? {
        actionWidth(ratioWidth) + 2 * Self.margin <= surface.width
            ? facts.ratio.title(isPortrait: facts.isPortrait) : nil
    }

    private var buttonWidth: Double {
        (hasZoomButtons ? zoomWidth : 0)
            + actionWidth(ratioText == nil ? target : ratioWidth)
    }

    private var buttonRect: Rect? {
        let width = buttonWidth
        guard surface.height >= 3 * layout.top, surface.width >= width else { return nil }
        let y = surface.height - Self.margin - target
        let x =
            isOneRow
            ? ((surface.width - width - Self.margin - oneRowDial) / 2).rounded()
            : ((surface.width - width) / 2).rounded()
        return Rect(x: x, y: y, width: width, height: target)
    }

    /// The bar that zooms the picture, and apart from it the bar that changes what is kept.
    private var buttonBars: [Widget] {
        guard var rect = buttonRect else { return [] }
        var bars: [Widget] = []
        if hasZoomButtons {
            let place = Rect(
                x: rect.x, y: rect.y, width: Self.zoomButtons * target, height: rect.height)
            bars.append(
                bar(
                    "crop-zoom", localized("Zoom"), place,
                    [
                        ("crop-zoom-out", .zoomOut, localized("Zoom out"), .zoomOut, []),
                        ("crop-zoom-in", .zoomIn, localized("Zoom in"), .zoomIn, []),
                    ]))
            rect.x += zoomWidth
            rect.width -= zoomWidth
        }
        return bars + [actionBar(rect)]
    }

    private typealias Button = (String, Icon, String, CropAction, Widget.States)

    /// A bar of buttons after `first`.
    private func bar(
        _ id: String, _ name: String, _ rect: Rect, after first: [Widget] = [],
        _ buttons: [Button]
    ) -> Widget {
        let start = first.last?.rect.maxX ?? rect.x
        return layout.bar(
            id, name, rect,
            first
                + buttons.enumerated().map { number, button in
                    layout.button(
                        button.0, button.1, button.2, .crop(button.3),
                        at: start + Double(number) * target, y: rect.y, states: button.4)
                })
    }

    private func actionBar(_ rect: Rect) -> Widget {
        let (x, y) = (rect.x, rect.y)
        let ratio = facts.ratio.title(isPortrait: facts.isPortrait)
        let first = ratioText == nil ? target : ratioWidth
        let proportions = Widget(
            "crop-ratio", .pushButton, localized("Proportions"), description: ratio,
            rect: Rect(x: x, y: y, width: first, height: target), states: .focusable,
            action: .openMenu(.cropRatio),
            face: ratioText.map { .barButton($0, isProminent: false) } ?? .icon(.crop))
        let actions: [Button] = [
            ("crop-swap", .swapSides, localized("Exchange width and height"), .swapSides, []),
            ("crop-rotate", .rotateClockwise, localized("Rotate right"), .rotate, []),
            (
                "crop-flip-h", .flipHorizontally, localized("Flip horizontally"), .flipHorizontally,
                []
            ),
            ("crop-flip-v", .flipVertically, localized("Flip vertically"), .flipVertically, []),
            ("crop-reset", .undo, localized("Reset"), .reset, facts.isChanged ? [] : .disabled),
        ]
        return bar(
            "crop-actions", localized("Proportions and turns"), rect, after: [proportions], actions)
    }

    private var oneRowDial: Double {
        min(surface.width - buttonWidth - 3 * Self.margin, Self.widestDial)
    }

    /// The rectangle of the dial on the surface, which is the same in all languages but for the side.
    package var dialRect: Rect? {
        guard let buttons = buttonRect else { return nil }
        if isOneRow {
            return layout.oriented(
                Rect(
                    x: buttons.maxX + Self.margin, y: buttons.y, width: oneRowDial,
                    height: target))
        }
        let width = min(surface.width - 2 * Self.margin, Self.widestDial)
        return Rect(
            x: ((surface.width - width) / 2).rounded(),
            y: buttons.y - Self.margin - target, width: width, height: target)
    }

    /// The ruler of the dial, with the mark in its middle, in logical pixels of the surface.
    package static func ruler(of dial: Rect, _ theme: Theme) -> Rect {
        DialFace(theme: theme, rect: dial, degrees: 0).ruler
    }

    private var dialBar: Widget? {
        dialRect.map {
            Widget(
                Self.dial, .slider, localized("Straighten"),
                description: CropDial.text(facts.degrees),
                rect: $0, states: .focusable, face: .dial(facts.degrees))
        }
    }
}
