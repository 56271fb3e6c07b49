import WaylandProtocol

/// The globals of the compositor, and the objects bound to them.
///
/// Only wl_compositor, wl_shm and xdg_wm_base are required. Any other global may be missing; the
/// features that need it then fall back.
final class Globals {
    private let registry: WlRegistry
    private var offers: [String: (name: UInt32, version: UInt32)] = [:]
    private let changed: (Change) -> Void

    /// A change of the globals that may exist several times, and that appear and disappear.
    enum Change {
        case seatAdded(name: UInt32, WlSeat)
        case outputAdded(name: UInt32, WlOutput)
        case removed(name: UInt32)
    }

    private(set) lazy var compositor: WlCompositor? = bind()
    private(set) lazy var shm: WlShm? = bind()
    private(set) lazy var wmBase: XdgWmBase? = bindShell()
    private(set) lazy var viewporter: WpViewporter? = bind()
    private(set) lazy var fractionalScale: WpFractionalScaleManagerV1? = bind()
    private(set) lazy var presentation: WpPresentation? = bind()
    private(set) lazy var decoration: ZxdgDecorationManagerV1? = bind()
    private(set) lazy var tablets: ZwpTabletManagerV2? = bind()
    private(set) lazy var gestures: ZwpPointerGesturesV1? = bind()
    private(set) lazy var inputTimestamps: ZwpInputTimestampsManagerV1? = bind()
    private(set) lazy var cursorShape: WpCursorShapeManagerV1? = bind()
    private(set) lazy var textInput: ZwpTextInputManagerV3? = bind()
    private(set) lazy var subcompositor: WlSubcompositor? = bind()
    private(set) lazy var activation: XdgActivationV1? = bind()
    private(set) lazy var exporter: ZxdgExporterV2? = bind()
    private(set) lazy var idleInhibition: ZwpIdleInhibitManagerV1? = bind()
    private(set) lazy var outputPower: ZwlrOutputPowerManagerV1? = bind()
    private(set) lazy var idleNotifier: ExtIdleNotifierV1? = bind()
    private(set) lazy var shortcutInhibition: ZwpKeyboardShortcutsInhibitManagerV1? = bind()
    private(set) lazy var dataDevices: WlDataDeviceManager? = bind()
    private(set) lazy var primarySelection: ZwpPrimarySelectionDeviceManagerV1? = bind()
    private(set) lazy var toplevelIcons: XdgToplevelIconManagerV1? = bind()
    private(set) lazy var toplevelTags: XdgToplevelTagManagerV1? = bind()
    private(set) lazy var contentTypes: WpContentTypeManagerV1? = bind()
    private(set) lazy var windowSessions: XdgSessionManagerV1? = bind()

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

    /// Binds the shell and answers its pings at once, since the compositor shows a client that does
    /// not answer as hanging.
    private func bindShell() -> XdgWmBase? {
        let shell: XdgWmBase? = bind()
        shell?.onEvent = { [weak shell] in
            if case .ping(let serial) = $0 { shell?.pong(serial: serial) }
        }
        return shell
    }

    private func bind<T: Proxy>() -> T? {
        offers[T.interface.name].map { bind($0.name, $0.version) }
    }

    /// Binds the newest version that both sides support.
    private func bind<T: Proxy>(_ name: UInt32, _ version: UInt32) -> T {
        registry.bind(name: name, T.self, version: min(version, T.interface.version))
    }
}
