/// The order of a slideshow.
extension ViewerModel {
    /// How far a shuffled slideshow has come; nil for other orders, and before the first picture.
    package var slideProgress: SlideProgress? {
        let progress = slideshow.order.deck.progress
        return settings.slideshow.order == .shuffle && progress.last != nil ? progress : nil
    }

    /// Sets the pictures of a shuffled slideshow, which the listing has changed.
    package mutating func setSlideCards(_ cards: SlideCards) { slideshow.setCards(cards) }

    /// Sets the indices of the pictures in the order of the slideshow, if that is not the one of the
    /// listing; a change of the listing forgets them.
    package mutating func setSlides(inOrder sequence: [Int]) {
        guard ![.listing, .shuffle].contains(settings.slideshow.order) else { return }
        slideshow.set(sequence: sequence)
    }

    /// Lets a shuffled slideshow go on where another run has ended.
    package mutating func restoreSlides(_ progress: SlideProgress) { slideshow.restore(progress) }
}
