import Folders
import Browser
import Geometry
import Pacing
import ImageTypes
import Viewer
import Grid

/// What the command line asks for.
struct Options {
    /// What to do besides showing pictures.
    enum Action: Equatable {
        case show, version, help, formats
    }

    struct Shot: Equatable {
        var milliseconds: Double
        var path: FilePath
    }

    var action = Action.show
    var paths: [FilePath] = []
    var isFullscreen = false
    var windowSize: Size?
    /// Set for `--headless`: the surface, no compositor.
    var headless: Viewport?
    var script: FilePath?
    var trace: FilePath?
    var hasTimings = false
    var shot: FilePath?
    var shotsAt: [Shot] = []
    var record: FilePath?
    var refresh = 60.0
    /// Whether a graph of frame times is laid over the frames.
    var showsTimes = false
    var waitsForDecoding = true
    /// Whether the same script gives the same trace and pixels: nothing may depend on real time.
    var isReproducible: Bool { headless != nil && waitsForDecoding }
    var settings = ViewerSettings()
    var gridSettings = GridSettings()
    var frames = FrameSettings()
    /// What is listed, and in which order.
    var collection = ListingOptions()
    var sections = SectionKind.folder
    /// How large pictures may be.
    var limits = DecodeLimits.standard
    /// Where the screen's ICC profile lies; sRGB is taken where none is told.
    var screenProfile: FilePath?
    /// Set by `--grid` and `--viewer`.
    var mode: BrowserModel.Mode?
    /// Whether a folder was given: then the grid comes first.
    var hasFolder = false

    var startsInGrid: Bool { mode.map { $0 == .grid } ?? hasFolder }
    /// Set by `--verbose`: `--version` says more.
    var isVerbose = false
    var logLevel = Diagnostics.Level.warning
}

/// Why the command line cannot be followed, in words for a person.
struct UsageError: Error, Equatable {
    var reason: String
}
