/// An element of an XML document; text between the tags is left out.
struct XMLElement: Equatable {
    var name: String
    var attributes: [String: String] = [:]
    var children: [XMLElement] = []
    /// Where the element starts, for error messages.
    var line = 0

    /// The children of that name, in document order.
    func children(named name: String) -> [XMLElement] {
        children.filter { $0.name == name }
    }
}
