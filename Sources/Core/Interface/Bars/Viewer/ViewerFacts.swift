import Localization
import SceneModel

/// What the bars over a picture show.
package struct ViewerFacts: Hashable, Sendable {
    /// The name of the picture's file.
    package var name: String
    package var index: Int
    package var count: Int
    /// Device pixels per picture pixel, in percent; nil without a picture.
    package var percent: Int?
    /// The percentages to which a person can zoom; nil without a picture.
    package var percentRange: ClosedRange<Double>?
    /// The percentage while a person edits it; nil otherwise.
    package var zoomField: TextField?
    /// When the picture was taken, as text; empty if unknown.
    package var date = ""
    /// Whether the picture is an animation, and whether it plays.
    package var isAnimation = false
    package var isPlaying = false
    /// Whether the information panel is open.
    package var showsInformation = false
    /// Whether the information panel covers the place of the bars at the bottom.
    package var coversBottom = false
    /// How much of the surface's width the information panel covers at the end, in logical pixels:
    /// in the middle of the surface's height, and where the bars at the bottom are.
    package var panelWidth = 0.0
    package var panelWidthAtBottom = 0.0
    /// Whether going back leads to the grid, instead of ending the program.
    package var returnsToGrid = false
    package var isFavourite = false
    package var slideshow = Slideshow.off

    /// What a slideshow does.
    package enum Slideshow: Hashable, Sendable {
        case off, playing
        /// It waits so many seconds because of a person, of this number at first.
        case paused(seconds: Int, of: Int)
    }
    /// What is known about work on files.
    package var files = FileFacts()

    package init(name: String, index: Int, count: Int, percent: Int?) {
        self.name = name
        self.index = index
        self.count = count
        self.percent = percent
    }

    /// The picture's place, with its date and its zoom if asked for, such as "3 of 120 · 100 %".
    func place(withDate: Bool = false, withZoom: Bool) -> String {
        let number = count > 1 ? localizedNumber(index + 1, of: count) : ""
        let zoom = withZoom ? percent.map(percentage) ?? "" : ""
        return [number, withDate ? date.isolated : "", zoom].filter { !$0.isEmpty }.joined(
            separator: " · ")
    }
}
