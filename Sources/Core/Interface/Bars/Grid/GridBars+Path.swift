import Commands
import Geometry
import Localization
import SceneModel

/// The folders above, before the name of the folder: each part of the path is a button.
extension GridBars {
    /// The most folders above that are shown.
    private static let mostAbove = 2
    private static let inset = Theme.Space.widget
    private static let arrowWidth = 12.0

    /// The button that goes back, and those of the folders above, as far as `room` goes in logical pixels.
    ///
    /// Without room for names, an arrow leads to the folder above. Names, and the arrow beside one back, leave the width
    /// `kept` of the room free: the name of the folder leads to all folders above.
    func pathButtons(from start: Double, room: Double, keeping kept: Double) -> [Widget] {
        guard !facts.isInSelection, layout.policy.allows(.openFolder) else { return [] }
        var (left, end) = (start, start + room)
        var widgets: [Widget] = []
        func addButton(_ id: String, _ icon: Icon, _ name: String, _ action: Widget.Action) {
            guard left + layout.target <= end else { return }
            widgets.append(
                layout.button(id, icon, name, action, at: left, y: BarLayout.margin))
            left += layout.target
        }
        if facts.canGoBack {
            addButton("folder-back", .back, localized("Back"), .folder(.back))
        }
        var names: [(level: Int, name: String, width: Double)] = []
        let role: Widget.TextRole = layout.isLarge ? .small : .body
        let style = layout.theme.style(role).ofContent
        let room = end - left
        end -= kept
        for (number, name) in facts.above.reversed().prefix(Self.mostAbove).enumerated() {
            let text = layout.shortened(name, style, to: Self.longestName)
            let width =
                layout.text(text, style).width.rounded(.up) + 2 * Self.inset
            guard left + width + Self.arrowWidth <= end else { break }
            end -= width + Self.arrowWidth
            names.insert((number + 1, text, width), at: 0)
        }
        if !facts.canGoBack, !names.isEmpty { left += Self.inset / 2 }
        if names.isEmpty, !facts.above.isEmpty {
            if !facts.canGoBack { end = left + room }
            addButton("folder-up", .up, localized("Folder above"), .folder(.up(1)))
        }
        for (level, name, width) in names {
            widgets.append(
                Widget(
                    "folder-up/\(level)", .pushButton, name,
                    rect: Rect(x: left, y: BarLayout.margin, width: width, height: layout.target),
                    states: .focusable, action: .folder(.up(level)),
                    face: .text(name, role, .center)))
            left += width
            widgets.append(
                Widget(
                    "folder-arrow/\(level)", .separator,
                    rect: Rect(
                        x: left, y: BarLayout.margin, width: Self.arrowWidth, height: layout.target),
                    face: .text(layout.theme.isRightToLeft ? "‹" : "›", .small, .center)))
            left += Self.arrowWidth
        }
        return widgets
    }

    /// The folders above, the nearest first.
    var folderItems: [Menu.Item] {
        facts.above.reversed().enumerated().map { number, name in
            Menu.Item(title: name, action: .folder(.up(number + 1)), icon: .open)
        }
    }

    /// The least width that is kept for the way to other folders, and for the name.
    var leastPathWidth: Double {
        guard facts.canGoBack || !facts.above.isEmpty, layout.policy.allows(.openFolder) else {
            return 0
        }
        return layout.target + leastNameWidth + 2 * Self.padding
    }

    var leastNameWidth: Double { layout.theme.title.size * 4 }

    /// Longer names of folders above lose their middles, in logical pixels.
    private static let longestName = 160.0
}
