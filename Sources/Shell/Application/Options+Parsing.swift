import Folders
import Browser
import Geometry
import Pacing
import ImageTypes
import Settings
import Viewer
import Grid

extension Options {
    /// Reads the arguments; options may stand anywhere, `--` ends them.
    init(_ arguments: [[UInt8]]) throws(UsageError) {
        var reader = ArgumentReader(arguments)
        if arguments.first.map({ Array("formats".utf8) == $0 }) ?? false, arguments.count == 1 {
            action = .formats
            return
        }
        while let argument = reader.next() {
            switch argument {
            case .path(let bytes): paths.append(FilePath(bytes))
            case .option(let name): try take(name, &reader)
            }
            try reader.refuseLeftValue()
        }
        try check()
    }

    private mutating func take(
        _ name: String, _ reader: inout ArgumentReader
    ) throws(UsageError) {
        switch name {
        case "--help", "-h": action = .help
        case "--version": action = .version
        case "--viewer": mode = .viewer
        case "--grid": mode = .grid
        case "--fullscreen": isFullscreen = true
        case "--windowed": isFullscreen = false
        case "--size": windowSize = try Self.size(try reader.value(name), of: name)
        case "--reduced-motion": settings.reducedMotion = true
        case "--set": try set(try reader.text(name))
        case "--log-level":
            let text = try reader.text(name)
            guard let level = Diagnostics.Level(rawValue: text) else {
                let known = Diagnostics.Level.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError(reason: "--log-level takes one of \(known), not “\(text)”")
            }
            logLevel = level
        case "--verbose":
            isVerbose = true
            logLevel = .info
        case "--headless": headless = try Self.viewport(try reader.text(name))
        case "--script": script = FilePath(try reader.value(name))
        case "--trace": trace = FilePath(try reader.value(name))
        case "--timings": hasTimings = true
        case "--shot": shot = FilePath(try reader.value(name))
        case "--shot-at": shotsAt.append(try Self.shot(try reader.value(name)))
        case "--hud": showsTimes = true
        case "--record": record = FilePath(try reader.value(name))
        case "--refresh":
            let text = try reader.text(name)
            guard let value = Double(text), value >= 1, value <= 1000 else {
                throw UsageError(reason: "--refresh takes 1 to 1000 hertz, not “\(text)”")
            }
            refresh = value
        case "--async-decode": waitsForDecoding = false
        default: throw UsageError(reason: "there is no option \(name); see vitrine --help")
        }
    }

    private mutating func set(_ text: String) throws(UsageError) {
        guard let equals = text.firstIndex(of: "=") else {
            throw UsageError(reason: "--set takes KEY=VALUE, not “\(text)”")
        }
        let (name, value) = (
            String(text[..<equals]), String(text[text.index(after: equals)...])
        )
        do throws(SettingRefusal) {
            switch name.prefix(while: { $0 != "." }) {
            case "grid", "peek": try gridSettings.set(name, to: value)
            case "frames": try frames.set(name, to: value)
            case "collection": try setCollection(Setting(name, value))
            case "decode": try setDecoding(Setting(name, value))
            default: try settings.set(name, to: value)
            }
        } catch { throw UsageError(reason: "--set: \(error.reason)") }
    }

    /// Every setting of the collection with the values it takes.
    static let collectionNames: [(name: String, values: String)] = [
        ("collection.recursive", "true|false"),
        ("collection.sort", "name|taken|modified|size|random"),
        ("collection.descending", "true|false"),
        ("collection.sections", "none|folder|month"),
    ]

    private mutating func setCollection(_ setting: Setting) throws(SettingRefusal) {
        switch setting.name {
        case "collection.recursive": collection.isRecursive = try setting.flag()
        case "collection.descending": collection.order.isReversed = try setting.flag()
        case "collection.sort":
            let keys: [Substring: ListingOrder.Key] = [
                "name": .name, "taken": .taken, "modified": .modified, "size": .size,
                "random": .random(seed: UInt64.random(in: 0...UInt64.max)),
            ]
            guard let key = keys[setting.text] else {
                throw setting.refusal("one of name, taken, modified, size, random")
            }
            collection.order.key = key
        case "collection.sections":
            sections = try setting.choice()
            collection.wantsDetails = sections == .month
        default: throw setting.unknown(Self.collectionNames)
        }
    }

    /// Every setting of decoding with the values it takes.
    static let decodeNames: [(name: String, values: String)] = [
        ("decode.max_megapixels", "0…512"),
        ("decode.max_memory", "MiB of a picture's pixels"),
        ("decode.max_disk", "MiB for one that is too large for memory"),
        ("decode.parts_from_megapixels", "0…512"),
        ("decode.screen_profile", "an ICC profile's file"),
    ]

    private mutating func setDecoding(_ setting: Setting) throws(SettingRefusal) {
        if setting.name == "decode.screen_profile" {
            screenProfile = setting.text.isEmpty ? nil : FilePath(String(setting.text))
            return
        }
        let isMegapixels = setting.name.hasSuffix("_megapixels")
        let most = isMegapixels ? PictureLimits.pixels / 1_000_000 : 1 << 24
        guard let number = Int(setting.text), (0...most).contains(number) else {
            throw setting.refusal("a whole number from 0 to \(most)")
        }
        switch setting.name {
        case "decode.max_megapixels": limits.pixels = number * 1_000_000
        case "decode.max_memory": limits.limit(bytes: number << 20)
        case "decode.max_disk": limits.disk = number << 20
        case "decode.parts_from_megapixels": limits.wholePixels = number * 1_000_000
        default: throw setting.unknown(Self.decodeNames)
        }
    }

    /// What only makes sense together.
    private func check() throws(UsageError) {
        guard action == .show else { return }
        if headless == nil {
            let needing: [(Bool, String)] = [
                (script != nil, "--script"), (shot != nil, "--shot"),
                (!shotsAt.isEmpty, "--shot-at"), (!waitsForDecoding, "--async-decode"),
            ]
            if let option = needing.first(where: \.0)?.1 {
                throw UsageError(reason: "\(option) works with --headless only")
            }
        } else if let option = record != nil ? "--record" : showsTimes ? "--hud" : nil {
            throw UsageError(reason: "\(option) works in a live session only")
        }
        guard !paths.isEmpty else {
            throw UsageError(reason: "no picture given; see vitrine --help")
        }
    }

    private static func size(_ bytes: [UInt8], of name: String) throws(UsageError) -> Size {
        let text = String(decoding: bytes, as: UTF8.self)
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
            (1...16384).contains(width), (1...16384).contains(height)
        else {
            throw UsageError(
                reason: "\(name) takes WIDTHxHEIGHT, 1 to 16384 each, not “\(text)”")
        }
        return Size(width: Double(width), height: Double(height))
    }

    private static func viewport(_ text: String) throws(UsageError) -> Viewport {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let size = try size(Array((parts.first ?? "").utf8), of: "--headless")
        guard parts.count <= 2, let scale = parts.count == 2 ? Double(parts[1]) : 1,
            scale >= 0.25, scale <= 8
        else {
            throw UsageError(reason: "--headless takes WIDTHxHEIGHT@SCALE, not “\(text)”")
        }
        let viewport = Viewport(size: size, scale: scale)
        guard size.width * scale <= 16384, size.height * scale <= 16384 else {
            throw UsageError(reason: "--headless: “\(text)” is more than 16384 pixels a side")
        }
        return viewport
    }

    private static func shot(_ bytes: [UInt8]) throws(UsageError) -> Shot {
        let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        guard let colon, colon + 1 < bytes.count,
            let time = Double(String(decoding: bytes[..<colon], as: UTF8.self)), time >= 0,
            time < 1e9
        else {
            let text = String(decoding: bytes, as: UTF8.self)
            throw UsageError(reason: "--shot-at takes MILLISECONDS:FILE.png, not “\(text)”")
        }
        return Shot(milliseconds: time, path: FilePath(Array(bytes[(colon + 1)...])))
    }
}

/// Walks the arguments and their values, `--name value` and `--name=value` alike.
private struct ArgumentReader {
    enum Argument {
        case option(String)
        case path([UInt8])
    }

    private var rest: ArraySlice<[UInt8]>
    private var attached: [UInt8]?
    private var current = ""
    private var onlyPaths = false

    init(_ arguments: [[UInt8]]) {
        rest = arguments[...]
    }

    mutating func next() -> Argument? {
        guard let argument = rest.popFirst() else { return nil }
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
        guard let value = rest.popFirst() else {
            throw UsageError(reason: "\(name) needs a value; see vitrine --help")
        }
        return value
    }

    mutating func text(_ name: String) throws(UsageError) -> String {
        String(decoding: try value(name), as: UTF8.self)
    }

    func refuseLeftValue() throws(UsageError) {
        if attached != nil { throw UsageError(reason: "\(current) takes no value") }
    }
}
