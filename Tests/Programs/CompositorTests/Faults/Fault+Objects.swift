import CompositorKit
import Geometry
import Testing
import WaylandProtocol
import WaylandServer

/// Objects that come and go while they are in use.
extension Fault {
    /// What a person is doing when the object goes.
    private static let deeds: [(name: String, steps: [Step])] = [
        ("a touch", [.down(1, 200, 200), .frame, .wait(20), .motion(1, 240, 200), .frame]),
        (
            "a pinch",
            [
                .down(1, 200, 200), .down(2, 300, 200), .frame, .wait(20), .motion(2, 380, 220),
                .frame,
            ]
        ),
        (
            "a pinch on the touchpad",
            [
                .enter, .pointer("frame"), .pinch("begin", [.serial, .time, .surface, 2]),
                .wait(20),
                .pinch("update", [.time, 3, 3, 1.5, 20]),
            ]
        ),
        (
            "a drag of the mouse",
            [
                .enter, .pointer("button", [.serial, .time, 0x110, 1]), .pointer("frame"),
                .wait(20),
                .pointer("motion", [.time, 380, 210]), .pointer("frame"),
            ]
        ),
        (
            "a drag of the border",
            [
                .event("zxdg_toplevel_decoration_v1", "configure", [1]),
                .configure(640, 400, states: [4]), .wait(100),
                .touch("down", [.serial, .time, .object("wl_surface", 1), 1, 5, 5]), .frame,
                .wait(20),
            ]
        ),
        (
            "a held key",
            [
                .keyboard("repeat_info", [25, 100]), .keyboard("enter", [.serial, .surface, ""]),
                .keyboard("key", [.serial, .time, 16, 1]), .wait(200),
            ]
        ),
    ]

    /// What goes, and comes back.
    private static let losses: [(name: String, steps: [Step])] = [
        (
            "the screen goes",
            [
                .act { stage in
                    for output in stage.compositor.outputs { output.remove() }
                }, .wait(100), .act { try $0.compositor.addOutput() },
            ]
        ),
        (
            "the seat goes",
            [
                .act { stage in
                    for seat in stage.compositor.seats { stage.compositor.remove(seat) }
                }, .wait(100), .act { try $0.compositor.addSeat() },
            ]
        ),
        (
            "a second seat comes and goes",
            [
                .act { try $0.compositor.addSeat() }, .wait(50),
                .act { stage in stage.compositor.seats.last.map { stage.compositor.remove($0) } },
            ]
        ),
        (
            "the devices go",
            [
                .event("wl_seat", "capabilities", [0]), .wait(50),
                .event("wl_seat", "capabilities", [7]),
            ]
        ),
        (
            "the devices blink",
            [.event("wl_seat", "capabilities", [0]), .event("wl_seat", "capabilities", [7])]
        ),
        ("the window is hidden", [.configure(640, 400, states: [9]), .wait(100)]),
    ]

    static let objects: [Fault] = losses.flatMap { loss in
        deeds.map { Fault("\(loss.name) during \($0.name)", $0.steps + loss.steps + [.wait(50)]) }
    }
}
