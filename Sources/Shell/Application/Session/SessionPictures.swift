import DecodeClient
import Folders
import ImageService
import Thumbnails

/// The pictures of a session: their pixels, and what is read of their files.
final class SessionPictures {
    let provider: PictureProvider
    let listing: ListingPresenter
    let presenter: PicturePresenter
    let cells: CellPictures
    let covers: FolderCovers
    let information: InformationLoader
    /// Whether assistive technology is served, which reads the alternative texts of pictures.
    var areDescribed = false
    /// Nil where the system does not measure the pressure on memory.
    private var memoryPressure: MemoryPressure?

    /// Without `headers`, none are read before a person asks for an order or a layout that needs them.
    init(
        _ album: Album, _ provider: PictureProvider, _ headers: HeaderReader?,
        _ environment: DecoderEnvironment, _ thumbnails: ThumbnailCache?, _ changes: SessionChanges,
        _ options: Options
    ) {
        self.provider = provider
        provider.wantsGains = !options.headless.lightShots.isEmpty
        listing = ListingPresenter(
            album, options.values.sections, headers, readsDates: options.readsDates,
            sizedColumns: options.sizedColumns
        ) {
            options.startHeaders(of: album, environment, wantsDates: $0)
        }
        covers = FolderCovers(environment)
        cells = CellPictures(
            album, environment, cache: thumbnails,
            prefetchesThumbnails: !options.headless.isReproducible
        ) { [covers] in covers.path($0) }
        presenter = PicturePresenter(
            album, provider, cells, readsFileTimes: !options.headless.isReproducible
        ) { [turns = changes.turns] in turns.absorb($0) }
        information = InformationLoader(album, environment) { [marks = changes.marks] in
            marks.starsInSidecar(of: $0)
        }
    }

    /// Whether pixels or data are being read or decoded.
    var isBusy: Bool { isDecoding || listing.isBusy || information.isBusy || covers.isBusy }

    /// Whether pictures are being decoded, which needs all processors.
    var isDecoding: Bool { provider.isBusy || cells.isBusy }

    /// Releases what can be made again when the system needs memory; `handler` then releases more.
    func watchMemoryPressure(_ environment: DecoderEnvironment, then handler: @escaping () -> Void)
    {
        memoryPressure = MemoryPressure.watch(environment.sources) { [unowned self] in
            provider.releaseMemory()
            cells.releaseMemory()
            handler()
        }
    }

    /// Forgets what was read of files that have changed, by the ids of the pictures, and of pictures that
    /// are no longer listed.
    func forget(_ changed: Set<Int>) {
        provider.forget(changed)
        information.forget(changed)
        cells.forget(changed)
        presenter.forgetUnlisted()
        listing.forgetUnlisted()
    }
}
