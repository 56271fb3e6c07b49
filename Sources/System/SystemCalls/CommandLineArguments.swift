import CLinux

/// The program's arguments as bytes: file names need not be valid UTF-8.
package enum CommandLineArguments {
    package static func all() -> [[UInt8]] {
        // Swift reads the arguments from /proc, which may be missing or not be readable for lack of
        // descriptors; the program would run without its arguments then.
        var count: Int32 = 0
        if let values = clinux_arguments(&count) { return texts(values, count) }
        return texts(CommandLine.unsafeArgv, CommandLine.argc)
    }

    /// The arguments after the name of the program.
    private static func texts(
        _ values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, _ count: Int32
    ) -> [[UInt8]] {
        var arguments: [[UInt8]] = []
        for index in 1..<max(1, Int(count)) {
            guard let argument = values[index] else { break }
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
