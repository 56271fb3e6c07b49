package import Motion

/// Media that visitors plug in: they are offered, and gone when they are pulled out.
extension KioskModel {
    /// The media that a visitor has plugged in, and which of them is shown.
    struct Media: Hashable, Sendable {
        var present: [String] = []
        var shown: String?
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
        if let offer, !folders.contains(offer.folder) { self.offer = nil }
        if let shown = media.shown, !folders.contains(shown) { leaveMedium() }
        guard offersNew, let folder = new.last, keypad == nil else { return }
        offer = MediaOffer(folder, on: layout, at: moment)
        effects.append(.cancelTouches)
    }

    /// Shows the pictures of the kiosk again.
    mutating func leaveMedium() {
        media.shown = nil
        effects.append(.show(folder: folder))
    }

    mutating func handle(_ outcome: MediaOffer.Outcome?, at moment: Moment) {
        switch outcome {
        case .show:
            media.shown = offer?.folder
            if let folder = media.shown { effects.append(.showMedium(folder: folder)) }
            offer = nil
        case .decline: offer = nil
        case .stay, nil: break
        }
    }
}
