import Commands
package import Edits
import Geometry
package import Interface
import Localization
import Motion

/// The menus over the picture, and what they know about its file.
extension ViewerModel {
    // MARK: Files

    /// Sets the marks of all pictures, by index; pictures without marks may be left out.
    package mutating func setMarks(_ marks: [Int: PictureMark]) {
        pictureFacts.setMarks(marks)
    }

    /// Sets what is known about work on files.
    package mutating func setFiles(_ files: FileFacts) { self.files = files }

    // MARK: Menus

    private var fileMenus: FileMenus {
        var menus = FileMenus(.viewer, on: chrome.layout, files)
        menus.isFavourite = pictureFacts.isFavourite(index)
        return menus
    }

    /// The items of a menu.
    func items(of kind: Widget.MenuKind) -> [Menu.Item] {
        let menus = fileMenus
        switch kind {
        case .edit: return menus.edit
        case .send: return menus.send
        case .file: return menus.file
        case .view: return viewItems
        case .zoom: return zoomItems
        case .pictures: return pictureItems
        case .sort, .folders: return []
        case .cropSave: return cropSaveItems
        case .cropRatio: return cropRatioItems
        case .picture, .grid:
            return FileMenus.items(of: [
                [
                    .nested(.edit, localized("Edit"), .edit, menus.edit),
                    .nested(.send, localized("Share and open"), .send, menus.send),
                    .nested(.file, localized("File"), .file, menus.file),
                ], [.rows(menus.marks)],
                [
                    .nested(.view, localized("View"), .fit, viewItems),
                    .nested(.pictures, localized("Pictures"), .picture, pictureItems),
                    .rows([menuItem(.slideshow, icon: .slideshow)].compactMap(\.self)),
                ], [.rows(menus.history)],
                [
                    .rows(
                        [
                            menuItem(.settings, icon: .settings), menuItem(.help, icon: .help),
                            menuItem(.leave, icon: .close),
                        ].compactMap(\.self))
                ],
            ])
        }
    }

    /// What is shown of the picture, and how large.
    private var viewItems: [Menu.Item] {
        let sections: [[(Command, Icon)]] = [
            [
                (.fit, .fit), (.oneToOne, .oneToOne), (.zoomIn, .zoomIn), (.zoomOut, .zoomOut),
                (.keepZoom, .keepZoom),
            ],
            [(.playPause, .play), (.nextFrame, .next)],
            // A picture with a gain plane is opaque.
            [
                (.information, .information),
                isLit ? (.light, .light) : (.checkerboard, .checkerboard),
            ],
        ]
        var items = sections.map { section in section.compactMap { menuItem($0, icon: $1) } }
        if policy.allows(.zoomIn) {
            items[0].append(
                Menu.Item(title: localized("Zoom level"), action: .openMenu(.zoom), icon: .fill))
        }
        return Menu.Item.sections(items)
    }

    /// Other pictures of the listing, and others.
    private var pictureItems: [Menu.Item] {
        let listed: [(Command, Icon)] = [
            (.next, .next), (.previous, .previous), (.first, .first), (.last, .last),
            (.fullscreen, .fullscreen),
        ]
        let others: [(Command, Icon)] = [
            (.openFiles, .picture), (.openFolder, .open), (.newWindow, .window),
        ]
        return Menu.Item.sections(
            [count > 1 ? listed : [], others].map { section in
                section.compactMap { menuItem($0, icon: $1) }
            })
    }

    /// The item of a command; nil where the picture does not have the command.
    private func menuItem(_ command: Command, icon: Icon) -> Menu.Item? {
        let entry = CommandTable.entry(of: command)
        guard entry.condition != .animation || playback != nil, command != .slideshow || count > 1,
            policy.allows(command), command != .leave || cell.exit != nil || policy.allowsLeaving
        else { return nil }
        let plays = command == .playPause && playback == .playing
        let isPlay = command == .playPause && playback != .playing
        let isBack = command == .leave && cell.exit != nil
        return Menu.Item(
            title: isPlay
                ? localized("Play") : isBack ? localized("Back to the grid") : entry.title,
            action: .command(command), icon: plays ? .pause : isBack ? .back : icon,
            detail: chrome.layout.keys.label(of: command, in: .viewer),
            isChecked: isChecked(command))
    }

    /// Whether the setting that a command toggles is on; nil for other commands.
    private func isChecked(_ command: Command) -> Bool? {
        switch command {
        case .checkerboard: settings.checkerboard
        case .keepZoom: settings.keepZoom
        case .light: lights.isOn
        case .slideshow: slideshow.isOn
        case .information: chrome.showsInformation
        default: nil
        }
    }

    /// Opens the menu of the picture at a point of the surface.
    mutating func openMenu(at point: Point) {
        guard zoomPan.isShown, !isCropping, policy.allows(.menu) else { return }
        chrome.openMenu(items(of: .picture), at: point)
    }

    /// Opens a menu for the button that asks for it, or in place of the menu whose row was chosen.
    mutating func openMenu(_ kind: Widget.MenuKind, at moment: Moment) {
        if isCropping { return openCropMenu(kind, at: moment) }
        let items = items(of: kind)
        guard zoomPan.isShown, !items.isEmpty else { return }
        let button = bars(at: moment).bottomButton(for: .openMenu(kind))
        let isPart = chrome.isInMenu && kind != .picture
        chrome.openMenu(
            isPart ? FileMenus.items(items, below: kind == .zoom ? .view : .picture) : items,
            of: button,
            at: Point(
                x: chrome.layout.theme.isRightToLeft ? 0 : viewport.size.width, y: chrome.layout.top
            ))
    }
}
