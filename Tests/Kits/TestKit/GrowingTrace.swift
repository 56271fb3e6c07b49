import Glibc

/// A trace file that is read while a program writes it.
package final class GrowingTrace {
    private let path: String
    private var descriptor: Int32 = -1
    /// The bytes of the last, incomplete line.
    private var incomplete: [UInt8] = []
    private var known: [TraceFrame] = []
    /// The number of painted frames; the other frames had no change.
    private var paintedCount = 0

    package init(_ path: String) {
        self.path = path
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// All frames written so far.
    package var frames: [TraceFrame] {
        update()
        return known
    }

    /// The number of painted frames written so far.
    package var painted: Int {
        update()
        return paintedCount
    }

    private func update() {
        if descriptor < 0 { descriptor = open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return }
            incomplete += buffer[..<count]
            while let end = incomplete.firstIndex(of: UInt8(ascii: "\n")) {
                let frame = TraceFrame(line: String(decoding: incomplete[..<end], as: UTF8.self))
                incomplete.removeSubrange(...end)
                known.append(frame)
                if frame.number("paint_ms") != nil { paintedCount += 1 }
            }
        }
    }
}
