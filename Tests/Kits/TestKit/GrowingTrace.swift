import Glibc

/// A trace that is read while a program writes it.
package final class GrowingTrace {
    private let path: String
    private var descriptor: Int32 = -1
    /// The beginning of a line whose end is not written yet.
    private var rest: [UInt8] = []
    private var known: [TraceFrame] = []
    /// How many of the frames were painted; the others showed nothing new.
    private var paintedCount = 0

    package init(_ path: String) {
        self.path = path
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// All frames by now.
    package var frames: [TraceFrame] {
        update()
        return known
    }

    /// The frames by now that were painted.
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
            rest += buffer[..<count]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let frame = TraceFrame(line: String(decoding: rest[..<end], as: UTF8.self))
                rest.removeSubrange(...end)
                known.append(frame)
                if frame.number("paint_ms") != nil { paintedCount += 1 }
            }
        }
    }
}
