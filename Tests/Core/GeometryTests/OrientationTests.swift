import Geometry
import Testing

/// The eight orientations form the group of a square's symmetries.
@Suite struct OrientationTests {
    private static let all = Orientation.allCases
    private let place = Rect(x: 0.1, y: 0.2, width: 0.3, height: 0.15)

    private func isNear(_ one: Rect, _ other: Rect) -> Bool {
        let pairs = [
            (one.x, other.x), (one.y, other.y), (one.width, other.width),
            (one.height, other.height),
        ]
        return pairs.allSatisfy { abs($0 - $1) < 1e-12 }
    }

    @Test(arguments: all) func uprightIsNeutral(_ one: Orientation) {
        #expect(one.followed(by: .upright) == one)
        #expect(Orientation.upright.followed(by: one) == one)
    }

    @Test(arguments: all) func theInverseTakesAnOrientationBack(_ one: Orientation) {
        #expect(one.followed(by: one.inverse) == .upright)
        #expect(one.inverse.followed(by: one) == .upright)
        #expect(one.inverse.inverse == one)
    }

    @Test(arguments: all, all)
    func followingIsWhatTwoStepsDo(_ one: Orientation, _ two: Orientation) {
        let both = one.followed(by: two)
        #expect(isNear(both.upright(place), two.upright(one.upright(place))))
        #expect(both.swapsAxes == (one.swapsAxes != two.swapsAxes))
        #expect(both.inverse == two.inverse.followed(by: one.inverse))
        for three in Self.all {
            #expect(both.followed(by: three) == one.followed(by: two.followed(by: three)))
        }
    }

    @Test func allProductsOfOneOrientationDiffer() {
        for one in Self.all {
            #expect(Set(Self.all.map { one.followed(by: $0) }).count == Self.all.count)
        }
    }

    @Test func quarterTurnsAndMirroringsHaveTheirNames() {
        #expect(Orientation(turns: 1) == .rotatedLeft)
        #expect(Orientation(turns: -1) == .rotatedRight)
        #expect(Orientation(turns: 5) == .rotatedLeft)
        #expect(Orientation(isMirrored: true, turns: 2) == .mirroredUpsideDown)
        #expect(Orientation.rotatedLeft.followed(by: .rotatedLeft) == .upsideDown)
        #expect(Orientation.mirrored.followed(by: .rotatedLeft) == .transversed)
    }
}
