import Catalogues
import ImageWire
import Browser
import Control
import DecodeClient
import Desktop
import EventLoop
import FileAccess
import FileChanges
import Folders
import Geometry
import Glibc
import Grid
import ImageService
import ImageTypes
import Input
import Kiosk
import Localization
import Motion
import SceneModel
import Viewer
import SystemCalls
import Text
import Threads
import Thumbnails
import WaylandClient

/// The program from its arguments to its exit code.
package enum Program {
    /// Runs the program; returns the exit code of the process.
    package static func run(_ arguments: [[UInt8]]) -> Int32 { code(arguments).rawValue }

    private static func code(_ arguments: [[UInt8]]) -> ExitCode {
        // Before the first text.
        let catalogueProblem = Catalogues.start()
        // Before anything reads the environment, as no other program may use the token again.
        let token = ActivationToken.take()
        let service = ServiceEnvironment.take()
        if let catalogueProblem { Diagnostics.warning(catalogueProblem) }
        if let first = arguments.first, first == Array("msg".utf8) {
            return MessageProgram.run(Array(arguments.dropFirst()))
        }
        do throws(UsageError) {
            var options = try Options(arguments)
            options.desktop.activationToken = token
            options.control.service = service
            options.stateFolder = StateFile.userFolder
            Diagnostics.show(options.logLevel)
            switch options.action {
            case .help: return Help.print(Help.text) ? .done : .nothingShown
            case .version: return printVersion(options)
            case .formats: return printFormats()
            case .printConfig: return Help.print(PrintedSettings.text) ? .done : .nothingShown
            case .show:
                try options.takeDescriptors()
                // Before the first thread is started.
                let files = startFileServer()
                guard options.readURIs(existing: { $0.existing(according: files) }) else {
                    return .nothingShown
                }
                let desktop = DesktopServices()
                if options.desktop.isService { desktop.serveApplication() }
                if options.headless.viewport == nil {
                    options.settingSources.folder = Options.userConfigFolder
                }
                options.settingSources.startReading(
                    files, watches: options.headless.viewport == nil)
                try options.readSettings()
                // A slideshow at random has another order at each start, a script always the same.
                if options.headless.viewport == nil {
                    options.values.viewer.slideshow.seed = .random(in: 1...UInt64.max)
                }
                if options.desktop.isService {
                    let calls = desktop.firstCalls()
                    guard !calls.isEmpty else { return .done }
                    for call in calls { options.start(with: call) }
                }
                let mayBeMissing = options.showsPicturesFolderOnly
                try options.completePaths(
                    pictures: UserFolders.pictures {
                        mayBeMissing || $0.isFolder(according: files)
                    })
                let code = show(options, files, desktop)
                // The cells of a grid show why their pictures failed; nothing else says it.
                if code == .nothingShown {
                    Diagnostics.errorIfNone(localized("no picture could be shown"))
                }
                return code
            }
        } catch {
            Diagnostics.error(error.reason)
            return .wrongArguments
        }
    }

    private static func printVersion(_ options: Options) -> ExitCode {
        guard Help.print("vitrine \(Help.version)\n") else { return .nothingShown }
        guard options.isVerbose else { return .done }
        do throws(RunFailure) {
            let text = try SandboxState.ask().text + jpegReaderText()
            return Help.print(text) ? .done : .nothingShown
        } catch {
            Diagnostics.error(error.text)
            return error.code
        }
    }

    /// A line about the reader of JPEG files, which needs the libjpeg of the build.
    private static func jpegReaderText() throws(RunFailure) -> String {
        "decoder: fast JPEG reader: "
            + (try askAbilities().readsCoefficients
                ? "yes\n" : "no (libjpeg has another version than at build time)\n")
    }

    private static func askAbilities() throws(RunFailure) -> DecoderAbilities {
        try start { () throws(DecodeClientError) in try DecoderInquiry.abilities(.installed) }
    }

    private static func printFormats() -> ExitCode {
        do throws(RunFailure) {
            let formats = Formats(try askAbilities().formats)
            for name in formats.missing {
                Diagnostics.error(
                    localized("\(name) cannot be decoded: its library is not installed"))
            }
            return Help.print(formats.text) ? .done : .nothingShown
        } catch {
            Diagnostics.error(error.text)
            return error.code
        }
    }

    private static func show(
        _ options: Options, _ files: FileClient?, _ desktop: DesktopServices
    ) -> ExitCode {
        do throws(RunFailure) {
            let script = try readScript(options)
            let thumbnails = ThumbnailCache(
                program: thumbnailProgram,
                excluding: options.isKiosk ? options.values.kiosk.media.map { Array($0.utf8) } : [])
            guard
                let (session, factory) = try session(
                    options, files: files, thumbnails: thumbnails, clock: MonotonicClock.now)
            else { return .nothingShown }
            guard let viewport = options.headless.viewport else {
                return try WaylandRun(
                    session, options, connection: CompositorLink.open(options),
                    sessionFactory: factory, desktop: desktop, clock: MonotonicClock.now
                ).run()
            }
            return try HeadlessRun(session, options, viewport, script).run()
        } catch {
            Diagnostics.error(error.text)
            return error.code
        }
    }

    /// The name under which the program records thumbnails that it cannot make.
    static var thumbnailProgram: String { "vitrine-\(Help.version)" }

    /// Creates the session for the options, and what makes further ones; nil if there is no picture to
    /// show.
    ///
    /// `files` is nil if files are opened on threads of this process. `thumbnails` is nil if thumbnails
    /// are not stored. `clock` measures the timeouts of decoders.
    static func session(
        _ given: Options, files: FileClient? = nil, thumbnails: ThumbnailCache?,
        clock: @escaping () -> Moment
    ) throws(RunFailure) -> (Session, SessionFactory)? {
        let options = given.adapted(to: given.namedOutputs.first)
        let album = Album(options.paths, options: options.listing, files: files)
        // With `required` the pictures themselves say so.
        if !options.values.limits.requiresSandbox { SandboxState.warn() }
        // The decoder starts while the first folders are read.
        let opener: FileClient
        if let files { opener = files } else { opener = try openOnThreads() }
        let factory = SessionFactory(try startDecoder(options, opener, clock), files, thumbnails)
        Locale.prepare()
        return try factory.first(album, options).map { ($0, factory) }
    }

    private static func startDecoder(
        _ options: Options, _ files: FileClient, _ clock: @escaping () -> Moment
    ) throws(RunFailure) -> DecoderEnvironment {
        let screen = try readScreenProfile(options)
        return try start { () throws(DecodeClientError) in
            try DecoderEnvironment(
                program: .installed, limits: options.decodeLimits, screen: screen,
                sources: EventSources(), files: files, clock: clock)
        }
    }

    /// Starts the process that opens files; nil if it cannot be started.
    private static func startFileServer() -> FileClient? {
        (try? FileServer.startProcess(changes: serveChanges)).map { FileClient($0) }
    }

    /// Serves a socket with requests to change files.
    private static let serveChanges: FileServer.ChangeFunction = {
        let thumbnails = ThumbnailCache(program: thumbnailProgram)
        ChangeService.run($0, trash: DesktopTrash()) { thumbnails?.forget($0) }
    }

    private static func openOnThreads() throws(RunFailure) -> FileClient {
        do throws(SystemError) {
            return FileClient(try FileServer.startThread(changes: serveChanges))
        } catch { throw RunFailure(localized("no file can be opened: \(error)")) }
    }

    /// Starts a part of the program that needs the decoder.
    static func start<Part>(
        _ body: () throws(DecodeClientError) -> Part
    ) throws(RunFailure) -> Part {
        do throws(DecodeClientError) {
            return try body()
        } catch { throw RunFailure(localized("the decoder cannot be started: \(error)")) }
    }

    /// How long the start waits for the profile of the screen, in milliseconds.
    private static let longestProfileWait = 2000

    private static func readScreenProfile(
        _ options: Options
    ) throws(RunFailure) -> ScreenProfile? {
        guard let path = options.values.screenProfile else { return nil }
        let reading = PatientCalls(patience: longestProfileWait).run {
            Result { () throws(SystemError) in
                try InputFile.read(path, limit: ScreenProfile.longest)
            }
        }
        let bytes: [UInt8]
        switch reading {
        case .success(let read)?: bytes = read
        case .failure(let error)?: throw RunFailure(path, error.pictureMessage)
        case nil: throw RunFailure(path, "\(DecodeFailure.stalled)")
        }
        guard let profile = ScreenProfile(bytes) else {
            throw RunFailure(path, localized("not a display ICC profile"))
        }
        return profile
    }

    private static func readScript(_ options: Options) throws(RunFailure) -> GestureScript? {
        guard let path = options.headless.script else { return nil }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try InputFile.read(path, limit: 64 << 20)
        } catch { throw RunFailure(path, error.pictureMessage) }
        do throws(GestureScriptError) {
            return try GestureScript(parsing: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw RunFailure("\(path): \(error)", code: .wrongArguments)
        }
    }
}

extension Options {
    /// The largest pictures that are decoded, with the memory of the setting, or else with that of this machine.
    ///
    /// A reproducible run has the same limits on every machine.
    fileprivate var decodeLimits: DecodeLimits {
        var limits = values.limits
        if let memory = values.memory {
            limits.memory = memory
            limits.limit(bytes: memory)
        } else if !headless.isReproducible {
            let system = SystemMemory.read()
            limits.memory = system.pixelBytes
            limits.limit(bytes: system.pictureBytes)
        }
        return limits
    }
}

extension FilePath {
    /// Whether the path is a folder; true if it does not answer soon.
    fileprivate func isFolder(according files: FileClient?) -> Bool {
        guard var timer = try? DeadlineTimer() else { return false }
        timer.set(MonotonicClock.now().advanced(byMilliseconds: 250))
        let folders = FolderClient(files?.connectFolders() ?? -1, stop: timer.descriptor)
        defer { if folders.watches >= 0 { close(folders.watches) } }
        do throws(SystemError) {
            return try folders.find(bytes).kind == .folder
        } catch { return !folders.isConnected }
    }
}

extension [FilePath] {
    /// The paths of files; those of a folder that does not answer soon are none.
    fileprivate func existing(according files: FileClient?) -> Set<FilePath> {
        guard var timer = try? DeadlineTimer() else { return [] }
        timer.set(MonotonicClock.now().advanced(byMilliseconds: 250))
        let folders = FolderClient(files?.connectFolders() ?? -1, stop: timer.descriptor)
        defer { if folders.watches >= 0 { close(folders.watches) } }
        return Set(filter { (try? folders.inspect($0.bytes, wantsDetails: false)) != nil })
    }
}

/// Reads small files completely.
enum InputFile {
    /// Returns the file's bytes; throws EFBIG above `limit` bytes.
    static func read(_ path: FilePath, limit: Int) throws(SystemError) -> [UInt8] {
        let descriptor = try reporting {
            path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        }
        defer { close(descriptor) }
        return try readToEnd(of: descriptor, limit: limit)
    }
}

/// The output of `vitrine formats`.
struct Formats {
    /// The formats whose libraries are installed.
    private let available: [PictureFormat]
    /// The names of the formats whose libraries are missing.
    let missing: [String]

    init(_ names: [String]) {
        available = PictureFormat.all.filter { names.contains($0.name) }
        missing = PictureFormat.all.map(\.name).filter { !names.contains($0) }
    }

    var text: String {
        available.map { format in
            let animation = format.canBeAnimated ? "animated" : "still"
            return [
                format.name, format.mimeTypes.joined(separator: ","),
                format.extensions.joined(separator: ","), animation,
            ].joined(separator: "\t") + "\n"
        }.joined()
    }
}
