import Geometry
package import ImageTypes
import Localization

/// The text of the information panel: sections of labelled values.
package struct Information: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        package var label: String
        package var value: String
    }

    package struct Section: Hashable, Sendable {
        package var title: String
        package var rows: [Row]
    }

    /// What is known so far about a picture and its file.
    package struct Facts: Hashable, Sendable {
        package var name: String
        /// The path of the file's folder; empty for a file that has none.
        package var folder: String
        /// The size of the file, in bytes.
        package var length: Int?
        package var picture: PictureInfo?
        package var metadata = PictureMetadata()
        /// Why the metadata could not be read; nil where there was no error.
        package var problem: String?

        package init(name: String, folder: String) {
            self.name = name
            self.folder = folder
        }
    }

    package private(set) var sections: [Section] = []

    package init(_ facts: Facts) {
        add(localized("File"), fileRows(facts), facts, .file)
        add(localized("Camera"), [], facts, .camera)
        add(localized("Description"), [], facts, .description)
        let position = facts.metadata.position.map {
            [Row(label: localized("Position"), value: Self.text($0))]
        }
        add(localized("Place"), position ?? [], facts, .place)
    }

    /// The labels of metadata whose values are texts of the decoder, not of the file.
    private static let ownTexts: Set = ["Flash", "EXIF", "XMP"]

    /// Adds a section of `rows` and of the file's metadata of one group, unless both are empty.
    private mutating func add(
        _ title: String, _ rows: [Row], _ facts: Facts, _ group: PictureMetadata.Group
    ) {
        let entries = facts.metadata.entries.filter { $0.group == group && !$0.value.isEmpty }
        let all =
            rows
            + entries.map { entry in
                let isOwn = Self.ownTexts.contains(entry.label)
                return Row(
                    label: localized(key: entry.label),
                    value: isOwn ? localized(key: entry.value) : entry.value)
            }
        if !all.isEmpty { sections.append(Section(title: title, rows: all)) }
    }

    private func fileRows(_ facts: Facts) -> [Row] {
        var rows = [Row(label: localized("Name"), value: facts.name)]
        func add(_ label: String, _ value: String?) {
            if let value, !value.isEmpty { rows.append(Row(label: label, value: value)) }
        }
        add(localized("Folder"), facts.folder)
        add(localized("Size"), facts.length.map(Self.text(bytes:)))
        add(localized("Dimensions"), facts.picture.map { Self.text($0) })
        add(localized("Format"), facts.picture?.format)
        add(localized("Metadata"), facts.problem)
        return rows
    }

    // MARK: Formatting

    /// Such as "24.2 MB (24213456 bytes)".
    static func text(bytes: Int) -> String {
        let units = [localized("kB"), localized("MB"), localized("GB")]
        guard bytes >= 1000 else { return self.bytes(bytes) }
        var (value, unit) = (Double(bytes) / 1000, 0)
        while value >= 999.95, unit + 1 < units.count {
            value /= 1000
            unit += 1
        }
        return "\(tenths(value)) \(units[unit]) (\(self.bytes(bytes)))"
    }

    private static func bytes(_ count: Int) -> String {
        localized("\(count) byte", many: "\(count) bytes", count: count)
    }

    /// Such as "6000 × 4000 (24 megapixels)".
    private static func text(_ picture: PictureInfo) -> String {
        let size = "\(picture.size.width) × \(picture.size.height)"
        let pixels = Double(picture.size.width) * Double(picture.size.height) / 1e6
        return pixels < 0.05 ? size : localized("\(size) (\(tenths(pixels)) megapixels)")
    }

    /// Formats with one decimal digit, which is left out if it is zero.
    private static func tenths(_ value: Double) -> String {
        let (whole, remainder) = Int(clamping: (value * 10).rounded()).quotientAndRemainder(
            dividingBy: 10)
        return remainder == 0 ? "\(whole)" : "\(whole)\(Translation.decimalSeparator)\(remainder)"
    }

    /// Such as "47.37689° N, 8.54169° E": the last digit stands for about one metre.
    private static func text(_ position: PictureMetadata.Position) -> String {
        func degrees(_ value: Double) -> String {
            let (whole, remainder) = Int(clamping: (abs(value) * 1e5).rounded())
                .quotientAndRemainder(dividingBy: 100_000)
            let digits = String(remainder)
            return "\(whole)\(Translation.decimalSeparator)"
                + String(repeating: "0", count: 5 - digits.count) + digits + "°"
        }
        let latitude = degrees(position.latitude)
        let longitude = degrees(position.longitude)
        return [
            position.latitude < 0 ? localized("\(latitude) S") : localized("\(latitude) N"),
            position.longitude < 0 ? localized("\(longitude) W") : localized("\(longitude) E"),
        ].joined(separator: ", ")
    }
}
