import Localization

/// A service of the portal, in the words of messages.
enum PortalService {
    case fileChooser, background, printing, email, openFile, maps, webPages

    /// The service as a subject.
    var name: String {
        switch self {
        case .fileChooser: localized("the desktop's file chooser")
        case .background: localized("the desktop's service for backgrounds")
        case .printing: localized("the desktop's print service")
        case .email: localized("the desktop's mail service")
        case .openFile: localized("the desktop's service that opens files")
        case .maps: localized("the desktop's service that opens maps")
        case .webPages: localized("the desktop's service that opens web pages")
        }
    }

    /// What a desktop without the service lacks.
    var missing: String {
        let lack =
            switch self {
            case .fileChooser: localized("the desktop has no file chooser")
            case .background: localized("the desktop cannot set a background by its portal")
            case .printing: localized("the desktop cannot print by its portal")
            case .email: localized("the desktop cannot send mail by its portal")
            case .openFile: localized("the desktop cannot open files by its portal")
            case .maps: localized("the desktop cannot open maps by its portal")
            case .webPages: localized("the desktop cannot open web pages by its portal")
            }
        return localized("\(lack): install xdg-desktop-portal and one of its backends")
    }

    var nonsense: String { localized("\(name) sent an answer that makes no sense") }
    var ended: String { localized("\(name) ended without an answer") }

    func unreachable(_ reason: String) -> String {
        localized("\(name) cannot be reached: \(reason)")
    }

    func message(_ failure: PortalRequest.Failure) -> String {
        switch failure {
        case .ended: ended
        case .nonsense: nonsense
        case .refused(let error):
            error.isMissingService
                ? missing : localized("\(name) failed: \(DisplayText.line(error.text))")
        }
    }

    /// Reads the end of a request: its results, or an answer that is its end.
    func results(
        _ result: Result<BusValue, PortalRequest.Failure>
    ) -> Result<[String: BusValue], End> {
        switch result {
        case .failure(let failure): return .failure(End(answer: .failed(message(failure))))
        case .success(let value):
            guard let response = PortalRequest.Response(value) else {
                return .failure(End(answer: .failed(nonsense)))
            }
            switch response.code {
            case 0: return .success(response.results)
            case 1: return .failure(End(answer: .cancelled))
            default: return .failure(End(answer: .failed(ended)))
            }
        }
    }

    struct End: Error { var answer: DesktopAnswer }

    func answer(_ result: Result<BusValue, PortalRequest.Failure>) -> DesktopAnswer {
        switch results(result) {
        case .success: .done
        case .failure(let end): end.answer
        }
    }
}
