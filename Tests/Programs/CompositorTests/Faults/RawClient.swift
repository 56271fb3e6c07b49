import CLinux
import CompositorKit
import Glibc
import Testing
import WaylandProtocol
import WaylandServer

/// A client that can break every rule, on the compositor's thread and clock.
final class RawClient {
    let time = ManualTime()
    let compositor: TestCompositor
    let display: Display
    let shell: XdgWmBase
    let surface: WlSurface
    let shellSurface: XdgSurface
    let toplevel: XdgToplevel
    /// The serials of the configures received so far.
    private(set) var configures: [UInt32] = []
    private let shm: WlShm
    private let memory: Int32
    private let pixels: UnsafeMutableBufferPointer<UInt32>

    /// The side of each buffer in pixels.
    static let side = 16
    private static let count = side * side

    init(_ setup: Setup = Setup()) throws {
        compositor = try TestCompositor(setup, time: time.timekeeper)
        display = try Display(socket: try compositor.socketForClient())
        let registry = display.registry()
        var names: [String: UInt32] = [:]
        registry.onEvent = {
            if case .global(let name, let interface, _) = $0 { names[interface] = name }
        }
        try Self.pump(compositor, display)
        func bind<T: Proxy>(_ version: UInt32) throws -> T {
            registry.bind(
                name: try #require(names[T.interface.name]), T.self, version: version)
        }
        let wlCompositor: WlCompositor = try bind(4)
        shell = try bind(1)
        shm = try bind(1)
        surface = wlCompositor.createSurface()
        shellSurface = shell.getXdgSurface(surface: surface)
        toplevel = shellSurface.getToplevel()
        memory = clinux_memfd_create("test")
        let length = Self.count * 4 * 3
        try #require(ftruncate(memory, length) == 0)
        let start = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0)
        pixels = UnsafeMutableBufferPointer(
            start: start?.assumingMemoryBound(to: UInt32.self), count: Self.count * 3)
        shellSurface.onEvent = { [unowned self] in
            if case .configure(let serial) = $0 { configures.append(serial) }
        }
        time.turn = { [unowned self] in
            // Errors of the connection are left to the test.
            try? display.pump()
            return nil
        }
    }

    deinit {
        munmap(pixels.baseAddress, pixels.count * 4)
        close(memory)
    }

    /// Dispatches both sides until all messages, and the replies to them, are handled.
    func pump() throws { try Self.pump(compositor, display) }

    private static func pump(_ compositor: TestCompositor, _ display: Display) throws {
        for _ in 0..<3 {
            _ = try display.flush()
            compositor.server.pump()
            try display.pump()
        }
    }

    /// A buffer in one of three places of the memory.
    func buffer(_ place: Int) -> WlBuffer {
        let side = Int32(Self.side)
        let pool = shm.createPool(fd: memory, size: Int32(pixels.count * 4))
        return pool.createBuffer(
            offset: Int32(place * Self.count * 4), width: side, height: side, stride: side * 4,
            format: .xrgb8888)
    }

    func paint(_ place: Int, _ color: UInt32) {
        for index in 0..<Self.count { pixels[place * Self.count + index] = color }
    }

    func paint(_ place: Int, x: Int, y: Int, _ color: UInt32) {
        pixels[place * Self.count + y * Self.side + x] = color
    }

    /// Commits a buffer with everything damaged, or a part.
    func show(_ buffer: WlBuffer, x: Int32 = 0, y: Int32 = 0, side: Int32 = 16) {
        surface.attach(buffer: buffer, x: 0, y: 0)
        surface.damageBuffer(x: x, y: y, width: side, height: side)
        surface.commit()
    }

    /// Asks for a configure and acknowledges it.
    func map() throws {
        surface.commit()
        try pump()
        shellSurface.ackConfigure(serial: try #require(configures.last))
    }
}
