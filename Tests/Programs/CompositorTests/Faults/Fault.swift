import CompositorKit
import Geometry
import TestKit
import Testing
import WaylandProtocol
import WaylandServer

/// Something that a compositor must not do, or that no compositor does usually.
struct Fault: Sendable, CustomTestStringConvertible {
    /// One thing that the compositor does.
    enum Step: Sendable {
        /// Sends an event, again and again.
        case send(FaultyEvent, times: Int)
        case configure(Int32, Int32, states: [UInt32])
        /// Plays a gesture script, which may leave fingers down.
        case play(String)
        /// Waits, in milliseconds.
        case wait(Double)
        /// Anything else.
        case act(@Sendable (Stage) throws -> Void)
    }

    let name: String
    let steps: [Step]

    init(_ name: String, _ steps: Step...) { self.init(name, steps) }

    init(_ name: String, _ steps: [Step]) {
        self.name = name
        self.steps = steps
    }

    var testDescription: String { name }

    /// Does all steps, then waits for `settling` seconds; messages between two waits are one batch.
    func occur(on stage: Stage, settling: Double = 0.2) throws {
        for step in steps {
            switch step {
            case .send(let event, let times):
                for _ in 0..<times {
                    #expect(stage.compositor.send(event), "\(event.interface).\(event.event)")
                }
            case .configure(let width, let height, let states):
                try stage.window.configure(rawWidth: width, height: height, states: states)
            case .play(let script): try stage.compositor.play(script)
            case .wait(let duration): stage.compositor.run(seconds: duration / 1000)
            case .act(let action): try action(stage)
            }
        }
        stage.compositor.run(seconds: settling)
    }

    /// Whether the fault can happen a hundred times in a short time: no gesture is played in it.
    var isQuick: Bool {
        steps.allSatisfy {
            switch $0 {
            case .send, .configure: true
            case .wait(let duration): duration <= 50
            case .play, .act: false
            }
        }
    }
}

// MARK: Groups

extension Fault {
    /// Faults that happen to one viewer, one after another.
    struct Group: Sendable, CustomTestStringConvertible {
        /// What the faults are about.
        let subject: String
        let faults: [Fault]

        var testDescription: String { faults.map(\.name).joined(separator: ", ") }
    }

    private static let groupLength = 12

    static let groups: [Group] = [
        ("windows", windows), ("screens", screens), ("frames", frames), ("touches", touches),
        ("pointers", pointers), ("pens", pens), ("keyboards", keyboards), ("input methods", texts),
        ("objects", objects),
    ]
    .flatMap { subject, table in
        stride(from: 0, to: table.count, by: groupLength).map {
            Group(
                subject: subject, faults: Array(table[$0..<min($0 + groupLength, table.count)]))
        }
    }
}

// MARK: Events in short

extension Fault.Step {
    typealias Arguments = [FaultyEvent.Argument]

    static func event(
        _ interface: String, _ event: String, _ arguments: Arguments = [], times: Int = 1,
        place: Int = 0
    ) -> Self {
        .send(FaultyEvent(interface, event, arguments, place: place), times: times)
    }

    static func touch(_ event: String, _ arguments: Arguments = [], times: Int = 1) -> Self {
        .event("wl_touch", event, arguments, times: times)
    }

    /// A finger goes down on the window.
    static func down(_ id: Int, _ x: FaultyEvent.Argument, _ y: FaultyEvent.Argument) -> Self {
        .touch("down", [.serial, .time, .surface, .integer(id), x, y])
    }

    static func motion(_ id: Int, _ x: FaultyEvent.Argument, _ y: FaultyEvent.Argument) -> Self {
        .touch("motion", [.time, .integer(id), x, y])
    }

    static func up(_ id: Int) -> Self { .touch("up", [.serial, .time, .integer(id)]) }

    static var frame: Self { .touch("frame") }

    static func pointer(_ event: String, _ arguments: Arguments = [], times: Int = 1) -> Self {
        .event("wl_pointer", event, arguments, times: times)
    }

    /// The pointer enters the window.
    static var enter: Self { .pointer("enter", [.serial, .surface, 320, 200]) }

    static func pen(_ event: String, _ arguments: Arguments = [], times: Int = 1) -> Self {
        .event("zwp_tablet_tool_v2", event, arguments, times: times)
    }

    /// The pen comes near, above the window.
    static var near: Self {
        .pen("proximity_in", [.serial, .object("zwp_tablet_v2", 0), .surface])
    }

    /// The pen ends a report.
    static var report: Self { .pen("frame", [.time]) }

    static func pinch(_ event: String, _ arguments: Arguments = []) -> Self {
        .event("zwp_pointer_gesture_pinch_v1", event, arguments)
    }

    static func swipe(_ event: String, _ arguments: Arguments = []) -> Self {
        .event("zwp_pointer_gesture_swipe_v1", event, arguments)
    }

    static func hold(_ event: String, _ arguments: Arguments = []) -> Self {
        .event("zwp_pointer_gesture_hold_v1", event, arguments)
    }

    static func keyboard(_ event: String, _ arguments: Arguments = [], times: Int = 1) -> Self {
        .event("wl_keyboard", event, arguments, times: times)
    }

    static func keymap(_ file: FaultyEvent.File, size: Int, format: Int = 1) -> Self {
        .keyboard("keymap", [.integer(format), .file(file), .integer(size)])
    }

    /// The keyboard enters the window, and a key goes down and up.
    static var typing: [Self] {
        [
            .keyboard("enter", [.serial, .surface, ""]),
            .keyboard("key", [.serial, .time, 16, 1]), .keyboard("key", [.serial, .time, 16, 0]),
        ]
    }

    static func textInput(_ event: String, _ arguments: Arguments = []) -> Self {
        .event("zwp_text_input_v3", event, arguments)
    }

    static func surface(_ event: String, _ arguments: Arguments = []) -> Self {
        .event("wl_surface", event, arguments)
    }

    static func output(_ event: String, _ arguments: Arguments = []) -> Self {
        .event("wl_output", event, arguments)
    }

    static func mode(_ width: Int, _ height: Int, refresh: Int = 60_000, flags: Int = 1) -> Self {
        .output("mode", [.integer(flags), .integer(width), .integer(height), .integer(refresh)])
    }

    static func toplevel(_ event: String, _ arguments: Arguments = []) -> Self {
        .event("xdg_toplevel", event, arguments)
    }
}

extension Stage {
    /// Ends what a fault has left behind, as a compositor that comes to its senses.
    func recover(settling: Double = 0.1) throws {
        let seat = try #require(compositor.seats.first)
        seat.capabilities = [.touch, .pointer, .keyboard]
        compositor.run(seconds: min(settling, 0.05))
        let surface = try surface
        compositor.setup.presentation = .fixed
        for keyboard in seat.keyboards where keyboard.isAlive {
            keyboard.repeatInfo(rate: 0, delay: 0)
            keyboard.leave(serial: 1, surface: surface.resource)
            keyboard.enter(serial: 2, surface: surface.resource, keys: WireArray(words: []))
        }
        compositor.send(
            FaultyEvent(
                "wl_keyboard", "keymap",
                [
                    1, .file(.memory(Array(TestKeymap.text.utf8) + [0])),
                    .integer(TestKeymap.text.utf8.count + 1),
                ]))
        for touch in seat.touches where touch.isAlive { touch.cancel() }
        // Beside a pen that is near, fingers are palms.
        for tablet in seat.tablets {
            for pen in [tablet.tip, tablet.eraser] where pen.tool.isAlive { pen.leave() }
        }
        try compositor.play("0 pointer leave")
        for output in compositor.outputs where !output.isRemoved {
            output.change(size: PixelSize(width: 1280, height: 800))
        }
        compositor.prefer(scale: 1)
        try window.configure(Size(width: 640, height: 400))
        compositor.run(seconds: settling)
    }

    /// Expects that the viewer answers after a fault.
    func expectAnswers(after fault: Fault) throws {
        compositor.ping()
        let answers = compositor.run(seconds: 2) { compositor.openPings.isEmpty }
        try #require(exitCode == nil && answers, "after \(fault.name)")
        let odd = trace.last.map { frame in
            ["nan", "-nan", "inf", "-inf"].contains { number in
                [":", ",", "["].contains { frame.line.contains($0 + number) }
            }
        }
        #expect(odd == false, "\(fault.name): \(trace.last?.line ?? "")")
    }

    /// Expects that the viewer follows a resize and obeys keys and fingers.
    func expectGoesOn(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let surface = try surface
        for size in [Size(width: 500, height: 300), Size(width: 640, height: 400)] {
            try window.configure(size)
            #expect(
                compositor.run(seconds: 2) { surface.commits.last?.logicalSize == size },
                "\(String(describing: surface.commits.last?.logicalSize))",
                sourceLocation: sourceLocation)
        }
        play {
            $0.key("1")
            $0.rest(400)
        }
        #expect(
            try abs(last.zoom - 1) < 1e-6, "\(trace.last?.line ?? "")",
            sourceLocation: sourceLocation)
        let before = try #require(try last.rect)
        play {
            $0.touch([1: (300, 200)])
            $0.move([1: (350, 220)], in: 100)
            $0.lift(1)
        }
        let after = try #require(try last.rect)
        #expect(after.distance(to: before) > 10, "\(after)", sourceLocation: sourceLocation)
    }
}
