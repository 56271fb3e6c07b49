import CLinux
import Geometry
import Glibc
import ImageTypes
import Localization
import Painting
import SystemCalls

/// A picture that is being printed: first the person chooses printer and paper, then the page is laid
/// out and sent.
struct PrintJob {
    var bitmap: Bitmap
    var title: String
    var parent: String

    private var isLandscape: Bool { bitmap.size.width > bitmap.size.height }

    var preparation: PortalRequest.Call {
        PortalCalls.preparePrint(title: title, isLandscape: isLandscape, parent: parent)
    }

    /// A page in memory, and the call that prints it.
    struct Document: ~Copyable {
        fileprivate let descriptor: Int32
        let call: PortalRequest.Call

        deinit { close(descriptor) }

        /// Gives the memory back; until then the descriptor of the call is open.
        consuming func end() {}
    }

    /// Makes the page for the results of `PreparePrint`.
    func document(_ results: [String: BusValue]) throws(OpenFiles.Failure) -> Document {
        guard let token = results["token"]?.integer, let printer = UInt32(exactly: token) else {
            throw .init(message: PortalService.printing.nonsense)
        }
        let paper =
            Paper(pageSetup: results["page-setup"]?.dictionary ?? [:])
            ?? .a4(isLandscape: isLandscape)
        let descriptor: Int32
        do throws(SystemError) {
            descriptor = try reporting { clinux_memfd_create("page") }
        } catch { throw .init(message: localized("the page cannot be made: \(error)")) }
        do throws(CairoError) {
            try PrintedPage.write(bitmap, on: paper) { piece in
                (try? writeAll(Array(piece), to: descriptor)) != nil
            }
        } catch {
            close(descriptor)
            throw .init(message: localized("the page cannot be made: \(error.reason)"))
        }
        lseek(descriptor, 0, SEEK_SET)
        return Document(
            descriptor: descriptor,
            call: PortalCalls.print(descriptor, title: title, printer: printer, parent: parent))
    }
}

extension Paper {
    /// The paper of a page setup of the portal, upright or turned; nil where the setup makes no sense.
    init?(pageSetup: [String: BusValue]) {
        func number(_ key: String) -> Double? {
            pageSetup[key].flatMap { $0.double ?? $0.integer.map(Double.init) }
        }
        guard let width = number("Width"), let height = number("Height") else { return nil }
        let (top, bottom) = (number("MarginTop") ?? 10, number("MarginBottom") ?? 10)
        let (left, right) = (number("MarginLeft") ?? 10, number("MarginRight") ?? 10)
        // Width and height are those of the sheet, margins those of the turned page.
        let isTurned = pageSetup["Orientation"]?.text?.hasSuffix("landscape") ?? false
        self.init(
            width: isTurned ? height : width, height: isTurned ? width : height, top: top,
            bottom: bottom, left: left, right: right)
    }
}
