package import Geometry
package import SceneModel

/// Measurements of one frame.
package struct FrameRecord: Hashable, Sendable {
    /// From the beginning of the frame to its commit, in milliseconds.
    package var paint: Double
    /// From the newest input that the frame shows to its commit, in milliseconds; nil without
    /// input.
    package var latency: Double?
    /// Buffer pixels per device pixel, along each side.
    package var resolution: Double

    package init(paint: Double, latency: Double?, resolution: Double) {
        self.paint = paint
        self.latency = latency
        self.resolution = resolution
    }
}

/// A graph of the painting times of recent frames, with figures, painted over a scene.
///
/// The height of a frame's column is its painting time; a mark shows the age of its input, and a
/// line the screen's period. The display is part of frames that are painted anyway and never causes
/// a frame.
package struct HeadUpDisplay: Hashable, Sendable {
    /// The newest one last.
    private var records: [FrameRecord] = []

    /// Frames in the graph: two seconds at 60 Hz.
    private static let capacity = 120
    /// The width of a frame's column, in logical pixels.
    private static let column = 2.0
    /// Logical pixels per millisecond.
    private static let unit = 2.0
    /// Longer durations are clipped to this, in milliseconds.
    private static let longest = 40.0
    /// In logical pixels.
    private static let textSize = 13.0
    /// The distance between lines, as a multiple of the text size.
    private static let lineHeight = 1.3
    private static let padding = 6.0

    /// The rectangle of the display, in logical pixels of the surface: below the bar, at the left.
    package static let rect = Rect(
        x: 12, y: 60, width: Double(capacity) * column + 2 * padding,
        height: longest * unit + 4 * textSize + 2 * padding)

    /// The area of the columns, in logical pixels of the surface.
    private static let graph = Rect(
        x: rect.x + padding, y: rect.y + padding, width: Double(capacity) * column,
        height: longest * unit)

    package init() {}

    package mutating func add(_ record: FrameRecord) {
        records.append(record)
        if records.count > Self.capacity { records.removeFirst() }
    }

    /// The items to paint over a scene, from the bottom up.
    ///
    /// `refresh` is the screen's period in milliseconds; `lateFrames` is the number of late frames
    /// so far.
    package func items(refresh: Double, lateFrames: Int) -> [SceneItem] {
        var fills = [FillItem(rect: Self.rect, color: .black(0.7))]
        let left = Self.graph.maxX - Double(records.count) * Self.column
        for (index, record) in records.enumerated() {
            let x = left + Double(index) * Self.column
            let isLong = record.paint > refresh
            fills.append(
                Self.bar(from: 0, to: record.paint, at: x, isLong ? Self.tooLong : Self.inTime))
            if let age = record.latency {
                fills.append(Self.bar(from: age, to: age + 1, at: x, Self.input))
            }
        }
        var line = Self.bar(from: refresh, to: refresh + 0.5, at: Self.graph.x, Self.period)
        line.rect.width = Self.graph.width
        fills.append(line)
        return fills.map { .fill($0) } + [.layer(figures(lateFrames: lateFrames))]
    }

    private static let inTime = Color(red: 0.4, green: 0.8, blue: 0.4)
    private static let tooLong = Color(red: 0.95, green: 0.35, blue: 0.3)
    private static let input = Color(red: 0.45, green: 0.7, blue: 1)
    private static let period = Color(red: 1, green: 1, blue: 1, alpha: 0.6)

    /// A bar between two durations, in milliseconds, in the column at `x`.
    private static func bar(
        from low: Double, to high: Double, at x: Double, _ color: Color
    ) -> FillItem {
        let (low, high) = (min(max(low, 0), longest), min(max(high, 0), longest))
        let rect = Rect(
            x: x, y: graph.maxY - high * unit, width: column, height: (high - low) * unit)
        return FillItem(rect: rect, color: color)
    }

    private func figures(lateFrames: Int) -> LayerItem {
        let paints = records.map(\.paint).sorted()
        let ages = records.compactMap(\.latency).sorted()
        let percent = ((records.last?.resolution ?? 1) * 100).rounded()
        let labels = [
            "paint \(Self.summary(paints))", "input \(Self.summary(ages))",
            "late \(lateFrames), resolution \(Int(clamping: percent)) %",
        ]
        let line = Self.textSize * Self.lineHeight
        let style = TextStyle(size: Self.textSize)
        return LayerItem(
            rect: Rect(
                x: Self.graph.x, y: Self.graph.maxY + Self.padding / 2, width: Self.graph.width,
                height: line * Double(labels.count)),
            elements: labels.enumerated().map { number, label in
                .text(
                    .init(
                        Rect(
                            x: 0, y: Double(number) * line, width: Self.graph.width, height: line),
                        label, style, .gray(1, 0.94)))
            })
    }

    /// Median and 99th percentile of sorted durations, in milliseconds.
    private static func summary(_ sorted: [Double]) -> String {
        guard !sorted.isEmpty else { return "–" }
        func text(_ quantile: Double) -> String {
            let value = sorted[Int(clamping: Double(sorted.count - 1) * quantile)]
            let tenths = Int(clamping: (min(max(value, 0), 9999) * 10).rounded())
            return "\(tenths / 10).\(tenths % 10)"
        }
        return "\(text(0.5)) ms, 99 %: \(text(0.99)) ms"
    }
}
