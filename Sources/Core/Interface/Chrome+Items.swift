package import Motion
package import SceneModel

extension Chrome {
    /// Everything that is shown at `moment`, the menu on top.
    ///
    /// `title` is the name of the picture, `status` its number and zoom; only the bar shows them.
    package func items(
        title: String, status: @autoclosure () -> String, at moment: Moment
    ) -> [SceneItem] {
        var items = panel.items(at: moment)
        if showsBar { items.append(.panel(bar.item(title: title, status: status()))) }
        if let messageText {
            items.append(.panel(MessagePanel.item(messageText, atBottomOf: surface)))
        }
        return items + (menu?.rows ?? []).map { .panel($0) }
    }
}
