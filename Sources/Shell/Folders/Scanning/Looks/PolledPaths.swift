import FileAccess
import ImageWire

/// Of what the system does not tell, so that it is looked at from time to time.
struct PolledPaths {
    typealias Place = ListingBuilder.Place

    /// A new file that may still be written.
    struct Arrival {
        var found: ListingBuilder.FoundFile
        /// As the file was last seen.
        var details: FileDetails
    }

    /// Folders, by their indices.
    var folders: [Int: PolledFolder] = [:]
    /// The folders that are still to be looked at in this turn.
    var unlooked: [Int] = []
    /// The ways of folders, and where they led.
    var ways: [[UInt8]: FileIdentity] = [:]
    /// Pictures whose ways or files are not watched, although their folders are.
    var pictures: Set<Place> = []
    var arrivals: [Place: Arrival] = [:]
    /// The arrivals and the restless pictures that a look takes.
    var arrivalRounds = RoundRobin<Place>()
    var restlessRounds = RoundRobin<Place>()
    /// Pictures of these folders whose files have changed, and may change again.
    var restless: Set<Place> = []
    /// Where the next comparison of all pictures begins, see `ListingBuilder.places`.
    var nextSlot = 0
    /// The folders of given files, by their paths.
    var parents: [[UInt8]: FolderClient.FolderAnswer] = [:]
    /// The arrivals of the reading before.
    private var formerArrivals: [Place: Arrival] = [:]

    /// Forgets folders, ways and arrivals, which are about to be read again.
    mutating func beginReading() {
        (folders, unlooked, ways, parents) = ([:], [], [:], [:])
        (formerArrivals, arrivals) = (arrivals, [:])
    }

    mutating func endReading() { formerArrivals = [:] }

    /// Notes a new file, which stays as it was seen first.
    mutating func note(_ found: ListingBuilder.FoundFile, _ details: FileDetails) {
        arrivals[found.place] =
            formerArrivals[found.place] ?? Arrival(found: found, details: details)
    }
}
