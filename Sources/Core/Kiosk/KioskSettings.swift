package import Commands
import Localization
package import Settings
import TOML

/// The settings `kiosk.*`; `table` has their names in the settings file.
package struct KioskSettings: Hashable, Sendable {
    /// The commands that a person may use.
    package var allowed = CommandPolicy.looking
    /// The digits that are asked for after the exit gesture; empty for none.
    package var pin = ""
    /// After this time without input a slideshow begins, in seconds; 0 for never.
    package var attract = 0
    /// After this time without input the start screen comes back, in seconds; 0 for never.
    package var restart = 0
    /// When the screen is dark.
    package var dark = WeeklySchedule()
    package var darkText = ""
    /// How long a touch wakes a dark screen, in seconds.
    package var wake = 60
    /// Which folder is shown when; the given paths at all other times.
    package var folders = WeeklySchedule()
    package var foldersText = ""
    /// The folders below which media that visitors plug in appear; none are offered if empty.
    package var media: [String] = []
    /// The outputs, each with its own folder or not.
    package var outputs = KioskOutputs()
    package var outputsText = ""
    /// Whether everything moves by a few pixels every few minutes.
    package var burnIn = true
    /// Outputs that show parts of one picture.
    package var canvas = KioskCanvas()
    package var canvasText = ""

    package init() {}
}

extension KioskSettings {
    package static let table: [SettingEntry<KioskSettings>] = [
        SettingEntry(
            "kiosk.allow", values: "COMMANDS",
            "The commands that a person may use in a kiosk, with commas between them; "
                + "vitrine msg commands lists all.",
            value: { .string($0.allowed.commands.map(\.rawValue).joined(separator: ",")) }
        ) { (settings, setting) throws(SettingRefusal) in
            settings.allowed = CommandPolicy(try setting.commands())
        },
        SettingEntry(
            "kiosk.pin", values: "DIGITS",
            "The digits that are asked for after the exit gesture of a kiosk; none by default.",
            value: { .string($0.pin) }
        ) { (settings, setting) throws(SettingRefusal) in
            let expected = localized("up to 12 digits")
            let text = setting.integer.map { "\($0)" }
            let pin: String
            if let given = setting.written ?? text {
                pin = given
            } else {
                pin = try setting.text(expected)
            }
            guard pin.utf8.count <= 12, pin.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw setting.refusal(expected)
            }
            settings.pin = pin
        },
        .integer(
            "kiosk.attract", 0...86_400, \.attract,
            "After so many seconds without input a kiosk plays a slideshow, which the next touch "
                + "ends; 0 for never."),
        .integer(
            "kiosk.restart", 0...86_400, \.restart,
            "After so many seconds without input a kiosk shows its start screen again; 0 for never."
        ),
        schedule(
            "kiosk.dark", "When the screen of a kiosk is dark, such as mon-fri 19:00-07:00; sun.",
            hasValues: false, \.dark, \.darkText),
        .integer(
            "kiosk.wake", 1...86_400, \.wake,
            "How many seconds a touch wakes the dark screen of a kiosk."),
        schedule(
            "kiosk.folders",
            "Which folder a kiosk shows when, such as 08:00-12:00 /srv/morning; the given paths at "
                + "all other times.", hasValues: true, \.folders, \.foldersText),
        SettingEntry(
            "kiosk.media", values: "FOLDERS",
            "The folders below which the desktop mounts removable media, with commas between them, "
                + "such as /media,/run/media: a kiosk offers their pictures. None by default.",
            value: { .string($0.media.joined(separator: ",")) }
        ) { (settings, setting) throws(SettingRefusal) in
            let expected = localized("absolute paths")
            let folders = try setting.text(expected).split(separator: ",").map(String.init)
            guard folders.allSatisfy({ $0.hasPrefix("/") && $0.count > 1 }) else {
                throw setting.refusal(expected)
            }
            settings.media = folders
        }.atStart,
        SettingEntry(
            "kiosk.outputs", values: "OUTPUTS",
            "On which outputs a kiosk shows pictures, and which folder on which, such as HDMI-A-1 "
                + "/srv/left; HDMI-A-2 /srv/right; on every output by default.",
            value: { .string($0.outputsText) }
        ) { (settings, setting) throws(SettingRefusal) in
            let text = try setting.text(localized("names of outputs"))
            do throws(OutputsError) { settings.outputs = try KioskOutputs(text) } catch {
                throw setting.refusal(localized("names of outputs (\(error.reason))"))
            }
            settings.outputsText = text
        },
        SettingEntry(
            "kiosk.canvas", values: "OUTPUTS",
            "Outputs of a kiosk that show parts of one picture: names from left to right, a slash "
                + "before the next row, and bezel with the width of the frames between them, such as "
                + "HDMI-A-1 HDMI-A-2 bezel 40.",
            value: { .string($0.canvasText) }
        ) { (settings, setting) throws(SettingRefusal) in
            let text = try setting.text(localized("names of outputs"))
            do throws(OutputsError) { settings.canvas = try KioskCanvas(text) } catch {
                throw setting.refusal(localized("names of outputs (\(error.reason))"))
            }
            settings.canvasText = text
        }.atStart,
        .flag(
            "kiosk.burn_in", \.burnIn,
            "Whether everything on the screen of a kiosk moves by a few pixels every few minutes, so that "
                + "nothing burns in."),
    ]

    private static func schedule(
        _ name: String, _ documentation: String, hasValues: Bool,
        _ path: SettingEntry<KioskSettings>.Path<WeeklySchedule>,
        _ text: SettingEntry<KioskSettings>.Path<String>
    ) -> SettingEntry<KioskSettings> {
        SettingEntry(
            name, values: "SCHEDULE", documentation, value: { .string($0[keyPath: text]) }
        ) { (settings, setting) throws(SettingRefusal) in
            let value = try setting.text(localized("a schedule"))
            do throws(ScheduleError) {
                settings[keyPath: path] = try WeeklySchedule(value, hasValues: hasValues)
            } catch { throw setting.refusal(localized("a schedule (\(error.reason))")) }
            settings[keyPath: text] = value
        }
    }
}

extension Setting {
    fileprivate func commands() throws(SettingRefusal) -> Set<Command> {
        let expected = localized("identifiers of commands")
        var names: [String] = []
        if case .array(let values) = value {
            for value in values {
                guard case .string(let name) = value else { throw refusal(expected) }
                names.append(name)
            }
        } else {
            names = try text(expected).split { $0 == "," || $0 == " " }.map(String.init)
        }
        var commands: Set<Command> = []
        for name in names {
            guard let command = Command(rawValue: name) else {
                throw refusal(localized("\(expected), and “\(name)” is none"))
            }
            commands.insert(command)
        }
        return commands
    }
}
