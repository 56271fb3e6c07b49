import Geometry
import SceneModel

/// A page in place of content: what is the matter, and what to do next.
package enum StatusPage {
    private static let width = 460.0
    private static let iconSide = 72.0
    private static let lines = 6

    /// The page in the middle of the surface, with an optional button.
    package static func widget(
        _ title: String, _ text: String, icon: Icon, _ layout: BarLayout,
        button: (title: String, action: Widget.Action)? = nil
    ) -> Widget {
        let theme = layout.theme
        let surface = layout.surface
        let most = max(min(width, surface.width - 2 * Theme.Space.text), 1)
        var style = theme.body
        style.lines = lines
        let paragraph = layout.text(text, style, width: most)
        let titleHeight = layout.text(title, theme.title).height
        let gap = Theme.Space.widget
        let buttonHeight = button == nil ? 0 : layout.target + gap
        let hasIcon = surface.height > 260
        let iconHeight = hasIcon ? iconSide + gap : 0
        let height = iconHeight + titleHeight + gap + paragraph.height + buttonHeight
        let top = max((surface.height - height) / 2, 0).rounded()
        let left = ((surface.width - most) / 2).rounded()
        var y = top
        var children: [Widget] = []
        if hasIcon {
            children.append(
                Widget(
                    "page-icon", .image,
                    rect: Rect(
                        x: left + (most - iconSide) / 2, y: y, width: iconSide, height: iconSide),
                    face: .largeIcon(icon)))
            y += iconHeight
        }
        children.append(
            Widget(
                "page-title", .heading, title,
                rect: Rect(x: left, y: y, width: most, height: titleHeight),
                face: .text(title, .title, .center)))
        y += titleHeight + gap
        children.append(
            Widget(
                "page-text", .label, text,
                rect: Rect(x: left, y: y, width: most, height: paragraph.height),
                face: .paragraph(text, lines: lines, .center)))
        y += paragraph.height + gap
        if let button {
            let width = min(layout.text(button.title, theme.title).width + 48, most)
            children.append(
                Widget(
                    "page-button", .pushButton, button.title,
                    rect: Rect(
                        x: left + (most - width) / 2, y: y, width: width, height: layout.target),
                    states: .focusable, action: button.action,
                    face: .button(button.title, isProminent: true)))
        }
        return Widget(
            "page", .panel, title,
            rect: Rect(x: left, y: top, width: most, height: max(height, 1)), children: children)
    }
}
