package import Motion

/// Media that visitors plug in: they are offered, and gone when they are pulled out.
extension KioskModel {
    struct Media: Hashable, Sendable {
        /// The folders of the media that are plugged in.
        var present: [String] = []
        var shown: String?
        /// The page that offers a medium, below all other pages; nil without one.
        var offer: MediaOffer?
    }

    /// Notes the folders of the media that are plugged in.
    ///
    /// A new one is offered if `offersNew`. When the one that is shown goes, the pictures of the kiosk
    /// come back.
    package mutating func setMedia(
        _ folders: [String], offersNew: Bool, at moment: Moment
    ) {
        let new = folders.filter { !media.present.contains($0) }
        media.present = folders
        if let offer = media.offer, !folders.contains(offer.folder) { media.offer = nil }
        if let shown = media.shown, !folders.contains(shown) { leaveMedium() }
        guard offersNew, let folder = new.last, keypad == nil else { return }
        media.offer = MediaOffer(folder, at: moment)
        effects.append(.cancelTouches)
    }

    /// Shows the pictures of the kiosk again.
    mutating func leaveMedium() {
        media.shown = nil
        effects.append(.show(folder: hours.folder))
    }

    mutating func handle(_ outcome: MediaOffer.Outcome) {
        switch outcome {
        case .show:
            media.shown = media.offer?.folder
            if let folder = media.shown { effects.append(.showMedium(folder: folder)) }
            media.offer = nil
        case .decline: media.offer = nil
        case .stay: break
        }
    }
}
