import Folders
import DecodeClient
import Geometry
import Glibc
import Input
import Motion
import ImageTypes
import SceneModel
import Viewer
import Grid
import WaylandClient

/// The program from its arguments to its exit code.
package enum Program {
    /// Runs the program; returns the exit code of the process.
    package static func run(_ arguments: [[UInt8]]) -> Int32 { code(arguments).rawValue }

    private static func code(_ arguments: [[UInt8]]) -> ExitCode {
        do throws(UsageError) {
            let options = try Options(arguments)
            Diagnostics.show(options.logLevel)
            switch options.action {
            case .help: return Help.print(Help.text) ? .done : .nothingShown
            case .version: return printVersion(options)
            case .formats: return printFormats()
            case .show: return show(options)
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
            return Help.print(try SandboxState.ask().text) ? .done : .nothingShown
        } catch {
            Diagnostics.error(error.text)
            return error.code
        }
    }

    private static func printFormats() -> ExitCode {
        do throws(DecodeClientError) {
            let formats = Formats(try DecoderInquiry.formats(PictureLoader.decoderPath()))
            for name in formats.missing {
                Diagnostics.error("\(name) cannot be decoded: its library is not installed")
            }
            return Help.print(formats.text) ? .done : .nothingShown
        } catch {
            Diagnostics.error("the decoder cannot be started: \(error)")
            return .nothingShown
        }
    }

    private static func show(_ options: Options) -> ExitCode {
        do throws(RunFailure) {
            let script = try readScript(options)
            guard let session = try session(options, clock: MonotonicClock.now) else {
                return .nothingShown
            }
            guard let viewport = options.headless else {
                return try WaylandRun(
                    session, options, connection: WaylandRun.connect(), clock: MonotonicClock.now
                ).run()
            }
            return try HeadlessRun(session, options, viewport, script).run()
        } catch {
            Diagnostics.error(error.text)
            return error.code
        }
    }

    /// Creates the session for the options; nil if there is no picture to show.
    ///
    /// `clock` is the real clock, which measures the timeouts of decoders.
    static func session(
        _ given: Options, clock: @escaping () -> Moment
    ) throws(RunFailure) -> Session? {
        var options = given
        options.hasFolder = options.paths.contains(where: \.isFolder)
        let album = Album(options.paths, options: options.collection)
        let loader = try startLoader(album, options, clock)
        if Diagnostics.shows(.info) { try? SandboxState.ask().tell() }
        if options.headless == nil { album.readFirst() } else { album.readAll() }
        guard album.count > 0 else { return nil }
        return Session(
            album, loader: loader, headers: try startHeaders(album, options, clock),
            viewport: options.headless
                ?? Viewport(size: options.windowSize ?? Size(width: 960, height: 640)),
            options: options)
    }

    private static func startLoader(
        _ album: Album, _ options: Options, _ clock: @escaping () -> Moment
    ) throws(RunFailure) -> PictureLoader {
        let screen = try readScreenProfile(options)
        do throws(DecodeClientError) {
            return try PictureLoader(
                album, limits: options.limits, screen: screen, clock: clock)
        } catch { throw RunFailure("the decoder cannot be started: \(error)") }
    }

    private static func startHeaders(
        _ album: Album, _ options: Options, _ clock: @escaping () -> Moment
    ) throws(RunFailure) -> HeaderReader? {
        let wantsDates = options.collection.order.key == .taken || options.sections == .month
        let wantsSizes = options.gridSettings.layout == .justified
        guard wantsDates || wantsSizes else { return nil }
        do throws(DecodeClientError) {
            return try HeaderReader(
                album, wantsDates: wantsDates, wantsSizes: wantsSizes,
                reportsPartly: !options.isReproducible, limits: options.limits, clock: clock)
        } catch { throw RunFailure("the decoder cannot be started: \(error)") }
    }

    private static func readScreenProfile(
        _ options: Options
    ) throws(RunFailure) -> ScreenProfile? {
        guard let path = options.screenProfile else { return nil }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try InputFile.read(path, limit: ScreenProfile.longest)
        } catch { throw RunFailure(path, PictureFile.message(error.code)) }
        guard let profile = ScreenProfile(bytes) else {
            throw RunFailure(path, "not a display ICC profile")
        }
        return profile
    }

    private static func readScript(_ options: Options) throws(RunFailure) -> GestureScript? {
        guard let path = options.script else { return nil }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try InputFile.read(path, limit: 64 << 20)
        } catch { throw RunFailure(path, PictureFile.message(error.code)) }
        do throws(GestureScriptError) {
            return try GestureScript(parsing: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw RunFailure("\(path): \(error)", code: .wrongArguments)
        }
    }
}

extension FilePath {
    /// Whether the path is a folder at this moment.
    fileprivate var isFolder: Bool {
        var info = stat()
        return withCString { stat($0, &info) } == 0 && info.st_mode & S_IFMT == S_IFDIR
    }
}

/// Reads small files completely.
enum InputFile {
    /// Returns the file's bytes; throws the errno of a failed call, EFBIG above `limit` bytes.
    static func read(_ path: FilePath, limit: Int) throws(SystemError) -> [UInt8] {
        let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw SystemError(code: errno) }
            if count == 0 { return bytes }
            bytes.append(contentsOf: buffer[..<count])
            guard bytes.count <= limit else { throw SystemError(code: EFBIG) }
        }
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
            let animation = format.isAnimated ? "animated" : "still"
            return [
                format.name, format.mimeTypes.joined(separator: ","),
                format.extensions.joined(separator: ","), animation,
            ].joined(separator: "\t") + "\n"
        }.joined()
    }
}
