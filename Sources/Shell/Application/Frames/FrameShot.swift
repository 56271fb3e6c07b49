import CLinux
import Folders
import Geometry
import Glibc
import SceneModel
import SystemCalls

/// A frame that was painted for a file.
///
/// `@unchecked Sendable`: one thread paints the frame, then hands it over to one that writes it.
final class FrameShot: @unchecked Sendable {
    private let frame: MemoryFrame

    init(_ scene: Scene, _ composer: FrameComposer) {
        frame = MemoryFrame(size: scene.pixelSize)
        let all = PixelRect(frame.size)
        frame.withCanvas { composer.paint(scene, into: $0, damage: [all]) }
    }

    /// Writes a PNG; returns the reason of a failure.
    ///
    /// A file is there as a whole or not at all: the PNG is written beside the file and renamed, with the mode
    /// of the file, and links are followed. A pipe or a device gets the bytes.
    func write(to path: FilePath) -> String? {
        let target = path.target
        var status = stat()
        let exists = target.withCString { stat($0, &status) } == 0
        // A folder has its own error below.
        guard !exists || status.isRegularFile || status.isFolder else {
            return writeAtOnce(to: target)
        }
        var name = FileReplacement.temporaryName(beside: target.bytes)
        do throws(SystemError) {
            let descriptor = try reporting { clinux_make_temporary(&name) }
            if exists { fchmod(descriptor, status.st_mode & 0o777) }
            close(descriptor)
            if !exists { try Self.makeAnew(name) }
        } catch { return error.pathMessage }
        let temporary = FilePath(name.dropLast().map { UInt8(bitPattern: $0) })
        if let reason = frame.writePNG(to: temporary) {
            unlink(name)
            return reason
        }
        do throws(SystemError) {
            try reporting { target.withCString { rename(name, $0) } }
        } catch {
            unlink(name)
            return error.pathMessage
        }
        return nil
    }

    /// Writes into a pipe or a device; a pipe without a reader is an error, since nobody may ever read.
    private func writeAtOnce(to path: FilePath) -> String? {
        do throws(SystemError) {
            let flags = O_WRONLY | O_NONBLOCK | O_CLOEXEC
            let descriptor = try reporting { path.withCString { open($0, flags) } }
            defer { close(descriptor) }
            return frame.writePNG(to: path)
        } catch { return error.pathMessage }
    }

    /// Makes a temporary file anew with the mode of any new file, which umask(2) decides.
    private static func makeAnew(_ name: [CChar]) throws(SystemError) {
        unlink(name)
        close(try reporting { open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) })
    }
}
