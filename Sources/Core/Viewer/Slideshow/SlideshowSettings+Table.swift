import Interface
import Localization
import Settings
import TOML

extension SlideshowSettings {
    /// The rows of all settings `slideshow.*`.
    static let table: [SettingEntry<ViewerSettings>] = [
        .number(
            "slideshow.interval", 0.1...86_400, \.slideshow.interval,
            "How long a slideshow shows a picture, in seconds, transitions not included."),
        .choice(
            "slideshow.transition", \.slideshow.transition,
            "How one picture follows another in a slideshow."),
        .integer(
            "slideshow.transition_time", 0...10_000, \.slideshow.transitionTime,
            "How long a fade takes, in milliseconds."),
        .integer(
            "slideshow.resume", 1...86_400, \.slideshow.resume,
            "How long after the last touch or key a slideshow goes on, in seconds."),
        .choice(
            "slideshow.order", \.slideshow.order,
            "Whether a slideshow follows the order of the listing, of names or of dates, or shuffles: "
                + "each picture once before any comes again, also after a restart."),
        SettingEntry(
            "slideshow.weights", values: "FOLDERS",
            "How many times the pictures below a folder come in each round of a shuffle, such as "
                + "/srv/new 3; /srv/old 1. Other pictures come once.",
            value: { .string($0.slideshow.weights.text) }
        ) { (settings, setting) throws(SettingRefusal) in
            let text = try setting.list(localized("folders with numbers"), separator: "; ")
            do throws(FolderWeights.Refusal) {
                settings.slideshow.weights = try FolderWeights(text)
            } catch { throw setting.refusal(localized("folders with numbers (\(error.reason))")) }
        },
        SettingEntry(
            "slideshow.caption", values: "FIELDS",
            "What is written over the pictures of a slideshow, in this order, of title, description, "
                + "date, place, folder and name; nothing by default.",
            value: { .string($0.slideshow.caption.map(\.rawValue).joined(separator: ", ")) }
        ) { (settings, setting) throws(SettingRefusal) in
            settings.slideshow.caption = try setting.captionFields()
        },
        .flag(
            "slideshow.clock", \.slideshow.clock, "Whether a slideshow shows the time."),
        .flag(
            "slideshow.progress", \.slideshow.progress,
            "Whether a slideshow shows a bar that fills until the next picture is due."),
        .choice(
            "slideshow.motion", \.slideshow.motion,
            "Whether a picture stands still, or moves and grows slowly so that it fills the screen; "
                + "then faces and other regions that its file names stay in view."),
        SettingEntry(
            "slideshow.margins", values: SlideMargins.values,
            "What a slideshow shows beside a picture that does not fill the screen: black, the "
                + "picture enlarged and blurred, or a colour.",
            value: { .string($0.slideshow.margins.text) }
        ) { (settings, setting) throws(SettingRefusal) in
            let expected = localized("black, blurred or a colour such as #204060")
            guard let margins = SlideMargins(try setting.text(expected)) else {
                throw setting.refusal(expected)
            }
            settings.slideshow.margins = margins
        },
        .flag(
            "slideshow.pairs", \.slideshow.pairs,
            "Whether two upright pictures that follow one another are shown side by side on a wide "
                + "screen, and two wide ones one above the other on an upright screen."),
    ]
}

extension Setting {
    /// A text, or an array of texts, which is joined.
    fileprivate func list(
        _ expected: String, separator: String
    ) throws(SettingRefusal) -> String {
        guard case .array(let values) = value else { return try text(expected) }
        var parts: [String] = []
        for value in values {
            guard case .string(let part) = value else { throw refusal(expected) }
            parts.append(part)
        }
        return parts.joined(separator: separator)
    }

    fileprivate func captionFields() throws(SettingRefusal) -> [Caption.Field] {
        let names = Caption.Field.allCases.map(\.rawValue).joined(separator: ", ")
        let expected = localized("fields of \(names)")
        var fields: [Caption.Field] = []
        for word in try list(expected, separator: ",").split(whereSeparator: { ", ".contains($0) })
        {
            guard let field = Caption.Field(rawValue: String(word)) else {
                throw refusal(localized("\(expected), and “\(word)” is none"))
            }
            if !fields.contains(field) { fields.append(field) }
        }
        return fields
    }
}
