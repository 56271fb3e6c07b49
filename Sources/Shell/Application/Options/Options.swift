import Control
import Folders
import Browser
import Geometry
import ImageTypes
import Settings
import Viewer

/// The parsed command line.
struct Options {
    /// The mode of the program: show pictures, or print information and exit.
    enum Action: Equatable {
        case show, version, help, formats, printConfig
    }

    var action = Action.show
    var paths: [FilePath] = []
    /// Inputs that are read in place of files, by the paths that stand for them.
    var inputs: [FilePath: GivenInput] = [:]
    var start = StartOptions()
    var isFullscreen = false
    var windowSize: Size?
    /// Set by `--kiosk`.
    var isKiosk = false
    /// The outputs of `--output`.
    var outputs: [String] = []
    /// Whether the run waits for a compositor that has gone.
    var reconnects = false
    var desktop = DesktopOptions()
    var control = ControlOptions()
    var headless = HeadlessOptions()
    var reports = ReportOptions()
    /// The values of all settings.
    var values = SettingValues()
    var settingSources = SettingSources()
    /// The folder of the state that outlives the program; nil if nothing is remembered.
    var stateFolder: FilePath?
    /// The folder for the state that outlives this run; nil to keep none, as without a window.
    var keptStateFolder: FilePath? { headless.viewport == nil ? stateFolder : nil }
    /// Set by `--verbose`: `--version` also prints the sandbox measures.
    var isVerbose = false
    var logLevel = Diagnostics.Level.warning
}

/// What the viewer shows first.
struct StartOptions {
    /// Set by `--grid` and `--viewer`.
    var mode: BrowserModel.Mode?
    /// Set by `--slideshow`.
    var playsSlideshow = false
    /// Whether a folder was given; the grid is shown first then.
    var hasFolder = false
    /// Whether no picture is known at the start; a page of the grid says why.
    var isEmpty = false

    var isInGrid: Bool { isEmpty || firstMode(hasFolder: hasFolder) == .grid }

    /// How an album with pictures is shown first.
    func firstMode(hasFolder: Bool) -> BrowserModel.Mode { mode ?? (hasFolder ? .grid : .viewer) }
}

/// What the desktop asks at the start.
struct DesktopOptions {
    /// Whether the desktop starts the program by D-Bus, and calls the running one.
    var isService = false
    /// URIs that the desktop wants opened and that are no file of this computer.
    var refusedFiles: [String] = []
    /// The token of the program that has started this one; nil if there is none.
    var activationToken: String?
}

/// How other programs control the viewer.
struct ControlOptions {
    /// Where the control socket is made; nil for the usual place.
    var socket: FilePath?
    var hasSocket = true
    /// What the service manager that started the program has said.
    var service = ServiceEnvironment()
}

/// A run without a compositor.
struct HeadlessOptions {
    struct Shot: Equatable {
        var milliseconds: Double
        var path: FilePath
    }

    struct LightShot: Equatable {
        /// How many times as bright as white the screen can be.
        var headroom: Double
        var path: FilePath
    }

    /// The surface for `--headless`; nil with a compositor.
    var viewport: Viewport?
    var script: FilePath?
    /// Frames per second of the virtual clock.
    var refresh = 60.0
    var waitsForDecoding = true
    /// Whether the trace has measured times.
    var hasTimings = false
    var shot: FilePath?
    var shotsAt: [Shot] = []
    /// The last frame as screens with headroom get it.
    var lightShots: [LightShot] = []
    /// Where the interface is written as a tree, and when.
    var interfaceAt: [Shot] = []

    /// Whether the same script gives the same trace and pixels; nothing may depend on real time then.
    var isReproducible: Bool { viewport != nil && waitsForDecoding }
}

/// What a run reports of its frames and its input.
struct ReportOptions {
    var trace: FilePath?
    /// Where each change of the interface is written as a tree.
    var interfaceLog: FilePath?
    var record: FilePath?
    /// Whether frames show a graph of frame times.
    var showsTimes = false
}

/// An invalid command line; `reason` is the message for the user.
struct UsageError: Error, Equatable {
    var reason: String
}
