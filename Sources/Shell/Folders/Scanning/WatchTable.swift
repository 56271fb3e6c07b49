/// What the watches of a scanner tell of, by their numbers.
struct WatchTable {
    typealias Place = ListingBuilder.Place

    /// The folders of each watch; several paths may lead to the same folder.
    private(set) var folders: [Int32: [Int]] = [:]
    /// Watches on the ways to folders.
    private(set) var ways: Set<Int32> = []
    /// The pictures whose ways or files are watched.
    private(set) var pictures: [Int32: Set<Place>] = [:]

    mutating func add(_ number: Int32, folder: Int) {
        if folders[number]?.contains(folder) != true { folders[number, default: []].append(folder) }
    }

    /// Forgets a folder, of which another one may have the same watch.
    mutating func remove(folder: Int) {
        for number in folders.keys { folders[number]?.removeAll { $0 == folder } }
    }

    mutating func addWays(_ numbers: [Int32]) { ways.formUnion(numbers) }

    mutating func add(_ numbers: [Int32], picture: Place) {
        for number in numbers { pictures[number, default: []].insert(picture) }
    }

    func hasWay(of picture: Place) -> Bool { pictures.values.contains { $0.contains(picture) } }

    /// Forgets a watch that has ended.
    mutating func remove(_ number: Int32) {
        folders[number] = nil
        ways.remove(number)
        pictures[number] = nil
    }

    /// Forgets the ways of pictures; returns the watches that nobody needs any more.
    mutating func forget(_ forgotten: Set<Place>) -> [Int32] {
        var unused: [Int32] = []
        for (number, places) in pictures where !places.isDisjoint(with: forgotten) {
            let rest = places.subtracting(forgotten)
            pictures[number] = rest.isEmpty ? nil : rest
            if !isNeeded(number) { unused.append(number) }
        }
        return unused
    }

    /// Forgets folders and ways, which are about to be read again; returns their watches.
    mutating func beginReading() -> Set<Int32> {
        defer { (folders, ways) = ([:], []) }
        return ways.union(folders.keys)
    }

    func isNeeded(_ number: Int32) -> Bool {
        folders[number] != nil || ways.contains(number) || pictures[number] != nil
    }
}
