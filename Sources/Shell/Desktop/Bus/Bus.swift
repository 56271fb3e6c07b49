import CDesktop
import Glibc
import Localization

/// Why a call or a connection failed.
struct BusError: Error, Hashable {
    /// The D-Bus name of an error that the called program sent; nil for an error of the connection.
    var name: String?
    var text: String

    /// Whether the program, the object or the method does not exist.
    var isMissingService: Bool {
        let missing = [
            "ServiceUnknown", "NameHasNoOwner", "UnknownObject", "UnknownInterface",
            "UnknownMethod", "Spawn.ServiceNotFound",
        ]
        return missing.contains { name == "org.freedesktop.DBus.Error." + $0 }
    }
}

/// A connection to the session bus, for the thread of one main loop.
final class Bus {
    /// What identifies a handler of signals.
    struct Subscription { fileprivate let number: UInt32 }

    /// The object and the interface whose method is called, or whose signals are received.
    struct Interface {
        var program: String
        var path: String
        var name: String
    }

    /// The interface of all objects for their properties.
    static let properties = "org.freedesktop.DBus.Properties"

    /// Nil after `close`.
    private var bus: OpaquePointer?
    private let closed: Callback
    /// The numbers of the subscriptions that have not ended.
    private var subscriptions: Set<UInt32> = []
    /// The interfaces that this program offers.
    private var offers: [(number: UInt32, object: BusObject)] = []
    /// The services for objects that come and go.
    private var services: [(number: UInt32, service: BusService)] = []
    /// The unique name of this connection, such as ":1.42".
    let name: String

    /// Waits for the bus; `onClose` is called when the connection ends.
    init(address: String, onClose: @escaping () -> Void) throws(BusError) {
        closed = Callback(onClose)
        var text: UnsafeMutablePointer<CChar>?
        let context = Unmanaged.passUnretained(closed).toOpaque()
        guard
            let bus = cdesktop_bus_connect(address, { Callback.at($0).call() }, context, &text)
        else {
            defer { free(text) }
            throw BusError(
                name: nil,
                text: text.map { String(cString: $0) } ?? localized("there is not enough memory"))
        }
        self.bus = bus
        name = String(cString: cdesktop_bus_name(bus))
    }

    deinit { close() }

    /// Closes the connection: calls without an answer fail, and no signal arrives any more.
    ///
    /// Handlers are released by `MainLoop.end`, also those of calls that keep this object alive.
    func close() {
        guard let bus else { return }
        self.bus = nil
        for number in subscriptions { cdesktop_bus_unsubscribe(bus, number) }
        subscriptions = []
        for offer in offers { cdesktop_bus_withdraw(bus, offer.number) }
        offers = []
        for service in services { cdesktop_bus_end_service(bus, service.number) }
        services = []
        cdesktop_bus_free(bus)
    }

    // MARK: Signals

    private final class SignalHandler {
        let call: (BusValue) -> Void
        init(_ call: @escaping (BusValue) -> Void) { self.call = call }
    }

    /// Calls `handler` with the parameters of each signal; `argument`, if given, is the first of them.
    func subscribe(
        _ interface: Interface, _ signal: String, argument: String? = nil,
        _ handler: @escaping (BusValue) -> Void
    ) -> Subscription {
        guard let bus else { return Subscription(number: 0) }
        let context = Unmanaged.passRetained(SignalHandler(handler)).toOpaque()
        let number = cdesktop_bus_subscribe(
            bus, interface.program, interface.path, interface.name, signal, argument,
            { context, parameters in
                guard let context, let parameters else { return }
                let handler = Unmanaged<SignalHandler>.fromOpaque(context).takeUnretainedValue()
                handler.call(BusValue(consuming: parameters))
            }, context,
            { context in
                if let context { Unmanaged<SignalHandler>.fromOpaque(context).release() }
            })
        subscriptions.insert(number)
        return Subscription(number: number)
    }

    func unsubscribe(_ subscription: Subscription) {
        guard let bus, subscriptions.remove(subscription.number) != nil else { return }
        cdesktop_bus_unsubscribe(bus, subscription.number)
    }

    // MARK: Calls

    private final class Reply {
        let call: (Result<BusValue, BusError>) -> Void
        init(_ call: @escaping (Result<BusValue, BusError>) -> Void) { self.call = call }
    }

    /// How long a program may take to answer a call, in milliseconds: it may have to be started.
    private static let timeout: Int32 = 60_000

    /// Calls a method with a tuple of arguments; `reply` gets the tuple of the results.
    ///
    /// The call has copies of `descriptors`, which handles in the arguments number. It gets no reply when
    /// the connection ends, which `onClose` reports: GLib tells first of the calls in some versions, and
    /// first of the connection in others.
    func call(
        _ interface: Interface, _ method: String, _ arguments: BusValue,
        descriptors: [Int32] = [], reply: @escaping (Result<BusValue, BusError>) -> Void
    ) {
        guard let bus else {
            return reply(.failure(BusError(name: nil, text: localized("it is closed"))))
        }
        cdesktop_bus_call(
            bus, interface.program, interface.path, interface.name, method, arguments.encoded(),
            descriptors, Int32(descriptors.count), Self.timeout,
            { context, result, name, text in
                guard let context else { return }
                let reply = Unmanaged<Reply>.fromOpaque(context).takeRetainedValue()
                guard let result else {
                    guard let text else { return }
                    let error = BusError(
                        name: name.map { String(cString: $0) }, text: String(cString: text))
                    return reply.call(.failure(error))
                }
                reply.call(.success(BusValue(consuming: result)))
            }, Unmanaged.passRetained(Reply(reply)).toOpaque())
    }

    // MARK: Objects

    /// Takes a name on the bus, unless another program has it; `result` tells whether this program has it.
    func takeName(_ name: String, result: @escaping (Bool) -> Void) {
        // Flags and answers of `RequestName`.
        let (doNotQueue, isOwner) = (UInt32(4), 1)
        call(Portal.bus, "RequestName", .tuple([.text(name), .unsigned(doNotQueue)])) { reply in
            result((try? reply.get())?.tuple?.first?.integer == isOwner)
        }
    }

    /// Offers an interface of an object until `close`, as `xml` describes it; returns false on failure.
    func offer(_ object: BusObject, _ interface: String, at path: String, _ xml: String) -> Bool {
        guard let bus else { return false }
        var handlers = cdesktop_handlers(
            context: Unmanaged.passUnretained(object).toOpaque(),
            call: { context, method, parameters in
                guard let method, let parameters else { return }
                let arguments = BusValue(consuming: parameters)
                BusObject.at(context).call(String(cString: method), arguments)
            },
            get: { context, property in
                BusObject.at(context).get(property.map { String(cString: $0) } ?? "").encoded()
            },
            set: { context, property, value in
                guard let property, let value else { return }
                let new = BusValue(consuming: value)
                BusObject.at(context).set(String(cString: property), new)
            })
        let number = cdesktop_bus_offer(bus, path, interface, xml, &handlers)
        guard number != 0 else { return false }
        offers.append((number, object))
        return true
    }

    /// Offers interfaces of objects directly below a path until `close`, as `xml` describes them;
    /// returns false on failure.
    func serve(
        _ service: BusService, _ interfaces: [String], below path: String, _ xml: String
    ) -> Bool {
        guard let bus else { return false }
        var handlers = service.handlers
        let names = interfaces.map { strdup($0) }
        defer { for name in names { free(name) } }
        let number = cdesktop_bus_serve(
            bus, path, xml, names.map { UnsafePointer($0) }, names.count, &handlers)
        guard number != 0 else { return false }
        services.append((number, service))
        return true
    }

    /// Sends a signal with a tuple of parameters.
    func emit(_ signal: String, of interface: String, at path: String, _ parameters: BusValue) {
        guard let bus else { return }
        cdesktop_bus_emit(bus, path, interface, signal, parameters.encoded())
    }
}

/// What answers for an interface of an object of this program, on the thread of the bus.
final class BusObject {
    let call: (String, BusValue) -> Void
    /// The value of a property of the interface.
    let get: (String) -> BusValue
    let set: (String, BusValue) -> Void

    init(
        call: @escaping (String, BusValue) -> Void,
        get: @escaping (String) -> BusValue = { _ in .text("") },
        set: @escaping (String, BusValue) -> Void = { _, _ in }
    ) { (self.call, self.get, self.set) = (call, get, set) }

    fileprivate static func at(_ context: UnsafeMutableRawPointer?) -> BusObject {
        guard let context else { preconditionFailure("objects are registered with a context") }
        return Unmanaged<BusObject>.fromOpaque(context).takeUnretainedValue()
    }
}
