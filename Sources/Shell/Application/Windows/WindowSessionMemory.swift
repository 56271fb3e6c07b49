import Folders
import SystemCalls

/// The identifier of the compositor's session, in which the window has its place on the screen, from one
/// run to the next.
struct WindowSessionMemory {
    private let file: StateFile
    /// The name of the state file.
    static let fileName = "window-session"
    /// A longer identifier is not stored, in bytes.
    private static let longest = 512

    init(in folder: FilePath) {
        file = StateFile(Self.fileName, in: folder, longest: Self.longest + 1)
    }

    /// The identifier; nil if none is stored, or if the file is not one that this program writes.
    func read() -> String? {
        let reading = StateReading(file)
        guard reading.wait(StateReading.patienceAtStart), let bytes = reading.contents,
            bytes.last == UInt8(ascii: "\n")
        else { return nil }
        let identifier = bytes.dropLast()
        return Self.isStorable(identifier) ? String(validating: identifier, as: UTF8.self) : nil
    }

    func write(_ identifier: String, on disk: DiskWork) {
        guard Self.isStorable(identifier.utf8) else { return }
        disk.add {
            do throws(SystemError) {
                try file.write(Array(identifier.utf8) + [UInt8(ascii: "\n")])
            } catch { Diagnostics.info("the place of the window cannot be remembered: \(error)") }
        }
    }

    /// Whether the identifier is one line of a length that nobody minds.
    private static func isStorable(_ identifier: some Collection<UInt8>) -> Bool {
        !identifier.isEmpty && identifier.count <= longest
            && identifier.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
