/// What a picture's file says of it besides its pixels, for a person to read.
package struct PictureMetadata: Hashable, Sendable {
    /// What an entry is about.
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

    /// Where it was taken.
    package struct Position: Hashable, Sendable {
        /// Degrees, north positive, −90…90.
        package var latitude: Double
        /// Degrees, east positive, −180…180.
        package var longitude: Double

        /// None where the numbers are of no place on Earth.
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

    /// More than there are things worth saying of a picture.
    package static let mostEntries = 64
    /// In bytes of UTF-8.
    package static let longestLabel = 64
    /// In bytes of UTF-8; more than this nobody reads beside a picture.
    package static let longestValue = 2048
}
