package import Geometry
import Glibc
package import ImageTypes
import Localization

/// The pixels of a picture that is too large for memory, with mip levels, in a file on the disk.
package final class DiskBackedPixels {
    /// The upright size of the full picture in pixels.
    private let size: PixelSize
    private let orientation: Orientation
    private let store: PixelStore
    /// The memory of unconverted samples, nil if none is needed, and once the pixels are complete.
    private var scratch: ScratchMemory?
    private var format = PixelFormat.rgb24

    /// Memory of the mapped file is given back after this number of bytes.
    package static let releaseInterval = PixelStore.releaseInterval
    /// Limit for the pixels of the overview, which has more than a quarter of this number.
    private static let overviewPixels = 24_000_000

    /// Maps the file `backingFile`, whose descriptor this object then owns, also if an error is thrown.
    ///
    /// `size` is the upright size. The file has at least `PixelLayout.backingFileBytes(for:scratch:)` bytes;
    /// unconverted samples take `bytesPerPixel` bytes of it per pixel. Throws `.unreadable` if the
    /// file is shorter, or cannot be mapped.
    package init(
        _ size: PixelSize, _ orientation: Orientation, scratch bytesPerPixel: Int,
        in backingFile: Int32,
        releaseInterval: Int
    ) throws(DecodeFailure) {
        (self.size, self.orientation) = (size, orientation)
        do throws(DecodeFailure) {
            scratch =
                bytesPerPixel == 0
                ? nil : try ScratchMemory(bytesPerPixel, for: size, in: backingFile)
        } catch {
            close(backingFile)
            throw error
        }
        store = try PixelStore(size: size, in: backingFile, releaseInterval: releaseInterval)
    }

    /// Decodes the rows that `open` starts, and returns an overview in sealed memory.
    ///
    /// `open` receives the scratch memory. Call this once. Nil if the sink stops the decoding. The
    /// caller owns the descriptor `overview`. Throws the error of `open`, and `.unreadable` without
    /// memory for the overview.
    package func fill(
        _ sink: some DecodeSink,
        open: (ScratchMemory?) throws(DecodeFailure) -> any RowSource
    ) throws(DecodeFailure) -> (overview: Int32, isComplete: Bool)? {
        let background = PageReleaser(store, scratch)
        defer {
            background.end()
            scratch = nil
        }
        let rows = try open(scratch)
        let decoding = SerialDecode(rows)
        guard try decoding.fill(store, Pyramid(store), orientation, sink) else { return nil }
        store.releasePages()
        store.endScratch()
        format = decoding.format
        return (try overview(), rows.isComplete)
    }

    private func overview() throws(DecodeFailure) -> Int32 {
        let first = store.levels.first {
            !$0.size.isLarger(than: Self.overviewPixels)
                && $0.size.longestSide <= PictureLimits.side
        }
        let mipLevel = first?.mipLevel ?? 0
        let overview = try PixelStore(size: size, from: mipLevel)
        for (level, source) in zip(overview.levels, store.levels.dropFirst(mipLevel)) {
            overview.copy(PixelRect(level.size), of: source, in: store, to: level)
        }
        return try overview.seal(as: format, orientation: orientation)
    }

    /// Copies a tile to sealed memory, whose descriptor the caller owns.
    ///
    /// `fill` must have succeeded before. Throws `.damaged` if the tile does not exist.
    package func tile(_ tile: PictureTile) throws(DecodeFailure) -> Int32 {
        guard let level = store.levels.first(where: { $0.mipLevel == tile.mipLevel }),
            !tile.rect.isEmpty, tile.rect.intersection(PixelRect(level.size)) == tile.rect
        else { throw .damaged(reason: localized("the requested tile does not exist")) }
        let target = try PixelStore(size: tile.rect.size, from: 0, smallestSide: .max)
        target.copy(tile.rect, of: level, in: store, to: target.levels[0])
        store.releasePages()
        return try target.seal(as: format, orientation: orientation)
    }
}
