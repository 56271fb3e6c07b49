package import Geometry
import Glibc
package import ImageTypes
package import ImageWire
package import Motion

extension DecodeClient {
    /// What is requested of a file.
    package enum Request: Sendable {
        /// The info; the pixels follow after `decode`.
        case picture
        /// The info alone.
        case header
        /// The info where there is one, and the metadata in several events.
        case metadata
        /// The info; the frames follow after `frame`, until `cancel`.
        case animation
        /// The info and one bitmap of `ThumbnailRequest.size(of:)`.
        case thumbnail(ThumbnailRequest)
        /// One event `edited`.
        case edit(EditTask)

        /// The message to the decoder that goes with the file.
        func message(_ id: Int) -> DecodeRequest {
            switch self {
            case .picture: .open(id: id)
            case .header: .describe(id: id)
            case .metadata: .metadata(id: id)
            case .animation: .play(id: id)
            case .thumbnail(let thumbnail): .thumbnail(id: id, thumbnail)
            case .edit(let task): .edit(id: id, task)
            }
        }
    }

    // MARK: Requests of the open file

    /// Requests the pixels of an opened picture; `target` is the size at which the picture is first
    /// shown, in device pixels.
    ///
    /// With `acceptsPlanes` the pixels may be planes of luma and chroma. With `forTargetOnly` they may lack
    /// the mip levels that are finer than the target needs. With `wantsGain` a gain plane may follow the pixels.
    package func decode(
        _ id: Int, target: PixelSize, acceptsPlanes: Bool = false, forTargetOnly: Bool = false,
        wantsGain: Bool = false, now: Moment
    ) {
        guard current?.id == id, current?.isDecoding == false else { return }
        timer.begin(now: now)
        current?.isDecoding = true
        current?.acceptsPlanes = acceptsPlanes
        current?.awaitsGain = wantsGain
        send(
            .decode(
                id: id, target: target, acceptsPlanes: acceptsPlanes,
                forTargetOnly: forTargetOnly, wantsGain: wantsGain))
    }

    /// Gives the decoder an empty file of `PictureInfo.backingFileBytes` bytes for the pixels of a picture.
    ///
    /// Without the file or `refuseBackingFile` no pixels arrive. The client closes `descriptor`.
    package func sendBackingFile(_ id: Int, descriptor: Int32) {
        guard current?.id == id else {
            close(descriptor)
            return
        }
        send(.backingFile(id: id), owning: descriptor)
    }

    /// Refuses the backing file: the picture is decoded in memory as a whole,
    /// if it is not too large for that.
    package func refuseBackingFile(_ id: Int) {
        guard current?.id == id else { return }
        send(.backingFile(id: id))
    }

    /// Requests the next frame of a played animation; the first frame follows the last one.
    package func frame(_ id: Int, now: Moment) {
        guard current?.id == id, current?.isPlayed == true else { return }
        if current?.owedFrames == 0 { timer.begin(now: now) }
        current?.owedFrames += 1
        send(.frame(id: id))
    }

    /// Requests a tile of a tiled picture, after the final pixels of its overview have arrived.
    ///
    /// The picture keeps the decoder until `cancel`.
    package func tile(_ id: Int, _ tile: PictureTile, now: Moment) {
        guard current?.id == id else {
            // The decoder of the picture has failed since then.
            pending.append(.failed(id, .crashed))
            timer.noteProgress(now: now)
            return
        }
        if current?.owedTiles.isEmpty == true { timer.begin(now: now) }
        current?.owedTiles.append(tile)
        send(.tile(id: id, tile))
    }
}
