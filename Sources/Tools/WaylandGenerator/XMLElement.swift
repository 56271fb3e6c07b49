/// An element of an XML document, without the text between the tags.
struct XMLElement: Equatable {
    var name: String
    var attributes: [String: String] = [:]
    var children: [XMLElement] = []
    /// The line on which the element starts, for error messages.
    var line = 0

    /// The children with that name, in document order.
    func children(named name: String) -> [XMLElement] {
        children.filter { $0.name == name }
    }
}
