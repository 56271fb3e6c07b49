/// When the viewer replaces a decoder process by a new one.
package enum DecoderLifetime {
    /// Seconds of processor time after which a decoder gets no further picture.
    ///
    /// The decoder's processor time limit is this value plus the longest time of one picture on all
    /// processors. A decoder that keeps working without a picture reaches that limit.
    package static let retirementSeconds = 600
}
