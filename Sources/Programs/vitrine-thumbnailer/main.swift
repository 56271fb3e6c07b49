import CLinux
import Glibc
import Thumbnails

// The arguments as bytes: paths need not be UTF-8.
var count: Int32 = 0
var arguments: [[UInt8]] = []
if let values = clinux_arguments(&count) {
    for index in 1..<max(1, Int(count)) {
        guard let argument = values[index] else { break }
        arguments.append(
            UnsafeRawBufferPointer(start: argument, count: strlen(argument)).map { $0 })
    }
} else {
    arguments = CommandLine.arguments.dropFirst().map { Array($0.utf8) }
}
exit(ThumbnailerProgram.run(arguments))
