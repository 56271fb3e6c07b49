/// The settings `slideshow.*`; `ViewerSettings.table` has their names.
package struct SlideshowSettings: Hashable, Sendable {
    /// How one picture follows another.
    package enum Transition: String, Hashable, Sendable, CaseIterable {
        case cut, fade, slide
    }

    package enum Order: String, Hashable, Sendable, CaseIterable {
        /// As the pictures are sorted.
        case listing
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
    /// Chooses one of the random orders.
    package var seed: UInt64 = 0

    package init() {}
}
