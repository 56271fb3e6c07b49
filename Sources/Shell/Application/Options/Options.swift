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

    struct Shot: Equatable {
        var milliseconds: Double
        var path: FilePath
    }

    var action = Action.show
    var paths: [FilePath] = []
    /// Inputs that are read in place of files, by the paths that stand for them.
    var inputs: [FilePath: GivenInput] = [:]
    var isFullscreen = false
    /// Set by `--kiosk`.
    var isKiosk = false
    /// The outputs of `--output`.
    var outputs: [String] = []
    /// Whether the run waits for a compositor that has gone.
    var reconnects = false
    /// Whether the desktop starts the program by D-Bus, and calls the running one.
    var isDesktopService = false
    /// URIs that the desktop wants opened and that are no file of this computer.
    var refusedFiles: [String] = []
    /// The token of the program that has started this one; nil if there is none.
    var activationToken: String?
    var windowSize: Size?
    /// The folder of the state that outlives the program; nil if nothing is remembered.
    var stateFolder: FilePath?
    /// The folder for the state that outlives this run; nil to keep none, as without a window.
    var keptStateFolder: FilePath? { headless == nil ? stateFolder : nil }
    /// The surface for `--headless`; nil with a compositor.
    var headless: Viewport?
    var script: FilePath?
    var trace: FilePath?
    var hasTimings = false
    var shot: FilePath?
    var shotsAt: [Shot] = []
    /// Where the interface is written as a tree, and when.
    var interfaceAt: [Shot] = []
    /// Where each change of the interface is written as a tree.
    var interfaceLog: FilePath?
    var record: FilePath?
    /// Where the control socket is made; nil for the usual place.
    var socket: FilePath?
    var hasSocket = true
    /// What the service manager that started the program has said.
    var service = ServiceEnvironment()
    var refresh = 60.0
    /// Whether frames show a graph of frame times.
    var showsTimes = false
    var waitsForDecoding = true
    /// Set by `--slideshow`.
    var startsSlideshow = false
    /// Whether the same script gives the same trace and pixels; nothing may depend on real time then.
    var isReproducible: Bool { headless != nil && waitsForDecoding }
    /// The values of all settings.
    var values = SettingValues()
    /// The settings of the command line, in their order.
    var overrides: [Setting] = []
    /// Choices that the settings files may not have, by the names of the settings.
    var keptChoices: [String: KeptChoice] = [:]
    /// The names of the settings of the command line, which a person cannot change meanwhile.
    var fixedSettings: Set<String> = []
    /// The files that the settings were read from, by the names of the settings.
    var settingOrigins: [String: FilePath] = [:]
    /// Reads and watches the settings files; nil if there are none.
    var settingsReader: SettingsFiles?
    /// The settings file of `--config`.
    var configFile: FilePath?
    /// What was read of a settings file that names a descriptor of this process.
    var configInput: SettingsFiles.File?
    /// The folder of the settings files of the user; nil if none are read.
    var configFolder: FilePath?
    /// Set by `--grid` and `--viewer`.
    var mode: BrowserModel.Mode?
    /// Whether a folder was given; the grid is shown first then.
    var hasFolder = false
    /// Whether no picture is known at the start; a page of the grid says why.
    var startsEmpty = false

    var startsInGrid: Bool { startsEmpty || startMode(hasFolder: hasFolder) == .grid }

    /// How an album with pictures is shown first.
    func startMode(hasFolder: Bool) -> BrowserModel.Mode { mode ?? (hasFolder ? .grid : .viewer) }

    /// Set by `--verbose`: `--version` also prints the sandbox measures.
    var isVerbose = false
    var logLevel = Diagnostics.Level.warning
}

/// An invalid command line; `reason` is the message for the user.
struct UsageError: Error, Equatable {
    var reason: String
}
