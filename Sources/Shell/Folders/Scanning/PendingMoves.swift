/// The listed pictures whose files were moved away in a series of changes.
struct PendingMoves {
    typealias Place = ListingBuilder.Place

    /// First halves of renames, by cookie, whose second half has not arrived.
    private var sources: [UInt32: [Place]] = [:]
    /// All places from which files were moved away, also where the second half has arrived.
    var left: Set<Place> = []

    /// The places of renames whose second half has not arrived.
    var unfinished: [Place] { sources.values.flatMap(\.self) }

    mutating func begin(_ cookie: UInt32, at places: [Place]) {
        if !places.isEmpty { sources[cookie] = places }
        left.formUnion(places)
    }

    func sources(of cookie: UInt32) -> [Place] { sources[cookie] ?? [] }

    /// Notes that the second half of a rename has arrived; returns the places of the first half.
    mutating func finish(_ cookie: UInt32) -> [Place] { sources.removeValue(forKey: cookie) ?? [] }
}
