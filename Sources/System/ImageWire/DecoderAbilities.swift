/// What a decoder can do with the libraries of this system.
package struct DecoderAbilities: Hashable, Sendable {
    /// The names of the formats whose libraries are installed.
    package var formats: [String]
    /// Whether the program's own reader decodes the entropy-coded data of JPEG files, which takes less
    /// time than that of libjpeg; false if libjpeg has another version than its headers at build time.
    package var readsCoefficients: Bool

    package init(formats: [String], readsCoefficients: Bool) {
        self.formats = formats
        self.readsCoefficients = readsCoefficients
    }
}
