extension [Interface] {
    /// Adds the interfaces of a further description.
    ///
    /// Where the interface is known already, the further one extends it: messages and entries with
    /// a `since` above the known version are appended, the rest is left as it is, and the version
    /// becomes the higher of the two. So an addition falls silent by itself as soon as the system's
    /// own description has caught up.
    mutating func merge(_ further: [Interface]) {
        for interface in further {
            if let index = firstIndex(where: { $0.name == interface.name }) {
                self[index].extend(by: interface)
            } else {
                append(interface)
            }
        }
    }

    /// Checks that every interface and enumeration that is referred to exists.
    func validate() throws(GeneratorError) {
        let known = Set(map(\.name))
        for interface in self {
            for message in interface.requests + interface.events {
                for argument in message.arguments {
                    let place = "\(interface.name).\(message.name).\(argument.name)"
                    if let name = argument.interface, !known.contains(name) {
                        throw GeneratorError("\(place): the interface '\(name)' is unknown")
                    }
                    if argument.enumeration != nil, enumeration(of: argument, in: interface) == nil
                    {
                        throw GeneratorError("\(place): the enumeration is unknown")
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
