package import Motion

/// What lies over the bars and the content, below a prompt and the settings page.
extension Chrome {
    /// A menu or the help: one opens in place of the other.
    ///
    /// Prompt and settings page are apart: one can appear while the other leaves, and a program can open
    /// the help below both.
    enum Overlay: Hashable, Sendable {
        case menu(Menu)
        case help(HelpSheet)
    }

    /// The menu; nil while none is open.
    var menu: Menu? {
        get { if !$overlay.isNil, case .menu(let menu) = overlay { menu } else { nil } }
        set {
            if let newValue { overlay = .menu(newValue) } else if showsMenu { overlay = nil }
        }
    }

    /// The help; nil while it is not open.
    var help: HelpSheet? {
        get { if !$overlay.isNil, case .help(let help) = overlay { help } else { nil } }
        set {
            if let newValue { overlay = .help(newValue) } else if showsHelp { overlay = nil }
        }
    }

    package var showsMenu: Bool { menu != nil }

    package var showsHelp: Bool { help != nil }

    package mutating func closeMenu() { menu = nil }

    package mutating func toggleHelp(at moment: Moment) {
        let byFinger = !usesKeys && !layout.usesPointer
        overlay =
            showsHelp
            ? nil : .help(HelpSheet(mode, on: layout, gesturesFirst: byFinger))
        bars.use(at: moment)
    }

    /// Shows what the program is, in place of the menu.
    mutating func showAbout(at moment: Moment) {
        overlay = .help(HelpSheet(about: layout))
        bars.use(at: moment)
    }

    package mutating func closeHelp(at moment: Moment) {
        help = nil
        bars.use(at: moment)
    }
}
