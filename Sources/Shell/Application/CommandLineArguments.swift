/// The program's arguments as bytes: file names need not be valid UTF-8.
package enum CommandLineArguments {
    package static func all() -> [[UInt8]] {
        var arguments: [[UInt8]] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[index] else { break }
            var bytes: [UInt8] = []
            var cursor = argument
            while cursor.pointee != 0 {
                bytes.append(UInt8(bitPattern: cursor.pointee))
                cursor += 1
            }
            arguments.append(bytes)
        }
        return arguments
    }
}
