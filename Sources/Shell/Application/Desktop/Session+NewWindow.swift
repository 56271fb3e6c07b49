import Browser
import Desktop
import Folders
import Localization
import SystemCalls

/// Another window with the same pictures: a viewer of its own.
extension Session {
    func openWindow() {
        guard let program = ProgramFile.path() else { return }
        let shown = browser.mode == .viewer ? targetPaths.map { FilePath($0) } : album.paths
        let paths = shown.filter { $0.bytes != [UInt8(ascii: "-")] }
        var start = ChildProgram([Array(program), Array("--".utf8)] + paths.map(\.absolute))
        let run = { [weak self] (token: String?) in
            start.environment = ChildProgram.environment(activation: token)
            self?.changes.ownCommands.start(start, named: localized("New window")) {
                if let problem = $0.problem { self?.notify(problem) }
            }
        }
        if let desktop = window?.desktopAccess() { desktop.requestToken(run) } else { run(nil) }
    }
}
