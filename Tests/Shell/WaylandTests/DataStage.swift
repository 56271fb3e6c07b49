import EventLoop
import CompositorKit
import Geometry
import Glibc
import Motion
import SystemCalls
import Testing
import WaylandClient
import WaylandProtocol
import WaylandServer

/// A window with a clipboard, beside other programs that a test plays.
final class DataStage {
    let desktop: Desktop
    let log: WindowLog
    let sources = EventSources()
    let exchange: DataExchange
    /// What was pasted.
    var pasted: [Result<ReceivedData, DataFailure>] = []
    /// What happened while data were over the window, as texts.
    var drops: [String] = []
    var dropped: [ReceivedData] = []

    init(version: UInt32 = 3, hasPrimarySelection: Bool = false) throws {
        var options = Desktop.Options()
        options.dataVersion = version
        options.hasPrimarySelection = hasPrimarySelection
        desktop = try Desktop(options)
        log = try desktop.makeWindow()
        exchange = desktop.connection.startDataExchange(sources)
        exchange.choose = { types in
            types.filter { $0 == "text/uri-list" || $0.hasPrefix("image/") }.map {
                DataWant(
                    type: $0, limit: 1 << 20, usesMemoryFile: $0.hasPrefix("image/"))
            }
        }
        exchange.isUseful = { $0.type != "text/uri-list" || $0.bytes.starts(with: "file:".utf8) }
        log.window.onDrop = { [unowned self] in receive($0) }
        try pump()
        _ = log.drain()
    }

    private func receive(_ event: DropEvent) {
        switch event {
        case .entered(let point): drops.append("entered \(point.x) \(point.y)")
        case .moved(let point): drops.append("moved \(point.x) \(point.y)")
        case .left: drops.append("left")
        case .dropped(.success(let data), _, let copies):
            dropped.append(data)
            drops.append("dropped \(data.type)\(copies ? " to copy" : "")")
        case .dropped(.failure(let failure), _, _): drops.append("\(failure)")
        }
    }

    var data: TestData { desktop.data }

    /// Lets both sides and all transfers go on, as far as they can now.
    func pump() throws {
        try desktop.pump()
        for _ in 0..<8 {
            _ = sources.wait(atMost: 0)
            sources.handleReady()
        }
        try desktop.pump()
    }

    /// Lets the time pass, in milliseconds.
    func pass(_ milliseconds: Double) {
        desktop.now += milliseconds
        sources.handleDeadlines(at: Moment(milliseconds: desktop.now))
    }

    /// A finger goes down; its serial is 51.
    func touch() throws {
        desktop.touch?.down(
            serial: 51, time: 1, surface: try desktop.windowSurface.resource, id: 3, x: 1, y: 1)
        desktop.touch?.frame()
        try pump()
    }

    func paste() throws {
        // What is offered arrives first.
        try pump()
        exchange.paste(seat: 0) { [unowned self] in pasted.append($0) }
        try pump()
    }

    /// Why the last paste has failed.
    var failure: DataFailure? {
        if case .failure(let failure) = pasted.last { failure } else { nil }
    }

    /// The bytes of the last paste.
    var bytes: [UInt8]? {
        guard case .success(let data) = pasted.last else { return nil }
        return data.bytes
    }

    /// Copies `content` with the finger that is down.
    func copy(_ content: DataContent) throws {
        #expect(exchange.copy(content, seat: 0))
        try pump()
    }

    /// What the other program reads, until the end or until nothing more comes.
    func read(_ descriptor: Int32) throws -> (bytes: [UInt8], hasEnded: Bool) {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
        var idle = 0
        while idle < 200 {
            try pump()
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { return (bytes, true) }
            if count > 0 {
                bytes += chunk[..<count]
                idle = 0
            } else {
                idle += 1
                usleep(1000)
            }
        }
        return (bytes, false)
    }
}

extension ReceivedData {
    var bytes: [UInt8] {
        switch contents {
        case .bytes(let bytes): bytes
        case .memory(let file): firstBytes(of: file.descriptor, limit: 1 << 21)
        }
    }
}

extension DataContent {
    /// Offers these bytes at once.
    init(_ types: [String], _ bytes: [UInt8]) {
        self.init(types: types) { _, send in send(.bytes(bytes)) }
    }
}
