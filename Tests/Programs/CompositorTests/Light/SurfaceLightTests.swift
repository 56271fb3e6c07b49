import CompositorKit
import Geometry
import Glibc
import TestKit
import Testing

extension LiveTests {
    /// Pictures that are brighter than white, on compositors that know of light.
    @Suite struct SurfaceLightTests {
        private static let size = PixelSize(width: 320, height: 200)
        /// The base of the pictures, and their gain in stops where all of it counts.
        private static let (base, stops): (UInt8, Double) = (200, 2)
        private static let bright = TestGainMap.picture(
            [base, base, base], size, [255], TestGainMap.twoStops)
        private static let plain = TestGainMap.plain([base, base, base], size)

        private static func setup(_ light: TestLight) -> Setup {
            var setup = Setup()
            setup.offer = .everything.with("wp_color_manager_v1", version: light.version)
            setup.light = light
            return setup
        }

        private static func stage(
            _ light: TestLight, _ settings: [String] = [], picture: [UInt8] = bright
        ) throws -> Stage {
            try Stage.shown(
                setup(light), in: .program, options: settings.flatMap { ["--set", $0] },
                pictures: [picture])
        }

        /// The light in the middle of the picture where a share of the gain counts.
        private static func light(_ share: Double) -> Double {
            pow(Double(base) / 255, 2.2) * exp2(stops * share)
        }

        /// Waits until the middle of the surface has this light, in multiples of white.
        private func expect(
            _ wanted: Double, on stage: Stage, sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let surface = try stage.surface
            let isThere = stage.compositor.run(seconds: 20) {
                guard let found = surface.light(320, 200) else { return false }
                return found.allSatisfy { abs($0 / wanted - 1) < 0.01 }
            }
            #expect(
                isThere, "\(String(describing: surface.light(320, 200))), not \(wanted)",
                sourceLocation: sourceLocation)
        }

        private static let screens: [(light: TestLight, share: Double)] = [
            (.bright, 1), (.mutter50, 1), (.weston16, log2(600.0 / 203) / 2),
            (.bright.with(brightest: 406), 0.5),
        ]

        /// A compositor that tells four times, one that does not know, and the first version of the protocol.
        @Test(arguments: screens.indices)
        func picturesAreAsBrightAsTheScreenCanBe(screen: Int) throws {
            let (light, share) = Self.screens[screen]
            let stage = try Self.stage(light)
            try expect(Self.light(share), on: stage)
            let surface = try stage.surface
            #expect(surface.pixels?.isDeep == true)
            let reported = try #require(try stage.last.object("light"))
            #expect(reported.text("format") == "XBGR2101010" && reported.text("space") == "srgb")
            #expect(abs((reported.number("gain") ?? 0) - share) < 0.01)
            // The margins beside the picture stay black.
            #expect(surface.light(20, 20) == [0, 0, 0])
            try stage.expectGoodEnd()
        }

        /// White is the luminance that the description tells, within half a per cent.
        @Test func whiteStaysWhite() throws {
            let white = TestGainMap.picture(
                [255, 255, 255], Self.size, [0], TestGainMap.twoStops)
            let stage = try Self.stage(.bright, picture: white)
            let surface = try stage.surface
            #expect(stage.compositor.run(seconds: 20) { surface.pixels?.isDeep == true })
            let light = try #require(surface.light(320, 200))
            #expect(light.allSatisfy { abs($0 - 1) <= 0.005 }, "\(light)")
            try stage.expectGoodEnd()
        }

        /// An ordinary picture, a screen without headroom, a compositor that takes no luminances, or refuses the
        /// description, or never accepts one: the same pixels as without light, and no description.
        @Test func allElseStaysAsItIs() throws {
            let usual = try Stage.shown(in: .program, pictures: [Self.plain])
            let wanted = try #require(try usual.surface.pixels?.values)
            try usual.expectGoodEnd()
            let cases: [(TestLight, [UInt8])] = [
                (.bright, Self.plain), (.kwin6, Self.bright), (.sway1_12, Self.bright),
                (.bright.with(.failed), Self.bright), (.bright.with(.silent), Self.bright),
                (.bright.with(brightest: 0), Self.bright),
                (.bright.with(brightest: 1), Self.bright),
                (.bright.with(brightest: .max), Self.bright),
            ]
            for (light, picture) in cases {
                let stage = try Self.stage(light, picture: picture)
                stage.compositor.run(seconds: 0.5) { false }
                let surface = try stage.surface
                #expect(surface.description == nil)
                #expect(surface.pixels?.values == wanted, "\(light)")
                try stage.expectGoodEnd()
            }
        }

        @Test func theSettingLimitsTheLight() throws {
            let limited = try Self.stage(.bright, ["light=limited"])
            try expect(Self.light(0.5), on: limited)
            try limited.expectGoodEnd()
            let off = try Self.stage(.bright, ["light=off"])
            off.compositor.run(seconds: 0.5) { false }
            #expect(try off.surface.pixels?.isDeep == false)
            try off.expectGoodEnd()
        }

        /// A window that moves from screen to screen.
        @Test func theScreenMayChange() throws {
            let stage = try Self.stage(.bright)
            try expect(Self.light(1), on: stage)
            stage.compositor.setLight(.bright.with(brightest: 406))
            try expect(Self.light(0.5), on: stage)
            stage.compositor.setLight(.kwin6)
            try expect(Self.light(0), on: stage)
            #expect(try stage.surface.pixels?.isDeep == false)
            stage.compositor.setLight(.bright)
            try expect(Self.light(1), on: stage)
            try stage.expectGoodEnd()
        }

        /// A compositor that tells of another screen all the time.
        @Test func aScreenThatChangesInEveryFrameEndsNothing() throws {
            let stage = try Self.stage(.bright)
            for number in 0..<60 as Range<UInt32> {
                stage.compositor.setLight(.bright.with(brightest: 300 + 10 * number))
                stage.compositor.run(seconds: 0.01) { false }
            }
            stage.compositor.setLight(.bright)
            try expect(Self.light(1), on: stage)
            try stage.expectGoodEnd()
        }

        /// A picture that two fingers have turned keeps its light, and so does one that they hold.
        @Test func aTurnedPictureKeepsItsLight() throws {
            let stage = try Self.stage(.bright)
            try expect(Self.light(1), on: stage)
            stage.type("r")
            try expect(Self.light(1), on: stage)
            let surface = try stage.surface
            // Above and below the middle of the picture, which is upright now.
            let isTurned = stage.compositor.run(seconds: 10) {
                (surface.light(320, 80)?[0] ?? 0) > 0 && surface.light(200, 192) == [0, 0, 0]
            }
            #expect(isTurned)
            let light = try #require(surface.light(320, 80))
            #expect(light.allSatisfy { abs($0 / Self.light(1) - 1) < 0.01 }, "\(light)")
            try stage.expectGoodEnd()
        }

        /// The picture grows from its base to its light in 0.4 s, without a jump.
        @Test func aPictureBreathesIn() throws {
            // Not yet shown: the light begins to grow with the first frame of the picture.
            let stage = try Stage(
                Self.setup(.bright), in: .program, pictures: [Self.bright])
            var seen: [Double] = []
            _ = stage.compositor.run(seconds: 20) {
                let light = stage.compositor.window?.surface.light(320, 200)?[0] ?? 0
                // Before the picture the surface is black.
                if light > 0, light != seen.last { seen.append(light) }
                return (seen.last ?? 0) > Self.light(0.995)
            }
            #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 <= $1 + 0.01 }, "\(seen)")
            #expect((seen.first ?? 0) <= Self.light(0.3), "\(seen)")
            try stage.expectGoodEnd()
        }
    }
}
