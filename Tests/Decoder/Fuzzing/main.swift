// One program for all harnesses: `Fuzzing --list` lists the harnesses, `Fuzzing --seeds HARNESS FOLDER`
// writes the initial corpus, and `Fuzzing HARNESS [libFuzzer options and folders]` runs one harness.

import CFuzzer
import CLinux
import Glibc

/// Prints an error message and exits with status 2.
func refuse(_ message: String) -> Never {
    let line = "Fuzzing: \(message)\n"
    clinux_write_error(line, line.utf8.count)
    exit(2)
}

/// The active harness, global because libFuzzer's callback takes no context.
///
/// Set before libFuzzer starts, and then only read, by libFuzzer's single thread.
nonisolated(unsafe) var running: any Harness = WireHarness()

func harness(_ name: String) -> any Harness {
    guard let found = Harnesses.all.first(where: { $0.name == name }) else {
        refuse("unknown harness “\(name)”; --list lists all harnesses")
    }
    return found
}

let arguments = CommandLine.arguments
switch arguments.count > 1 ? arguments[1] : "" {
case "": refuse("no harness given; --list lists all harnesses")
case "--list":
    for harness in Harnesses.all { print(harness.name) }
case "--seeds":
    guard arguments.count == 4 else { refuse("--seeds needs a harness and a folder") }
    Seeds.write(harness(arguments[2]).seeds, to: arguments[3])
case let name:
    running = harness(name)
    running.prepare()
    var count = CommandLine.argc - 1
    // libFuzzer uses its first argument as the path of the program when it restarts itself.
    var fuzzerArguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
        CommandLine.unsafeArgv + 1
    exit(
        LLVMFuzzerRunDriver(&count, &fuzzerArguments) { bytes, length in
            running.run(UnsafeRawBufferPointer(start: bytes, count: length))
            Descriptors.check()
            return 0
        })
}
