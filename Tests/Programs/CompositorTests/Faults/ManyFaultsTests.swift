import CompositorKit
import Geometry
import Glibc
import TestKit
import Testing

/// The number of faults of each kind in `ManyFaultsTests`.
private let faultCount =
    getenv("VITRINE_MANY_FAULTS").flatMap { Int(String(cString: $0)) } ?? 0

extension LiveTests {
    /// Thousands of faults that happen to one viewer: it uses no more of the system afterwards.
    ///
    /// For `meson-helpers/check/faults`, because they take minutes.
    @Suite(.enabled(if: faultCount > 0, "only with VITRINE_MANY_FAULTS"), .serialized)
    struct ManyFaultsTests {
        /// Memory that comes and goes with thumbnails and pictures, in bytes.
        private static let slack = 8 << 20
        /// The faults are measured in so many parts.
        private static let parts = 10

        private static func stage(count: Int, onGrid: Bool = false) throws -> Stage {
            var setup = Setup()
            setup.checksPixels = false
            return try Stage.shown(
                setup, in: .program, options: ["--set", "decode.memory=64"],
                pictures: Array(repeating: Stage.small, count: count), onGrid: onGrid)
        }

        /// Lets faults happen, and compares what the program uses before and after.
        ///
        /// After every `period` faults they begin anew: the memory of frames depends on the last ones.
        private static func repeatFaults(
            on stage: Stage, _ name: String, warmUp: Int = 20, period: Int = 1,
            _ fault: (Int) throws -> Void
        ) throws {
            func whole(_ count: Int) -> Int { (count + period - 1) / period * period }
            // What is made once is made before the first count.
            for number in 0..<whole(warmUp) { try fault(number) }
            try stage.recoverFromFaults()
            let before = try stage.program.use
            let count = whole(max(faultCount / Self.parts, 1))
            let answers = try (0..<Self.parts).map { part in
                try stage.answers {
                    for number in part * count..<(part + 1) * count where stage.exitCode == nil {
                        try fault(number)
                    }
                }
            }
            try #require(stage.exitCode == nil, "\(stage.errors)")
            try stage.recoverFromFaults()
            var after = try stage.program.use
            // Decoders that were started ahead, and memory, may take a while to go.
            stage.compositor.run(seconds: 10) {
                after = (try? stage.program.use) ?? after
                return after.exceeds(before, slack: slack) == nil
            }
            let excess = after.exceeds(before, slack: slack)
            #expect(excess == nil, "\(excess ?? "") \(before) \(after)")
            for answers in answers {
                FaultRecord(
                    table: .decoders, fault: "\(name), \(count * Self.parts) times",
                    answers: answers,
                    seen: "before \(before), after \(after)"
                ).write()
            }
        }

        @Test func decodersAreKilled() throws {
            let stage = try Self.stage(count: 6)
            var kills = 0
            try Self.repeatFaults(on: stage, "decoders killed") { number in
                // The change makes the viewer read the file again.
                rename(stage.pictures[number % 6], stage.pictures[number % 6] + ".new")
                rename(stage.pictures[number % 6] + ".new", stage.pictures[number % 6])
                stage.press(number % 10 < 5 ? "Right" : "Left", for: 15)
                for child in try stage.program.descendants
                where TestFile.text("/proc/\(child)/comm")?.hasPrefix("vitrine-dec") == true {
                    if kill(child, SIGKILL) == 0 { kills += 1 }
                }
            }
            #expect(kills > faultCount, "\(kills)")
            #expect(try [0, 1].contains(stage.close()))
        }

        @Test func filesAreDamagedAndMended() throws {
            let stage = try Self.stage(count: 4)
            let bytes = Stage.small
            try Self.repeatFaults(on: stage, "files damaged and mended") { number in
                let path = stage.pictures[number / 2 % 4]
                let length = number % 2 == 0 ? 40 + number * 37 % (bytes.count - 50) : bytes.count
                TestFile.write(Array(bytes.prefix(length)), to: path + ".new")
                rename(path + ".new", path)
                stage.press(number % 8 < 4 ? "Right" : "Left", for: 15)
            }
            #expect(try stage.close() == 0)
        }

        @Test func thumbnailsAreDamagedAndMended() throws {
            let stage = try Self.stage(count: 12, onGrid: true)
            let bytes = Stage.small
            try Self.repeatFaults(on: stage, "thumbnails damaged and mended") { number in
                let path = stage.pictures[number / 2 % 12]
                let length = number % 2 == 0 ? 40 + number * 37 % (bytes.count - 50) : bytes.count
                TestFile.write(Array(bytes.prefix(length)), to: path + ".new")
                rename(path + ".new", path)
                stage.press(number % 8 < 4 ? "Right" : "Left", for: 15)
            }
            #expect(try stage.close() == 0)
        }

        @Test func theCompositorSendsWrongEvents() throws {
            let stage = try Self.stage(count: 2)
            let faults = Fault.groups.flatMap(\.faults).filter { $0.isQuick }
            try Self.repeatFaults(
                on: stage, "wrong events", warmUp: 400, period: faults.count
            ) { number in
                try faults[number % faults.count].occur(on: stage, settling: 0.01)
                try stage.recover(settling: 0.01)
            }
            #expect(try stage.close() == 0)
        }
    }
}

extension Stage {
    /// Presses a key and waits for some milliseconds, while other things move.
    fileprivate func press(_ key: String, for duration: Double) {
        var hand = Hand()
        hand.key(key)
        hand.rest(duration)
        compositor.play(hand.finishScript())
    }

    /// Waits until nothing moves any more.
    fileprivate func recoverFromFaults() throws {
        try recover()
        compositor.run(seconds: 3)
    }
}

/// What a program uses of the system.
private struct SystemUse: CustomStringConvertible {
    var descriptors, threads, children, zombies, bytes: Int

    var description: String {
        "\(descriptors) descriptors, \(threads) threads, \(children) children, \(zombies) zombies, "
            + "\(bytes >> 20) MiB"
    }

    /// Names what is more than `other`; nil if nothing is.
    func exceeds(_ other: SystemUse, slack: Int) -> String? {
        if descriptors > other.descriptors { return "descriptors" }
        if threads > other.threads { return "threads" }
        if children > other.children { return "children" }
        if zombies > 0 { return "zombies" }
        return bytes > other.bytes + slack ? "memory" : nil
    }
}

extension RunningProcess {
    /// The children, and all processes that they have started.
    fileprivate var descendants: [Int32] { children + children.flatMap(Self.descendants) }

    private static func descendants(of process: Int32) -> [Int32] {
        let list = TestFile.text("/proc/\(process)/task/\(process)/children") ?? ""
        let children = list.split { $0 == " " || $0 == "\n" }.compactMap { Int32($0) }
        return children + children.flatMap(descendants)
    }

    fileprivate var use: SystemUse {
        let processes = descendants
        let zombies = processes.count {
            TestFile.text("/proc/\($0)/stat")?.contains(") Z ") == true
        }
        return SystemUse(
            descriptors: Self.entries("/proc/\(number)/fd"),
            threads: Self.entries("/proc/\(number)/task"), children: processes.count - zombies,
            zombies: zombies, bytes: proportionalBytes)
    }

    private static func entries(_ path: String) -> Int {
        guard let folder = opendir(path) else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }

    /// The memory, with shared pages divided by the number of processes that share them.
    private var proportionalBytes: Int {
        let text = TestFile.text("/proc/\(number)/smaps_rollup") ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("Pss:") }
        let kibibytes = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return (kibibytes ?? 0) << 10
    }
}
