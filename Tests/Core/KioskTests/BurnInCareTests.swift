import CoreTestKit
import Geometry
import Input
import Interface
import Motion
import SceneModel
import Testing

@testable import Kiosk

/// Burn-in care: where everything moves, and that no edge shows.
@Suite struct BurnInCareTests {
    private let surface = Size(width: 1280, height: 800)

    @Test func theOrbitIsSlowSmallAndWide() {
        let places = (0..<72).map { BurnInCare.offset(after: $0) }
        #expect(places[0] == .zero && BurnInCare.offset(after: 72) == .zero)
        for (place, next) in zip(places, places.dropFirst()) {
            #expect(max(abs(place.dx), abs(place.dy)) <= BurnInCare.reach)
            #expect(place.dx == place.dx.rounded() && place.dy == place.dy.rounded())
            let step = next - place
            #expect(max(abs(step.dx), abs(step.dy)) <= 2)
        }
        let quadrants = Set(places.map { "\($0.dx > 0)\($0.dy > 0)" })
        #expect(quadrants.count == 4 && Set(places).count > 30)
    }

    @Test func theEnlargementIsContinuousAndSmall() {
        var last = 1.0
        for width in stride(from: 1200.0, through: 1400, by: 0.25) {
            let size = Size(width: width, height: 300)
            let factor = BurnInCare.factor(for: size, on: surface)
            #expect(abs(factor - last) < 0.0005 && factor >= 1 && factor < 1.01)
            if width >= surface.width {
                #expect(factor * width >= surface.width + 2 * BurnInCare.reach)
            }
            last = factor
        }
        #expect(BurnInCare.factor(for: Size(width: 1255, height: 300), on: surface) == 1)
        #expect(BurnInCare.factor(for: Size(width: 1400, height: 300), on: surface) == 1)
    }

    @Test func noEdgeShows() {
        let pictures = [
            PixelSize(width: 1280, height: 800), PixelSize(width: 1280, height: 500),
            PixelSize(width: 500, height: 800),
        ]
        for picture in pictures {
            for step in 0..<72 {
                var scene = Scene(
                    size: surface, scale: 1, backdrop: 1,
                    items: [
                        .picture(
                            PictureItem(
                                source: .init(picture: 1, revision: 1), size: picture,
                                placement: Placement(center: Point(x: 640, y: 400), zoom: 1))),
                        .fill(
                            FillItem(
                                rect: Rect(origin: .zero, size: surface), color: .black(0.5))),
                        .fill(
                            FillItem(
                                rect: Rect(x: 10, y: 20, width: 30, height: 40),
                                color: .black(0.5))),
                    ])
                let offset = BurnInCare.offset(after: step)
                BurnInCare.apply(offset, to: &scene)
                let bounds = scene.items.map(\.bounds)
                if picture.width == 1280 {
                    #expect(bounds[0].x <= 0 && bounds[0].maxX >= 1280)
                }
                if picture.height == 800 {
                    #expect(bounds[0].y <= 0 && bounds[0].maxY >= 800)
                }
                #expect(bounds[1].intersection(Rect(origin: .zero, size: surface)).size == surface)
                #expect(bounds[2].origin == Point(x: 10, y: 20) + offset)
                #expect(bounds[2].size == Size(width: 30, height: 40))
            }
        }
    }

    // MARK: When

    private func at(_ seconds: Double) -> Moment { Moment(milliseconds: seconds * 1000) }

    private func model(_ settings: KioskSettings = KioskSettings()) -> KioskModel {
        KioskModel(
            settings, on: BarLayout(surface: surface, theme: Theme(), text: .fixed), at: at(0))
    }

    private let monday = LocalTime(day: 0, second: 0)

    @Test func aStepComesAfterAPauseWithoutInput() {
        var kiosk = model()
        #expect(kiosk.deadline == at(180) && kiosk.burnInOffset == .zero)
        _ = kiosk.handle(.touch(.down(id: 1, at: Point(x: 600, y: 300))), at: at(100))
        _ = kiosk.advance(to: at(180), localTime: { monday })
        #expect(kiosk.burnInOffset == .zero && kiosk.deadline == at(280))
        _ = kiosk.advance(to: at(280), localTime: { monday })
        #expect(kiosk.burnInOffset == BurnInCare.offset(after: 1))
        #expect(kiosk.deadline == at(460))
    }

    @Test func withoutItNothingMoves() {
        var settings = KioskSettings()
        settings.burnIn = false
        let kiosk = model(settings)
        #expect(kiosk.deadline == nil && kiosk.burnInOffset == nil)
    }

    @Test func nothingMovesInTheDark() {
        var kiosk = model()
        kiosk.switchScreen(isOn: false, at: at(10))
        _ = kiosk.advance(to: at(10), localTime: { monday })
        #expect(kiosk.deadline == nil)
    }
}
