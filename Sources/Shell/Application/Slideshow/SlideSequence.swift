import EventLoop
import Folders
import Viewer

/// The order of a slideshow that is sorted in another way than the listing; a thread sorts.
final class SlideSequence {
    private let album: Album
    private let backgroundJobs: BackgroundJobs
    /// The number of the last request; the results of earlier ones are out of date.
    private var number = 0
    private(set) var isBusy = false

    /// Called with the indices of the pictures in their order.
    var onSorted: ([Int]) -> Void = { _ in }

    init(_ album: Album, _ sources: EventSources) {
        self.album = album
        backgroundJobs = BackgroundJobs(sources)
    }

    /// Sorts the pictures of the listing, unless they are in that order.
    func listingChanged(_ order: SlideshowSettings.Order) {
        number += 1
        isBusy = false
        guard let order = ListingOrder(ofSlides: order), order != album.options.order else {
            return
        }
        let (listing, request) = (album.listing, number)
        isBusy = backgroundJobs.run({ listing.indices(in: order) }) { [unowned self] indices in
            guard request == number else { return }
            isBusy = false
            onSorted(indices)
        }
    }
}

extension ListingOrder {
    /// Nil for the order of the listing, and for a shuffle.
    init?(ofSlides order: SlideshowSettings.Order) {
        let key: Key
        switch order {
        case .listing, .shuffle: return nil
        case .name: key = .name
        case .date: key = .taken
        }
        self.init(key)
    }
}
