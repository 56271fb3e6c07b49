import WaylandServer

/// Random events of the right shape to any object of the client, from a seed.
///
/// About half of the values are plausible, the others are at the ends of their ranges. What ends a
/// client rightly is left out: errors, globals that do not exist, and requests to close.
package struct RandomEvents<Generator: RandomNumberGenerator> {
    private var random: Generator
    /// The names of the latest events, the newest one last.
    package private(set) var history: [String] = []
    /// The number of events sent so far.
    package private(set) var count = 0

    private static var historyLength: Int { 12 }
    /// Events and objects that are left out.
    private static var excluded: Set<String> {
        ["wl_display.error", "wl_display.delete_id", "wl_registry.global", "xdg_toplevel.close"]
    }
    /// Values for sizes and scales; larger ones are painted, which takes long.
    private static var modest: [String: [Int]] {
        [
            "xdg_toplevel.configure": [Int(Int32.min), -1, 0, 1, 2, 50, 300, 640, 900],
            "wp_fractional_scale_v1.preferred_scale": [0, 1, 60, 119, 120, 150, 240],
            "wl_surface.preferred_buffer_scale": [Int(Int32.min), -1, 0, 1, 2],
            "wl_output.scale": [Int(Int32.min), -1, 0, 1, 2],
        ]
    }

    package init(_ random: Generator) {
        self.random = random
    }

    /// Sends up to eight events in one batch, and lets some time pass.
    package mutating func step(on compositor: TestCompositor) {
        for _ in 0..<Int.random(in: 1...8, using: &random) { sendOne(compositor) }
        let isLong = Int.random(in: 0..<100, using: &random) == 0
        compositor.run(seconds: isLong ? 2 : Double.random(in: 0...0.03, using: &random))
    }

    private mutating func sendOne(_ compositor: TestCompositor) {
        let objects = compositor.client?.objects ?? []
        // Interfaces are equally likely, whatever the number of their objects.
        let interfaces = Set(objects.map(\.interface)).sorted()
        guard let interface = interfaces.randomElement(using: &random),
            let object = objects.filter({ $0.interface == interface }).randomElement(
                using: &random),
            let event = object.events.randomElement(using: &random)
        else { return }
        let name = interface + "." + event.name
        let isNew = event.parameters.contains { $0.kind == UInt8(ascii: "n") }
        guard !Self.excluded.contains(name), !isNew else { return }
        // A global that goes does not come back.
        if name == "wl_registry.global_remove", Int.random(in: 0..<20, using: &random) > 0 {
            return
        }
        var files: [FileToSend] = []
        var arguments: [WireObject.Argument] = []
        for parameter in event.parameters {
            guard
                let argument = argument(
                    parameter, among: objects, modest: Self.modest[name], compositor, &files)
            else { return }
            arguments.append(argument)
        }
        history.append("\(name) \(arguments.map(\.text).joined(separator: " "))")
        if history.count > Self.historyLength { history.removeFirst() }
        count += 1
        object.post(event.opcode, arguments)
        for file in files { file.finish() }
    }

    private mutating func argument(
        _ parameter: WireObject.Parameter, among objects: [WireObject], modest: [Int]?,
        _ compositor: TestCompositor, _ files: inout [FileToSend]
    ) -> WireObject.Argument? {
        switch parameter.kind {
        case UInt8(ascii: "f"):
            let values: [Int32] = [0, 1, -1, 256, 384, 25_600, 51_200, 100_000, .max, .min]
            return Bool.random(using: &random)
                ? .fixed(Int32.random(in: 0...160_000, using: &random))
                : .fixed(values.randomElement(using: &random) ?? 0)
        case UInt8(ascii: "s"):
            if parameter.isOptional, Int.random(in: 0..<4, using: &random) == 0 {
                return .string(nil)
            }
            return .string(bytes(from: 1))
        case UInt8(ascii: "a"): return .array(bytes(from: 0))
        case UInt8(ascii: "o"):
            let fitting = objects.filter { $0.interface == parameter.interface }
            if parameter.isOptional, Bool.random(using: &random) { return .object(nil) }
            // The window's surface is the first one.
            let first = Bool.random(using: &random) ? fitting.first : nil
            guard let object = first ?? fitting.randomElement(using: &random) else {
                return parameter.isOptional ? .object(nil) : nil
            }
            return .object(object)
        case UInt8(ascii: "h"):
            let valid = Array(TestKeymap.text.utf8)
            let kinds: [FaultyEvent.File] = [
                .memory(valid), .memory(Array(valid.prefix(999))), .memory([]), .pipe, .folder,
                .shrinking(valid),
            ]
            files.append(FileToSend(kinds.randomElement(using: &random) ?? .pipe))
            return files.last.map { .descriptor($0.descriptor) }
        default:
            return .bits(UInt32(truncatingIfNeeded: integer(modest, compositor)))
        }
    }

    private mutating func integer(_ modest: [Int]?, _ compositor: TestCompositor) -> Int {
        if let modest { return modest.randomElement(using: &random) ?? 0 }
        let ends = [
            0, 1, 2, 3, 4, 7, -1, Int(Int32.min), Int(Int32.max), Int(UInt32.max), 0x110, 0x112,
            4000, 1_000_000_000,
        ]
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return Int(compositor.eventTime)
        case 1: return Int(compositor.nextSerial())
        case 2...4: return Int.random(in: 0...3, using: &random)
        case 5: return Int.random(in: 0...120, using: &random)
        case 6: return Int(Int32.random(in: .min ... .max, using: &random))
        default: return ends.randomElement(using: &random) ?? 0
        }
    }

    private mutating func bytes(from least: UInt8) -> [UInt8] {
        // A message has 4096 bytes at most, and up to two strings.
        let length = [0, 1, 3, 4, 8, 40, 1900].randomElement(using: &random) ?? 0
        let isText = Bool.random(using: &random)
        return (0..<length).map { _ in
            isText
                ? UInt8.random(in: 0x20...0x7E, using: &random)
                : UInt8.random(in: least...255, using: &random)
        }
    }
}

extension WireObject.Argument {
    /// The value in a few words.
    fileprivate var text: String {
        switch self {
        case .bits(let bits): "\(Int32(bitPattern: bits))"
        case .fixed(let value): "\(Double(value) / 256)"
        case .string(let bytes): "text of \(bytes?.count ?? -1)"
        case .array(let bytes): "array of \(bytes.count)"
        case .object(let object): object.map { "\($0.interface)@\($0.id)" } ?? "none"
        case .descriptor: "file"
        }
    }
}
