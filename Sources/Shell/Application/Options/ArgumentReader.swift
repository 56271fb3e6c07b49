import Localization

/// Iterates over the arguments and their values: `--name value` and `--name=value`.
struct ArgumentReader {
    enum Argument {
        case option(String)
        case path([UInt8])
    }

    private var remaining: ArraySlice<[UInt8]>
    /// The value after `=` of the current option, until it is read.
    private var attached: [UInt8]?
    private var current = ""
    private var onlyPaths = false

    init(_ arguments: [[UInt8]]) {
        remaining = arguments[...]
    }

    mutating func next() -> Argument? {
        guard let argument = remaining.popFirst() else { return nil }
        let dash = UInt8(ascii: "-")
        guard !onlyPaths, argument.first == dash, argument.count > 1 else {
            return .path(argument)
        }
        if argument == [dash, dash] {
            onlyPaths = true
            return next()
        }
        let equals = argument.firstIndex(of: UInt8(ascii: "="))
        attached = equals.map { Array(argument[($0 + 1)...]) }
        current = String(decoding: argument[..<(equals ?? argument.count)], as: UTF8.self)
        return .option(current)
    }

    mutating func value(_ name: String) throws(UsageError) -> [UInt8] {
        if let value = attached {
            attached = nil
            return value
        }
        guard let value = remaining.popFirst() else {
            throw UsageError(reason: localized("\(name) needs a value; see vitrine --help"))
        }
        return value
    }

    mutating func text(_ name: String) throws(UsageError) -> String {
        String(decoding: try value(name), as: UTF8.self)
    }

    /// Throws if the current option has a value after `=` that was not read.
    func refuseUnusedValue() throws(UsageError) {
        if attached != nil { throw UsageError(reason: localized("\(current) takes no value")) }
    }
}
