import Glibc
import ImageTypes
import ImageWire
import PictureWriter
import RasterPipeline

/// Writing of pictures.
extension DecoderServer {
    /// Plans or makes an edit of a file, or tells what a file shows.
    func edit(_ id: Int, _ task: EditTask, _ descriptor: Int32) {
        let sink = ReplySink(id: id, server: self)
        let progress = { _ = sink.shouldContinue() }
        do throws(EditFailure) {
            let contents: FileContents
            do throws(DecodeFailure) {
                contents = try FileContents(descriptor: descriptor)
            } catch { throw .failed(error) }
            switch task {
            case .plan(let request):
                send(.edited(id: id, .planned(try PictureWriter(contents.bytes, request).plan)))
            case .write(let request):
                let writer = try PictureWriter(contents.bytes, request)
                let memory = try writer.write(progress)
                send(.edited(id: id, .written(writer.plan)), with: memory)
                close(memory)
            case .fingerprint(let request):
                let fingerprint = try PictureFingerprinting.fingerprint(
                    of: contents.bytes, request, progress)
                send(.edited(id: id, .fingerprint(fingerprint)))
            }
        } catch {
            switch error {
            case .refused(let reason): send(.edited(id: id, .refused(reason: reason)))
            case .failed(let failure): send(.failed(id: id, failure))
            }
        }
    }
}
