package import ImageTypes
package import SceneModel

/// The pixels of decoded pictures, by the ids of the pictures.
package struct PixelCache {
    private struct Entry {
        var revision: Int
        var bitmap: Bitmap
        /// Whether no further pixels of this picture follow.
        var isComplete: Bool
        var isAnimated: Bool
    }

    private var entries: [Int: Entry] = [:]
    /// Counts the insertions, so that each bitmap has a source of its own.
    private var revision = 0
    /// The ids of complete pictures whose pixels were not prefaulted yet.
    private var unprefaulted: Set<Int> = []

    /// The largest memory of a picture that is prefaulted, in bytes; more is never visible at once.
    private static let mostPrefaulted = 1 << 29

    package init() {}

    /// The newest pixels of a picture; nil if there are none.
    package func bitmap(_ id: Int) -> Bitmap? { entries[id]?.bitmap }

    /// The bytes of the pixels of each picture.
    package var bytes: [Int: Int] {
        entries.mapValues {
            $0.bitmap.memory.bytes.count + ($0.bitmap.gain?.bitmap.memory.bytes.count ?? 0)
        }
    }

    /// The pictures with gain planes.
    package var lit: Set<Int> { Set(entries.filter { $0.value.bitmap.gain != nil }.keys) }

    /// The pixels of an item of a scene; nil if they were replaced or dropped.
    package func bitmap(_ source: PictureItem.Source) -> Bitmap? {
        guard let entry = entries[source.picture], entry.revision == source.revision else {
            return nil
        }
        return entry.bitmap
    }

    /// The source of the newest pixels of a picture; nil if there are none.
    package func source(of id: Int) -> PictureItem.Source? {
        entries[id].map { PictureItem.Source(picture: id, revision: $0.revision) }
    }

    /// Whether the picture is completely decoded.
    package func isComplete(_ id: Int) -> Bool { entries[id]?.isComplete == true }

    /// Whether the picture is completely decoded, and is an animation.
    package func isAnimated(_ id: Int) -> Bool {
        entries[id].map { $0.isAnimated && $0.isComplete } ?? false
    }

    /// Replaces the pixels of a picture; better ones may follow until `complete`.
    package mutating func insert(_ bitmap: Bitmap, of id: Int, isAnimated: Bool) {
        revision += 1
        var bitmap = bitmap
        // Coarser or finer pixels of the same picture have the same gains.
        if let held = entries[id]?.bitmap, held.size == bitmap.size { bitmap.gain = held.gain }
        entries[id] = Entry(
            revision: revision, bitmap: bitmap, isComplete: false, isAnimated: isAnimated)
    }

    /// Replaces the pixels of a picture by the same ones with finer mip levels, or without those.
    ///
    /// The picture looks the same at the size at which it is shown, so its source stays.
    package mutating func insertLevels(_ bitmap: Bitmap, of id: Int) {
        var bitmap = bitmap
        bitmap.gain = entries[id]?.bitmap.gain
        entries[id]?.bitmap = bitmap
    }

    /// Adds the gain plane of a picture.
    package mutating func light(_ id: Int, by plane: GainPlane) {
        entries[id]?.bitmap.gain = plane
    }

    /// Replaces the pixels of a picture by coarser ones, so that the picture is decoded again later.
    package mutating func replace(_ id: Int, by bitmap: Bitmap) {
        guard let entry = entries[id] else { return }
        insert(bitmap, of: id, isAnimated: entry.isAnimated)
        unprefaulted.remove(id)
    }

    /// Marks a picture as completely decoded.
    package mutating func complete(_ id: Int) {
        entries[id]?.isComplete = true
        unprefaulted.insert(id)
    }

    /// Marks a picture for decoding again; its pixels stay until new ones arrive.
    package mutating func invalidate(_ id: Int) { entries[id]?.isComplete = false }

    /// Drops the pixels of all pictures that are not in `ids`.
    package mutating func keepOnly(_ ids: Set<Int>) {
        entries = entries.filter { ids.contains($0.key) }
    }

    /// Drops the pixels of these pictures.
    package mutating func remove(_ ids: Set<Int>) {
        entries = entries.filter { !ids.contains($0.key) }
    }

    /// Returns the memory of pictures that were completed since the last call, for prefaulting.
    package mutating func consumeUnprefaulted() -> [any PixelMemory] {
        guard !unprefaulted.isEmpty else { return [] }
        defer { unprefaulted = [] }
        return unprefaulted.compactMap { entries[$0]?.bitmap.memory }
            .filter { $0.bytes.count <= Self.mostPrefaulted }
    }
}
