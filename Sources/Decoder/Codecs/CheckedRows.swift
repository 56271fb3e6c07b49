import Geometry
import ImageTypes
import Localization
import RasterPipeline

extension StillCodec {
    /// The orientation of the rows; upright if the format has none.
    var storedOrientation: Orientation { (self as? any OrientedCodec)?.orientation ?? .upright }

    /// The coarsest mip level that is decoded faster than the full picture; 0 if there is none.
    var coarsestReduction: Int { (self as? any ReducibleCodec)?.coarsestMipLevel ?? 0 }

    /// Starts decoding a mip level, which is at most `coarsestReduction`, to show the rows.
    ///
    /// Throws `.damaged` if the rows have another size than the header declares.
    func checkedRows(reducedBy mipLevel: Int) throws(DecodeFailure) -> any RowSource {
        try GrayRows.checked { () throws(DecodeFailure) in try storedRows(reducedBy: mipLevel) }
    }

    private func storedRows(reducedBy mipLevel: Int) throws(DecodeFailure) -> any RowSource {
        let source =
            if let reducible = self as? any ReducibleCodec {
                try reducible.rows(reducedBy: mipLevel)
            } else {
                try rows()
            }
        return try checked(source, reducedBy: mipLevel)
    }

    /// Starts decoding the full picture with straight alpha, as the file stores it.
    ///
    /// Throws `.damaged` if the rows have another size than the header declares.
    func checkedStraightRows() throws(DecodeFailure) -> any RowSource {
        guard let straight = self as? any StraightAlphaCodec else {
            return try storedRows(reducedBy: 0)
        }
        return try checked(try straight.straightRows(), reducedBy: 0)
    }

    /// Starts decoding the full picture without holding all pixels, if the format can stream.
    ///
    /// Throws `.damaged` if the rows have another size than the header declares.
    func checkedRows(
        streamedTo scratch: ScratchMemory?, while isWanted: () -> Bool
    ) throws(DecodeFailure) -> any RowSource {
        guard let streaming = self as? any StreamingCodec else {
            return try checkedRows(reducedBy: 0)
        }
        return try GrayRows.checked { () throws(DecodeFailure) in
            try checked(try streaming.streamedRows(scratch, while: isWanted), reducedBy: 0)
        }
    }

    /// Whether the picture may be decoded to planes.
    var mayHavePlanes: Bool { (self as? any PlanarCodec)?.mayHavePlanes == true }

    /// Starts decoding the planes of the full picture, which `mayHavePlanes`; nil if there are none.
    ///
    /// Throws `.damaged` if they have another size than the header declares.
    func checkedPlanes() throws(DecodeFailure) -> (any PlaneSource)? {
        guard let source = try (self as? any PlanarCodec)?.planeSource() else { return nil }
        guard source.size == size else { throw Self.differs }
        return source
    }

    static var differs: DecodeFailure {
        .damaged(reason: localized("the decoded size differs from the size in the header"))
    }

    /// Whether a preview has the size of its mip level.
    func isReduction(_ preview: StillPreview) -> Bool {
        preview.rows.size == size.reduced(by: preview.mipLevel)
    }

    private func checked(
        _ rows: any RowSource, reducedBy mipLevel: Int
    ) throws(DecodeFailure) -> any RowSource {
        guard isReduction(StillPreview(mipLevel: mipLevel, rows: rows)) else {
            throw Self.differs
        }
        return rows
    }
}
