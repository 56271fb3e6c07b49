import WaylandProtocol

/// The objects of optional protocols by which the desktop knows a window, and treats it in its own way.
struct WindowProtocols {
    var inhibitors = WindowInhibitors()
    var screenPower = ScreenPower()
    /// The window under a name that other programs may know; nil before the first frame, and where
    /// the compositor exports no windows.
    private(set) var exported: ExportedWindow?
    /// Says that the surface shows photographs; nil where the compositor does not ask.
    private var contentType: WpContentTypeV1?
    /// What brings the window back to its place; nil where the compositor keeps no sessions.
    private var session: WindowSession?

    /// Tells the compositor what a window is: its icon, its name for rules, and photographs as its
    /// contents.
    mutating func describe(
        _ toplevel: Toplevel, _ surface: WlSurface, _ options: WindowOptions, _ globals: Globals
    ) {
        if let name = options.iconName { setIcon(name, of: toplevel, globals) }
        if let tag = options.tag {
            globals.toplevelTags?.setToplevelTag(
                toplevel: toplevel.raw, tag: Toplevel.sendable(tag))
        }
        contentType = globals.contentTypes?.getSurfaceContentType(surface: surface)
        contentType?.setContentType(contentType: .photo)
    }

    /// Names the icon, where the compositor takes one.
    private func setIcon(_ name: String, of toplevel: Toplevel, _ globals: Globals) {
        guard let manager = globals.toplevelIcons else { return }
        let icon = manager.createIcon()
        icon.setName(iconName: Toplevel.sendable(name))
        manager.setIcon(toplevel: toplevel.raw, icon: icon)
        icon.destroy()
    }

    /// Asks for the place of a former run, where the compositor keeps places; `created` receives the
    /// identifier of a new session.
    mutating func restore(
        _ toplevel: Toplevel, _ options: WindowSessionOptions, _ globals: Globals,
        created: @escaping (String) -> Void
    ) {
        session = globals.windowSessions.map {
            WindowSession(options, of: toplevel.raw, $0, created: created)
        }
    }

    /// Makes the surface known to other programs.
    mutating func export(_ surface: WlSurface, _ globals: Globals) {
        exported = globals.exporter.map { ExportedWindow(surface, $0) }
    }

    /// Destroys the objects; before the toplevel is destroyed.
    mutating func destroy() {
        inhibitors.destroy()
        screenPower.destroy()
        exported?.destroy()
        session?.destroy()
        contentType?.destroy()
    }
}
