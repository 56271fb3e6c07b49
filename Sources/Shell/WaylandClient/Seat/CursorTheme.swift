import CWayland
import EventLoop
import Glibc
import Synchronization
import WaylandProtocol

/// The user's cursor theme, for compositors without the cursor-shape protocol.
///
/// Loading takes from 20 ms (size 24) to half a second (size 96), because libwayland-cursor loads
/// all cursors, some of them from the person's home folder. So the theme is loaded only when a pointer
/// is over a window that has a frame, and on a thread of its own.
final class CursorTheme {
    /// One cursor at one size; the theme owns the buffer.
    struct Image {
        let buffer: OpaquePointer
        /// In buffer pixels.
        let hotspotX: Int32
        let hotspotY: Int32
        let width: Int32
        let height: Int32
    }

    /// Which cursors a person has chosen.
    private struct Choice: Hashable {
        /// Nil for the system's theme.
        var theme: String?
        /// In logical pixels.
        var size: Int32
    }

    private struct Key: Hashable {
        var choice: Choice
        var scale: Int32
    }

    /// That of the environment, where the session has one, has priority over the desktop's.
    private var choice = Choice(
        theme: CursorTheme.themeOfSession, size: CursorTheme.sizeOfSession ?? CursorTheme.usualSize)
    private var themes: [Key: LoadedCursors] = [:]
    /// Whether a thread loads a theme; the next one follows then.
    private var isLoading = false
    /// Where the results of threads arrive; nil if themes are loaded on the calling thread.
    private var sources: EventSources?
    private lazy var backgroundJobs = sources.map { BackgroundJobs($0) }
    private var onLoaded: () -> Void = {}

    /// Loads themes on threads from now on, and calls `handler` in the loop when one is loaded.
    func load(in sources: EventSources, then handler: @escaping () -> Void) {
        self.sources = sources
        onLoaded = handler
    }

    /// Follows the desktop's cursors, where the environment has none; returns whether these are others than
    /// before.
    ///
    /// The size is in logical pixels. Nil stands for what the system has.
    func follow(size: Int?, theme: String?) -> Bool {
        let new = Choice(
            theme: Self.themeOfSession ?? theme,
            size: Self.sizeOfSession ?? size.map { Self.limited(Int32(clamping: $0)) }
                ?? Self.usualSize)
        defer { choice = new }
        return new != choice
    }

    /// The cursor of the first of `names` that the theme has, at an integer scale; nil if the theme has
    /// none, or is still being loaded.
    func image(_ names: [String], scale: Int32, shm: WlShm) -> Image? {
        guard let theme = theme(scale: scale, shm: shm)?.theme else { return nil }
        for name in names {
            guard let cursor = wl_cursor_theme_get_cursor(theme, name),
                cursor.pointee.image_count > 0, let image = cursor.pointee.images[0],
                let buffer = wl_cursor_image_get_buffer(image)
            else { continue }
            return Image(
                buffer: buffer, hotspotX: Int32(image.pointee.hotspot_x),
                hotspotY: Int32(image.pointee.hotspot_y), width: Int32(image.pointee.width),
                height: Int32(image.pointee.height))
        }
        return nil
    }

    private func theme(scale: Int32, shm: WlShm) -> LoadedCursors? {
        let key = Key(choice: choice, scale: scale)
        if let theme = themes[key] { return theme }
        guard !isLoading else { return nil }
        let cursors = LoadedCursors(choice.theme, size: choice.size * scale, shm: shm)
        isLoading =
            backgroundJobs?.run({ cursors.load() }) { [unowned self] in
                isLoading = false
                themes[key] = cursors
                onLoaded()
                freeOthers()
            } ?? false
        guard !isLoading else { return nil }
        cursors.load()
        themes[key] = cursors
        return cursors
    }

    /// Frees the cursors of earlier choices once those of the last one are shown.
    private func freeOthers() {
        guard themes.keys.contains(where: { $0.choice == choice }) else { return }
        themes = themes.filter { $0.key.choice == choice }
    }

    // MARK: The environment

    private static let usualSize: Int32 = 24
    private static let themeOfSession = getenv("XCURSOR_THEME").map { String(cString: $0) }
    private static let sizeOfSession = getenv("XCURSOR_SIZE").flatMap {
        Int32(String(cString: $0)).map(limited)
    }

    private static func limited(_ size: Int32) -> Int32 { min(max(size, 8), 256) }
}

/// The cursors of a theme at one size, with their buffers.
///
/// `@unchecked Sendable`: one thread at a time uses the theme, the one that loads it, then the input thread,
/// which receives the object through a lock. libwayland guards the requests of several threads. The
/// object keeps the connection open; where the input thread has given the connection up meanwhile, nobody
/// dispatches the connection any more, and the loading thread may destroy what is left of it.
private final class LoadedCursors: @unchecked Sendable {
    private let name: String?
    private let size: Int32
    private let shm: WlShm
    private(set) var theme: OpaquePointer?

    init(_ name: String?, size: Int32, shm: WlShm) {
        (self.name, self.size, self.shm) = (name, size, shm)
    }

    deinit { if let theme { wl_cursor_theme_destroy(theme) } }

    /// One theme is loaded at a time.
    private static let lock = Mutex(())

    func load() {
        theme = Self.lock.withLock { _ in wl_cursor_theme_load(name, size, shm.target) }
    }
}
