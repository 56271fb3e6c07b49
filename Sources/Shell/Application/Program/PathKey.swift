import Folders
import Viewer

/// Keys of pictures and of folders that are the same in every run: FNV-1a over the bytes of paths.
struct PathKey {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    func adding(_ bytes: some Sequence<UInt8>) -> PathKey {
        var key = self
        key.add(bytes)
        return key
    }

    /// The key of given paths in their order.
    init(_ paths: [FilePath]) {
        for path in paths { add(path.absolute + [0]) }
    }

    init(_ bytes: some Sequence<UInt8>) { add(bytes) }
}

extension Listing {
    /// The keys of all pictures, by their indices.
    var keys: [UInt64] {
        let folders = folders.map { PathKey(FilePath($0.prefix).absolute) }
        return entries.map { folders[$0.folder].adding($0.name).value }
    }

    /// The key of a picture.
    func key(at index: Int) -> UInt64 { PathKey(path(at: index).absolute).value }
}

extension SlideCards {
    init(_ listing: Listing, _ weights: FolderWeights, isComplete: Bool) {
        var counts: [UInt8] = []
        if !weights.isEmpty {
            let folders = listing.folders.map {
                weights.weight(ofFolder: FilePath($0.prefix).absolute)
            }
            counts = listing.entries.map { folders[$0.folder] }
        }
        self.init(keys: listing.keys, weights: counts, isComplete: isComplete)
    }
}
