import CompositorKit
import Glibc
import TestKit
import Testing

extension LiveTests {
    /// `vitrine-mqtt` between the program and a real broker.
    @Suite struct MQTTTests {
        static let base = "vitrine/hall/"

        static func stage(_ options: String...) throws -> Stage {
            try Stage.shown(
                in: .program, options: options,
                pictures: Array(repeating: Stage.small, count: 3))
        }

        /// Waits while the viewer goes on.
        func until(
            _ stage: Stage, _ broker: Broker, sourceLocation: SourceLocation = #_sourceLocation,
            _ condition: () -> Bool
        ) {
            let isSo = stage.compositor.run(seconds: 30, until: condition)
            #expect(
                isSo, "\(broker.bridgeErrors) \(broker.heard.suffix(20))",
                sourceLocation: sourceLocation)
        }

        func until(
            _ stage: Stage, _ broker: Broker, _ topic: String, _ payload: String,
            sourceLocation: SourceLocation = #_sourceLocation
        ) {
            until(stage, broker, sourceLocation: sourceLocation) {
                broker[Self.base + topic] == payload
            }
        }

        func connected(_ stage: Stage, _ options: String...) throws -> Broker {
            let broker = try Broker(in: stage.folder)
            broker.start()
            broker.listen()
            broker.bridge(to: stage.folder, options)
            until(stage, broker, "availability", "online")
            return broker
        }

        @Test func homeAssistantFindsTheViewer() throws {
            let stage = try Self.stage("--kiosk")
            let broker = try connected(stage)
            until(stage, broker, "picture", "card.png")
            let found = Set(
                broker.heard.filter { $0.topic.hasPrefix("homeassistant/") && !$0.payload.isEmpty }
                    .map(\.topic))
            #expect(
                found
                    == Set(
                        [
                            "sensor/vitrine_hall/picture", "sensor/vitrine_hall/shown",
                            "sensor/vitrine_hall/touched", "switch/vitrine_hall/playing",
                            "switch/vitrine_hall/screen", "button/vitrine_hall/next",
                            "button/vitrine_hall/previous",
                        ].map { "homeassistant/\($0)/config" }))
            let program = Binaries.vitrine(["--version"]).output.dropLast()
            #expect(
                broker["homeassistant/sensor/vitrine_hall/picture/config"]?.contains(program)
                    == true)
            #expect(
                ChildProcess.run([Binaries.bridge, "--version"]).output.split(separator: " ").last
                    == Binaries.vitrine(["--version"]).output.split(separator: " ").last)
        }

        @Test func commandsReachTheViewer() throws {
            let stage = try Self.stage("--kiosk")
            let broker = try connected(stage)
            broker.publish(Self.base + "next/set", "PRESS")
            stage.until { $0.index == 1 && $0.phase == "idle" }
            until(stage, broker, "picture", "card-2.png")
            until(stage, broker, "shown", "card.png")
            broker.publish(Self.base + "previous/set", "PRESS")
            stage.until { $0.index == 0 && $0.phase == "idle" }
            broker.publish(Self.base + "playing/set", "ON")
            until(stage, broker, "playing", "ON")
            broker.publish(Self.base + "playing/set", "OFF")
            until(stage, broker, "playing", "OFF")
            #expect(broker[Self.base + "touched"] == "None")
            stage.play { $0.tap(320, 200) }
            until(stage, broker) { broker[Self.base + "touched"]?.hasSuffix("+00:00") == true }
            broker.publish(Self.base + "screen/set", "OFF")
            until(stage, broker, "screen", "OFF")
            broker.publish(Self.base + "screen/set", "ON")
            until(stage, broker, "screen", "ON")
            // What the option does not allow.
            broker.publish(Self.base + "goto/set", "3")
            broker.publish(Self.base + "open/set", "/etc")
            until(stage, broker) { broker.bridgeErrors.contains("--allow-open") }
            #expect(try stage.last.index == 0)
        }

        @Test func picturesAreOpenedWhereTheOptionAllowsIt() throws {
            let stage = try Self.stage()
            let broker = try connected(stage, "--allow-open")
            broker.publish(Self.base + "goto/set", "3")
            stage.until { $0.index == 2 && $0.phase == "idle" }
            broker.publish(Self.base + "open/set", stage.pictures[1])
            until(stage, broker, "picture", "card-2.png")
            // The viewer is no kiosk, and refuses that.
            broker.publish(Self.base + "screen/set", "OFF")
            until(stage, broker) { broker.bridgeErrors.contains("this is not a kiosk") }
        }

        @Test func theBrightnessIsSet() throws {
            let stage = try Self.stage()
            let light = TemporaryFolder()
            _ = light.file("max_brightness", "200\n")
            let file = light.file("brightness", "100\n")
            let broker = try connected(stage, "--backlight", light.path)
            until(stage, broker, "brightness", "50")
            broker.publish(Self.base + "brightness/set", "100")
            until(stage, broker, "brightness", "100")
            #expect(TestFile.text(file)?.hasPrefix("200\n") == true)
        }

        // MARK: Ends

        @Test func whoGoesIsOffline() throws {
            let stage = try Self.stage()
            let broker = try connected(stage)
            broker.killBridge()
            until(stage, broker, "availability", "offline")
            broker.bridge(to: stage.folder)
            until(stage, broker, "availability", "online")
            broker.bridge?.terminate()
            until(stage, broker, "availability", "offline")
            until(stage, broker) { broker.bridge?.exitCode != nil }
            #expect(broker.bridge?.exitCode == 0)
            broker.bridge(to: stage.folder)
            until(stage, broker, "availability", "online")
            try stage.expectGoodEnd()
            until(stage, broker, "availability", "offline")
            #expect(broker.bridge?.exitCode == nil)
            #expect(
                broker.bridgeErrors.hasSuffix(
                    "vitrine-mqtt: the viewer has ended\nvitrine-mqtt: no viewer runs\n")
                    || broker.bridgeErrors.hasSuffix("vitrine-mqtt: the viewer has ended\n"))
        }

        @Test func aBrokerThatForgetsIsToldAgain() throws {
            let stage = try Self.stage()
            let broker = try connected(stage)
            broker.stop()
            until(stage, broker) { broker.bridgeErrors.contains("no connection to the broker") }
            stage.expectDone("next")
            broker.start()
            broker.listen()
            until(stage, broker, "availability", "online")
            until(stage, broker, "picture", "card-2.png")
            #expect(broker["homeassistant/button/vitrine_hall/next/config"]?.isEmpty == false)
            broker.publish(Self.base + "next/set", "PRESS")
            stage.until { $0.index == 2 }
        }
    }
}
