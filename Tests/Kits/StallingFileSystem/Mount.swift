import CFUSE
import CLinux
import Glibc
import SystemCalls
import TestKit

/// Why the file system could not be mounted.
package struct MountError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// A FUSE mount: by mount(2) as root, else by the program fusermount3, which may mount for its user.
struct Mount: Sendable {
    let path: String
    /// The connection to the kernel; if its last copy is closed, all operations that wait fail.
    let descriptor: Int32
    private let isByProgram: Bool

    init(at path: String) throws(MountError) {
        self.path = path
        if getuid() == 0 {
            descriptor = try Self.mount(path)
            isByProgram = false
        } else {
            descriptor = try Self.mountByProgram(path)
            isByProgram = true
        }
    }

    /// Removes the mount from the tree; processes that use it keep it until the connection ends.
    func detach() {
        if isByProgram {
            _ = ChildProcess.run([Self.program, "-u", "-z", "--", path])
        } else {
            umount2(path, Int32(MNT_DETACH))
        }
    }

    static let obstacle: String? = {
        let folder = TemporaryFolder()
        do throws(MountError) {
            let mount = try Mount(at: folder.path)
            mount.detach()
            close(mount.descriptor)
            return nil
        } catch { return "FUSE cannot be used: \(error)" }
    }()

    private static let program = "fusermount3"

    private static func mount(_ path: String) throws(MountError) -> Int32 {
        do throws(SystemError) {
            let descriptor = try reporting { open("/dev/fuse", O_RDWR | O_CLOEXEC) }
            // Compositors and the viewer inside them run as another user.
            let options =
                "fd=\(descriptor),rootmode=40000,user_id=\(getuid()),group_id=\(getgid()),allow_other"
            do throws(SystemError) {
                try reporting {
                    CFUSE.mount(
                        "vitrine-test", path, "fuse.stalling",
                        UInt(MS_RDONLY | MS_NOSUID | MS_NODEV), options)
                }
            } catch {
                close(descriptor)
                throw error
            }
            return descriptor
        } catch { throw MountError("/dev/fuse: \(error)") }
    }

    /// The program sends the descriptor through a socket, whose number is in the environment.
    private static func mountByProgram(_ path: String) throws(MountError) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw MountError("no socket")
        }
        defer { for end in ends where end >= 0 { close(end) } }
        clinux_set_cloexec(ends[0], 1)
        // Only the shell inherits this end: no other program is started before it is closed, as
        // `RunningProcess` passes it on as descriptor 9.
        clinux_set_cloexec(ends[1], 1)
        let folder = TemporaryFolder()
        let running = RunningProcess(
            [
                "/bin/sh", "-c", #"exec "$@""#, "sh", program, "-o",
                "ro,nosuid,nodev,fsname=vitrine-test,subtype=stalling", "--", path,
            ],
            environment: ["_FUSE_COMMFD=9", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"],
            errors: folder / "errors", passing: ends[1])
        close(ends[1])
        ends[1] = -1
        var byte: UInt8 = 0
        var descriptor: Int32 = -1
        _ = clinux_receive(ends[0], &byte, 1, &descriptor)
        while running.exitCode == nil { usleep(1000) }
        guard descriptor >= 0 else {
            let text = TestFile.text(folder / "errors") ?? ""
            throw MountError(text.split(separator: "\n").first.map(String.init) ?? "no answer")
        }
        clinux_set_cloexec(descriptor, 1)
        return descriptor
    }
}
