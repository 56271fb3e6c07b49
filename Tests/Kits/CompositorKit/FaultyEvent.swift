import CLinux
import Geometry
import Glibc
import WaylandServer

/// An event that a test compositor sends whatever the protocol says about its order and its values.
package struct FaultyEvent: Sendable {
    /// An argument, as the literal of its value.
    package enum Argument: Sendable {
        case integer(Int)
        case number(Double)
        case bytes([UInt8])
        /// The object of an interface, by its place among the live ones.
        case object(String, Int)
        case none
        /// A new serial.
        case serial
        /// The time of the compositor, in milliseconds.
        case time
        case file(File)
    }

    /// What a descriptor refers to.
    package enum File: Sendable {
        /// A memfd.
        case memory([UInt8])
        /// A memfd whose contents are cut off after the event.
        case shrinking([UInt8])
        /// A pipe into which nobody writes.
        case pipe
        case folder
    }

    package var interface: String
    package var event: String
    package var arguments: [Argument]
    /// The place of the receiving object among the live ones of its interface.
    package var place = 0

    package init(_ interface: String, _ event: String, _ arguments: [Argument], place: Int = 0) {
        self.interface = interface
        self.event = event
        self.arguments = arguments
        self.place = place
    }
}

extension FaultyEvent.Argument: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral
{
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(stringLiteral value: String) { self = .bytes(Array(value.utf8)) }

    /// The surface of the window.
    package static var surface: Self { .object("wl_surface", 0) }
}

extension TestCompositor {
    /// Sends an event; returns false if the client lacks an object for it, or the object such an
    /// event.
    @discardableResult
    package func send(_ faulty: FaultyEvent) -> Bool {
        let objects = client?.objects ?? []
        func find(_ interface: String, _ place: Int) -> WireObject? {
            let all = objects.filter { $0.interface == interface }
            return all.indices.contains(place) ? all[place] : nil
        }
        guard let object = find(faulty.interface, faulty.place),
            let event = object.events.first(where: { $0.name == faulty.event })
        else { return false }
        for case .object(let interface, let place) in faulty.arguments
        where find(interface, place) == nil {
            return false
        }
        precondition(
            event.parameters.count == faulty.arguments.count,
            "\(faulty.interface).\(faulty.event) has \(event.parameters.count) arguments")
        var files: [FileToSend] = []
        let arguments: [WireObject.Argument] = zip(event.parameters, faulty.arguments).map {
            parameter, argument in
            if case .file(let file) = argument { files.append(FileToSend(file)) }
            return switch argument {
            case .integer(let value) where parameter.kind == UInt8(ascii: "f"):
                .fixed(Int32(clamping: value * 256))
            case .integer(let value): .bits(UInt32(truncatingIfNeeded: value))
            case .number(let value): .fixed(Int32(clamping: Int(clamping: value * 256)))
            case .bytes(let bytes) where parameter.kind == UInt8(ascii: "a"): .array(bytes)
            case .bytes(let bytes): .string(bytes)
            case .object(let interface, let place): .object(find(interface, place))
            case .none: parameter.kind == UInt8(ascii: "s") ? .string(nil) : .object(nil)
            case .serial: .bits(nextSerial())
            case .time: .bits(eventTime)
            case .file: .descriptor(files.last?.descriptor ?? -1)
            }
        }
        object.post(event.opcode, arguments)
        for file in files { file.finish() }
        return true
    }
}

/// A descriptor for one event.
struct FileToSend {
    let descriptor: Int32
    /// Other descriptors to close, of a pipe.
    private var other: Int32?
    private var shrinks = false

    init(_ file: FaultyEvent.File) {
        switch file {
        case .memory(let bytes): descriptor = Self.memory(bytes)
        case .shrinking(let bytes):
            descriptor = Self.memory(bytes)
            shrinks = true
        case .pipe:
            var ends: [Int32] = [-1, -1]
            pipe(&ends)
            (descriptor, other) = (ends[0], ends[1])
        case .folder: descriptor = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
    }

    private static func memory(_ bytes: [UInt8]) -> Int32 {
        let memory = clinux_memfd_create("fault")
        precondition(write(memory, bytes, bytes.count) == bytes.count, "no memory for a file")
        return memory
    }

    func finish() {
        if shrinks { ftruncate(descriptor, 0) }
        close(descriptor)
        if let other { close(other) }
    }
}
