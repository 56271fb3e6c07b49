import Folders
import Browser
import Geometry
import ImageTypes
import Kiosk
import Localization
import Viewer

extension Options {
    /// Parses the arguments; options may stand anywhere, `--` ends them.
    init(_ arguments: [[UInt8]]) throws(UsageError) {
        var reader = ArgumentReader(arguments)
        if arguments.first.map({ Array("formats".utf8) == $0 }) ?? false, arguments.count == 1 {
            action = .formats
            return
        }
        while let argument = reader.next() {
            switch argument {
            case .path(let bytes): paths.append(FilePath(bytes))
            case .option(let name):
                try OptionTable.entry(name).parse(&reader, into: &self)
            }
            try reader.refuseUnusedValue()
        }
        try check()
        completeSettings()
    }

    /// Checks the combination of options.
    private func check() throws(UsageError) {
        guard action == .show else { return }
        guard outputs.isEmpty || isKiosk else {
            throw UsageError(reason: localized("--output works with --kiosk only"))
        }
        guard !desktop.isService || !isKiosk else {
            throw UsageError(reason: localized("--dbus-service does not work with --kiosk"))
        }
        if headless.viewport == nil {
            let headlessOnly: [(Bool, String)] = [
                (headless.script != nil, "--script"), (headless.shot != nil, "--shot"),
                (!headless.shotsAt.isEmpty, "--shot-at"),
                (!headless.lightShots.isEmpty, "--shot-light"),
                (!headless.waitsForDecoding, "--async-decode"),
            ]
            if let option = headlessOnly.first(where: \.0)?.1 {
                throw UsageError(reason: localized("\(option) works with --headless only"))
            }
        } else if let option = liveOnly.first(where: \.0)?.1 {
            throw UsageError(reason: localized("\(option) works in a live session only"))
        }
    }

    /// The options that a run without a compositor does not take, and whether they were given.
    private var liveOnly: [(Bool, String)] {
        [
            (reports.record != nil, "--record"), (reports.showsTimes, "--hud"),
            (control.socket != nil, "--socket"),
            (!outputs.isEmpty, "--output"), (desktop.isService, "--dbus-service"),
        ]
    }

    /// Opens the user's pictures folder where no path was given; `pictures` is nil without one.
    ///
    /// Without the folder, a window has a page that says how to begin.
    mutating func completePaths(pictures: @autoclosure () -> FilePath?) throws(UsageError) {
        guard paths.isEmpty, action == .show else { return }
        if let pictures = pictures() { paths = [pictures] }
        guard paths.isEmpty, headless.viewport != nil else { return }
        throw UsageError(
            reason: localized(
                "no picture given, and there is no pictures folder; see vitrine --help"))
    }

    /// Whether this is a kiosk with no other pictures than those of the user's folder: where the folder
    /// is missing, the kiosk ends, and its service starts it again until the folder is there.
    var showsPicturesFolderOnly: Bool {
        isKiosk && values.kiosk.media.isEmpty
            && values.kiosk.outputs.names.allSatisfy { values.kiosk.outputs.folder(of: $0) == nil }
    }

    static func size(_ bytes: [UInt8], of name: String) throws(UsageError) -> Size {
        let text = String(decoding: bytes, as: UTF8.self)
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
            (1...16384).contains(width), (1...16384).contains(height)
        else {
            throw UsageError(
                reason: localized("\(name) takes WIDTHxHEIGHT, 1 to 16384 each, not “\(text)”"))
        }
        return Size(width: Double(width), height: Double(height))
    }

    static func viewport(_ text: String) throws(UsageError) -> Viewport {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let size = try size(Array((parts.first ?? "").utf8), of: "--headless")
        guard parts.count <= 2, let scale = parts.count == 2 ? Double(parts[1]) : 1,
            scale >= 0.25, scale <= 8
        else {
            throw UsageError(
                reason: localized("--headless takes WIDTHxHEIGHT@SCALE, not “\(text)”"))
        }
        let viewport = Viewport(size: size, scale: scale)
        guard size.width * scale <= 16384, size.height * scale <= 16384 else {
            throw UsageError(
                reason: localized("--headless: “\(text)” has a side of more than 16384 pixels"))
        }
        return viewport
    }

    /// A headroom and a file, as `--shot-light` takes them.
    static func lightShot(_ bytes: [UInt8]) throws(UsageError) -> HeadlessOptions.LightShot {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon + 1 < bytes.count,
            let headroom = Double(String(decoding: bytes[..<colon], as: UTF8.self)),
            (1...64).contains(headroom)
        else {
            let text = String(decoding: bytes, as: UTF8.self)
            throw UsageError(
                reason: localized(
                    "--shot-light takes a number from 1 to 64 and a file, as in 4:FILE.png, not “\(text)”"
                ))
        }
        return HeadlessOptions.LightShot(
            headroom: headroom, path: FilePath(Array(bytes[(colon + 1)...])))
    }

    /// A time in milliseconds and a file, as `--shot-at` and `--ui-at` take them.
    static func shot(
        _ bytes: [UInt8], of option: String, _ file: String
    ) throws(UsageError) -> HeadlessOptions.Shot {
        let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        guard let colon, colon + 1 < bytes.count,
            let time = Double(String(decoding: bytes[..<colon], as: UTF8.self)), time >= 0,
            time < 1e9
        else {
            let text = String(decoding: bytes, as: UTF8.self)
            throw UsageError(
                reason: localized("\(option) takes MILLISECONDS:\(file), not “\(text)”"))
        }
        return HeadlessOptions.Shot(
            milliseconds: time, path: FilePath(Array(bytes[(colon + 1)...])))
    }
}
