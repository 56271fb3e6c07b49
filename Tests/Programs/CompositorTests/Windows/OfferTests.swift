import CompositorKit
import Geometry
import TestKit
import Testing
import WaylandProtocol
import WaylandServer

extension LiveTests {
    /// The viewer on compositors that lack globals.
    @Suite struct OfferTests {
        /// The globals without which the viewer cannot run.
        private static let required = ["wl_compositor", "wl_shm", "xdg_wm_base"]
        private static let optional = OfferedGlobals.everything.versions.keys.filter {
            !required.contains($0)
        }.sorted()
        /// The names by which the compositor announces its globals.
        private static let names = 1...UInt32(OfferedGlobals.everything.versions.count)

        @Test(arguments: optional)
        func everyOptionalGlobalMayBeMissing(_ name: String) throws {
            let stage = try Stage.shown(Setup(offer: OfferedGlobals.everything.without(name)))
            if stage.compositor.seats.isEmpty == false {
                try stage.play(
                    "0 touch down 1 100 100\n0 touch frame\n60 touch up 1\n60 touch frame")
            }
            try stage.expectGoodEnd()
        }

        /// In version 1, and only wl_compositor is needed in a later one.
        @Test(arguments: optional + ["xdg_wm_base"])
        func everyGlobalMayBeOld(_ name: String) throws {
            let stage = try Stage.shown(
                Setup(offer: OfferedGlobals.everything.with(name, version: 1)))
            try stage.play(
                "0 touch down 1 100 100\n0 touch frame\n60 touch up 1\n60 touch frame\n100 key plus"
            )
            try stage.expectGoodEnd()
        }

        /// A compositor of the future.
        @Test func everyGlobalMayBeNewer() throws {
            let names = OfferedGlobals.everything.versions.keys.filter { $0 != "wl_shm" }
            let offer = names.reduce(OfferedGlobals.everything) {
                $0.with($1, version: UInt32(Int32.max))
            }
            let stage = try Stage.shown(Setup(offer: offer))
            try stage.play(
                "0 touch down 1 100 100\n0 touch frame\n60 touch up 1\n60 touch frame\n100 key plus"
            )
            try stage.expectGoodEnd()
        }

        /// One global after another goes, and then all that are left.
        @Test(arguments: Array(names) + [0, .max])
        func everyGlobalMayGoWhileItIsUsed(_ name: UInt32) throws {
            var setup = Setup()
            setup.checksPixels = false
            let stage = try Stage.shown(setup, pictures: [Stage.large])
            try stage.compositor.play("0 touch down 1 100 100\n0 touch frame\n20 end")
            func remove(_ name: UInt32) {
                stage.compositor.send(
                    FaultyEvent("wl_registry", "global_remove", [.integer(Int(name))]))
            }
            for _ in 0..<2 { remove(name) }
            try stage.compositor.play(
                "0 touch move 1 160 100\n0 touch frame\n20 touch cancel\n60 key plus")
            stage.untilSeen()
            for name in Self.names { remove(name) }
            let size = Size(width: 500, height: 300)
            try stage.window.configure(size)
            #expect(
                stage.compositor.run { stage.compositor.surface?.commits.last?.logicalSize == size }
            )
            try stage.expectGoodEnd()
        }

        @Test(arguments: Array(1...UInt32(3)))
        func aCompositorThatIsTooOldIsNamed(_ version: UInt32) throws {
            let offer = OfferedGlobals.everything.with("wl_compositor", version: version)
            let stage = try Stage(Setup(offer: offer), in: .program)
            #expect(stage.untilEnded() == 1)
            #expect(
                stage.errors
                    == "vitrine: the compositor is too limited: wl_compositor version 4 is needed, "
                    + "it has version \(version)\n")
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

        @Test func theCompositorLearnsWhatTheWindowIs() throws {
            let stage = try Stage.shown()
            #expect(try stage.surface.contentType == .photo)
            #expect(try stage.window.tag == "viewer")
            try stage.expectGoodEnd()
        }

        @Test(arguments: required)
        func aMissingRequiredGlobalIsNamed(_ name: String) throws {
            let stage = try Stage(
                Setup(offer: OfferedGlobals.everything.without(name)), in: .program)
            #expect(stage.untilEnded() == 1)
            #expect(stage.errors.hasPrefix("vitrine: "))
            #expect(stage.errors.contains(name))
            #expect(stage.errors.split(separator: "\n").count == 1)
        }

        @Test(arguments: Array(1...UInt32(10)))
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
