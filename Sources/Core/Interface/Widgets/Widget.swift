package import Commands
package import Geometry
package import SceneModel

/// A widget of the interface, laid out on the surface: what a person sees, touches and hears of it.
///
/// Widgets are values that are made anew for every frame; what lasts (the focus, a pressed button, a
/// scroll offset) is kept by their owner, by the widget's `id`.
package struct Widget: Hashable, Sendable {
    /// The role for assistive technology; raw values are AT-SPI's names.
    package enum Role: String, Hashable, Sendable, CaseIterable {
        case frame, panel, toolBar = "tool bar", pushButton = "push button"
        case toggleButton = "toggle button", menu, menuItem = "menu item"
        case checkMenuItem = "check menu item", label, heading, slider, entry, list
        case listItem = "list item", notification, dialog, image, table, separator
        case progressBar = "progress bar", scrollBar = "scroll bar", statusBar = "status bar"
        case comboBox = "combo box", radioButton = "radio button", spinButton = "spin button"
    }

    package struct States: OptionSet, Hashable, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        package static let focusable = States(rawValue: 1)
        package static let checkable = States(rawValue: 2)
        package static let checked = States(rawValue: 4)
        package static let disabled = States(rawValue: 8)
        package static let selected = States(rawValue: 16)
        package static let expanded = States(rawValue: 32)
        package static let modal = States(rawValue: 64)
        package static let editable = States(rawValue: 128)
        package static let busy = States(rawValue: 256)
        package static let focused = States(rawValue: 512)
        /// Whether several of the children can be selected.
        package static let multiselectable = States(rawValue: 1024)
    }

    /// Unique among the widgets of a frame.
    package var id: String
    package var role: Role
    /// The name that a screen reader says.
    package var name: String
    /// A longer explanation; empty for none.
    package var description: String
    /// Logical pixels of the surface; parts beyond the parent's rectangle are not visible.
    package var rect: Rect
    package var states: States
    /// What a tap does; nil for nothing.
    package var action: Action?
    package var face: Face
    package var children: [Widget]
    /// The place among all parts, where only some of the parts are shown.
    package var place: Place?
    /// A text that assistive technology announces when it changes; nil while it is not decided, as in
    /// motion.
    package var announced: String?
    /// The alternative text of a picture; nil if there is none.
    package var alternative: String?
    /// The number that assistive technology reads and sets, where the face shows no such number.
    package var value: AccessibleTree.Value?
    /// The key that does what a tap does, as AT-SPI writes the key; empty without one.
    package var keys = ""

    package init(
        _ id: String, _ role: Role, _ name: String = "", description: String = "", rect: Rect,
        states: States = [], action: Action? = nil, face: Face = .none, children: [Widget] = []
    ) {
        self.id = id
        self.role = role
        self.name = name
        self.description = description
        self.rect = rect
        self.states = states
        self.action = action
        self.face = face
        self.children = children
    }
}

extension Widget {
    /// What a widget does when it is tapped, or activated by a key.
    package enum Action: Hashable, Sendable {
        case command(Command)
        /// Opens the picture with this index.
        case show(Int)
        /// Shows the picture with this id of the listing.
        case present(id: Int)
        /// Begins and ends the mode in which taps select pictures.
        case beginSelection, endSelection
        /// Begins to edit a field.
        case edit
        /// Zooms to so many device pixels per hundred picture pixels.
        case zoom(percent: Int)
        /// Shows what the program is, and shows its home page in a web browser.
        case about, homePage
        /// Uses the place where the picture was taken.
        case position(PositionUse)
        /// Shows another folder.
        case folder(FolderStep)
        /// Shows all pictures again after a search.
        case endSearch
        /// Goes up one level: to the grid, or out of the program.
        case back
        /// Closes the sheet.
        case closeSheet
        /// Opens the menu of this kind below the widget.
        case openMenu(MenuKind)
        /// Changes the order of the pictures.
        case sort(SortChoice)
        case window(WindowAction)
        /// Answers the prompt that is shown.
        case answer(Prompt.Answer)
        /// Changes, saves or leaves a crop.
        case crop(CropAction)
        /// Changes settings, or what the settings page shows.
        case setting(SettingsAction)
    }

    package enum MenuKind: Hashable, Sendable {
        case picture, grid, sort
        /// The folders above.
        case folders
        /// Turns, flips, crop.
        case edit
        /// Open with, show in files, copy, send, print, background.
        case send
        /// Names, folders, trash.
        case file
        /// Which parts of the pictures are shown, and how large.
        case view
        /// Steps of the zoom.
        case zoom
        /// Other pictures.
        case pictures
        /// How a crop is written, and its proportions.
        case cropSave, cropRatio
    }

    /// A request to the window.
    package enum WindowAction: String, Hashable, Sendable, CaseIterable {
        case minimize, toggleMaximized = "maximize", close
    }

    /// How a widget looks.
    package enum Face: Hashable, Sendable {
        case none
        /// A background behind the children, `isDense` behind long texts.
        case ground(radius: Double, isDense: Bool)
        case icon(Icon)
        /// An icon that itself shows whether the widget is checked.
        case mark(Icon)
        /// An icon in a ring that is drawn up to a share, 0…1.
        case countdown(Icon, Double)
        /// An icon as large as the widget, in a dim colour.
        case largeIcon(Icon)
        case text(String, TextRole, Alignment)
        /// A text of up to this many lines, from the top of the rectangle.
        case paragraph(String, TextRole = .body, lines: Int, Alignment)
        /// Nothing, but children are cut at the rectangle.
        case clip
        /// A button with a text.
        case button(String, isProminent: Bool)
        /// A button with a text in a bar, in the shape of the bar and without an edge of its own.
        case barButton(String, isProminent: Bool)
        /// A button with a text that loses something.
        case destructiveButton(String)
        /// A row of a menu or a list.
        case row(Row)
        /// A row whose children show its content.
        case plainRow
        /// A row for a number in a range, which its children show.
        case value(Double, ClosedRange<Double>)
        /// A switch.
        case toggle(Bool)
        /// A field, which is being edited if it has a caret.
        case field(Field)
        /// A line around the widget, visible on every picture.
        case outline(radius: Double)
        /// A line that is filled up to a share, 0…1.
        case progress(Double)
        /// The ruler that straightens a picture, at an angle in degrees clockwise.
        case dial(Double)
        case separator
    }

    /// A place in a row of things.
    package struct Place: Hashable, Sendable {
        /// From 0 on.
        package var index: Int
        package var count: Int

        package init(_ index: Int, of count: Int) { (self.index, self.count) = (index, count) }
    }

    package enum TextRole: Hashable, Sendable {
        case title, body, small, number, key
        /// A title or a text that a file has given, in the direction of its own script.
        case name, value
        /// Why something cannot be done.
        case problem
        /// What cannot be changed.
        case disabled
    }

    package typealias Alignment = LayerItem.Label.Alignment

    /// A laid-out field; rectangles are on the surface, in logical pixels.
    package struct Field: Hashable, Sendable {
        package var text: String
        package var textRect: Rect
        package var caret: Rect?
        package var selection: Rect?
        /// The part that an input method composes.
        package var preedit: Rect?
        /// The text with its caret while a person edits it.
        package var edited: TextFieldDescription?

        /// How far the visible edge of a field is inside of it, in logical pixels.
        static let inset = Theme.Space.row

        /// The field `dx` logical pixels further right; its text keeps its direction.
        func moved(by dx: Double) -> Field {
            let translation = Vector(dx: dx, dy: 0)
            return Field(
                text: text, textRect: textRect + translation, caret: caret.map { $0 + translation },
                selection: selection.map { $0 + translation },
                preedit: preedit.map { $0 + translation }, edited: edited)
        }
    }

    package struct Row: Hashable, Sendable {
        package var title: String
        /// A second text at the end, such as a key.
        package var detail: String
        /// The width of the second text, in logical pixels; 0 hides it.
        package var detailWidth: Double
        package var icon: Icon?
        /// Whether a mark at the end says that the row opens another menu.
        package var opensMenu = false

        /// The space before the icon, between icon and title, and at the end, in logical pixels.
        static let indent = Theme.Space.text
        /// The side of the icon, in logical pixels: larger with larger texts.
        static func iconSide(_ theme: Theme) -> Double {
            ((Theme.icon - 4) * min(max(theme.textScale, 1), 1.5)).rounded()
        }
        /// What a row has beside its title, without a second text, in logical pixels.
        static func titleMargins(_ theme: Theme) -> Double { 3 * indent + iconSide(theme) }
        /// The least space between the texts, in logical pixels.
        static let gap = Theme.Space.sheet

        package init(
            _ title: String, detail: String = "", detailWidth: Double = 0, icon: Icon? = nil
        ) {
            self.title = title
            self.detail = detail
            self.detailWidth = detailWidth
            self.icon = icon
        }
    }
}

/// The state of the widgets that the person acts on, by their ids.
package struct WidgetFocus: Hashable, Sendable {
    /// The widget under a finger or a pressed button.
    package var pressed: String?
    /// The widget under the pointer.
    package var hovered: String?
    /// The widget that receives keys.
    package var focused: String?

    package init() {}

    /// Ends every state of a widget that is no longer shown.
    mutating func forget(_ id: String) {
        if pressed == id { pressed = nil }
        if hovered == id { hovered = nil }
        if focused == id { focused = nil }
    }
}

extension Widget {
    /// The uppermost widget with an action at a point; nil where there is none.
    package func target(at point: Point) -> Widget? {
        guard rect.contains(point) else { return nil }
        for child in children.reversed() {
            if let found = child.target(at: point) { return found }
        }
        return action != nil && !states.contains(.disabled) ? self : nil
    }

    /// The widget with an id, in this widget and its children.
    package func widget(_ id: String) -> Widget? {
        if self.id == id { return self }
        return children.lazy.compactMap { $0.widget(id) }.first
    }

    /// The widgets that can receive keys, in reading order.
    package var focusOrder: [Widget] {
        let own = states.contains(.focusable) && !states.contains(.disabled) ? [self] : []
        return own + children.flatMap(\.focusOrder)
    }

    /// The widget and its children with the first keys of their commands.
    package func withKeys(_ keys: KeyMap, in mode: CommandMode) -> Widget {
        var widget = self
        if case .command(let command) = action {
            let entry = CommandTable.entry(of: command)
            widget.keys = keys.keys(of: entry, in: mode).first?.accelerator ?? ""
        }
        widget.children = children.map { $0.withKeys(keys, in: mode) }
        return widget
    }

    /// The widget and its children at another place; fields stay where they are.
    func moved(by translation: Vector) -> Widget {
        var moved = self
        moved.rect = rect + translation
        moved.children = children.map { $0.moved(by: translation) }
        return moved
    }

    /// The widget mirrored for right-to-left languages, on a surface `width` logical pixels wide.
    package func mirrored(onWidth width: Double) -> Widget {
        var mirror = self
        mirror.rect.x = width - rect.maxX
        switch face {
        case .text(let text, let role, let alignment):
            mirror.face = .text(text, role, alignment.mirrored)
        case .paragraph(let text, let role, let lines, let alignment):
            mirror.face = .paragraph(text, role, lines: lines, alignment.mirrored)
        case .field(let field): mirror.face = .field(field.moved(by: mirror.rect.x - rect.x))
        default: break
        }
        mirror.children = children.map { $0.mirrored(onWidth: width) }
        return mirror
    }
}

extension LayerItem.Label.Alignment {
    var mirrored: Self {
        switch self {
        case .leading: .trailing
        case .center: .center
        case .trailing: .leading
        }
    }
}
