import Geometry
import SystemCalls
import WaylandClient

/// The state of the window that is kept from one run to the next.
struct WindowMemory: Equatable {
    /// The size while the window floats, in logical pixels.
    var size: Size
    var isMaximized: Bool

    /// The name of the state file.
    static let fileName = "window"
    private static let smallest = Size(width: 120, height: 80)
    private static let largest = 16384.0

    init(size: Size, isMaximized: Bool) {
        (self.size, self.isMaximized) = (size, isMaximized)
    }

    /// Nil unless the text is one that this program writes.
    init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.count == 2, let size = Self.value(of: "size", lines[0]),
            let state = Self.value(of: "maximized", lines[1]), ["yes", "no"].contains(state)
        else { return nil }
        let sides = size.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
        self.init(
            size: Size(width: Double(width), height: Double(height)), isMaximized: state == "yes")
        guard isPlausible else { return nil }
    }

    private static func value(of key: String, _ line: Substring) -> Substring? {
        line.hasPrefix(key + " ") ? line.dropFirst(key.utf8.count + 1) : nil
    }

    private var isPlausible: Bool {
        (Self.smallest.width...Self.largest).contains(size.width)
            && (Self.smallest.height...Self.largest).contains(size.height)
    }

    /// The contents of the file; nil for a size that would not be read back.
    var bytes: [UInt8]? {
        guard isPlausible else { return nil }
        let (width, height) = (Int(clamping: size.width), Int(clamping: size.height))
        return Array("size \(width)x\(height)\nmaximized \(isMaximized ? "yes" : "no")\n".utf8)
    }
}

/// Gives a window its remembered state, and stores the state at the end of the run.
///
/// Options for the size or the state have priority; the state at the end of such a run is not stored.
struct WindowRecall {
    private let file: StateFile?
    private let isOverridden: Bool
    /// The memory of the compositor's session; nil for a window whose place is not remembered.
    private let sessionMemory: WindowSessionMemory?
    /// The state at the start of the window.
    private(set) var initial: WindowMemory
    /// Whether the window still awaits the size of the only picture to take its proportions.
    private(set) var awaitsPicture: Bool

    private static let usualSize = Size(width: 960, height: 640)

    /// Only the first window of the program waits for a slow disk: input waits for nothing.
    init(_ options: Options, isFirst: Bool) {
        file = options.stateFolder.map { StateFile(WindowMemory.fileName, in: $0) }
        isOverridden = options.windowSize != nil || options.isFullscreen
        sessionMemory =
            isOverridden || options.isKiosk
            ? nil : options.stateFolder.map(WindowSessionMemory.init)
        let reading = file.map(StateReading.init)
        _ = reading?.wait(isFirst ? StateReading.patienceAtStart : StateReading.patience)
        let remembered = reading?.contents.flatMap { WindowMemory($0) }
        awaitsPicture =
            file != nil && remembered == nil && !isOverridden && options.paths.count == 1
            && !options.start.isInGrid
        initial = WindowMemory(
            size: options.windowSize ?? remembered?.size ?? Self.usualSize,
            isMaximized: !isOverridden && remembered?.isMaximized == true)
    }

    /// Gives the very first window the proportions of its picture, if the header of the picture was
    /// read before the window appears; nothing waits for the header.
    mutating func chooseSize(of window: Window, for picture: PixelSize?) {
        guard awaitsPicture, let state = window.state else { return }
        guard !window.isMapped, let screen = window.screenSize else {
            awaitsPicture = false
            return
        }
        guard let picture else { return }
        awaitsPicture = false
        initial.size = FirstWindow.size(of: picture, scale: state.scale, on: screen)
        window.chooseSize(initial.size)
    }

    /// The options that ask the compositor for the place of a window; nil for a window whose place is not
    /// remembered, and if the compositor keeps no places.
    func session(of window: Window?, _ connection: Connection) -> WindowSessionOptions? {
        guard connection.keepsWindows, let sessionMemory else { return nil }
        return WindowSessionOptions(
            identifier: sessionMemory.read(), reason: window == nil ? .launch : .recover)
    }

    /// Remembers the session that the compositor has made for the window.
    func remember(session identifier: String, on disk: DiskWork) {
        sessionMemory?.write(identifier, on: disk)
    }

    /// Remembers the window if it was seen and differs from the beginning.
    func remember(_ window: Window, on disk: DiskWork) {
        guard window.isMapped, !isOverridden, let file else { return }
        let memory = WindowMemory(size: window.ownSize, isMaximized: window.wasMaximized)
        guard memory != initial, let bytes = memory.bytes else { return }
        disk.add {
            do throws(SystemError) {
                try file.write(bytes)
            } catch { Diagnostics.info("the size of the window cannot be remembered: \(error)") }
        }
    }
}
