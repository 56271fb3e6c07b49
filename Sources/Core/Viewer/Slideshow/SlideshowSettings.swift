package import Interface

/// The settings `slideshow.*`; `table` has their names.
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
