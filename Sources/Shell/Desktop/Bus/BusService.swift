import CDesktop

/// What answers for all objects directly below a path, on the thread of the bus; nil refuses a call.
final class BusService {
    /// Whether there is an object, by the last part of its path, with an interface.
    let has: (_ object: String, _ interface: String) -> Bool
    /// The tuple of the results of a call.
    let call:
        (_ object: String, _ interface: String, _ method: String, BusValue) ->
            BusValue?
    let get: (_ object: String, _ interface: String, _ property: String) -> BusValue?
    /// Sets a property; returns false for a value that is refused.
    let set: (_ object: String, _ interface: String, _ property: String, BusValue) -> Bool

    init(
        has: @escaping (String, String) -> Bool,
        call: @escaping (String, String, String, BusValue) -> BusValue?,
        get: @escaping (String, String, String) -> BusValue? = { _, _, _ in nil },
        set: @escaping (String, String, String, BusValue) -> Bool = { _, _, _, _ in false }
    ) { (self.has, self.call, self.get, self.set) = (has, call, get, set) }

    private static func at(_ context: UnsafeMutableRawPointer?) -> BusService {
        guard let context else { preconditionFailure("services are registered with a context") }
        return Unmanaged<BusService>.fromOpaque(context).takeUnretainedValue()
    }

    private static func text(_ text: UnsafePointer<CChar>?) -> String {
        text.map { String(cString: $0) } ?? ""
    }

    /// The functions for C; this object has to outlive them.
    var handlers: cdesktop_service {
        cdesktop_service(
            context: Unmanaged.passUnretained(self).toOpaque(),
            has: { context, object, interface in
                let service = BusService.at(context)
                return service.has(BusService.text(object), BusService.text(interface)) ? 1 : 0
            },
            call: { context, object, interface, method, parameters in
                guard let parameters else { return nil }
                let arguments = BusValue(consuming: parameters)
                return BusService.at(context).call(
                    BusService.text(object), BusService.text(interface), BusService.text(method),
                    arguments)?.encoded()
            },
            get: { context, object, interface, property in
                BusService.at(context).get(
                    BusService.text(object), BusService.text(interface), BusService.text(property))?
                    .encoded()
            },
            set: { context, object, interface, property, value in
                guard let value else { return 0 }
                let new = BusValue(consuming: value)
                let isSet = BusService.at(context).set(
                    BusService.text(object), BusService.text(interface), BusService.text(property),
                    new)
                return isSet ? 1 : 0
            })
    }
}
