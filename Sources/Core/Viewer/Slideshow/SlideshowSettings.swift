package import Interface
import Localization
import Settings
import TOML

/// The settings `slideshow.*`; `ViewerSettings.table` has their names.
package struct SlideshowSettings: Hashable, Sendable {
    /// How one picture follows another.
    package enum Transition: String, Hashable, Sendable, CaseIterable {
        case cut, fade, slide
    }

    /// How a picture moves while it is shown.
    package enum Motion: String, Hashable, Sendable, CaseIterable {
        case still
        case panZoom = "pan-zoom"
    }

    package enum Order: String, Hashable, Sendable, CaseIterable {
        /// As the pictures are sorted.
        case listing
        case name
        /// By the time when the picture was taken or, if unknown, the file was last written.
        case date
        /// At random; each picture once before any picture comes again.
        case shuffle
    }

    /// How long a picture is shown, in seconds, transitions not included.
    package var interval = 5.0
    package var transition = Transition.fade
    /// In milliseconds.
    package var transitionTime = 800
    /// How long after the last input the slideshow goes on, in seconds.
    package var resume = 10
    package var order = Order.listing
    /// Chooses one of the random orders, and the motions of the pictures.
    package var seed: UInt64 = 0
    /// How often the pictures of some folders come in a shuffle.
    package var weights = FolderWeights()
    package var motion = Motion.still
    package var margins = SlideMargins.black
    /// Whether two pictures of the other shape than the surface are shown together.
    package var pairs = false
    /// What is written over a picture, in this order; empty for nothing.
    package var caption: [Caption.Field] = []
    /// Whether the time is shown.
    package var clock = false
    /// Whether a bar shows how soon the next picture is due.
    package var progress = false

    package init() {}
}

extension SlideshowSettings {
    /// The settings of the order and of what is written over the pictures.
    static let table: [SettingEntry<ViewerSettings>] = [
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
