import Folders
import Localization

/// What the desktop is asked to do with files.
extension DesktopClient {
    func begin(_ task: DesktopTask, _ number: Int, _ bus: Bus) {
        switch task {
        case .show(let files, let token): show(files, token, number, bus)
        case .activate(let identifier, let files, let token):
            activate(identifier, files, token, number, bus)
        case .background(let file, let parent):
            ask(.background, number, bus, with: [file]) {
                PortalCalls.background($0[0], parent: parent)
            }
        case .open(let file, let token, let parent):
            ask(.openFile, number, bus, with: [file]) {
                PortalCalls.open($0[0], token: token, parent: parent)
            }
        case .openAddress(let address, let token, let parent):
            let call = PortalCalls.open(uri: address.uri, token: token, parent: parent)
            request(number, call, bus) {
                [unowned self] in answer(number, address.service.answer($0))
            }
        case .email(let files, let subject, let token, let parent):
            ask(.email, number, bus, with: files) {
                PortalCalls.email($0, subject: subject, token: token, parent: parent)
            }
        case .print(let bitmap, let title, let parent):
            let job = PrintJob(bitmap: bitmap, title: title, parent: parent)
            request(number, job.preparation, bus) { [unowned self] result in
                print(job, result, number, bus)
            }
        }
    }

    /// Opens files, and makes a request of the portal with them, whose success is the end.
    private func ask(
        _ service: PortalService, _ number: Int, _ bus: Bus, with paths: [FilePath],
        _ call: ([Int32]) -> PortalRequest.Call
    ) {
        do throws(OpenFiles.Failure) {
            let files = try OpenFiles(paths)
            request(number, call(files.descriptors), bus) { [unowned self] result in
                answer(number, service.answer(result))
            }
            files.end()
        } catch { answer(number, .failed(error.message)) }
    }

    // MARK: Printing

    /// Lays out the page for the paper that the person has chosen, and prints it.
    private func print(
        _ job: PrintJob, _ result: Result<[String: BusValue], PortalService.End>, _ number: Int,
        _ bus: Bus
    ) {
        switch result {
        case .failure(let end): answer(number, end.answer)
        case .success(let results):
            do throws(OpenFiles.Failure) {
                let document = try job.document(results)
                request(number, document.call, bus) { [unowned self] result in
                    answer(number, PortalService.printing.answer(result))
                }
                document.end()
            } catch { answer(number, .failed(error.message)) }
        }
    }

    private func print(
        _ job: PrintJob, _ result: Result<BusValue, PortalRequest.Failure>, _ number: Int,
        _ bus: Bus
    ) { print(job, PortalService.printing.results(result), number, bus) }

    // MARK: File manager

    private static let fileManager = Bus.Interface(
        program: "org.freedesktop.FileManager1", path: "/org/freedesktop/FileManager1",
        name: "org.freedesktop.FileManager1")

    private func show(_ files: [FilePath], _ token: String?, _ number: Int, _ bus: Bus) {
        let uris = files.map { BusValue.text(LocalFileURI.uri(of: $0)) }
        let arguments = BusValue.tuple([.array(uris, of: "s"), .text(token ?? "")])
        bus.call(Self.fileManager, "ShowItems", arguments) { [weak self] result in
            switch result {
            case .success: self?.answer(number, .done)
            case .failure(let error) where error.isMissingService:
                self?.showFolder(of: files, token, number, bus)
            case .failure(let error):
                let text = DisplayText.line(error.text)
                self?.answer(number, .failed(localized("the file manager failed: \(text)")))
            }
        }
    }

    /// Opens the folder of the first file: the desktop has no file manager that can show files.
    private func showFolder(of files: [FilePath], _ token: String?, _ number: Int, _ bus: Bus) {
        guard let file = files.first else { return answer(number, .done) }
        if FlatpakSandbox.isActive {
            return ask(.openFile, number, bus, with: [file]) {
                PortalCalls.openFolder(of: $0[0], token: token, parent: "")
            }
        }
        release(number)
        post(.mustOpenFolder(number, FilePath(file.parentPrefix), token: token))
    }

    // MARK: Applications on the bus

    /// Opens files by the interface of an application (Desktop Entry Specification, "D-Bus Activation").
    private func activate(
        _ identifier: String, _ files: [FilePath], _ token: String?, _ number: Int, _ bus: Bus
    ) {
        let suffix = ".desktop"
        let name =
            identifier.hasSuffix(suffix)
            ? String(identifier.dropLast(suffix.count)) : identifier
        let failure = localized("the application “\(DisplayText.line(name))” cannot be started")
        guard BusName.isValid(name) else { return answer(number, .failed(failure)) }
        let application = Bus.Interface(
            program: name, path: BusName.path(of: name), name: "org.freedesktop.Application")
        let uris = files.map { BusValue.text(LocalFileURI.uri(of: $0)) }
        let platform = token.map {
            BusValue.options(["activation-token": .text($0), "desktop-startup-id": .text($0)])
        }
        let arguments = BusValue.tuple([.array(uris, of: "s"), platform ?? .options([:])])
        bus.call(application, "Open", arguments) { [weak self] result in
            switch result {
            case .success: self?.answer(number, .done)
            case .failure(let error):
                self?.answer(number, .failed("\(failure): \(DisplayText.line(error.text))"))
            }
        }
    }
}

/// Names of programs on the bus.
enum BusName {
    /// Whether a name is that of an application: parts of letters, digits, `_` and `-` between dots.
    static func isValid(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return name.utf8.count <= 255 && parts.count >= 2
            && parts.allSatisfy { part in
                !part.isEmpty && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(part.first ?? 0)
                    && part.allSatisfy(isNameByte)
            }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// The path of the object of an application.
    static func path(of name: String) -> String {
        "/" + String(name.map { $0 == "." ? "/" : $0 == "-" ? "_" : $0 })
    }
}
