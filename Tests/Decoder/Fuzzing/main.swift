// One program for all harnesses: `Fuzzing --list` names them, `Fuzzing --seeds HARNESS FOLDER` writes
// inputs to begin with, and `Fuzzing HARNESS [libFuzzer's options and folders]` runs one.

import CFuzzer
import CLinux
import Glibc

/// Ends it with words on what was wrong.
func refuse(_ words: String) -> Never {
    let line = "Fuzzing: \(words)\n"
    clinux_write_error(line, line.utf8.count)
    exit(2)
}

/// The harness that runs, since libFuzzer's callback takes no context; set before libFuzzer begins,
/// and read by its one thread.
nonisolated(unsafe) var running: any Harness = WireHarness()

func harness(_ name: String) -> any Harness {
    guard let found = Harnesses.all.first(where: { $0.name == name }) else {
        refuse("there is no harness “\(name)”")
    }
    return found
}

let words = CommandLine.arguments
switch words.count > 1 ? words[1] : "" {
case "": refuse("which harness?")
case "--list":
    for harness in Harnesses.all { print(harness.name) }
case "--seeds":
    guard words.count == 4 else { refuse("--seeds takes a harness and a folder") }
    Seeds.write(harness(words[2]).seeds, to: words[3])
case let name:
    running = harness(name)
    running.prepare()
    var count = CommandLine.argc - 1
    // libFuzzer starts itself anew by its first argument.
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
        CommandLine.unsafeArgv + 1
    exit(
        LLVMFuzzerRunDriver(&count, &arguments) { bytes, length in
            running.run(UnsafeRawBufferPointer(start: bytes, count: length))
            Descriptors.check()
            return 0
        })
}
