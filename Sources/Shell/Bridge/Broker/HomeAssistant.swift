import JSON

/// The discovery of Home Assistant: a retained message for each entity says which topics it has.
///
/// Documentation: https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery
struct HomeAssistant {
    private let topics: BridgeTopics
    private let program: String?
    private let version: String

    /// An entity of Home Assistant.
    private struct Entity: Sendable {
        let component: String
        let part: String
        let name: String
        let icon: String
        var hasState = true
        var hasAttributes = false
        var isCommanded = false
        var isOffered = true
        /// Members that only this kind of entity has.
        var more: @Sendable (inout JSONLine) -> Void = { _ in }
    }

    init(_ topics: BridgeTopics, program: String?, version: String) {
        (self.topics, self.program, self.version) = (topics, program, version)
    }

    /// The entities; those that are not offered are removed.
    ///
    /// `hasScreen` is nil while no viewer says whether the screen can be switched: that entity stays as
    /// it is then.
    func publications(
        hasScreen: Bool?, _ hasBrightness: Bool, _ allowsOpening: Bool
    ) -> [Publication] {
        guard let discovery = topics.discovery else { return [] }
        var entities = Self.sensors + Self.pages
        if let hasScreen {
            entities.append(
                Entity(
                    component: "switch", part: "screen", name: "Screen", icon: "mdi:monitor",
                    isCommanded: true, isOffered: hasScreen))
        }
        entities.append(
            Entity(
                component: "number", part: "brightness", name: "Brightness",
                icon: "mdi:brightness-6", isCommanded: true, isOffered: hasBrightness
            ) { line in
                line.add("min", 1)
                line.add("max", 100)
                line.add("unit_of_measurement", "%")
            })
        entities += Self.opening(isOffered: allowsOpening)
        return entities.map { entity in
            Publication(
                "\(discovery)/\(entity.component)/vitrine_\(topics.identifier)/\(entity.part)/config",
                entity.isOffered ? configuration(of: entity) : "")
        }
    }

    private static let sensors: [Entity] = [
        Entity(
            component: "sensor", part: "picture", name: "Picture", icon: "mdi:image",
            hasAttributes: true),
        Entity(
            component: "sensor", part: "shown", name: "Just shown", icon: "mdi:history",
            hasAttributes: true),
        Entity(
            component: "sensor", part: "touched", name: "Last touch", icon: "mdi:gesture-tap"
        ) { $0.add("device_class", "timestamp") },
    ]

    private static let pages: [Entity] = [
        Entity(
            component: "switch", part: "playing", name: "Playing", icon: "mdi:play",
            isCommanded: true),
        Entity(
            component: "button", part: "next", name: "Next", icon: "mdi:skip-next",
            hasState: false, isCommanded: true),
        Entity(
            component: "button", part: "previous", name: "Previous", icon: "mdi:skip-previous",
            hasState: false, isCommanded: true),
    ]

    private static func opening(isOffered: Bool) -> [Entity] {
        [
            Entity(
                component: "text", part: "open", name: "Open", icon: "mdi:folder-open",
                hasState: false, isCommanded: true, isOffered: isOffered
            ) { $0.add("max", 255) },
            Entity(
                component: "number", part: "goto", name: "Number", icon: "mdi:counter",
                isCommanded: true, isOffered: isOffered
            ) { line in
                line.add("min", 1)
                line.add("max", 1_000_000)
                line.add("mode", "box")
            },
        ]
    }

    private func configuration(of entity: Entity) -> String {
        let identifier = "vitrine_" + topics.identifier
        var line = JSONLine()
        line.add("name", entity.name)
        line.add("unique_id", identifier + "_" + entity.part)
        // Home Assistant names entities by the first from 2025.10 on, and ignores the second from 2026.4 on.
        line.add("default_entity_id", "\(entity.component).\(identifier)_\(entity.part)")
        line.add("object_id", identifier + "_" + entity.part)
        line.add("icon", entity.icon)
        line.add("availability_topic", topics.availability)
        if entity.hasState { line.add("state_topic", topics.state(entity.part)) }
        if entity.hasAttributes {
            line.add("json_attributes_topic", topics.state(entity.part + "/attributes"))
        }
        if entity.isCommanded { line.add("command_topic", topics.command(entity.part)) }
        entity.more(&line)
        line.object("device") { device in
            device.add("identifiers", [identifier])
            device.add("name", topics.name)
            device.add("manufacturer", "Vitrine")
            device.add("model", "Picture viewer")
            if let program { device.add("sw_version", program) }
        }
        line.object("origin") { origin in
            origin.add("name", "vitrine-mqtt")
            origin.add("sw_version", version)
        }
        return String(line.close().dropLast())
    }
}
