/// Receives the pixels of a picture while the picture is decoded.
package protocol DecodeSink: SendableMetatype {
    /// Whether the pixels may be delivered as planes of luma and chroma.
    var acceptsPlanes: Bool { get }
    /// Called often during decoding; returns false to stop the decoding.
    func shouldContinue() -> Bool
    /// Receives the descriptor of sealed memory, which the sink then owns.
    ///
    /// `isFinal` is false for previews.
    func deliver(_ memory: Int32, isFinal: Bool)
}

extension DecodeSink {
    package var acceptsPlanes: Bool { false }
}

/// The sink has stopped the decoding.
struct Stopped: Error {}
