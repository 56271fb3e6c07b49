import WaylandProtocol

/// The globals of the compositor, and the objects bound to them.
///
/// Only wl_compositor, wl_shm and xdg_wm_base are required. Any other global may be missing; the
/// features that need it then fall back.
final class Globals {
    private let registry: WlRegistry
    private var offers: [String: (name: UInt32, version: UInt32)] = [:]
    /// The objects by their classes; nil for a global that was missing when it was first asked for.
    private var bound: [ObjectIdentifier: Proxy?] = [:]
    private let changed: (Change) -> Void

    /// A change of the globals that may exist several times, and that appear and disappear.
    enum Change {
        case seatAdded(name: UInt32, WlSeat)
        case outputAdded(name: UInt32, WlOutput)
        case removed(name: UInt32)
    }

    var compositor: WlCompositor? { object() }
    var shm: WlShm? { object(prepared: noteFormats) }
    var wmBase: XdgWmBase? { object(prepared: Self.answerPings) }
    var viewporter: WpViewporter? { object() }
    var fractionalScale: WpFractionalScaleManagerV1? { object() }
    var presentation: WpPresentation? { object() }
    var decoration: ZxdgDecorationManagerV1? { object() }
    var tablets: ZwpTabletManagerV2? { object() }
    var gestures: ZwpPointerGesturesV1? { object() }
    var inputTimestamps: ZwpInputTimestampsManagerV1? { object() }
    var cursorShape: WpCursorShapeManagerV1? { object() }
    var textInput: ZwpTextInputManagerV3? { object() }
    var subcompositor: WlSubcompositor? { object() }
    var activation: XdgActivationV1? { object() }
    var exporter: ZxdgExporterV2? { object() }
    var idleInhibition: ZwpIdleInhibitManagerV1? { object() }
    var outputPower: ZwlrOutputPowerManagerV1? { object() }
    var idleNotifier: ExtIdleNotifierV1? { object() }
    var shortcutInhibition: ZwpKeyboardShortcutsInhibitManagerV1? { object() }
    var dataDevices: WlDataDeviceManager? { object() }
    var primarySelection: ZwpPrimarySelectionDeviceManagerV1? { object() }
    var toplevelIcons: XdgToplevelIconManagerV1? { object() }
    var toplevelTags: XdgToplevelTagManagerV1? { object() }
    var contentTypes: WpContentTypeManagerV1? { object() }
    var windowSessions: XdgSessionManagerV1? { object() }
    /// Nil where the compositor knows nothing of colours and light.
    private(set) lazy var colors: ColorManager? = {
        let raw: WpColorManagerV1? = object()
        return raw.map { ColorManager($0) }
    }()

    init(display: Display, changed: @escaping (Change) -> Void) {
        registry = display.registry()
        self.changed = changed
        registry.onEvent = { [weak self] in self?.receive($0) }
    }

    /// Throws `missingGlobal` for the first required global that is missing or too old.
    func checkRequired() throws(ConnectionError) {
        // Version 4 of wl_compositor added damage in buffer pixels.
        try check(WlCompositor.interface.name, atLeast: 4)
        try check(WlShm.interface.name, atLeast: 1)
        try check(XdgWmBase.interface.name, atLeast: 1)
    }

    private func check(_ name: String, atLeast version: UInt32) throws(ConnectionError) {
        let found = offers[name]?.version
        guard let found, found >= version else {
            throw .missingGlobal(name: name, needed: version, found: found)
        }
    }

    private func receive(_ event: WlRegistry.Event) {
        switch event {
        case .global(let name, let interface, let version):
            switch interface {
            case WlSeat.interface.name: changed(.seatAdded(name: name, bind(name, version)))
            case WlOutput.interface.name: changed(.outputAdded(name: name, bind(name, version)))
            default: offers[interface] = (name, version)
            }
        case .globalRemove(let name):
            if let removed = offers.first(where: { $0.value.name == name }) {
                offers[removed.key] = nil
            }
            changed(.removed(name: name))
        }
    }

    /// Notes whether buffers may have deep pixels.
    private func noteFormats(_ shm: WlShm) {
        guard let colors else { return }
        shm.onEvent = {
            if case .format(.xbgr2101010) = $0 { colors.takesDeepPixels = true }
        }
    }

    /// Answers the pings of the shell at once, since the compositor shows a client that does not answer
    /// as hanging.
    private static func answerPings(_ shell: XdgWmBase) {
        shell.onEvent = { [weak shell] in
            if case .ping(let serial) = $0 { shell?.pong(serial: serial) }
        }
    }

    /// The object of a global, which is bound and `prepared` at the first use; nil without the global.
    private func object<T: Proxy>(prepared prepare: (T) -> Void = { _ in }) -> T? {
        if let known = bound[ObjectIdentifier(T.self)] { return known as? T }
        let new: T? = offers[T.interface.name].map { bind($0.name, $0.version) }
        bound.updateValue(new, forKey: ObjectIdentifier(T.self))
        if let new { prepare(new) }
        return new
    }

    /// Binds the newest version that both sides support.
    private func bind<T: Proxy>(_ name: UInt32, _ version: UInt32) -> T {
        registry.bind(name: name, T.self, version: min(version, T.interface.version))
    }
}
