import Geometry
import Input
import Testing
import WaylandClient
import WaylandServer

/// A window that records its events.
final class WindowLog {
    let window: Window
    private(set) var events: [WindowEvent] = []

    init(_ window: Window) {
        self.window = window
        window.handler = { [unowned self] in events.append($0) }
    }

    /// The events since the last call.
    func drain() -> [WindowEvent] {
        defer { events = [] }
        return events
    }

    /// The input events since the last call, without seats and times.
    func drainInputs() -> [InputEvent] {
        drain().compactMap { if case .input(let event, _, _) = $0 { event } else { nil } }
    }

    /// Paints a frame in one colour and commits it, by default as changed everywhere.
    func show(_ color: UInt32, damage: PixelRect? = nil, callback: Bool = false) throws {
        let frame = try #require(try window.acquireFrame())
        frame.withMemory { memory in
            memory.withMemoryRebound(to: UInt32.self) { $0.update(repeating: color) }
        }
        window.commit(
            frame, damage: [damage ?? PixelRect(frame.size)], requestFrameCallback: callback)
    }
}

/// A token of an activation that records its requests.
final class TokenLog {
    let resource: XdgActivationTokenV1Resource
    private(set) var requests: [String] = []

    init(_ resource: XdgActivationTokenV1Resource) {
        self.resource = resource
        resource.onRequest = { [unowned self] in
            switch $0 {
            case .setSerial(let serial, _): requests.append("serial \(serial)")
            case .setAppId(let appID): requests.append("app \(appID)")
            case .setSurface: requests.append("surface")
            case .commit: requests.append("commit")
            case .destroy: requests.append("destroy")
            }
        }
    }
}

/// A surface that records its requests.
final class SurfaceLog {
    let resource: WlSurfaceResource
    private(set) var requests: [String] = []
    /// Buffers in the order of their commits.
    private(set) var committed: [WlBufferResource] = []
    private(set) var callbacks: [WlCallbackResource] = []
    var destination: Size?
    private var attached: WlBufferResource?

    init(_ resource: WlSurfaceResource) {
        self.resource = resource
        resource.onRequest = { [unowned self] in receive($0) }
    }

    /// The pixel in the upper left of the last committed buffer.
    var firstPixel: UInt32? { committed.last?.shm?.pixels.first }

    func drain() -> [String] {
        defer { requests = [] }
        return requests
    }

    private func receive(_ request: WlSurfaceResource.Request) {
        switch request {
        case .attach(let buffer, _, _):
            attached = buffer
            requests.append("attach \(buffer?.shm?.width ?? 0)x\(buffer?.shm?.height ?? 0)")
        case .damageBuffer(let x, let y, let width, let height):
            requests.append("damage \(x) \(y) \(width) \(height)")
        case .setBufferScale(let scale): requests.append("scale \(scale)")
        case .frame(let callback):
            callbacks.append(callback)
            requests.append("frame")
        case .commit:
            if let attached { committed.append(attached) }
            attached = nil
            requests.append("commit")
        default: break
        }
    }
}
