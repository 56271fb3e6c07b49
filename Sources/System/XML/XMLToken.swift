/// A part of a document.
package enum XMLToken: Equatable, Sendable {
    case start(StartTag)
    /// The end of an element; also follows the start of an empty element.
    case end(name: String)
    /// Text or a CDATA section; longer text is cut to `XMLScanner.longestText` bytes.
    case text(String)

    /// The start of an element.
    package struct StartTag: Equatable, Sendable {
        /// The name with its prefix.
        package let name: String
        /// In document order; a repeated name is kept.
        package let attributes: [Attribute]
        /// Line of the document on which the tag begins, from 1.
        package let line: Int
    }

    package struct Attribute: Equatable, Sendable {
        package let name: String
        package let value: String
    }
}
