import CLinux
import Glibc
import Localization
import SystemCalls

/// Reads a picture from standard input.
enum StandardInput {
    struct Failure: Error {
        var reason: String
    }

    /// Maximum size of the picture, in bytes.
    private static let limit = 1 << 30

    /// Copies standard input into a memory file (memfd), and returns its descriptor, which no process
    /// that receives it can write to.
    static func read() throws(Failure) -> Int32 {
        guard isatty(0) == 0 else {
            throw Failure(reason: localized("is a terminal; pipe a picture into it"))
        }
        let memory: Int32
        do throws(SystemError) {
            memory = try reporting { clinux_memfd_create("vitrine-input") }
        } catch { throw Failure(reason: error.description) }
        do throws(Failure) {
            let length = try copy(to: memory)
            guard length > 0 else { throw Failure(reason: localized("is empty")) }
            do throws(SystemError) {
                return try reporting { clinux_make_constant(memory) }
            } catch { throw Failure(reason: error.description) }
        } catch {
            close(memory)
            throw error
        }
    }

    private static func copy(to memory: Int32) throws(Failure) -> Int {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var length = 0
        while true {
            let count: Int
            do throws(SystemError) {
                count = try reporting { retrying { Glibc.read(0, &buffer, buffer.count) } }
            } catch { throw Failure(reason: localized("cannot be read: \(error)")) }
            if count == 0 { return length }
            length += count
            guard length <= limit else { throw Failure(reason: localized("is larger than 1 GiB")) }
            guard Glibc.write(memory, buffer, count) == count else {
                throw Failure(reason: localized("does not fit into memory"))
            }
        }
    }
}
