import CompositorKit
import Glibc
import TestKit
import Testing

/// The part of MQTTTests with brokers that are hostile, or that let everybody publish anything.
extension LiveTests.MQTTTests {
    @Test func nonsenseChangesNothing() throws {
        // No page may turn by itself before the end.
        let stage = try Self.stage("--set", "slideshow.interval=600")
        let broker = try connected(stage, "--allow-open")
        let before = try #require(broker.bridge).residentBytes
        let script = """
            cd "$0"
            head -c 20000000 /dev/zero | mosquitto_pub -p $1 -t vitrine/hall/next/set -s
            head -c 12000 /dev/urandom | mosquitto_pub -p $1 -t vitrine/hall/open/set -s
            head -c 300 /dev/urandom | mosquitto_pub -p $1 -t vitrine/hall/playing/set -s
            mosquitto_pub -p $1 -t vitrine/hall/next/set -n
            mosquitto_pub -p $1 -t vitrine/hall/next/set -r -m PRESS
            mosquitto_pub -p $1 -t vitrine/hall/quit/set -m PRESS
            mosquitto_pub -p $1 -t vitrine/hall/availability -m nonsense
            """
        let result = ChildProcess.run(
            ["bash", "-c", script, stage.folder.path, "\(broker.port)"])
        #expect(result.status == 0, "\(result.errors)")
        broker.publish(Self.base + "goto/set", "3")
        stage.until { $0.index == 2 && $0.phase == "idle" }
        // A page at most: the retained command came live once.
        #expect(stage.trace.allSatisfy { [0, 1, 2].contains($0.index) })
        #expect(broker.bridge?.exitCode == nil && stage.exitCode == nil)
        #expect(try #require(broker.bridge).residentBytes < before + 24 << 20)
        // The retained command does not count when the bridge comes back.
        broker.killBridge()
        broker.bridge(to: stage.folder)
        until(stage, broker, "availability", "online")
        broker.publish(Self.base + "playing/set", "ON")
        until(stage, broker, "playing", "ON")
        #expect(try stage.last.index == 2)
    }

    @Test func aFloodIsSlowedDown() throws {
        let stage = try Self.stage()
        let broker = try connected(stage)
        let script = "yes PRESS | head -n 20000 | mosquitto_pub -p $0 -t vitrine/hall/next/set -l"
        #expect(ChildProcess.run(["bash", "-c", script, "\(broker.port)"]).status == 0)
        until(stage, broker) { broker.bridgeErrors.contains("too fast") }
        stage.expectDone("goto", "1")
        #expect(try #require(broker.bridge).residentBytes < 64 << 20)
        #expect(broker.bridgeErrors.split(separator: "\n").count < 20)
        stage.compositor.run(seconds: 3) { false }
        broker.publish(Self.base + "playing/set", "ON")
        until(stage, broker, "playing", "ON")
    }

    /// A server that accepts, and then sends `packet` again and again.
    private func hostile(
        _ broker: Broker, _ name: String, _ packet: String
    ) -> (RunningProcess, output: String) {
        let script = """
            import socket, sys
            s = socket.socket()
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            s.bind(("127.0.0.1", \(broker.port)))
            s.listen(8)
            while True:
                c, _ = s.accept()
                print("accepted", flush=True)
                try:
                    c.recv(4096)
                    \(packet)
                except OSError: pass
                print("ended", flush=True)
                c.close()
            """
        let output = broker.folder / (name + ".txt")
        let file = broker.folder.file(name + ".py", script)
        return (
            RunningProcess(
                ["/bin/sh", "-c", "exec python3 \"$0\" >\"$1\"", file, output],
                environment: ["PATH=/usr/bin:/bin"], errors: broker.folder / (name + ".errors"),
                passing: 2), output
        )
    }

    @Test(arguments: [
        ("garbage", "while True: c.sendall(bytes(range(256)) * 64)"),
        (
            "huge",
            "c.sendall(b'\\x20\\x03\\x00\\x00\\x00' + b'\\x30\\xff\\xff\\xff\\x7f')\n"
                + "        while True: c.sendall(bytes(1 << 16))"
        ),
        ("silent", "c.shutdown(socket.SHUT_WR)"),
        ("refusing", "c.sendall(b'\\x20\\x03\\x00\\x87\\x00')"),
        ("old", "c.sendall(b'\\x20\\x02\\x00\\x01')"),
    ])
    func aHostileBrokerIsLeft(name: String, packet: String) throws {
        let stage = try Self.stage()
        let broker = try Broker(in: stage.folder)
        let (server, output) = hostile(broker, name, packet)
        defer { _ = server }
        let bridge = broker.bridge(to: stage.folder)
        var most = 0
        until(stage, broker) {
            most = max(most, bridge.residentBytes)
            return (TestFile.text(output) ?? "").components("ended") >= 2
        }
        #expect(bridge.exitCode == nil)
        #expect(most < 128 << 20, "\(most >> 20) MB")
        #expect(broker.bridgeErrors.contains("no connection to the broker"))
        stage.expectDone("next")
        bridge.terminate()
        until(stage, broker) { bridge.exitCode != nil }
        #expect(bridge.exitCode == 0)
    }

    // MARK: Identity

    @Test func theBrokerKnowsTheBridgeByItsPassword() throws {
        let stage = try Self.stage()
        let passwords = stage.folder / "passwords"
        #expect(
            ChildProcess.run(["mosquitto_passwd", "-b", "-c", passwords, "ann", "pass word"]).status
                == 0)
        chmod(passwords, 0o644)
        let broker = try Broker(
            in: stage.folder,
            settings: "allow_anonymous false\npassword_file \(passwords)\n")
        broker.start()
        broker.listen(["-u", "ann", "-P", "pass word"])
        let file = stage.folder.file("secret", "ann\nwrong\n")
        chmod(file, 0o600)
        broker.bridge(to: stage.folder, ["--credentials", file])
        until(stage, broker) { broker.bridgeErrors.contains("the broker refuses the connection") }
        broker.killBridge()
        _ = stage.folder.file("secret", "ann\npass word\n")
        broker.bridge(to: stage.folder, ["--credentials", file])
        until(stage, broker, "availability", "online")
        broker.killBridge()
        until(stage, broker, "availability", "offline")
        let bridge = broker.bridge(
            to: stage.folder,
            environment: ["VITRINE_MQTT_USER=ann", "VITRINE_MQTT_PASSWORD=pass word"])
        until(stage, broker, "availability", "online")
        // The password stands in no argument of a process.
        let arguments = TestFile.text("/proc/\(bridge.number)/cmdline") ?? ""
        #expect(arguments.contains("--broker") && !arguments.contains("pass"))
        chmod(file, 0o644)
        let readable = ChildProcess.run(
            [Binaries.bridge, "--broker", "127.0.0.1", "--credentials", file])
        #expect(readable.status == 1 && readable.errors.contains("others can read it"))
    }

    @Test func theBridgeKnowsTheBrokerByItsCertificate() throws {
        let stage = try Self.stage()
        let script = """
            set -e
            cd "$0"
            new() { openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 "$@"; }
            new -subj /CN=ca -keyout ca.key -out ca.pem
            new -subj /CN=other -keyout other.key -out other.pem
            openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost \\
                -keyout server.key -out server.csr
            openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -days 2 -out server.pem
            chmod 644 server.key
            """
        let made = ChildProcess.run(["bash", "-c", script, stage.folder.path])
        #expect(made.status == 0, "\(made.errors)")
        let broker = try Broker(
            in: stage.folder,
            settings: "allow_anonymous true\ncertfile \(stage.folder / "server.pem")\n"
                + "keyfile \(stage.folder / "server.key")\n")
        broker.start()
        let authority = stage.folder / "ca.pem"
        broker.listen(["--cafile", authority, "-h", "localhost"])
        // Another authority, the system's, and another host.
        for (options, host) in [
            (["--ca", stage.folder / "other.pem"], "localhost"), (["--tls"], "localhost"),
            (["--ca", authority], "127.0.0.1"),
        ] {
            broker.bridge(to: stage.folder, options, host: host)
            until(stage, broker) { broker.bridgeErrors.contains("no connection to the broker") }
            #expect(broker[Self.base + "availability"] == nil)
        }
        broker.bridge(to: stage.folder, ["--ca", authority], host: "localhost")
        until(stage, broker, "availability", "online")
    }

    @Test func wrongArgumentsAreNamed() {
        for (arguments, code) in [
            ([], 2), (["--broker"], 2), (["--broker", "h", "--ca", "/none"], 1),
            (["--broker", "h", "--credentials", "/none"], 1),
        ] as [([String], Int32)] {
            let result = ChildProcess.run([Binaries.bridge] + arguments)
            #expect(result.status == code)
            #expect(result.errors.hasPrefix("vitrine-mqtt: "))
            #expect(result.errors.split(separator: "\n").count == 1)
        }
    }
}

extension String {
    /// How often a text occurs.
    fileprivate func components(_ text: String) -> Int {
        split(separator: "\n").count { $0 == text }
    }
}
