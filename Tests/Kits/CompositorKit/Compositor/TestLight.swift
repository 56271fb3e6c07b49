package import WaylandProtocol

/// What a compositor knows of colours and light, and what its screen can show.
package struct TestLight: Hashable, Sendable {
    /// How the compositor answers to a description of pixels.
    package enum Answer: Hashable, Sendable { case ready, failed, silent }

    package var version: UInt32 = 2
    package var features: Set<WpColorManagerV1.Feature> = [.parametric]
    package var transfers: Set<WpColorManagerV1.TransferFunction> = [.gamma22, .st2084Pq]
    package var primaries: Set<WpColorManagerV1.Primaries> = [.srgb, .bt2020]
    /// The luminances of white and of the brightest pixel of the screen, in cd/m².
    package var white: UInt32 = 203
    package var brightest: UInt32 = 812
    /// Whether buffers may have 10 bits a sample.
    package var takesDeepPixels = true
    package var answer = Answer.ready

    package init() {}

    /// Four times as bright as white.
    package static let bright = mutter50.with(brightest: 812)

    /// mutter 50.5 with MUTTER_DEBUG_FORCE_HDR, which reports the brightest value of PQ.
    package static let mutter50: TestLight = {
        var light = TestLight()
        light.features = [.iccV2V4, .parametric, .setPrimaries, .setTfPower, .setLuminances]
        light.transfers = [.gamma22, .gamma28, .st2084Pq, .bt1886, .extLinear]
        light.primaries = [.srgb, .bt2020, .displayP3, .ntsc, .pal]
        light.brightest = 10_000
        return light
    }()

    /// KWin 6.7.4 without HDR.
    package static let kwin6: TestLight = {
        var light = TestLight()
        light.features = [
            .parametric, .setPrimaries, .setLuminances, .setMasteringDisplayPrimaries,
            .extendedTargetVolume, .windowsScrgb,
        ]
        light.primaries = [.srgb, .bt2020, .displayP3, .adobeRgb]
        light.brightest = 203
        return light
    }()

    /// weston 16 with a target of 600 cd/m²; the first version of the protocol.
    package static let weston16: TestLight = {
        var light = mutter50
        light.version = 1
        light.features.insert(.extendedTargetVolume)
        light.features.insert(.setMasteringDisplayPrimaries)
        light.brightest = 600
        return light
    }()

    /// sway 1.12, which takes no luminances.
    package static let sway1_12: TestLight = {
        var light = TestLight()
        light.features = [.parametric, .setMasteringDisplayPrimaries]
        return light
    }()

    /// The same with another brightest pixel.
    package func with(brightest: UInt32) -> TestLight {
        var light = self
        light.brightest = brightest
        return light
    }

    /// The same with another answer to descriptions.
    package func with(_ answer: Answer) -> TestLight {
        var light = self
        light.answer = answer
        return light
    }
}
