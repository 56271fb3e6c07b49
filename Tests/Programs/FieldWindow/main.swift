// A window that is one text field, for tests of input methods in real compositors.
//
// The field begins with "100%", selected. A line on standard output says what is shown after each
// change: "TEXT" or "TEXT [PRE-EDIT]"; "committed TEXT" after Return, "cancelled" after Escape, which
// end the program.

import Geometry
import Glibc
import Input
import Interface
import WaylandClient

final class FieldWindow {
    private let connection: Connection
    private let window: Window
    private var field = TextField("100%", filter: .percentage(decimalSeparator: "."))
    private var hasEnded = false

    init() throws {
        connection = try Connection()
        try connection.waitUntilReady()
        window = try Window(
            connection: connection, options: WindowOptions(title: "Field", appID: "field"))
        window.handler = { [unowned self] in receive($0) }
    }

    func run() throws {
        while !hasEnded {
            let wantsWrite = try connection.prepareAndFlush()
            let events = Int16(POLLIN) | (wantsWrite ? Int16(POLLOUT) : 0)
            var entry = pollfd(fd: connection.fileDescriptor, events: events, revents: 0)
            let count = poll(&entry, 1, -1)
            try connection.readAndDispatch(
                isReadable: count > 0 && entry.revents & ~Int16(POLLOUT) != 0)
        }
    }

    private func receive(_ event: WindowEvent) {
        switch event {
        case .configured:
            paint()
            reportField()
        case .closeRequested: hasEnded = true
        case .input(.key(let key), _, _): handle(key)
        case .input(.textInput(let change), _, _):
            if field.handle(change) { show() }
        default: break
        }
    }

    private func handle(_ key: KeyEvent) {
        switch field.handle(key) {
        case .ignored: break
        case .consumed: show()
        case .committed: end("committed \(field.text)")
        case .cancelled: end("cancelled")
        }
    }

    private func show() {
        print(field.text + (field.preedit.map { " [\($0.text)]" } ?? ""))
        fflush(nil)
        reportField()
    }

    private func end(_ line: String) {
        print(line)
        hasEnded = true
    }

    private func reportField() {
        window.setTextInput(
            field.inputState(
                field: 1, purpose: .number, cursorRect: Rect(x: 8, y: 8, width: 1, height: 20)))
    }

    private func paint() {
        // A frame that is not acquired is not painted: the window has one colour, and is shown once.
        guard let frame = try? window.acquireFrame() else { return }
        frame.withMemory { memory in
            memory.withMemoryRebound(to: UInt32.self) { $0.update(repeating: 0x405060) }
        }
        window.commit(frame, damage: [PixelRect(frame.size)], requestFrameCallback: false)
    }
}

try FieldWindow().run()
