import Geometry

/// Changes the orientation that a file of one format declares.
protocol TagWriter {
    /// What to change in a file so that its picture is turned, after what the file does already.
    ///
    /// `stand` is the orientation that has to be applied to the decoder's rows.
    static func changes(
        _ bytes: UnsafeRawBufferPointer, from stand: Orientation, turning turn: Orientation
    ) throws(EditFailure) -> ByteChanges
}
