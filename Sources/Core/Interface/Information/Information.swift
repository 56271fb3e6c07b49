import Geometry
package import ImageTypes
import Localization

/// The text of the information panel: sections of labelled values.
package struct Information: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        package var label: String
        package var value: String
        /// What a tap does; nil for nothing.
        package var action: Widget.Action?
        /// Whether the value is the text of a button.
        package var isButton = false

        package init(
            label: String, value: String, action: Widget.Action? = nil, isButton: Bool = false
        ) {
            (self.label, self.value) = (label, value)
            (self.action, self.isButton) = (action, isButton)
        }
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
        /// When the file was created and last written, in seconds since 1970; nil if unknown.
        package var created: Int?
        package var modified: Int?
        /// The same as people of the locale write dates.
        package var createdText: String?
        package var modifiedText: String?
        /// When the picture was taken, as people of the locale write dates; nil where the file says that in
        /// another form, or not.
        package var taken: String?
        /// The number of stars that the sidecar says, 0…5; nil where it says nothing, and those of the file
        /// count.
        package var stars: Int?
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
            [
                Row(
                    label: localized("Position"), value: Self.text($0),
                    action: .position(.copy)),
                Row(
                    label: "", value: localized("Open in maps"), action: .position(.openMap),
                    isButton: true),
            ]
        }
        add(localized("Place"), position ?? [], facts, .place)
    }

    /// The labels of metadata whose values are texts of the decoder, not of the file.
    private static let ownTexts: Set = ["Flash", "EXIF", "XMP"]
    /// The labels of metadata whose values are numbers of the decoder, which knows no locale.
    private static let ownNumbers: Set = [
        "Exposure", "Aperture", "Exposure bias", "Focal length", "35 mm equivalent", "Altitude",
    ]
    /// The label of the date, which the decoder sends as in the file.
    package static let takenLabel = "Taken"

    /// Adds a section of `rows` and of the file's metadata of one group, unless both are empty.
    private mutating func add(
        _ title: String, _ rows: [Row], _ facts: Facts, _ group: PictureMetadata.Group
    ) {
        let entries = Self.rated(facts).filter { $0.group == group && !$0.value.isEmpty }
        let all =
            rows
            + entries.map { entry in
                Row(label: localized(key: entry.label), value: Self.value(of: entry, facts))
            }
        if !all.isEmpty { sections.append(Section(title: title, rows: all)) }
    }

    /// The label of the stars, which a sidecar may say in place of the file.
    private static let starsLabel = "Rating"

    /// The metadata with the stars of the sidecar, if it has any, in place of those of the file.
    private static func rated(_ facts: Facts) -> [PictureMetadata.Entry] {
        var entries = facts.metadata.entries
        guard let stars = facts.stars else { return entries }
        let entry = StarRating.text(stars).map {
            [PictureMetadata.Entry(.description, starsLabel, $0)]
        }
        let place = entries.firstIndex { $0.group == .description && $0.label == starsLabel }
        entries.replaceSubrange(
            place.map { $0..<$0 + 1 } ?? entries.count..<entries.count, with: entry ?? [])
        return entries
    }

    private static func value(of entry: PictureMetadata.Entry, _ facts: Facts) -> String {
        if ownTexts.contains(entry.label) { return localized(key: entry.value) }
        if ownNumbers.contains(entry.label) { return text(number: entry.value) }
        return entry.label == takenLabel ? facts.taken ?? entry.value : entry.value
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
        add(localized("Created"), facts.createdText)
        add(localized("Modified"), facts.modifiedText)
        add(localized("Metadata"), facts.problem)
        return rows
    }

    // MARK: Formatting

    /// A number of the decoder, such as "f/2.8", "1/250 s" or "4.2 mm", as in the locale.
    static func text(number: String) -> String {
        let parts = number.split(separator: " ", maxSplits: 1).map(String.init)
        guard let first = parts.first else { return number }
        let value = Translation.decimal(first)
        switch parts.dropFirst().first {
        case nil: return value
        case "s": return localized("\(value) s")
        case "mm": return localized("\(value) mm")
        case "m": return localized("\(value) m")
        case let unit?: return "\(value) \(unit)"
        }
    }

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

    /// Such as "6000 × 4000 (24 MP)".
    private static func text(_ picture: PictureInfo) -> String {
        let size = "\(picture.size.width) × \(picture.size.height)"
        let pixels = Double(picture.size.width) * Double(picture.size.height) / 1e6
        // Translators: Megapixels. An abbreviation has no plural forms, which a fraction would need, too.
        return pixels < 0.05 ? size : localized("\(size) (\(tenths(pixels)) MP)")
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
