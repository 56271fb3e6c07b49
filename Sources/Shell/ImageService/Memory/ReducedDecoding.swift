import Geometry
import ImageTypes
import ImageWire

/// Which pictures are decoded for the size of the screen alone: those of a slideshow, and those that are
/// decoded ahead.
///
/// All photographs of a slideshow together take less memory than a whole one. While memory is short, every
/// picture may lose what the screen does not show. A picture of which more is needed, because a person zooms
/// in, is decoded whole, and so is a picture that was decoded ahead, once a person has turned to it.
struct ReducedDecoding: Hashable, Sendable {
    /// The longest side of the pictures that are requested from now on, in pixels; nil for whole
    /// pictures.
    var side: Int?
    /// Whether a picture to which nobody has turned is held for the screen alone.
    var reducesNeighbours = true
    /// The pictures that are decoded whole all the same.
    private var whole: Set<Int> = []
    /// The longest sides of the pictures that were decoded for the screen.
    private var sides: [Int: Int] = [:]
    /// The pictures of `sides` that were decoded ahead.
    private var ahead: Set<Int> = []
    /// The pictures that are held whole while a person has not turned to them.
    private var kept: Set<Int> = []

    /// A picture that is shown a little larger looks the same.
    private static let tolerance = 1.02
    /// A whole picture that is this much larger than the screen is decoded again.
    private static let waste = 1.25

    init() {}

    /// Begins to decode a picture; returns the longest side to request, nil for the whole picture.
    mutating func begin(_ id: Int) -> Int? {
        let side = whole.contains(id) ? nil : side
        sides[id] = side
        ahead.remove(id)
        return side
    }

    /// Whether only the levels for the screen are held of a picture to which nobody has turned.
    func isReducible(_ id: Int) -> Bool {
        side == nil && reducesNeighbours && !whole.contains(id) && !kept.contains(id)
    }

    /// Notes that a picture was decoded ahead, with a longest side of `side` pixels.
    mutating func noteAhead(_ id: Int, side: Int) {
        giveBack(id, leaving: side)
        ahead.insert(id)
    }

    /// Whether a picture is decoded whole once a person has turned to it.
    func isAhead(_ id: Int) -> Bool { side == nil && ahead.contains(id) }

    /// Holds a picture whole while a person has not turned to it.
    mutating func keepWhole(_ id: Int) { kept.insert(id) }

    /// The longest side for which a picture was requested; nil if it was requested whole.
    func side(of id: Int) -> Int? { sides[id] }

    /// Notes the size of a picture; returns the bytes of its reduced pixels with all mip levels, nil if
    /// it was requested whole.
    mutating func note(_ info: PictureInfo, of id: Int) -> Int? {
        guard let side = sides[id] else { return nil }
        let size = ThumbnailRequest(side: side).size(of: info.size)
        // Everything of a small picture is there; a drawing has no pixels of its own.
        if size == info.size, info.detail == 0 { sides[id] = nil }
        return PixelLayout.end(of: PixelLayout.levels(of: size, from: 0))
    }

    /// Notes that a picture is shown with its longest side in so many device pixels; returns whether it
    /// has to be decoded again.
    mutating func need(_ id: Int, side needed: Int) -> Bool {
        guard let had = sides[id], Self.exceeds(needed, had) else { return false }
        // A larger screen needs no more than that.
        if let side, !Self.exceeds(needed, side) { return true }
        return whole.insert(id).inserted
    }

    /// Notes that of a whole picture only the pixels with a longest side of `side` are left.
    mutating func giveBack(_ id: Int, leaving side: Int) {
        sides[id] = side
        ahead.remove(id)
        whole.remove(id)
    }

    /// Whether a picture of that size was decoded whole although the screen needs much less.
    func isWasteful(_ id: Int, _ size: PixelSize) -> Bool {
        guard let side, sides[id] == nil, !whole.contains(id) else { return false }
        return Double(size.longestSide) > Double(side) * Self.waste
    }

    private static func exceeds(_ needed: Int, _ had: Int) -> Bool {
        Double(needed) > Double(had) * tolerance
    }

    /// Keeps only what is known of these pictures.
    mutating func keepOnly(_ ids: Set<Int>) {
        guard !whole.isEmpty || !sides.isEmpty || !kept.isEmpty else { return }
        kept.formIntersection(ids)
        whole.formIntersection(ids)
        ahead.formIntersection(ids)
        sides = sides.filter { ids.contains($0.key) }
    }

    mutating func forget(_ ids: Set<Int>) {
        whole.subtract(ids)
        ahead.subtract(ids)
        kept.subtract(ids)
        for id in ids { sides[id] = nil }
    }
}
