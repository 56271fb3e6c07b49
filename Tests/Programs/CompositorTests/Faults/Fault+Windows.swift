import CompositorKit
import Geometry
import Testing
import WaylandServer

/// Faults about the window, the screens, and the frames.
extension Fault {
    private static let least = Int(Int32.min)
    private static let most = Int(Int32.max)

    static let windows: [Fault] = [
        Fault("a size of 0", .configure(0, 0, states: [])),
        Fault("a negative size", .configure(-1, -1, states: [4])),
        Fault("the least size", .configure(.min, .min, states: [])),
        Fault("the widest window", .configure(.max, 1, states: [4])),
        Fault("the highest window", .configure(1, .max, states: [1])),
        Fault("maximised to nothing", .configure(0, 0, states: [1])),
        Fault("fullscreen of one pixel", .configure(1, 1, states: [2])),
        Fault("unknown states", .configure(300, 200, states: [0, 77, .max, 4, 4, 4])),
        Fault(
            "thousand states", .configure(300, 200, states: Array(repeating: 4, count: 900))),
        Fault(
            "states of odd length", .toplevel("configure", [300, 200, .bytes([4, 0, 0, 0, 9])])),
        Fault(
            "a size without an end, then another",
            .toplevel("configure", [300, 200, ""]), .toplevel("configure", [400, 300, ""]),
            .wait(50), .configure(500, 300, states: [])),
        Fault(
            "serials that were never given out",
            .event("xdg_surface", "configure", [0]), .wait(50),
            .event("xdg_surface", "configure", [.integer(Int(UInt32.max))]), .wait(50),
            .event("xdg_surface", "configure", [1])),
        Fault(
            "one configure a hundred times",
            .toplevel("configure", [300, 200, ""]),
            .send(FaultyEvent("xdg_surface", "configure", [77]), times: 100)),
        Fault(
            "sizes to and fro", .configure(1, 1, states: []), .configure(900, 700, states: []),
            .wait(20), .configure(1, 900, states: []), .wait(20), .configure(900, 1, states: [])),
        Fault(
            "bounds of nothing", .toplevel("configure_bounds", [0, 0]), .configure(0, 0, states: [])
        ),
        Fault(
            "negative bounds", .toplevel("configure_bounds", [-5, .integer(least)]),
            .configure(0, 0, states: [])),
        Fault(
            "endless bounds", .toplevel("configure_bounds", [.integer(most), .integer(most)]),
            .configure(0, 0, states: [])),
        Fault(
            "no capabilities", .toplevel("wm_capabilities", [""]), .configure(300, 200, states: [])),
        Fault(
            "unknown capabilities",
            .toplevel("wm_capabilities", [.bytes(Array(repeating: 255, count: 41))]),
            .configure(300, 200, states: [])),
        Fault(
            "an unknown decoration", .event("zxdg_toplevel_decoration_v1", "configure", [99]),
            .configure(300, 200, states: [4])),
        Fault(
            "decorations by turns",
            .event("zxdg_toplevel_decoration_v1", "configure", [1]),
            .configure(1, 1, states: [4]), .wait(50),
            .event("zxdg_toplevel_decoration_v1", "configure", [2]),
            .configure(400, 300, states: [4]), .wait(50),
            .event("zxdg_toplevel_decoration_v1", "configure", [1]),
            .configure(.max, 2, states: [4])),
        Fault("suspended at once and back", .configure(640, 400, states: [9]), .wait(300)),
        Fault("a thousand pings", .event("xdg_wm_base", "ping", [.serial], times: 1000)),
        Fault(
            "one ping twice", .event("xdg_wm_base", "ping", [0]), .event("xdg_wm_base", "ping", [0])
        ),
    ]

    private static func scale(_ factor: Int) -> Step {
        .event("wp_fractional_scale_v1", "preferred_scale", [.integer(factor)])
    }

    static let screens: [Fault] = [
        Fault("a fractional scale of 0", scale(0)),
        Fault("the least fractional scale", scale(1)),
        Fault("a small fractional scale", scale(7)),
        Fault("the largest fractional scale", scale(Int(UInt32.max))),
        Fault(
            "scales by turns", scale(1), scale(1919), .wait(30), scale(13), .wait(30), scale(240)),
        Fault("a surface scale of 0", .surface("preferred_buffer_scale", [0])),
        Fault("a negative surface scale", .surface("preferred_buffer_scale", [.integer(least)])),
        Fault("the largest surface scale", .surface("preferred_buffer_scale", [.integer(most)])),
        Fault("an unknown transform", .surface("preferred_buffer_transform", [99])),
        Fault("a screen of scale 0", .output("scale", [0]), .output("done")),
        Fault("a screen of negative scale", .output("scale", [-1]), .output("done")),
        Fault("a screen of scale 1000", .output("scale", [1000]), .output("done")),
        Fault("a screen of the largest scale", .output("scale", [.integer(most)]), .output("done")),
        Fault(
            "a screen without pixels", .mode(0, 0), .output("done"), .configure(0, 0, states: [2])),
        Fault(
            "a screen of negative size", .mode(least, -3), .output("done"),
            .configure(0, 0, states: [2])),
        Fault(
            "an endless screen", .mode(most, most, refresh: most), .output("done"),
            .configure(700, 500, states: [])),
        Fault(
            "a wide screen", .mode(most, 1, refresh: 1), .output("done"),
            .configure(700, 500, states: [])),
        Fault("a negative refresh", .mode(1280, 800, refresh: least), .output("done")),
        Fault("a mode that is not current", .mode(1, 1, flags: 0), .output("done")),
        Fault("done a thousand times", .event("wl_output", "done", times: 1000)),
        Fault(
            "an unknown rotation",
            .output("geometry", [.integer(least), .integer(most), -1, 0, 99, "", "\u{1B}[2J", 99]),
            .output("done")),
        Fault(
            "a screen is entered twice", .surface("enter", [.object("wl_output", 0)]),
            .surface("enter", [.object("wl_output", 0)]),
            .surface("leave", [.object("wl_output", 0)])),
        Fault(
            "a screen is left that was not entered", .surface("leave", [.object("wl_output", 0)])),
        Fault(
            "a screen is entered that is gone",
            .act { stage in
                stage.compositor.outputs.first?.remove()
                try stage.surface.resource.enter(
                    output: try #require(stage.compositor.outputs.first?.resources.first))
            }, .surface("enter", [.object("wl_output", 0)]), .output("done"),
            .surface("leave", [.object("wl_output", 0)]), .output("done")),
    ]

    private static func presented(
        _ high: Int, _ low: Int, _ nanoseconds: Int, refresh: Int
    ) -> Step {
        .act { stage in
            stage.compositor.setup.presentation = .silent
            stage.compositor.setup.frames = .paced(hertz: 60)
            for number in 0..<12 {
                try stage.window.configure(Size(width: 500 + Double(number), height: 300))
                stage.compositor.run(seconds: 0.02)
                stage.compositor.send(
                    FaultyEvent(
                        "wp_presentation_feedback", "presented",
                        [
                            .integer(high), .integer(low), .integer(nanoseconds),
                            .integer(refresh), .integer(high), .integer(low), .integer(low),
                        ]))
            }
        }
    }

    static let frames: [Fault] = [
        Fault("shown at the beginning of time", presented(0, 0, 0, refresh: 16_666_667)),
        Fault(
            "shown at the end of time",
            presented(Int(UInt32.max), Int(UInt32.max), 999_999_999, refresh: 16_666_667)),
        Fault("shown in an hour", presented(0, 4600, 0, refresh: 16_666_667)),
        Fault("more nanoseconds than a second", presented(0, 1000, Int(UInt32.max), refresh: 0)),
        Fault("the longest refresh", presented(0, 1000, 0, refresh: Int(UInt32.max))),
        Fault("the shortest refresh", presented(0, 1000, 0, refresh: 1)),
        Fault(
            "an unknown clock",
            .event("wp_presentation", "clock_id", [.integer(Int(UInt32.max))]),
            presented(0, 1000, 0, refresh: 16_666_667)),
        Fault(
            "a clock of a process",
            .event("wp_presentation", "clock_id", [2]), presented(0, 1000, 0, refresh: 16_666_667)),
        Fault(
            "a frame is shown and discarded",
            .act { stage in
                stage.compositor.setup.presentation = .silent
                stage.compositor.setup.frames = .never
                try stage.window.configure(Size(width: 500, height: 300))
                stage.compositor.run(seconds: 0.05)
            },
            .event("wp_presentation_feedback", "discarded"),
            .event("wp_presentation_feedback", "discarded"),
            .act {
                $0.compositor.setup.frames = .paced(hertz: 60); try $0.surface.finishFrame()
            }),
        Fault(
            "frame callbacks come twice",
            .act { stage in
                stage.compositor.setup.frames = .never
                try stage.window.configure(Size(width: 500, height: 300))
                stage.compositor.run(seconds: 0.05)
            },
            .event("wl_callback", "done", [.time]), .event("wl_callback", "done", [0]), .wait(50),
            .act {
                $0.compositor.setup.frames = .paced(hertz: 60); try $0.surface.finishFrame()
            }),
        Fault(
            "frame callbacks come late",
            .act { $0.compositor.setup.frames = .never }, .play("0 key 1\n300 key plus\n2000 end"),
            .act {
                $0.compositor.setup.frames = .paced(hertz: 60); try $0.surface.finishFrame()
            }),
        Fault(
            "buffers are released twice", .event("wl_buffer", "release", times: 2),
            .event("wl_buffer", "release", times: 2, place: 0), .play("0 key plus\n400 end")),
        Fault(
            "buffers are released that were never held",
            .play("0 key plus\n400 end"), .event("wl_buffer", "release", times: 3),
            .play("0 key minus\n400 end")),
        Fault(
            "buffers are released late",
            .act { $0.compositor.setup.release = .never }, .play("0 key 1\n300 key plus\n900 end"),
            .act {
                $0.compositor.setup.release = .atNextCommit; try $0.surface.releaseAll()
            }),
    ]
}
