import Desktop
import Interface
import Localization
import SceneModel
import WaylandClient

/// The looks of the interface, by the desktop's settings and the state of the window.
extension WindowController {
    func updateLooks() { if let state = window?.state { updateLooks(state) } }

    func updateLooks(_ state: WindowState) {
        let desktopSettings = run.desktop.settings
        session.setLooks(
            run.options.values.looks.theme(
                desktop: desktopSettings.colorScheme == .light ? .light : .dark,
                isHighContrast: desktopSettings.hasHighContrast,
                accent: desktopSettings.accentColor.map {
                    Color(red: $0.red, green: $0.green, blue: $0.blue)
                },
                textScale: desktopSettings.textScale, isRightToLeft: Translation.isRightToLeft),
            windowControls: WindowControls(state, desktopSettings.buttons),
            reducesMotion: !desktopSettings.enablesAnimations)
    }
}

extension WindowControls {
    /// The controls of a window in this state, as the desktop arranges them; nil where the compositor
    /// draws them, and in fullscreen.
    ///
    /// A compositor that shows a maximised window, and has neither a menu for the window nor a way to
    /// minimise it, draws no title bar, whatever it says: phoc does so. Then the window has a button that
    /// closes it.
    init?(_ state: WindowState, _ buttons: WindowButtons) {
        guard !state.isFullscreen else { return nil }
        guard state.drawsOwnDecorations else {
            guard state.isMaximized, state.capabilities.isDisjoint(with: [.windowMenu, .minimize])
            else { return nil }
            self.init(left: [], right: [.close], isMaximized: true)
            return
        }
        func actions(_ buttons: [WindowButtons.Button]) -> [Widget.WindowAction] {
            buttons.compactMap { button in
                switch button {
                case .menu: nil
                case .minimize: state.capabilities.contains(.minimize) ? .minimize : nil
                case .maximize: state.capabilities.contains(.maximize) ? .toggleMaximized : nil
                case .close: .close
                }
            }
        }
        self.init(
            left: actions(buttons.left), right: actions(buttons.right),
            isMaximized: state.isMaximized)
    }
}
