import CompositorKit
import Geometry
import TestKit
import Testing
import WaylandProtocol
import WaylandServer

extension LiveTests {
    /// The viewer on compositors that lack globals.
    @Suite struct OfferTests {
        private static let optional = [
            "wl_seat", "wl_output", "wp_viewporter", "wp_fractional_scale_manager_v1",
            "wp_presentation", "zxdg_decoration_manager_v1", "zwp_pointer_gestures_v1",
            "wp_cursor_shape_manager_v1", "zwp_input_timestamps_manager_v1",
            "zwp_text_input_manager_v3", "wl_subcompositor", "xdg_activation_v1",
            "xdg_toplevel_icon_manager_v1",
        ]

        @Test(arguments: optional)
        func everyOptionalGlobalMayBeMissing(_ name: String) throws {
            let stage = try Stage.shown(Setup(offer: OfferedGlobals.everything.without(name)))
            if stage.compositor.seats.isEmpty == false {
                try stage.play(
                    "0 touch down 1 100 100\n0 touch frame\n60 touch up 1\n60 touch frame")
            }
            try stage.expectGoodEnd()
        }

        @Test(arguments: [
            OfferedGlobals.least, .sway1_7, .mutter43, .weston10, .cage0_1, .everything,
        ])
        func everyCompositorIsSupported(_ offer: OfferedGlobals) throws {
            let stage = try Stage.shown(Setup(offer: offer), in: .program)
            // 320 × 200 in 640 × 400: small pictures are shown as they are.
            let color = try #require(try stage.surface.pixels?.color(310, 190))
            #expect(color.r > 190 && color.g < 60)
            try stage.expectGoodEnd()
        }

        @Test(arguments: ["wl_compositor", "wl_shm", "xdg_wm_base"])
        func aMissingRequiredGlobalIsNamed(_ name: String) throws {
            let stage = try Stage(
                Setup(offer: OfferedGlobals.everything.without(name)), in: .program)
            #expect(stage.untilEnded() == 1)
            #expect(stage.errors.hasPrefix("vitrine: "))
            #expect(stage.errors.contains(name))
            #expect(stage.errors.split(separator: "\n").count == 1)
        }

        @Test(arguments: Array(1...UInt32(8)))
        func everySeatVersionIsSupported(_ version: UInt32) throws {
            let stage = try Stage.shown(
                Setup(offer: OfferedGlobals.everything.with("wl_seat", version: version)))
            try stage.play(
                """
                0 pointer move 320 200
                20 pointer axis vertical -15 wheel -120
                20 key plus
                """)
            try stage.expectGoodEnd()
        }
    }
}
