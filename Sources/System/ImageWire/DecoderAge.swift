/// When a decoder process has done enough, and another takes its place.
package enum DecoderAge {
    /// Seconds of processor time after which a decoder gets no further picture.
    ///
    /// Its limit is this and what the longest picture may take on all processors; one that works on
    /// without a picture runs into that.
    package static let freshSeconds = 600
}
