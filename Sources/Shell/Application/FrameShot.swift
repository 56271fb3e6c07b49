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

    /// Writes a PNG beside the file and renames it, so that the file is there as a whole or not at all;
    /// returns the reason of a failure.
    func write(to path: FilePath) -> String? {
        // The pattern of mkostemp(3).
        var name = (path.bytes + Array(".XXXXXX".utf8) + [0]).map { CChar(bitPattern: $0) }
        do throws(SystemError) {
            close(try reporting { clinux_make_temporary(&name) })
        } catch { return error.pathMessage }
        let temporary = FilePath(name.dropLast().map { UInt8(bitPattern: $0) })
        if let reason = frame.writePNG(to: temporary) {
            unlink(name)
            return reason
        }
        do throws(SystemError) {
            try reporting { path.withCString { rename(name, $0) } }
        } catch {
            unlink(name)
            return error.pathMessage
        }
        return nil
    }
}
