import Geometry
import Pacing
import SceneModel
import Testing

@Suite struct HeadUpDisplayTests {
    private static func display(_ records: [FrameRecord]) -> HeadUpDisplay {
        var display = HeadUpDisplay()
        for record in records { display.add(record) }
        return display
    }

    private static func fills(_ display: HeadUpDisplay) -> [FillItem] {
        display.items(refresh: 16, lateFrames: 0).compactMap {
            if case .fill(let fill) = $0 { fill } else { nil }
        }
    }

    private static func texts(_ display: HeadUpDisplay, lateFrames: Int = 0) -> [String] {
        display.items(refresh: 16, lateFrames: lateFrames).flatMap { item in
            guard case .layer(let layer) = item else { return [String]() }
            return layer.elements.compactMap {
                if case .text(let label) = $0 { label.text } else { nil }
            }
        }
    }

    @Test func theHeightOfAColumnIsTheFrameTime() {
        let paints = [4.0, 8, 20]
        let fills = Self.fills(
            Self.display(paints.map { FrameRecord(paint: $0, latency: nil, resolution: 1) }))
        // The background, three columns, the line.
        #expect(fills.count == 5)
        let columns = fills[1...3].map(\.rect)
        #expect(columns[1].height == 2 * columns[0].height)
        #expect(columns[2].height == 5 * columns[0].height)
        for (left, right) in zip(columns, columns.dropFirst()) {
            #expect(left.maxX == right.x)
            #expect(left.maxY == right.maxY)
        }
        // A frame longer than the refresh period has another colour.
        #expect(fills[1].color == fills[2].color)
        #expect(fills[3].color != fills[2].color)
    }

    @Test func allFillsLieWithinTheDisplay() {
        var records: [FrameRecord] = []
        for paint in [0, 0.1, 1000, -5, .infinity] {
            records += Array(
                repeating: FrameRecord(paint: paint, latency: paint, resolution: 0.5), count: 100)
        }
        let fills = Self.fills(Self.display(records))
        for fill in fills {
            #expect(fill.rect.intersection(HeadUpDisplay.rect) == fill.rect || fill.rect.isEmpty)
        }
        // The number of fills does not grow with more frames.
        #expect(fills.count == Self.fills(Self.display(records + records)).count)
    }

    @Test func figuresAreThoseOfTheFramesInTheGraph() {
        let records = (0..<300).map { number in
            FrameRecord(
                paint: number < 150 ? 30 : 5, latency: number % 2 == 0 ? 7.25 : nil,
                resolution: 0.75)
        }
        let texts = Self.texts(Self.display(records), lateFrames: 3)
        #expect(texts[0] == "paint 5.0 ms, 99 %: 5.0 ms")
        #expect(texts[1] == "input 7.3 ms, 99 %: 7.3 ms")
        #expect(texts[2] == "late 3, resolution 75 %")
        #expect(Self.texts(HeadUpDisplay())[0] == "paint –")
    }
}
