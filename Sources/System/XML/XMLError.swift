/// Why a document cannot be read further, and where.
package struct XMLError: Error, Equatable {
    package enum Problem: Equatable, Sendable {
        /// The document is longer than `XMLScanner.mostBytes`.
        case tooLong
        /// The document is not UTF-8.
        case encoding
        /// The document declares a document type or an entity.
        case declarations
        /// More elements are open than `XMLScanner.mostOpenElements`.
        case tooDeep
        /// The document has too many elements, or an element has too many attributes.
        case tooMuch
        /// The document is not well-formed; the message names the violated rule.
        case malformed(String)
    }

    package let problem: Problem
    /// Line of the document, from 1.
    package let line: Int

    package init(_ problem: Problem, line: Int) {
        self.problem = problem
        self.line = line
    }
}
