import Geometry
import Interface

/// The answers to calls of AT-SPI, from the trees of all windows: a pure value.
///
/// Calls come from programs that may be hostile: what makes no sense has no answer (nil), which becomes
/// an error reply.
struct AccessibilityAnswers: Sendable {
    /// The children of the application, by their numbers.
    var windows: [AccessibilityWindow]
    /// The unique name of the connection.
    var busName: String
    /// What the registry has answered: the parent of the application, a name and a path.
    var desktop: (name: String, path: String)?
    /// The number that the registry gives the application.
    var applicationNumber: Int32 = 0
    var locale: String

    /// An object: the application, or a widget of a window.
    enum Object: Hashable, Sendable {
        case application
        case widget(Part)

        /// Nil for the application.
        var part: Part? { if case .widget(let part) = self { part } else { nil } }
    }

    /// A widget of a window.
    struct Part: Hashable, Sendable {
        var window: AccessibilityWindow
        var node: AccessibleTree.Node

        var tree: AccessibleTree { window.tree }
    }

    /// The answer to a call, and what the main thread does for the call.
    struct Answer {
        var value: BusValue
        var request: AccessibilityRequest?
    }

    /// The longest text that a program can write into a field, in bytes.
    static let longestText = 4096
    /// The most objects in an answer of the cache.
    static let mostCached = 512

    /// The object at the last part of a path.
    func object(_ name: String) -> Object? {
        if name == "root" { return .application }
        guard let (window, number) = Self.numbers(name),
            let window = windows.first(where: { $0.number == window }),
            let node = window.tree.node(number)
        else { return nil }
        return .widget(Part(window: window, node: node))
    }

    /// The number of the window of an object; nil for the application and for what is not there.
    func window(of name: String) -> Int? { object(name)?.part?.window.number }

    /// The numbers of a window and of a widget in the last part of a path.
    private static func numbers(_ name: String) -> (window: Int, widget: Int)? {
        guard name.utf8.count <= 21 else { return nil }
        let parts = name.split(separator: "_", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let window = parts[0], let widget = parts[1],
            "\(window)_\(widget)" == name
        else { return nil }
        return (window, widget)
    }

    func has(_ name: String, _ interface: String) -> Bool { part(name, interface) != nil }

    /// An object and one of its interfaces, by their names.
    private func part(
        _ name: String, _ interface: String
    ) -> (object: Object, interface: AccessibilityInterface)? {
        guard let object = object(name), let interface = AccessibilityInterface(name: interface),
            interfaces(of: object).contains(interface)
        else { return nil }
        return (object, interface)
    }

    func interfaces(of object: Object) -> [AccessibilityInterface] {
        guard let node = object.part?.node else { return [.accessible, .application] }
        var interfaces: [AccessibilityInterface] = [.accessible, .component]
        if node.isPressable { interfaces.append(.action) }
        if node.value != nil { interfaces.append(.value) }
        if node.states.contains(.multiselectable) { interfaces.append(.selection) }
        if node.text != nil { interfaces.append(.text) }
        if node.text != nil, node.states.contains(.editable) { interfaces.append(.editableText) }
        return interfaces
    }

    // MARK: References

    static func path(_ number: Int, in window: Int) -> String {
        AccessibilityInterface.folder + "/\(window)_\(number)"
    }

    /// A reference to nothing.
    static let null = BusValue.tuple([.text(""), .path(AccessibilityInterface.nullPath)])

    /// A reference to a widget of a window; the null reference without one.
    func reference(_ number: Int?, in window: Int) -> BusValue {
        guard let number else { return Self.null }
        return .tuple([.text(busName), .path(Self.path(number, in: window))])
    }

    var application: BusValue {
        .tuple([.text(busName), .path(AccessibilityInterface.rootPath)])
    }

    private func parent(of object: Object) -> BusValue {
        switch object {
        case .application:
            guard let desktop else { return Self.null }
            return .tuple([.text(desktop.name), .path(desktop.path)])
        case .widget(let part):
            return part.node.parent.map { reference($0, in: part.window.number) } ?? application
        }
    }

    private func children(of object: Object) -> [BusValue] {
        switch object {
        case .application:
            windows.map { reference(AccessibleTree.window, in: $0.number) }
        case .widget(let part):
            part.node.children.map { reference($0, in: part.window.number) }
        }
    }

    private func childCount(of object: Object) -> Int {
        object.part?.node.children.count ?? windows.count
    }

    /// The place among the children of the parent; −1 for the application.
    private func place(of object: Object) -> BusValue {
        guard let part = object.part else { return .short(-1) }
        guard part.node.parent == nil else { return .short(Int32(clamping: part.node.place)) }
        return .short(
            Int32(clamping: windows.firstIndex { $0.number == part.window.number } ?? -1))
    }

    // MARK: Properties

    func property(_ name: String, of object: String, _ interface: String) -> BusValue? {
        guard let (object, interface) = part(object, interface) else { return nil }
        if case .application = object {
            switch (interface, name) {
            case (.application, "ToolkitName"), (.accessible, "Name"): return .text("Vitrine")
            case (.application, "Version"), (.application, "AtspiVersion"): return .text("2.1")
            case (.application, "Id"): return .short(applicationNumber)
            default: break
            }
        }
        if interface == .accessible { return accessibleProperty(name, of: object) }
        guard let part = object.part else { return nil }
        let node = part.node
        switch (interface, name) {
        case (.action, "NActions"): return .short(1)
        case (.value, "MinimumValue"): return .double(node.value?.range.lowerBound ?? 0)
        case (.value, "MaximumValue"): return .double(node.value?.range.upperBound ?? 0)
        case (.value, "MinimumIncrement"): return .double(0)
        case (.value, "CurrentValue"): return .double(node.value?.current ?? 0)
        case (.value, "Text"): return .text(node.description.withoutNull)
        case (.text, "CharacterCount"):
            return .short(Int32(clamping: node.text?.unicodeScalars.count ?? 0))
        case (.text, "CaretOffset"):
            let end = node.text?.unicodeScalars.count ?? 0
            return .short(Int32(clamping: node.caret ?? end))
        case (.selection, "NSelectedChildren"):
            return .short(Int32(clamping: part.tree.selectedChildren(of: node.number).count))
        default: return nil
        }
    }

    private func accessibleProperty(_ name: String, of object: Object) -> BusValue? {
        let node = object.part?.node
        switch name {
        case "Name": return .text((node?.name ?? "").withoutNull)
        case "Description": return .text((node?.description ?? "").withoutNull)
        case "AccessibleId": return .text((node?.id ?? "").withoutNull)
        case "Locale": return .text(locale)
        case "Parent": return parent(of: object)
        case "ChildCount": return .short(Int32(clamping: childCount(of: object)))
        default: return nil
        }
    }

    /// What the main thread does so that a property has another value; nil for a property that cannot be
    /// set so.
    func change(
        _ property: String, of object: String, _ interface: String, to value: BusValue
    ) -> AccessibilityRequest? {
        guard let (object, interface) = part(object, interface), let node = object.part?.node,
            interface == .value, property == "CurrentValue", node.isSettable,
            let range = node.value?.range, let number = value.double, number.isFinite
        else { return nil }
        return .setValue(min(max(number, range.lowerBound), range.upperBound), node.id)
    }

    // MARK: Calls

    /// The answer to a call of an object; nil for a call that makes no sense.
    func call(
        _ method: String, of object: String, _ interface: String, _ arguments: BusValue
    ) -> Answer? {
        guard let (object, interface) = part(object, interface), let arguments = arguments.tuple
        else { return nil }
        if interface == .accessible {
            return accessible(method, object, arguments).map { Answer(value: $0) }
        }
        guard let part = object.part else {
            return method == "GetLocale" ? Answer(value: .tuple([.text(locale)])) : nil
        }
        let node = part.node
        switch interface {
        case .component: return component(method, part, arguments)
        case .action: return action(method, node, arguments)
        case .text:
            return changeText(method, node, arguments)
                ?? text(method, node, arguments).map { Answer(value: .tuple($0)) }
        case .editableText: return edit(method, node, arguments)
        case .selection: return selection(method, part, arguments)
        case .accessible, .application, .value: return nil
        }
    }

    private func accessible(
        _ method: String, _ object: Object, _ arguments: [BusValue]
    ) -> BusValue? {
        let node = object.part?.node
        switch method {
        case "GetChildAtIndex":
            guard let index = arguments.first?.integer else { return nil }
            let children = children(of: object)
            return .tuple([children.indices.contains(index) ? children[index] : Self.null])
        case "GetChildren": return .tuple([.array(children(of: object), of: "(so)")])
        case "GetIndexInParent": return .tuple([place(of: object)])
        case "GetRelationSet": return .tuple([.array([], of: "(ua(so))")])
        case "GetRole":
            return .tuple([.unsigned(node?.role.accessibilityCode ?? Self.applicationRole)])
        case "GetRoleName", "GetLocalizedRoleName":
            return .tuple([.text(node?.role.rawValue ?? "application")])
        case "GetState":
            return .tuple([.array(states(of: object).map { .unsigned($0) }, of: "u")])
        case "GetAttributes":
            let attributes = attributes(of: node).map { name, value in
                BusValue.entry(.text(name), .text(value))
            }
            return .tuple([.array(attributes, of: "{ss}")])
        case "GetApplication": return .tuple([application])
        case "GetInterfaces":
            let names = interfaces(of: object).map { BusValue.text($0.name) }
            return .tuple([.array(names, of: "s")])
        default: return nil
        }
    }

    private static let applicationRole: UInt32 = 75

    func states(of object: Object) -> [UInt32] {
        guard let part = object.part else { return [0, 0] }
        return AccessibilityState.bits(
            of: part.node,
            hasFocus: part.window.hasFocus && part.node.number == part.tree.focus,
            isActive: part.window.isActive)
    }

    private func attributes(of node: AccessibleTree.Node?) -> [(String, String)] {
        guard let node else { return [("toolkit", "Vitrine")] }
        var attributes = [("toolkit", "Vitrine"), ("id", node.id.withoutNull)]
        // Cells come and go as the grid scrolls, so readers cannot count them.
        if let place = node.setPlace {
            attributes += [("posinset", "\(place.index + 1)"), ("setsize", "\(place.count)")]
        }
        return attributes
    }

    // MARK: Components

    /// The origin of coordinates: a window of Wayland does not know its place on the screen, so that of
    /// the window stands for the screen.
    private func origin(_ type: Int?, _ part: Part) -> Point? {
        switch type {
        case 0, 1: .zero
        case 2: part.node.parent.flatMap { part.tree.node($0)?.rect.origin } ?? .zero
        default: nil
        }
    }

    private func component(
        _ method: String, _ part: Part, _ arguments: [BusValue]
    ) -> Answer? {
        let (node, rect) = (part.node, part.node.rect)
        switch method {
        case "GetExtents":
            guard let origin = origin(arguments.first?.integer, part) else { return nil }
            return Answer(
                value: .tuple([
                    .tuple(
                        [rect.x - origin.x, rect.y - origin.y, rect.width, rect.height].map {
                            .short(Self.whole($0))
                        })
                ]))
        case "GetPosition":
            guard let origin = origin(arguments.first?.integer, part) else { return nil }
            return Answer(
                value: .tuple([
                    .short(Self.whole(rect.x - origin.x)), .short(Self.whole(rect.y - origin.y)),
                ]))
        case "GetSize":
            return Answer(
                value: .tuple([.short(Self.whole(rect.width)), .short(Self.whole(rect.height))]))
        case "Contains", "GetAccessibleAtPoint":
            guard arguments.count == 3, let x = arguments[0].integer, let y = arguments[1].integer,
                let origin = origin(arguments[2].integer, part)
            else { return nil }
            let point = Point(x: origin.x + Double(x), y: origin.y + Double(y))
            if method == "Contains" { return Answer(value: .tuple([.bool(rect.contains(point))])) }
            let found = part.tree.node(at: point, in: node.number)?.number
            return Answer(value: .tuple([reference(found, in: part.window.number)]))
        case "GetLayer":
            return Answer(value: .tuple([.unsigned(node.parent == nil ? 7 : 3)]))
        case "GetAlpha": return Answer(value: .tuple([.double(1)]))
        case "GrabFocus":
            let isPossible =
                node.states.contains(.focusable) && !node.states.contains(.disabled)
            return Answer(
                value: .tuple([.bool(isPossible)]), request: isPossible ? .focus(node.id) : nil)
        default: return nil
        }
    }

    /// A length in whole logical pixels.
    static func whole(_ length: Double) -> Int32 {
        guard length.isFinite else { return 0 }
        return Int32(min(max(length.rounded(), -1e9), 1e9))
    }

    // MARK: Actions

    private func action(
        _ method: String, _ node: AccessibleTree.Node, _ arguments: [BusValue]
    ) -> Answer? {
        // The parts before the semicolons are the key of an open menu, and the keys that lead there.
        let keys = node.keys.isEmpty ? "" : ";;" + node.keys.withoutNull
        if method == "GetActions" {
            let press = BusValue.tuple([.text("press"), .text(""), .text(keys)])
            return Answer(value: .tuple([.array([press], of: "(sss)")]))
        }
        guard arguments.first?.integer == 0 else { return nil }
        switch method {
        case "GetName", "GetLocalizedName": return Answer(value: .tuple([.text("press")]))
        case "GetDescription": return Answer(value: .tuple([.text("")]))
        case "GetKeyBinding": return Answer(value: .tuple([.text(keys)]))
        case "DoAction": return Answer(value: .tuple([.bool(true)]), request: .press(node.id))
        default: return nil
        }
    }

    // MARK: Cache

    /// The first objects, for programs that read many at once; others are asked for one by one.
    func cacheItems() -> BusValue {
        let most = Self.mostCached / max(windows.count, 1)
        let widgets = windows.flatMap { window in
            window.tree.nodes.values.sorted { $0.number < $1.number }.prefix(most).map {
                Object.widget(Part(window: window, node: $0))
            }
        }
        let objects = [Object.application] + widgets
        return .tuple([.array(objects.map { item($0) }, of: "((so)(so)(so)iiassusau)")])
    }

    private func item(_ object: Object) -> BusValue {
        let node = object.part?.node
        return .tuple([
            object.part.map { reference($0.node.number, in: $0.window.number) } ?? application,
            application, parent(of: object), place(of: object),
            .short(Int32(clamping: childCount(of: object))),
            .array(interfaces(of: object).map { .text($0.name) }, of: "s"),
            .text((node?.name ?? "Vitrine").withoutNull),
            .unsigned(node?.role.accessibilityCode ?? Self.applicationRole),
            .text((node?.description ?? "").withoutNull),
            .array(states(of: object).map { .unsigned($0) }, of: "u"),
        ])
    }
}

extension String {
    /// The text up to the first null character, which D-Bus does not allow.
    var withoutNull: String {
        utf8.contains(0) ? String(prefix { $0 != "\0" }) : self
    }
}
