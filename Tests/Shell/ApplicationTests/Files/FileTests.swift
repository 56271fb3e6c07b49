import Folders
import Geometry
import Glibc
import Input
import Motion
import TestKit
import SystemCalls
import Testing

@testable import Application

@Suite struct FileTests {
    private let folder = TemporaryFolder()

    private func path(_ name: String) -> FilePath { FilePath(Array((folder / name).utf8)) }

    private func text(_ name: String) throws -> String {
        String(decoding: try InputFile.read(path(name), limit: 1 << 20), as: UTF8.self)
    }

    @Test func anOutputFileIsReplacedAndFlushed() throws {
        _ = folder.file("out", "something longer than the new text")
        var file = try OutputFile(path("out"))
        var areWritten = [file.write("a\n")]
        #expect(try text("out").isEmpty)
        areWritten += [file.flush(), file.write("b\n"), file.flush()]
        #expect(areWritten == [true, true, true, true])
        #expect(try text("out") == "a\nb\n")
    }

    @Test func aFullBufferIsWritten() throws {
        var file = try OutputFile(path("out"))
        let line = String(repeating: "x", count: 1 << 16)
        let isWritten = file.write(line)
        #expect(isWritten)
        #expect(try text("out") == line)
    }

    @Test func aMissingFolderIsAnError() {
        #expect(throws: SystemError(code: ENOENT)) { _ = try OutputFile(path("no/out")) }
        #expect(throws: SystemError(code: ENOENT)) { try InputFile.read(path("no"), limit: 1) }
    }

    @Test func aLongInputFileIsRefused() throws {
        _ = folder.file("in", "12345")
        #expect(try InputFile.read(path("in"), limit: 5).count == 5)
        #expect(throws: SystemError(code: EFBIG)) { try InputFile.read(path("in"), limit: 4) }
    }

    @Test func aRecordingIsAScriptWhoseTimesNeverDecrease() throws {
        let start = Moment(milliseconds: 5000)
        func moment(_ milliseconds: Double) -> Moment {
            start.advanced(byMilliseconds: milliseconds)
        }
        let size = Size(width: 300, height: 200)
        let recorder = try Recorder(path("script"), start: start, size: size, scale: 2)
        recorder.record(.scale(1), at: moment(20))
        recorder.record(.scale(3), at: moment(10.0004))
        recorder.record(.scale(1.5), at: moment(30.00049))
        recorder.finish(at: moment(25))
        let script = try GestureScript(parsing: try text("script"))
        #expect(
            script.entries.map(\.event) == [
                .scale(2), .resize(size), .scale(1), .scale(3), .scale(1.5),
            ])
        #expect(script.entries.map(\.moment.milliseconds) == [0, 0, 20, 20, 30])
        #expect(script.end.milliseconds == 30)
    }
}
