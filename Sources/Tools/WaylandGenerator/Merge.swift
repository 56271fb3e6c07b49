extension [Interface] {
    /// Adds the interfaces of a further description.
    ///
    /// A known interface is extended: messages and entries with a `since` above the known version
    /// are appended, all others are ignored, and the version becomes the higher of the two. So an
    /// addition has no effect once the description of the system contains it.
    mutating func merge(_ further: [Interface]) {
        for interface in further {
            if let index = firstIndex(where: { $0.name == interface.name }) {
                self[index].extend(by: interface)
            } else {
                append(interface)
            }
        }
    }

    /// Checks that all referenced interfaces and enumerations exist.
    func validate() throws(GeneratorError) {
        let known = Set(map(\.name))
        for interface in self {
            for message in interface.requests + interface.events {
                for argument in message.arguments {
                    let place = "\(interface.name).\(message.name).\(argument.name)"
                    if let name = argument.interface, !known.contains(name) {
                        throw GeneratorError("\(place): unknown interface '\(name)'")
                    }
                    if argument.enumeration != nil, enumeration(of: argument, in: interface) == nil
                    {
                        throw GeneratorError("\(place): unknown enumeration")
                    }
                }
            }
        }
    }

    /// The enumeration that an argument's value belongs to, and its interface.
    func enumeration(
        of argument: Argument, in interface: Interface
    ) -> (interface: Interface, enumeration: Enumeration)? {
        guard let name = argument.enumeration else { return nil }
        let parts = name.split(separator: ".").map(String.init)
        let owner = parts.count == 2 ? first { $0.name == parts[0] } : interface
        guard let owner, let found = owner.enumerations.first(where: { $0.name == parts.last })
        else { return nil }
        return (owner, found)
    }
}

extension Interface {
    fileprivate mutating func extend(by addition: Interface) {
        let known = version
        requests += addition.requests.filter { $0.since > known }
        events += addition.events.filter { $0.since > known }
        for enumeration in addition.enumerations {
            if let index = enumerations.firstIndex(where: { $0.name == enumeration.name }) {
                enumerations[index].entries += enumeration.entries.filter { $0.since > known }
            } else {
                enumerations.append(enumeration)
            }
        }
        version = max(version, addition.version)
    }
}
