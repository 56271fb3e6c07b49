import ImageTypes
import RasterPipeline

@testable import Codecs

extension TiledJPEG {
    /// Opens a JPEG; nil if the file is none, or if it is better decoded as a whole.
    ///
    /// `isLibraryAlone` tells that the library alone reads the data; then no JPEG can be indexed.
    convenience init?(
        _ descriptor: Int32, largerThan limit: Int, isLibraryAlone: Bool = false
    ) throws(DecodeFailure) {
        let file = try ReceivedFile(descriptor)
        let header =
            isLibraryAlone
            ? try JPEGHeader(try file.whole(), isLibraryAlone: true) : try JPEGHeader(file)
        self.init(descriptor, header, largerThan: limit)
    }
}
