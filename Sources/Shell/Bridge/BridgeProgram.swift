import CLinux
import CMosquitto
import Control
import Glibc
import SystemCalls

/// `vitrine-mqtt` from its arguments to its exit code.
package enum BridgeProgram {
    package static let version = "1.0.1"
    private static let (usualPort, usualPortOfTLS) = (1883, 8883)
    /// The most memory for the data of the process, in bytes: a message of the broker that does not fit
    /// ends the connection.
    private static let mostMemory: UInt64 = 96 << 20

    /// Runs the program; returns the exit code of the process.
    package static func run(_ arguments: [[UInt8]]) -> Int32 {
        let service = ServiceEnvironment.take()
        let credentials = BridgeCredentials.takeFromEnvironment()
        do throws(BridgeUsageError) {
            let options = try BridgeOptions(arguments)
            switch options.action {
            case .help: return print(BridgeDocuments.help)
            case .version: return print("vitrine-mqtt \(version)\n")
            case .run: break
            }
            do throws(BridgeFailure) {
                try run(options, service, credentials)
                return 0
            } catch {
                BridgeLog.write(error.reason)
                return 1
            }
        } catch {
            BridgeLog.write(error.reason)
            return 2
        }
    }

    private static func run(
        _ options: BridgeOptions, _ service: ServiceEnvironment, _ given: BridgeCredentials?
    ) throws(BridgeFailure) {
        guard let broker = options.broker else { return }
        guard cmosquitto_is_available() != 0 else {
            throw BridgeFailure("libmosquitto (libmosquitto.so.1) is not installed")
        }
        var credentials = given
        if let path = options.credentials { credentials = try BridgeCredentials.read(path) }
        if credentials?.password != nil, !options.usesTLS, !broker.isThisComputer {
            BridgeLog.write("the password is sent without encryption; --tls or --ca encrypts it")
        }
        if let path = options.authorities { try requireReadable(path) }
        let topics = BridgeTopics(
            name: options.name ?? computerName, prefix: options.prefix, discovery: options.discovery
        )
        let settings = BrokerSettings(
            host: broker.host,
            port: broker.port ?? (options.usesTLS ? usualPortOfTLS : usualPort),
            usesTLS: options.usesTLS,
            authorities: options.authorities.map { String(decoding: $0, as: UTF8.self) },
            credentials: credentials, topics: topics)
        try limitMemory()
        try BridgeRun(options, topics, service).run(settings)
    }

    /// libmosquitto says of a file that it cannot read only that an argument is wrong.
    private static func requireReadable(_ path: [UInt8]) throws(BridgeFailure) {
        do throws(SystemError) {
            _ = try reporting { path.withPathString { access($0, R_OK) } }
        } catch {
            throw BridgeFailure("\(String(decoding: path, as: UTF8.self)): \(error.pathMessage)")
        }
    }

    /// A message of 256 MB may come from a broker: the library makes room for it before it reads it.
    private static func limitMemory() throws(BridgeFailure) {
        do throws(SystemError) {
            _ = try reporting { clinux_limit_memory(mostMemory) }
        } catch { throw BridgeFailure("the memory cannot be limited: \(error)") }
    }

    private static var computerName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "viewer" }
        let name = String(
            decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.isEmpty ? "viewer" : name
    }

    private static func print(_ text: String) -> Int32 {
        (try? writeAll(Array(text.utf8), to: 1)) == nil ? 1 : 0
    }
}
