import Glibc
import SystemCalls

/// The programs under test.
package enum Binaries {
    /// The root folder of the package.
    package static let package: String = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(4)
        return parts.joined(separator: "/")
    }()

    /// The folder of the running tests.
    private static let ownFolder =
        ProgramFile.folder().map { String(decoding: $0, as: UTF8.self) } ?? "."

    /// The viewer: VITRINE_BINARY if set, else the one beside the running tests.
    package static var vitrine: String {
        getenv("VITRINE_BINARY").map { String(cString: $0) } ?? ownFolder + "/vitrine"
    }

    package static var decoder: String { vitrine + "-decode" }
    package static var bridge: String { vitrine + "-mqtt" }
    package static var thumbnailer: String { vitrine + "-thumbnailer" }

    /// The folder of the programs that were built for the tests: VITRINE_PROGRAMS if set, else that of
    /// the running tests.
    private static var built: String {
        getenv("VITRINE_PROGRAMS").map { String(cString: $0) } ?? ownFolder
    }

    /// The window of one text field.
    package static var fieldWindow: String { built + "/FieldWindow" }

    /// Changes a file in one way.
    package static var changingProgram: String { built + "/ChangingProgram" }

    /// Copies the hostile decoder; its name, or that of the decoded file, selects the misbehaviour.
    package static func hostileDecoder(_ name: String, in folder: TemporaryFolder) -> String {
        let program = built + "/HostileDecoder"
        // A copy instead of a link, because the executable's name identifies the process.
        _ = ChildProcess.run(["/bin/cp", program, folder / name])
        return folder / name
    }

    /// Runs the viewer until it exits.
    package static func vitrine(
        _ arguments: [String], input: [UInt8]? = nil, environment: [String]? = nil,
        seconds: Double = 60
    ) -> ChildProcess {
        ChildProcess.run(
            [vitrine] + arguments, input: input, environment: environment, seconds: seconds)
    }
}
