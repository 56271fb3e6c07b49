import Glibc
import TestKit
import Testing

@testable import Bridge

@Suite struct BridgeOptionTests {
    private func options(_ arguments: String...) throws -> BridgeOptions {
        try BridgeOptions(arguments.map { Array($0.utf8) })
    }

    @Test func nothingFollowsTwoHyphens() throws {
        #expect(try options("--broker", "hall", "--").broker?.host == "hall")
        #expect(throws: BridgeUsageError("unexpected “--help”")) {
            try options("--broker", "hall", "--", "--help")
        }
    }

    @Test func optionsAreRead() throws {
        let all = try options(
            "--broker", "[::1]:1884", "--name=Hall", "--ca", "/ca.pem", "--prefix", "a/b",
            "--no-discovery", "--allow-open", "--socket", "/s", "--credentials=/c")
        #expect(all.broker?.host == "::1" && all.broker?.port == 1884)
        #expect(all.usesTLS && all.authorities == Array("/ca.pem".utf8))
        #expect(all.name == "Hall" && all.prefix == "a/b" && all.discovery == nil)
        #expect(all.allowsOpening && all.socket == Array("/s".utf8))
        #expect(try options("--help").action == .help)
    }

    @Test(arguments: [
        [], ["--broker"], ["--broker", ""], ["--broker", "a:0"], ["--broker", "a:65536"],
        ["--broker", "a:b"], ["--broker", "[::1"], ["--broker", "a b"], ["--broker", "/a"],
        ["--broker", ":1"], ["--broker", "h", "x"], ["--broker", "h", "--prefix", "#"],
        ["--broker", "h", "--tls=1"],
        ["--broker", "h", "--name", String(repeating: "x", count: 65)],
        ["--password", "x"],
    ])
    func wrongOptionsAreRefused(arguments: [String]) {
        #expect(throws: BridgeUsageError.self) {
            try BridgeOptions(arguments.map { Array($0.utf8) })
        }
    }

    @Test func addressesAreRead() {
        #expect(BrokerAddress("broker.local")?.port == nil)
        #expect(BrokerAddress("10.0.0.1:8883")?.port == 8883)
        #expect(BrokerAddress("fe80::1")?.host == "fe80::1")
        #expect(BrokerAddress("localhost")?.isThisComputer == true)
        #expect(BrokerAddress("10.0.0.1")?.isThisComputer == false)
    }

    @Test func theHelpHasEveryOption() {
        for entry in BridgeOptionTable.entries {
            for text in [BridgeDocuments.help, BridgeDocuments.bashCompletion] {
                #expect(text.contains(entry.name))
            }
        }
        #expect(BridgeDocuments.help.split(separator: "\n").allSatisfy { $0.count <= 96 })
    }

    // MARK: Credentials

    @Test func credentialsAreTwoLines() throws {
        let both = try BridgeCredentials("ann\npa ss \n")
        #expect(both.user == "ann" && both.password == "pa ss ")
        #expect(try BridgeCredentials("ann\r\nx\r\n").password == "x")
        #expect(try BridgeCredentials("ann").password == nil)
        #expect(throws: BridgeFailure.self) { try BridgeCredentials("\nx") }
    }

    @Test func aFileThatOthersCanReadIsRefused() throws {
        let folder = TemporaryFolder()
        let path = folder.file("secret", "ann\nx\n")
        chmod(path, 0o600)
        #expect(try BridgeCredentials.read(Array(path.utf8)).user == "ann")
        for mode: mode_t in [0o640, 0o604, 0o620] {
            chmod(path, mode)
            #expect(throws: BridgeFailure.self) { try BridgeCredentials.read(Array(path.utf8)) }
        }
        #expect(throws: BridgeFailure.self) {
            try BridgeCredentials.read(Array((folder / "none").utf8))
        }
        let long = folder.file("long", Array(repeating: UInt8(ascii: "x"), count: 5000))
        chmod(long, 0o600)
        #expect(throws: BridgeFailure.self) { try BridgeCredentials.read(Array(long.utf8)) }
    }

    // MARK: Backlight

    @Test func theBrightnessIsASharePerCent() throws {
        let folder = TemporaryFolder()
        _ = folder.file("max_brightness", "852\n")
        let path = folder.file("brightness", "426\n")
        let light = try #require(Backlight(folder.path))
        #expect(light.percent == 50)
        try light.set(percent: 1)
        #expect(TestFile.text(path)?.hasPrefix("9\n") == true)
        try light.set(percent: 100)
        #expect(TestFile.text(path)?.hasPrefix("852\n") == true)
        for text in ["", "0", "-5", "x", "\(Int.max)", "99999999999999999999999"] {
            _ = folder.file("max_brightness", text)
            #expect(Backlight(folder.path) == nil, "\(text)")
        }
        #expect(Backlight(folder / "none") == nil)
    }
}
