import Glibc
import Motion
import Testing

private let limits = 0.25...1.0

@Suite struct RubberBandTests {
    @Test func r1ShowsLessThanTheRawOffset() {
        #expect(abs(RubberBand.displayed(100, extent: 800) - 51.4620) < 5e-5)
    }

    @Test func r2IsOdd() {
        #expect(abs(RubberBand.displayed(-1000, extent: 800) + 325.9259) < 5e-5)
    }

    @Test func r3IsInvertible() {
        #expect(abs(RubberBand.raw(51.4620, extent: 800) - 100) < 5e-4)
        for raw in stride(from: -3000.0, through: 3000, by: 250) {
            let shown = RubberBand.displayed(raw, extent: 800)
            #expect(abs(RubberBand.raw(shown, extent: 800) - raw) < 1e-9 * max(1, abs(raw)))
        }
    }

    @Test func r4SlopeReducesTheVelocity() {
        #expect(abs(500 * RubberBand.slope(100, extent: 800) - 240.7578) < 5e-5)
        #expect(RubberBand.slope(0, extent: 800) == RubberBand.coefficient)
    }

    @Test func staysWithinItsExtent() {
        for raw in [1e3, 1e9, 1e300, .infinity] {
            #expect(RubberBand.displayed(raw, extent: 800) <= 800)
            #expect(RubberBand.displayed(-raw, extent: 800) >= -800)
        }
    }

    @Test func valuesBeyondTheAsymptoteHaveAFiniteInverse() {
        #expect(RubberBand.raw(900, extent: 800) == RubberBand.raw(784, extent: 800))
        #expect(RubberBand.raw(-.infinity, extent: 800).isFinite)
    }

    @Test(arguments: [0, -5, .nan])
    func anEmptyExtentHasNoRubberBand(extent: Double) {
        #expect(RubberBand.displayed(10, extent: extent) == 0)
        #expect(RubberBand.raw(10, extent: extent) == 0)
        #expect(RubberBand.slope(10, extent: extent) == 0)
    }
}

@Suite struct ZoomBandTests {
    @Test func r5ResistsAboveTheMaximum() {
        #expect(abs(ZoomBand.displayed(2, limits: limits) - 1.2788) < 5e-5)
    }

    @Test func r6ResistsBelowTheMinimum() {
        #expect(abs(ZoomBand.displayed(0.1, limits: limits) - 0.1867) < 5e-5)
    }

    @Test func r7IsInvertible() {
        #expect(abs(ZoomBand.raw(1.2, limits: limits) - 1.5680) < 5e-5)
        for raw in [0.01, 0.2, 0.25, 0.5, 1, 1.3, 7] {
            let shown = ZoomBand.displayed(raw, limits: limits)
            #expect(abs(ZoomBand.raw(shown, limits: limits) / raw - 1) < 1e-9)
        }
    }

    /// Vector P8: a pinch that begins while the zoom is above its maximum.
    @Test func p8ContinuesFromTheRawZoom() {
        let raw = ZoomBand.raw(1.2, limits: limits) * 150 / 200
        #expect(abs(ZoomBand.displayed(raw, limits: limits) - 1.0822) < 5e-5)
    }

    /// Vectors Q1 and Q2: a quick zoom of 64 px in, and of 128 px out beyond the minimum.
    @Test func q1AndQ2DoubleEvery128Pixels() {
        let bounds = 0.32...2.0
        #expect(abs(ZoomBand.displayed(0.4 * exp2(64.0 / 128), limits: bounds) - 0.5657) < 5e-5)
        #expect(abs(ZoomBand.displayed(0.4 * exp2(-128.0 / 128), limits: bounds) - 0.2651) < 5e-5)
    }

    /// Vectors K3 and L4: a peek above its maximum, a grid above its largest scale.
    @Test func k3AndL4StretchOverTheCeiling() {
        #expect(abs(ZoomBand.displayed(2.6, limits: 1...2) - 2.2537) < 5e-5)
        #expect(abs(ZoomBand.displayed(5, limits: 1...4) - 4.4396) < 5e-5)
    }

    @Test func neverPassesTwiceOrHalfTheLimits() {
        #expect(ZoomBand.displayed(.infinity, limits: limits) <= 2)
        #expect(ZoomBand.displayed(1e300, limits: limits) <= 2)
        for raw in [0, -3, .nan, 1e-300] {
            #expect(ZoomBand.displayed(raw, limits: limits) >= 0.125)
        }
    }

    @Test func slopeIsTheDerivativeInLogSpace() {
        for raw in [0.1, 0.2, 0.5, 1.4, 3] {
            let step = 1e-6
            let ratio =
                ZoomBand.displayed(raw * exp(step), limits: limits)
                / ZoomBand.displayed(raw * exp(-step), limits: limits)
            #expect(abs(log(ratio) / (2 * step) - ZoomBand.slope(raw, limits: limits)) < 1e-6)
        }
    }
}
