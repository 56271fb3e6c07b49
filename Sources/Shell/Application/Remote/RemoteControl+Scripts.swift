import Browser
import Control
import EventLoop
import Folders
import Input
import Motion
import SystemCalls
import Viewer

/// Gesture scripts that peers play.
extension RemoteControl {
    func play(_ text: String, for peer: ControlServer.Peer) throws(MessageError) -> Reply? {
        guard player == nil, reading == nil else {
            throw MessageError("another script is being played")
        }
        guard !run.isLocked else { throw MessageError("the viewer is locked") }
        guard text.hasPrefix("/") else {
            stage = target
            try start(text, for: peer)
            return nil
        }
        // The file may be in a folder that does not answer.
        let path = try Self.file(text)
        (reading, stage) = (peer, target)
        let isReading = backgroundJobs.run({ Self.read(path) }) { [unowned self] result in
            guard reading == peer else { return }
            reading = nil
            do throws(MessageError) {
                try start(try result.get(), for: peer)
            } catch { server?.reply(.error(error.reason), to: peer) }
        }
        if isReading { return nil }
        reading = nil
        throw MessageError("there is no thread left")
    }

    static func read(_ path: FilePath) -> Result<String, MessageError> {
        do throws(SystemError) {
            let bytes = try InputFile.read(path, limit: longestScript)
            return .success(String(decoding: bytes, as: UTF8.self))
        } catch { return .failure(MessageError("\(path): \(error.pathMessage)")) }
    }

    func start(_ text: String, for peer: ControlServer.Peer) throws(MessageError) {
        do throws(GestureScriptError) {
            player = ScriptPlayer(try GestureScript(parsing: text), at: run.clock(), for: peer)
        } catch { throw MessageError("the script is wrong: \(error)") }
    }

    /// Plays the due events.
    func play() {
        let window = stage ?? run.first
        let now = window.passingTime()
        while let (event, moment) = player?.nextEvent(upTo: now) {
            window.session.handle(event, of: Self.seat, at: moment)
        }
        guard let player, player.isOver(at: now) else { return }
        end(player)
    }

    /// Ends a script, and answers the peer that waits for its end.
    func end(_ player: ScriptPlayer?) {
        guard let player else { return }
        self.player = nil
        let window = stage ?? run.first
        let now = window.passingTime()
        for event in ScriptPlayer.ending { window.session.handle(event, of: Self.seat, at: now) }
        server?.reply(.done, to: player.peer)
    }

    func leave(_ peer: ControlServer.Peer) {
        if reading == peer { reading = nil }
        if player?.peer == peer { end(player) }
    }
}
