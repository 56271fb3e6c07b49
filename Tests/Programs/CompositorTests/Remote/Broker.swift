import Glibc
import TestKit
import Testing

/// The broker mosquitto on the loopback, a client that listens to everything, and the bridge.
final class Broker {
    let folder: TemporaryFolder
    let port: Int
    private let settings: String
    private var broker: RunningProcess?
    private var listener: RunningProcess?
    private(set) var bridge: RunningProcess?
    private var listenerCount = 0
    private var bridgeCount = 0

    /// `settings` are further lines of the broker's configuration.
    init(in folder: TemporaryFolder, settings: String = "allow_anonymous true\n") throws {
        self.folder = folder
        let script =
            "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])"
        let port = ChildProcess.run(["python3", "-c", script]).output
        self.port = try #require(Int(port.filter(\.isNumber)))
        self.settings = settings
    }

    private func start(_ arguments: [String], _ output: String) -> RunningProcess {
        RunningProcess(
            ["/bin/sh", "-c", "exec \"$@\" >\"$0\"", folder / output] + arguments,
            environment: ["PATH=/usr/sbin:/usr/bin:/bin", "LANG=C.UTF-8"],
            errors: folder / (output + ".errors"), passing: 2)
    }

    // MARK: The broker

    /// Starts the broker, and waits until it listens.
    func start() {
        let file = folder.file(
            "mosquitto.conf", "listener \(port) 127.0.0.1\npersistence false\n" + settings)
        broker = start(["mosquitto", "-c", file], "mosquitto.txt")
        let attempt = ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/\(port)"]
        var attempts = 0
        while ChildProcess.run(attempt).status != 0, attempts < 500 {
            attempts += 1
            usleep(10_000)
        }
    }

    /// Ends the broker at once.
    func stop() { broker = nil }

    /// A client that notes all messages from now on, with those that the broker keeps.
    func listen(_ options: [String] = []) {
        listenerCount += 1
        listener = start(
            ["mosquitto_sub", "-h", "127.0.0.1", "-p", "\(port)", "-t", "#", "-F", "%r %t %p"]
                + options, "heard-\(listenerCount).txt")
    }

    /// The messages that the client has noted, as their topics and payloads.
    var heard: [(topic: String, payload: String)] {
        let text = TestFile.text(folder / "heard-\(listenerCount).txt") ?? ""
        return text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            return parts.count == 3 ? (String(parts[1]), String(parts[2])) : nil
        }
    }

    /// The newest payload of a topic.
    subscript(_ topic: String) -> String? { heard.last { $0.topic == topic }?.payload }

    func publish(_ topic: String, _ payload: String, _ options: String...) {
        let result = ChildProcess.run(
            [
                "mosquitto_pub", "-h", "127.0.0.1", "-p", "\(port)", "-t", topic, "-m", payload,
            ] + options)
        #expect(result.status == 0, "\(result.errors)")
    }

    // MARK: The bridge

    /// Starts the bridge for the viewer whose socket is in the folder of a stage.
    @discardableResult
    func bridge(
        to folder: TemporaryFolder, _ options: [String] = [], environment: [String] = [],
        host: String = "127.0.0.1"
    ) -> RunningProcess {
        bridgeCount += 1
        let made = RunningProcess(
            [Binaries.bridge, "--broker", "\(host):\(port)", "--name", "Hall"] + options,
            environment: ["XDG_RUNTIME_DIR=\(folder.path)", "LANG=C.UTF-8"] + environment,
            errors: self.folder / "bridge-\(bridgeCount).errors", passing: 2)
        bridge = made
        return made
    }

    var bridgeErrors: String { TestFile.text(folder / "bridge-\(bridgeCount).errors") ?? "" }

    func killBridge() { bridge = nil }
}
