import DecodeClient
import Folders
import Grid
import ImageService
import Localization
import Viewer

/// What the order, the headings and the layout need from the headers of pictures.
extension Options {
    /// Sizes of pictures are needed while the grid has at most this many columns: always in the
    /// justified layout, and before the cells of the reflow layout open to whole pictures.
    var sizedColumns: Int {
        switch values.grid.layout {
        case .justified: .max
        case .reflow: 2
        case .canvas: 0
        }
    }

    /// Whether the orders or the headings need the dates of all pictures from the beginning.
    var readsDates: Bool {
        values.collection.order.key == .taken || values.sections == .month
            || values.viewer.slideshow.order == .date
    }

    /// What is read of the pictures for the listing.
    var listing: ListingOptions {
        var options = values.collection
        options.inputs = inputs
        // Visitors stay in the folder that a kiosk shows.
        options.listsSubfolders = !isKiosk
        if values.viewer.slideshow.order == .date { options.wantsDetails = true }
        return options
    }

    /// Starts the reader of headers if it is needed from the beginning.
    func startHeaders(
        of album: Album, _ environment: DecoderEnvironment
    ) throws(DecodeClientError) -> HeaderReader? {
        let wantsDates = readsDates
        let isJustified = values.grid.layout == .justified
        guard wantsDates || isJustified else { return nil }
        return try HeaderReader(
            environment, files: album, wantsDates: wantsDates, wantsSizes: sizedColumns > 0,
            reportsPartly: !headless.isReproducible,
            niceness: isJustified ? Self.urgent : Self.background)
    }

    /// Starts a reader of sizes, and of dates if `wantsDates`, for a grid that did not need them
    /// before; nil, with a message, if it cannot be started.
    func startHeaders(
        of album: Album, _ environment: DecoderEnvironment, wantsDates: Bool
    ) -> HeaderReader? {
        do throws(DecodeClientError) {
            return try HeaderReader(
                environment, files: album, wantsDates: wantsDates, wantsSizes: true,
                reportsPartly: !headless.isReproducible, niceness: Self.urgent)
        } catch {
            Diagnostics.error(localized("the dates and sizes of pictures cannot be read: \(error)"))
            return nil
        }
    }

    /// The nice(2) values of the decoder that reads headers.
    private static let (urgent, background): (Int32, Int32) = (0, 10)
}
