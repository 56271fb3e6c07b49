import ImageService
import ImageTypes
import Testing

@Suite struct SystemMemoryTests {
    private static let meminfo = """
        MemTotal:       16303452 kB
        MemFree:          612340 kB
        MemAvailable:    8151726 kB
        HugePages_Total:       0
        """

    @Test func rowsOfMeminfoAreRead() {
        #expect(SystemMemory.kibibytes("MemTotal", in: Self.meminfo) == 16_303_452 << 10)
        #expect(SystemMemory.kibibytes("MemAvailable", in: Self.meminfo) == 8_151_726 << 10)
        #expect(SystemMemory.kibibytes("Mem", in: Self.meminfo) == nil)
        #expect(SystemMemory.kibibytes("SwapTotal", in: Self.meminfo) == nil)
        #expect(SystemMemory.kibibytes("HugePages_Total", in: Self.meminfo) == nil)
    }

    @Test(arguments: [
        "", "MemTotal:", "MemTotal: kB", "MemTotal: -1 kB", "MemTotal: 1 MB", "MemTotal: 0x10 kB",
        "MemTotal: 1.5 kB", "MemTotal: 99999999999999999999 kB", "MemTotal: 9223372036854775807 kB",
        "MemTotal: 1 2 kB", "MemTotal: \u{661} kB", "MemTotal : 1 kB", "\0",
    ])
    func everythingElseCountsAsUnknown(_ text: String) {
        #expect(SystemMemory.kibibytes("MemTotal", in: text) == nil)
    }

    @Test(arguments: [
        ("1073741824\n", 1_073_741_824), ("0\n", 0), ("4096", 4096),
        // What version 1 says without a limit.
        ("9223372036854771712\n", 9_223_372_036_854_771_712),
        ("max\n", nil), ("", nil), ("\n", nil), ("-1\n", nil), ("+1\n", nil), (" 1\n", nil),
        ("18446744073709551615\n", nil), ("1e9\n", nil), ("1\n2\n", nil), ("max 1\n", nil),
    ])
    func limitsOfControlGroupsAreRead(_ text: String, _ limit: Int?) {
        #expect(SystemMemory.limit(text) == limit)
    }

    // MARK: Budgets

    private struct Machine: CustomTestStringConvertible {
        var memory: SystemMemory
        var bytes: Int
        var testDescription: String { "\(memory)" }

        /// All in MiB.
        init(_ total: Int?, _ available: Int?, _ group: Int?, _ budget: Int) {
            func bytes(_ mebibytes: Int?) -> Int? {
                mebibytes.map { $0 == .max ? .max : $0 << 20 }
            }
            memory = SystemMemory(
                total: bytes(total), available: bytes(available), groupLimit: bytes(group))
            self.bytes = budget << 20
        }
    }

    private static let machines: [Machine] = [
        Machine(16384, 12000, nil, 3072), Machine(8192, 6000, nil, 2048),
        Machine(8192, 1024, nil, 512), Machine(8192, 0, nil, 128),
        Machine(8192, nil, nil, 2048), Machine(8192, 6000, 1024, 512),
        Machine(8192, 6000, .max, 2048), Machine(8192, 6000, 0, 128),
        Machine(0, 0, 0, 128), Machine(.max, .max, .max, 3072), Machine(nil, nil, nil, 512),
    ]

    @Test(arguments: machines)
    private func theBudgetIsAShareOfTheMemory(_ machine: Machine) {
        #expect(machine.memory.pixelBytes == machine.bytes)
        #expect(machine.memory.pictureBytes >= machine.bytes)
    }

    /// What runs beside is no reason to refuse a picture.
    @Test func theLimitOfAPictureDoesNotDependOnOtherPrograms() {
        let memory = SystemMemory(total: 8 << 30, available: 1 << 20)
        #expect(memory.pictureBytes == 2 << 30)
        #expect(SystemMemory(total: .max).pictureBytes == PictureLimits.memory)
    }

    @Test func thisMachineHasMemory() {
        let memory = SystemMemory.read()
        #expect((memory.total ?? 0) > 0)
        #expect((memory.available ?? 0) > 0)
        #expect(memory.pixelBytes <= PictureLimits.memory)
    }

    // MARK: Control groups

    @Test func theGroupsOfVersion2AreFound() {
        let groups = ControlGroups(
            membership: "0::/user.slice/app.scope\n",
            mounts: "31 23 0:28 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw,nsdelegate\n")
        #expect(
            groups.limitFiles == [
                "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.high",
                "/sys/fs/cgroup/user.slice/memory.max", "/sys/fs/cgroup/user.slice/memory.high",
                "/sys/fs/cgroup/user.slice/app.scope/memory.max",
                "/sys/fs/cgroup/user.slice/app.scope/memory.high",
            ])
        #expect(groups.pressureFile == "/sys/fs/cgroup/user.slice/app.scope/memory.pressure")
    }

    @Test func theGroupsOfVersion1AreFound() {
        let groups = ControlGroups(
            membership: "9:name=systemd:/\n4:cpu,memory:/docker/1\n0::/\n",
            mounts: """
                32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpuset
                35 31 0:32 /docker/1 /sys/fs/cgroup/memory rw shared:3 - cgroup cgroup rw,memory
                """)
        #expect(groups.limitFiles == ["/sys/fs/cgroup/memory/memory.limit_in_bytes"])
        #expect(groups.pressureFile == nil)
    }

    @Test(arguments: [
        ("", ""), ("0::/", ""), ("0:/", "31 23 0:28 / /c rw - cgroup2 c rw"),
        ("0::relative", "31 23 0:28 / /c rw - cgroup2 c rw"),
        ("0::/../escape", "31 23 0:28 / /c rw - cgroup2 c rw"),
        ("0::/other", "31 23 0:28 /mine /c rw - cgroup2 c rw"),
        ("0::/", "31 23 0:28 / c rw - cgroup2 c rw"), ("0::/", "31 23 0:28 / /c rw - cgroup2"),
        ("0::/", "- cgroup2 c rw"), ("0::/", "31 23 0:28 / /c\\040d rw - cgroup2 c rw"),
        ("4:cpu:/", "31 23 0:28 / /c rw - cgroup c rw,memory"), (":::", "- - - - - - -"),
        ("0::" + String(repeating: "/a", count: 100), "31 23 0:28 / /c rw - cgroup2 c rw"),
    ])
    func everythingElseHasNoGroups(_ membership: String, _ mounts: String) {
        #expect(ControlGroups(membership: membership, mounts: mounts).limitFiles == [])
    }
}
