import CompositorKit
import Geometry
import Testing

/// Faults about pens.
extension Fault {
    /// Beyond the range of Wayland's fixed-point numbers, which end at this.
    private static let far: FaultyEvent.Argument = 8_388_607.996
    private static let low: FaultyEvent.Argument = -8_388_608
    private static let allBits = FaultyEvent.Argument.integer(Int(UInt32.max))
    private static let least = FaultyEvent.Argument.integer(Int(Int32.min))
    private static let most = FaultyEvent.Argument.integer(Int(Int32.max))
    private static let button: FaultyEvent.Argument = 0x14B

    static let pens: [Fault] = [
        Fault("a pen near twice", .near, .report, .near, .near, .report),
        Fault(
            "a pen that leaves twice", .near, .report, .pen("proximity_out"), .report,
            .pen("proximity_out", times: 9), .report),
        Fault(
            "a pen that leaves and comes in one frame", .near, .report, .pen("proximity_out"),
            .near, .pen("proximity_out"), .near, .report),
        Fault(
            "a contact without a pen near", .pen("down", [.serial]), .pen("motion", [300, 200]),
            .report, .pen("up"), .report),
        Fault(
            "down twice", .near, .pen("motion", [300, 200]), .pen("down", [.serial]), .report,
            .wait(20), .pen("down", [.serial]), .pen("down", [.serial]), .report),
        Fault("up without down", .near, .pen("up", times: 9), .report),
        Fault(
            "a pen across everything", .near, .pen("motion", [300, 200]),
            .pen("down", [.serial]), .report, .wait(10), .pen("motion", [far, far]), .report,
            .wait(10), .pen("motion", [low, low]), .report, .wait(10), .pen("up"), .report,
            .wait(500)),
        Fault(
            "axes at their ends", .near, .pen("motion", [low, far]), .pen("pressure", [allBits]),
            .pen("distance", [allBits]), .pen("tilt", [far, low]), .pen("rotation", [low]),
            .pen("slider", [least]), .report),
        Fault(
            "buttons of a pen that do not exist", .near, .pen("button", [.serial, allBits, 1]),
            .pen("button", [.serial, 0, allBits]), .pen("button", [.serial, button, allBits]),
            .pen("button", [.serial, button, 0]), .report),
        Fault(
            "the most clicks", .near, .pen("wheel", [far, most]), .pen("wheel", [far, most]),
            .report, .wait(20), .pen("wheel", [low, least]), .report),
        Fault(
            "no frame of a pen ever", .near, .pen("motion", [320, 200], times: 1000),
            .pen("down", [.serial], times: 500), .pen("up", times: 500)),
        Fault("a thousand frames of a pen", .near, .pen("frame", [.time], times: 1000)),
        Fault(
            "times of a pen that leap", .near, .pen("motion", [300, 200]), .pen("frame", [0]),
            .pen("down", [.serial]), .pen("frame", [allBits]), .pen("motion", [400, 200]),
            .pen("frame", [2_147_483_648]), .pen("up"), .pen("frame", [5]), .wait(50)),
        Fault(
            "a tool of no kind", .near, .pen("motion", [300, 200]), .pen("down", [.serial]),
            .report, .pen("type", [allBits]), .pen("capability", [allBits]),
            .pen("hardware_serial", [allBits, allBits]), .pen("done", times: 3),
            .pen("motion", [500, 200]), .report, .pen("type", [0x140])),
        Fault(
            "a pen on another surface", .event("zxdg_toplevel_decoration_v1", "configure", [1]),
            .configure(640, 400, states: [4]), .wait(100),
            .pen(
                "proximity_in",
                [.serial, .object("zwp_tablet_v2", 0), .object("wl_surface", 1)]),
            .pen("motion", [far, low]), .pen("down", [.serial]), .report),
        Fault(
            "a tablet that goes while a pen touches",
            .act { stage in
                let seat = try #require(stage.compositor.seats.first)
                let tablet = try #require(seat.tablet)
                try drag(tablet.tip, on: stage)
                tablet.unplug()
                seat.plugIn()
            }),
        Fault(
            "a tool that goes while it touches",
            .act { stage in
                let seat = try #require(stage.compositor.seats.first)
                let tablet = try #require(seat.tablet)
                try drag(tablet.eraser, on: stage)
                tablet.eraser.remove()
                seat.plugIn()
            }),
    ]

    /// Puts a pen down and moves it; it stays down.
    private static func drag(_ pen: TestPen, on stage: Stage) throws {
        let surface = try stage.surface
        pen.touch(at: Point(x: 300, y: 200), on: surface)
        stage.compositor.run(seconds: 0.02)
        pen.move(to: Point(x: 240, y: 200), on: surface)
        stage.compositor.run(seconds: 0.02)
    }
}
