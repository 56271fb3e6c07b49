import Localization
import Settings
import Browser
import Folders
import Geometry
import Viewer

/// One command line option: its names, its argument, its documentation, and what it changes.
struct OptionEntry: Sendable {
    /// The long name, and the short name if there is one.
    let names: [String]
    /// The argument's name in the help text; empty if the option takes no argument.
    let argument: String
    /// A sentence without a period.
    let documentation: String
    let section: Section
    private let store: @Sendable (inout Options, inout ArgumentReader) throws(UsageError) -> Void

    enum Section: CaseIterable, Sendable {
        case window, testing, program

        /// The heading in the help text.
        var title: String {
            switch self {
            case .window: localized("Window")
            case .testing: localized("Tests and reports")
            case .program: localized("Program")
            }
        }
    }

    init(
        _ section: Section, _ name: String, short: String? = nil, argument: String = "",
        _ documentation: String,
        store: @escaping @Sendable (inout Options, inout ArgumentReader) throws(UsageError) -> Void
    ) {
        self.section = section
        names = [name] + (short.map { [$0] } ?? [])
        self.argument = argument
        self.documentation = documentation
        self.store = store
    }

    func parse(_ reader: inout ArgumentReader, into options: inout Options) throws(UsageError) {
        try store(&options, &reader)
    }
}

/// The table of all options: parser, help text, man page and completion are made from it.
enum OptionTable {
    static func entry(_ name: String) throws(UsageError) -> OptionEntry {
        guard let entry = byName[name] else {
            throw UsageError(reason: localized("unknown option \(name); see vitrine --help"))
        }
        return entry
    }

    private static let byName = Dictionary(
        uniqueKeysWithValues: entries.flatMap { entry in entry.names.map { ($0, entry) } })

    static let entries: [OptionEntry] = window + testing + program

    private static let window: [OptionEntry] = [
        OptionEntry(.window, "--grid", localized("start with the grid (the default for a folder)"))
        {
            options, _ in options.start.mode = .grid
        },
        OptionEntry(
            .window, "--viewer", localized("start with one picture (the default for a file)")
        ) {
            options, _ in options.start.mode = .viewer
        },
        OptionEntry(.window, "--fullscreen", localized("start in fullscreen")) { options, _ in
            options.isFullscreen = true
        },
        OptionEntry(.window, "--windowed", localized("start in a window (the default)")) {
            options, _ in
            options.isFullscreen = false
        },
        OptionEntry(
            .window, "--size", argument: "WxH",
            localized(
                "size of the window in logical pixels, where the compositor leaves the choice")
        ) { (options, reader) throws(UsageError) in
            options.windowSize = try Options.size(try reader.value("--size"), of: "--size")
        },
        OptionEntry(
            .window, "--kiosk",
            localized(
                "fullscreen for everybody: only what the settings kiosk.* allow, no way out but the exit "
                    + "gesture")
        ) { options, _ in (options.isKiosk, options.isFullscreen) = (true, true) },
        OptionEntry(
            .window, "--output", argument: "NAME",
            localized(
                "the output of a kiosk, instead of every output; several with commas, or repeated")
        ) { (options, reader) throws(UsageError) in
            try options.addOutputs(try reader.text("--output"))
        },
        OptionEntry(
            .window, "--reconnect",
            localized("when the compositor goes, wait for it and go on with the same picture")
        ) { options, _ in options.reconnects = true },
        OptionEntry(
            .window, "--slideshow", argument: "SECONDS",
            localized("start a slideshow that shows each picture for that time")
        ) { (options, reader) throws(UsageError) in
            let text = try reader.text("--slideshow")
            let setting = Setting("slideshow.interval", written: text)
            do throws(SettingRefusal) { try options.values.set(setting) } catch {
                throw UsageError(
                    reason: localized("--slideshow takes 0.1 to 86400 seconds, not “\(text)”"))
            }
            options.settingSources.fix(setting)
            options.start.playsSlideshow = true
            options.start.mode = .viewer
        },
        OptionEntry(
            .window, "--reduced-motion", localized("no animation lasts longer than one frame")
        ) { options, _ in options.values.viewer.reducedMotion = true },
        OptionEntry(
            .window, "--config", argument: "FILE",
            localized("a settings file, read after those of the user, see Files")
        ) { (options, reader) throws(UsageError) in
            options.settingSources.file = FilePath(try reader.value("--config"))
        },
        OptionEntry(
            .window, "--set", argument: "KEY=VALUE",
            localized("a setting for this run, see Settings")
        ) { (options, reader) throws(UsageError) in
            try options.set(try reader.text("--set"))
        },
    ]

    private static let testing: [OptionEntry] = [
        OptionEntry(
            .testing, "--headless", argument: "WxH[@SCALE]",
            localized("no compositor: the same viewer paints into memory")
        ) { (options, reader) throws(UsageError) in
            options.headless.viewport = try Options.viewport(try reader.text("--headless"))
        },
        OptionEntry(
            .testing, "--script", argument: "FILE",
            localized("headless: plays a gesture script on a virtual clock")
        ) { (options, reader) throws(UsageError) in
            options.headless.script = FilePath(try reader.value("--script"))
        },
        OptionEntry(
            .testing, "--refresh", argument: "HZ",
            localized("headless: frames per second of the virtual clock; the default is 60")
        ) { (options, reader) throws(UsageError) in
            let text = try reader.text("--refresh")
            guard let value = Double(text), value >= 1, value <= 1000 else {
                throw UsageError(
                    reason: localized("--refresh takes 1 to 1000 hertz, not “\(text)”"))
            }
            options.headless.refresh = value
        },
        OptionEntry(
            .testing, "--async-decode", localized("headless: does not wait for pictures")
        ) { options, _ in options.headless.waitsForDecoding = false },
        OptionEntry(
            .testing, "--shot", argument: "FILE.png", localized("headless: writes the last frame")
        ) { (options, reader) throws(UsageError) in
            options.headless.shot = FilePath(try reader.value("--shot"))
        },
        OptionEntry(
            .testing, "--shot-at", argument: "MS:FILE.png",
            localized("headless: writes the frame at a time in milliseconds; repeatable")
        ) { (options, reader) throws(UsageError) in
            options.headless.shotsAt.append(
                try Options.shot(try reader.value("--shot-at"), of: "--shot-at", "FILE.png"))
        },
        OptionEntry(
            .testing, "--shot-light", argument: "HEADROOM:FILE.png",
            localized(
                "headless: writes the last frame as a screen with this many times the light of white "
                    + "gets it; repeatable")
        ) { (options, reader) throws(UsageError) in
            options.headless.lightShots.append(
                try Options.lightShot(try reader.value("--shot-light")))
        },
        OptionEntry(
            .testing, "--ui-at", argument: "MS:FILE.json",
            localized(
                "headless: writes the interface as assistive technology sees it at a time in "
                    + "milliseconds; repeatable")
        ) { (options, reader) throws(UsageError) in
            options.headless.interfaceAt.append(
                try Options.shot(try reader.value("--ui-at"), of: "--ui-at", "FILE.json"))
        },
        OptionEntry(
            .testing, "--ui", argument: "FILE",
            localized(
                "writes the interface as --ui-at does, one line whenever it changes; - is standard output"
            )
        ) { (options, reader) throws(UsageError) in
            options.reports.interfaceLog = FilePath(try reader.value("--ui"))
        },
        OptionEntry(
            .testing, "--trace", argument: "FILE",
            localized("writes one JSON object per frame; - is standard output")
        ) { (options, reader) throws(UsageError) in
            options.reports.trace = FilePath(try reader.value("--trace"))
        },
        OptionEntry(
            .testing, "--timings", localized("headless: measured times in the trace, too")
        ) { options, _ in options.headless.hasTimings = true },
        OptionEntry(
            .testing, "--hud",
            localized(
                "a graph over the frames of a window: paint time, age of the input, late frames, "
                    + "resolution")
        ) { options, _ in options.reports.showsTimes = true },
        OptionEntry(
            .testing, "--record", argument: "FILE",
            localized("writes the input of a session as a gesture script")
        ) { (options, reader) throws(UsageError) in
            options.reports.record = FilePath(try reader.value("--record"))
        },
    ]

    private static let program: [OptionEntry] = [
        OptionEntry(
            .program, "--socket", argument: "FILE",
            localized("the control socket; the default is $XDG_RUNTIME_DIR/vitrine-PID.sock")
        ) { (options, reader) throws(UsageError) in
            options.control.socket = FilePath(try reader.value("--socket"))
            options.control.hasSocket = true
        },
        OptionEntry(
            .program, "--dbus-service",
            localized("wait for what the desktop wants opened, and open later files, too")
        ) { options, _ in options.desktop.isService = true },
        OptionEntry(.program, "--no-socket", localized("no control socket")) { options, _ in
            options.control.socket = nil
            options.control.hasSocket = false
        },
        OptionEntry(
            .program, "--log-level", argument: "LEVEL",
            localized("\(Diagnostics.Level.names(separator: ", ")); the default is warning")
        ) { (options, reader) throws(UsageError) in
            let text = try reader.text("--log-level")
            guard let level = Diagnostics.Level(rawValue: text) else {
                let known = Diagnostics.Level.names(separator: ", ")
                throw UsageError(
                    reason: localized("--log-level takes one of \(known), not “\(text)”"))
            }
            options.logLevel = level
        },
        OptionEntry(
            .program, "--verbose",
            localized("as --log-level info; with --version, which sandbox measures are active")
        ) { options, _ in
            options.isVerbose = true
            options.logLevel = .info
        },
        OptionEntry(
            .program, "--print-config",
            localized("prints all settings with their defaults, as a settings file")
        ) { options, _ in options.action = .printConfig },
        OptionEntry(.program, "--version", localized("prints the version")) { options, _ in
            options.action = .version
        },
        OptionEntry(.program, "--help", short: "-h", localized("prints this text")) { options, _ in
            options.action = .help
        },
    ]
}
