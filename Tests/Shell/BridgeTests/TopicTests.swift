import JSON
import Testing

@testable import Bridge

@Suite struct TopicTests {
    private static let topics = BridgeTopics(
        name: "Hall, East", prefix: "vitrine", discovery: "homeassistant")

    private static func model(
        allowsOpening: Bool = false, _ change: (inout BridgeModel) -> Void = { _ in }
    ) -> BridgeModel {
        var model = BridgeModel(topics, allowsOpening: allowsOpening, version: "9")
        var state = ViewerState()
        state.path = "/home/ann/pictures/card.png"
        (state.mode, state.index, state.count) = ("viewer", 1, 3)
        model.viewer = state
        change(&model)
        return model
    }

    private func payloads(_ model: BridgeModel) -> [String: String] {
        Dictionary(uniqueKeysWithValues: model.publications.map { ($0.topic, $0.payload) })
    }

    @Test func namesBecomeTopics() {
        #expect(Self.topics.base == "vitrine/hall__east")
        for name in ["", "é/+#", "a\u{0}b", String(repeating: "x", count: 300)] {
            let topics = BridgeTopics(name: name, prefix: "p", discovery: nil)
            #expect(!topics.identifier.isEmpty)
            #expect(
                topics.identifier.utf8.allSatisfy {
                    (97...122).contains($0) || $0 == 95 || (48...57).contains($0)
                })
        }
        for prefix in [
            "", "a#", "+", "$SYS", "/a", "a/", "a b", String(repeating: "x", count: 129),
        ] {
            #expect(!BridgeTopics.isPrefix(prefix), "\(prefix)")
        }
        #expect(BridgeTopics.isPrefix("home/ground floor".filter { $0 != " " }))
    }

    @Test func topicsOfCommandsAreRead() {
        let topics = Self.topics
        #expect(topics.part(ofCommand: topics.command("playing")) == "playing")
        for topic in [
            "", "/set", "vitrine/hall__east/set", "vitrine/hall__east//set", "vitrine/x/next/set",
        ] {
            let part = topics.part(ofCommand: topic)
            #expect(
                part == nil || BrokerCommand(part ?? "", Array("PRESS".utf8)) == nil, "\(topic)")
        }
    }

    @Test func theStateIsPublished() throws {
        let all = payloads(Self.model { $0.viewer?.touched = 1_700_000_000 })
        let base = "vitrine/hall__east/"
        #expect(all[base + "availability"] == "online")
        #expect(all[base + "picture"] == "card.png")
        #expect(all[base + "playing"] == "OFF")
        #expect(all[base + "touched"] == "2023-11-14T22:13:20+00:00")
        #expect(all[base + "shown"] == "None")
        #expect(all[base + "screen"] == nil && all[base + "brightness"] == nil)
        let attributes = try JSONReader.read(Array((all[base + "picture/attributes"] ?? "").utf8))
        #expect(attributes["path"]?.string == "/home/ann/pictures/card.png")
        #expect(attributes["number"] == .number(2) && attributes["count"] == .number(3))
    }

    @Test func withoutAViewerOnlyTheAvailabilityChanges() {
        let all = payloads(Self.model { $0.viewer = nil })
        #expect(all["vitrine/hall__east/availability"] == "offline")
        #expect(all["vitrine/hall__east/picture"] == nil)
        #expect(!all.keys.contains { $0.contains("/screen/config") })
    }

    @Test func whatWasShownLeavesOutThePictureThatIsShown() throws {
        let pictures = (0..<30).map { ShownPicture(path: "/a/\($0).png", time: "t\($0)") }
        let model = Self.model {
            $0.history = pictures
            $0.viewer?.path = "/a/0.png"
        }
        let all = payloads(model)
        #expect(all["vitrine/hall__east/shown"] == "1.png")
        let text = try #require(all["vitrine/hall__east/shown/attributes"])
        #expect(try JSONReader.read(Array(text.utf8))["pictures"]?.array?.count == 10)
    }

    @Test func longNamesAreCut() {
        let all = payloads(
            Self.model { $0.viewer?.path = "/" + String(repeating: "ä", count: 4000) })
        #expect(all["vitrine/hall__east/picture"]?.count == 255)
    }

    // MARK: Discovery

    @Test func everyEntityIsOneOfTheBridge() throws {
        let model = Self.model(allowsOpening: true) {
            $0.viewer?.screenIsOn = true
            $0.brightness = 40
            $0.program = "vitrine 1"
        }
        let published = Dictionary(
            uniqueKeysWithValues: model.publications.map { ($0.topic, $0.payload) })
        let configurations = published.filter { $0.key.hasPrefix("homeassistant/") }
        #expect(configurations.count == 10)
        var identifiers: Set<String> = []
        for (topic, payload) in configurations {
            let value = try JSONReader.read(Array(payload.utf8))
            let identifier = try #require(value["unique_id"]?.string)
            #expect(identifiers.insert(identifier).inserted)
            let component = topic.split(separator: "/")[1]
            #expect(value["object_id"]?.string == identifier)
            #expect(value["default_entity_id"]?.string == "\(component).\(identifier)")
            #expect(value["availability_topic"]?.string == "vitrine/hall__east/availability")
            #expect(value["device"]?["name"]?.string == "Hall, East")
            #expect(value["device"]?["sw_version"]?.string == "vitrine 1")
            #expect(value["origin"]?["name"]?.string == "vitrine-mqtt")
            let state = value["state_topic"]?.string
            #expect(state.map { published[$0] != nil } ?? true, "\(topic)")
            let attributes = value["json_attributes_topic"]?.string
            #expect(attributes.map { published[$0] != nil } ?? true, "\(topic)")
            if let command = value["command_topic"]?.string {
                let part = try #require(Self.topics.part(ofCommand: command))
                let payloads = ["ON", "PRESS", "50", "/a"]
                #expect(payloads.contains { BrokerCommand(part, Array($0.utf8)) != nil }, "\(part)")
            }
        }
    }

    @Test func whatTheViewerCannotDoIsRemoved() {
        let all = payloads(Self.model())
        let empty = all.filter { $0.value.isEmpty }.keys.sorted()
        #expect(
            empty == [
                "homeassistant/number/vitrine_hall__east/brightness/config",
                "homeassistant/number/vitrine_hall__east/goto/config",
                "homeassistant/switch/vitrine_hall__east/screen/config",
                "homeassistant/text/vitrine_hall__east/open/config",
            ])
        let topics = BridgeTopics(name: "x", prefix: "p", discovery: nil)
        var model = BridgeModel(topics, allowsOpening: true, version: "9")
        model.viewer = ViewerState()
        #expect(model.publications.allSatisfy { $0.topic.hasPrefix("p/x/") })
    }

    // MARK: Times

    @Test(arguments: [
        (0, "1970-01-01T00:00:00+00:00"), (951_782_400, "2000-02-29T00:00:00+00:00"),
        (4_107_542_399, "2100-02-28T23:59:59+00:00"), (4_107_542_400, "2100-03-01T00:00:00+00:00"),
        (-5, "1970-01-01T00:00:00+00:00"), (Int.max, "9999-12-31T23:59:59+00:00"),
    ])
    func timesAreInUTC(seconds: Int, text: String) { #expect(UTCTime.text(seconds) == text) }
}
