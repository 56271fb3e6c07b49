import Commands
import Edits
import Geometry
import Gestures
import Grid
import Input
package import Interface
package import Motion
import SceneModel
import Viewer

/// The header, the menus and the help over the grid.
extension BrowserModel {
    /// Sets the looks of the interface, and the window buttons that the bars include.
    package mutating func setLooks(_ theme: Theme, windowControls: WindowControls?) {
        viewer.setLooks(theme, windowControls: windowControls)
        grid.setMirrored(theme.isRightToLeft, below: headerHeight)
    }

    /// The height of the strip at the top of the grid that the header covers, in logical pixels; 0 without a header.
    var headerHeight: Double { grid.top > 0 ? chrome.layout.top : 0 }

    /// The surface and the looks of the interface.
    package var layout: BarLayout { chrome.layout }

    /// Sets whether motions end within a frame, as the desktop asks for; those that have begun go on.
    package mutating func setReducesMotion(_ reducesMotion: Bool) {
        viewer.setReducesMotion(reducesMotion)
        grid.setReducesMotion(reducesMotion)
    }

    /// Sets the name of the listed folder, and what is known about the listing.
    ///
    /// `total` is the number of pictures before a filter has left some of them out.
    package mutating func setListing(name: String, total: Int = 0, state: GridFacts.State) {
        (facts.name, facts.total, facts.state) = (name, total, state)
    }

    /// Sets the number of folders before the pictures, the names of the folders above, the nearest last, and
    /// whether another folder was shown before.
    package mutating func setFolders(
        _ count: Int, above: [String], canGoBack: Bool, at moment: Moment
    ) {
        (facts.folders, facts.above, facts.canGoBack) = (count, above, canGoBack)
        grid.setFolders(count, textScale: chrome.layout.theme.textScale, at: moment)
    }

    /// Sets the order that the header shows.
    package mutating func setOrder(_ key: SortChoice.Key, isReversed: Bool) {
        (facts.sortKey, facts.isReversed) = (key, isReversed)
    }

    var gridBars: GridBars {
        var facts = facts
        facts.count = grid.contents.count
        facts.selected = grid.selection.count
        facts.isSelecting = grid.isSelecting
        (facts.canShrink, facts.canGrow) = (grid.canZoom(up: false), grid.canZoom(up: true))
        facts.search = chrome.search
        facts.areFavourites =
            !grid.selection.isEmpty
            && grid.selection.allSatisfy { grid.marks[$0]?.isFavourite == true }
        return GridBars(chrome.layout, facts)
    }

    /// The widgets of the header; none where the header is hidden.
    private var headerWidgets: [Widget] { grid.settings.header ? gridBars.widgets : [] }

    /// The areas of the grid that belong to the chrome.
    func gridChromeArea(at moment: Moment) -> ChromeArea {
        chrome.area(
            bars: grid.settings.header
                ? gridBars.areas + [gridBars.page?.rect].compactMap(\.self) : [], at: moment)
    }

    private var gridWidgets: [Widget] { headerWidgets + [gridBars.page].compactMap(\.self) }

    /// The items over the grid; `shade` is the opacity of the backdrop above the grid, 0…1.
    func gridChromeItems(at moment: Moment, shade: Double) -> [SceneItem] {
        guard shade < 1 else { return [] }
        var items: [SceneItem] = []
        if let page = gridBars.page {
            items.append(
                .layer(
                    page.layer(
                        chrome.layout.theme, chrome.focus, opacity: 1 - shade)))
        }
        guard mode == .grid else {
            // Only the header is visible below a picture that opens.
            return items
                + headerWidgets.map {
                    .layer(
                        $0.layer(chrome.layout.theme, WidgetFocus(), opacity: 1 - shade))
                }
        }
        // A lifted picture is above everything: the header fades with the grid.
        return items
            + chrome.items(bars: headerWidgets, opacity: 1 - shade, at: moment)
    }

    // MARK: Input

    /// Handles a gesture on the header, a menu or the help; returns whether the gesture was one.
    mutating func handleOnGridChrome(
        _ gesture: Gesture, at moment: Moment, effects: inout [ViewerEffect]
    ) -> Bool {
        chrome.followInput(gesture)
        if chrome.handleInPanels(gesture, at: moment) { return true }
        if chrome.closesMenu(gesture) { return true }
        if let point = gesture.buttonPress, gridChromeArea(at: moment).contains(point) {
            chrome.pressButton(at: point, effects: &effects)
            return true
        }
        var chrome = chrome
        var response = chrome.handle(gesture, bars: gridWidgets, filmstrip: nil, at: moment)
        if let point = gesture.tapPoint { response = chrome.tapBeside(at: point, moment) }
        if case .wheel(let detents, _, _) = gesture, chrome.turnWheelOnMenu(detents.dy) {
            response = .consumed
        }
        if case .manipulationBegan = gesture { chrome.closeMenu() }
        self.chrome = chrome
        return performOnGrid(response, at: moment, effects: &effects)
    }

    /// Handles a command on the chrome of the grid; returns whether the command was for it.
    mutating func handleOnGridChrome(
        _ command: Command, at moment: Moment, effects: inout [ViewerEffect]
    ) -> Bool {
        var chrome = chrome
        let response = chrome.handle(command, bars: gridWidgets, at: moment)
        self.chrome = chrome
        if performOnGrid(response, at: moment, effects: &effects) { return true }
        switch command {
        case .help where policy.allows(.help): self.chrome.toggleHelp(at: moment)
        case .menu where policy.allows(.menu):
            act(.openMenu(.grid), at: moment, effects: &effects)
        default:
            return policy.allows(command) && performOwn(command, at: moment, effects: &effects)
        }
        return true
    }

    /// The command of a key; Space presses a button as Return does.
    func command(for key: KeyEvent) -> Command? {
        let isOnButton = chrome.focus.focused != nil || chrome.showsMenu
        if isOnButton, key.action != .up, key.action != .repeated, KeyBinding(key) == "space" {
            return .open
        }
        return chrome.layout.keys.command(for: key, in: .grid)
    }

    /// Does what the chrome of the grid asks for; returns whether the input was for it.
    @discardableResult
    mutating func performOnGrid(
        _ response: Chrome.Response, at moment: Moment, effects: inout [ViewerEffect]
    ) -> Bool {
        switch response {
        case .ignored: return false
        case .consumed, .scrub, .endScrub, .tapFilmstrip, .choose: break
        case .act(let action): act(action, at: moment, effects: &effects)
        case .window(let request): chrome.request(request, effects: &effects)
        }
        return true
    }

    private mutating func act(
        _ action: Widget.Action, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        if chrome.perform(action, at: moment, effects: &effects) { return }
        switch action {
        case .command(.help) where policy.allows(.help): chrome.toggleHelp(at: moment)
        case .edit: chrome.editSearch(at: moment)
        case .endSearch: endSearch(at: moment, effects: &effects)
        case .command(let command):
            performOnGrid(
                command, showsFocus: chrome.usesKeys, at: moment, effects: &effects)
        case .openMenu(let kind):
            let items = gridBars.items(of: kind)
            guard !items.isEmpty else { break }
            let isPart = chrome.isInMenu && kind != .grid
            chrome.openMenu(
                isPart ? FileMenus.items(items, below: .grid) : items,
                of: gridBars.button(for: .openMenu(kind)),
                at: Point(
                    x: chrome.layout.theme.isRightToLeft ? 0 : chrome.layout.surface.width,
                    y: chrome.layout.top))
        case .sort(let choice): effects.append(.sort(choice))
        case .beginSelection: grid.setSelecting(true)
        case .endSelection: grid.setSelecting(false)
        case .window(.close), .back: if policy.allowsLeaving { effects.append(.quit) }
        case .show, .crop, .zoom, .about, .homePage, .closeSheet, .setting, .answer, .window,
            .present, .folder,
            .position:
            break
        }
    }

    // MARK: Assistive technology

    /// The interface as assistive technology sees it: a window with its widgets.
    ///
    /// `name` gives the name of a picture by its index, `title` is the title of the window.
    package func interface(
        title: String, name: (Int) -> String,
        folder: (Int) -> FolderContent = { _ in FolderContent() }, at moment: Moment
    ) -> Widget {
        let size = viewer.viewport.size
        let children: [Widget]
        switch mode {
        case .viewer:
            children = viewer.widgets(
                title: viewer.count > 0 ? name(viewer.index) : "", at: moment)
        case .grid:
            children =
                [gridTable(name, folder, at: moment)] + gridWidgets + chrome.overlays(at: moment)
        }
        let focused = chrome.focusedWidget
        var window = Widget(
            "window", .frame, title, rect: Rect(x: 0, y: 0, width: size.width, height: size.height),
            children: children)
        if let touched, window.widget(touched) != nil {
            window.children = children.map { $0.marking(touched, only: true) }
        } else if let focused {
            window.children = children.map { $0.marking(focused, only: false) }
        }
        return window.withKeys(
            chrome.layout.keys, in: mode == .viewer ? .viewer : .grid)
    }

    private func gridTable(
        _ name: (Int) -> String, _ folder: (Int) -> FolderContent, at moment: Moment
    ) -> Widget {
        let frame = grid.frame(at: moment)
        let surface = frame.surface
        return Widget(
            "grid", .table, facts.name,
            rect: Rect(x: 0, y: 0, width: surface.width, height: surface.height),
            states: policy.allows(.select) ? .multiselectable : [],
            children: frame.folders.map { tile in
                let content = folder(tile.index)
                var widget = Widget(
                    "folder/\(tile.index)", .listItem, content.name, description: content.detail,
                    rect: tile.rect,
                    states: tile.isFocused && chrome.focusedWidget == nil
                        ? [.focusable, .focused] : .focusable,
                    action: .folder(.into(tile.index)))
                widget.place = Widget.Place(tile.index, of: grid.folderCount)
                return widget
            }
                + frame.cells.map { cell in
                    var widget = Widget(
                        "picture/\(cell.index)", .listItem, name(cell.index),
                        description: cell.mark.text, rect: cell.rect,
                        states: states(of: cell),
                        action: .show(cell.index))
                    widget.place = Widget.Place(cell.index, of: grid.contents.count)
                    return widget
                })
    }

    /// A cell has the focus while no widget over the grid has it.
    private func states(of cell: GridFrame.Cell) -> Widget.States {
        var states: Widget.States = .focusable
        if cell.isSelected { states.insert(.selected) }
        if cell.isFocused, chrome.focusedWidget == nil { states.insert(.focused) }
        return states
    }
}

extension Widget {
    /// The widget with the state of the focus on the widget `id`, and on no other one if `only`.
    fileprivate func marking(_ id: String, only: Bool) -> Widget {
        var widget = self
        if only { widget.states.remove(.focused) }
        if widget.id == id { widget.states.insert(.focused) }
        widget.children = children.map { $0.marking(id, only: only) }
        return widget
    }
}
