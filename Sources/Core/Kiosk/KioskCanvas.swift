package import Geometry
import Localization

/// One surface across several outputs of a kiosk: where each output is, and how wide the frames between
/// them are.
///
/// Written as the names of the outputs of a row, from left to right; a slash begins the next row, and
/// `bezel` is followed by the width of the frames between two screens in logical pixels, such as
/// `HDMI-A-1 HDMI-A-2 bezel 40`.
package struct KioskCanvas: Hashable, Sendable {
    /// Where the outputs are, in logical pixels.
    package struct Layout: Hashable, Sendable {
        package var size: Size
        /// The part of each output, by its name.
        package var parts: [String: Rect]
    }

    package private(set) var rows: [[String]] = []
    /// In logical pixels.
    package private(set) var bezel = 0.0

    private static let widestBezel = 1000.0

    /// Without outputs.
    package init() {}

    /// Throws the reason if the text has an error.
    package init(_ text: String) throws(OutputsError) {
        var words = text.split(separator: " ").map(String.init)
        if let index = words.firstIndex(of: "bezel") {
            guard index == words.count - 2, let width = Double(words[index + 1]),
                (0...Self.widestBezel).contains(width)
            else {
                throw OutputsError(
                    reason: localized(
                        "“bezel” is followed by 0 to \(Int(Self.widestBezel)), at the end"))
            }
            bezel = width
            words.removeLast(2)
        }
        rows = words.split(separator: "/").map(Array.init)
        guard Set(names).count == names.count else {
            throw OutputsError(reason: localized("an output is named twice"))
        }
        guard names.count <= KioskOutputs.most else {
            throw OutputsError(
                reason: localized("there are more than \(KioskOutputs.most) outputs"))
        }
    }

    package var names: [String] { rows.flatMap(\.self) }

    /// The layout of the outputs whose sizes are known, by their names; nil without any.
    ///
    /// Outputs of a row are aligned at the top.
    package func layout(of sizes: [String: Size]) -> Layout? {
        var layout = Layout(size: .zero, parts: [:])
        var top = 0.0
        for row in rows {
            var left = 0.0
            var bottom = top
            for name in row {
                guard let size = sizes[name] else { continue }
                let part = Rect(x: left, y: top, width: size.width, height: size.height)
                layout.parts[name] = part
                layout.size.width = max(layout.size.width, part.maxX)
                layout.size.height = max(layout.size.height, part.maxY)
                left = part.maxX + bezel
                bottom = max(bottom, part.maxY)
            }
            if bottom > top { top = bottom + bezel }
        }
        return layout.parts.isEmpty ? nil : layout
    }
}
