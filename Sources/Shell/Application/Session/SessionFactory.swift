import DecodeClient
import EventLoop
import FileAccess
import Folders
import Geometry
import ImageService
import Motion
import Text
import Thumbnails
import Viewer

/// Makes the sessions of a run: they share the file server, the launcher of decoders, the thumbnail
/// cache, the text engine, and the memory for pixels.
final class SessionFactory {
    private let environment: DecoderEnvironment
    /// Nil if folders are listed on threads of this process.
    private let files: FileClient?
    private let thumbnails: ThumbnailCache?
    /// Made with the first session.
    private var work: FileWork?
    private let text = TextEngine(language: Locale.language) { Diagnostics.error($0.message) }

    init(_ environment: DecoderEnvironment, _ files: FileClient?, _ thumbnails: ThumbnailCache?) {
        (self.environment, self.files, self.thumbnails) = (environment, files, thumbnails)
    }

    /// Divides the memory for pixels.
    func share(among count: Int) { environment.sharers = max(count, 1) }

    /// The first session, whose album is being read already; nil if there is no picture to show.
    func first(_ album: Album, _ given: Options) throws(RunFailure) -> Session? {
        let pictures = try makePictures(album)
        if given.headless.viewport == nil { album.readFirst() } else { album.readAll() }
        // A page says that a folder is empty, or is being read, and what to do next.
        let hasPage = album.hasFolder || given.paths.isEmpty || !album.isComplete
        guard album.count > 0 || hasPage else { return nil }
        return try session(album, pictures, given)
    }

    /// A session for a further window; nothing waits for its album.
    func another(_ options: Options) throws(RunFailure) -> Session {
        let album = Album(options.paths, options: options.listing, files: files)
        album.readFirst(within: 0)
        let session = try session(album, try makePictures(album), options)
        session.slideshow.recall.mayHaveWindow = true
        return session
    }

    private func makePictures(_ album: Album) throws(RunFailure) -> PictureProvider {
        try Program.start { () throws(DecodeClientError) in
            try PictureProvider(environment, files: album) { Diagnostics.info($0) }
        }
    }

    private func session(
        _ album: Album, _ pictures: PictureProvider, _ given: Options
    ) throws(RunFailure) -> Session {
        var options = given
        options.start.hasFolder = album.hasFolder
        options.start.isEmpty = album.count == 0
        let headers = try Program.start { () throws(DecodeClientError) in
            try options.startHeaders(of: album, environment)
        }
        let work =
            work
            ?? FileWork(
                files, stateFolder: given.keptStateFolder, environment.sources)
        self.work = work
        return Session(
            album, pictures: pictures, headers: headers, environment: environment,
            thumbnails: thumbnails, text: text, files: work,
            viewport: options.headless.viewport
                ?? Viewport(size: options.windowSize ?? Size(width: 960, height: 640)),
            options: options)
    }
}
