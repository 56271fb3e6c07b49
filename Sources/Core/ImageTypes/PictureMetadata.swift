/// The metadata of a picture file, as text for people.
package struct PictureMetadata: Hashable, Sendable {
    /// The subject of an entry.
    package enum Group: UInt8, Hashable, Sendable, CaseIterable {
        case file = 1
        case camera, description, place
    }

    package struct Entry: Hashable, Sendable {
        package var group: Group
        package var label: String
        package var value: String

        package init(_ group: Group, _ label: String, _ value: String) {
            self.group = group
            self.label = label
            self.value = value
        }
    }

    /// Where the picture was taken.
    package struct Position: Hashable, Sendable {
        /// Degrees, north positive, −90…90.
        package var latitude: Double
        /// Degrees, east positive, −180…180.
        package var longitude: Double

        /// Nil for coordinates out of range.
        package init?(latitude: Double, longitude: Double) {
            guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    package var entries: [Entry]
    package var position: Position?

    package init(entries: [Entry] = [], position: Position? = nil) {
        self.entries = entries
        self.position = position
    }

    /// The largest number of entries; more is not worth showing.
    package static let mostEntries = 64
    /// In bytes of UTF-8.
    package static let longestLabel = 64
    /// In bytes of UTF-8; longer texts are not readable beside a picture.
    package static let longestValue = 2048
}
