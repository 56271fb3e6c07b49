import Folders
import Geometry
import ImageService
import Input
import Localization
import Motion
import SystemCalls
import Threads
import WaylandClient

/// The events of a window.
extension WindowController {
    func receive(_ event: WindowEvent) {
        switch event {
        // The modifiers are those of the keyboard, whoever may use it.
        case .input(.modifiers(let effective), let moment, let seat):
            receive(.modifiers(effective), at: moment, of: seat)
        case .input(.pointer(let input), let moment, let seat):
            idlePointer.handle(input, at: moment)
            guard !run.isLocked else { break }
            run.libraries.prepare(for: .pointer(input))
            if !hold(input, of: seat, at: moment) {
                receive(.pointer(input), at: moment, of: seat)
            }
        case .input(let input, let moment, let seat):
            guard !run.isLocked else { break }
            run.libraries.prepare(for: input)
            receive(input, at: moment, of: seat)
        case .configured(let state): configure(state)
        case .scaleChanged(let scale):
            if let canvas { canvas.arrange() } else { apply(.scale(scale)) }
        case .frameDone: frames.frameDone(at: run.clock())
        case .bufferReleased: break
        case .presented(let commit, let moment, let refresh):
            frames.presented(commit, at: moment, refresh: refresh)
        case .closeRequested: if !options.isKiosk { run.end() }
        case .keymapRefused:
            Diagnostics.error(
                localized(
                    "keys do nothing, because the compositor's keyboard layout cannot be read; choose "
                        + "the layout again in the desktop's settings"))
        case .outputsChanged: break
        case .outputTurned:
            session.outputTurned(at: passingTime())
            frames.invalidate()
            canvas?.invalidate()
        case .lightChanged: followLight()
        case .sessionCreated(let identifier):
            recall.remember(session: identifier, on: session.disk)
        }
    }

    func receive(_ given: InputEvent, at moment: Moment, of seat: Int) {
        let input = canvas.map { $0.asOnCanvas(given, of: self) } ?? given
        prepareMotion()
        if presence.isUserInput(input) { run.noticeInput(in: self, of: seat) }
        // Do not record ignored events, because a replay might not ignore them.
        lastSeat = seat
        if session.handle(input, of: seat, at: moment) {
            recorder?.record(input, at: moment)
        }
        let now = run.clock()
        keepMemory(at: now)
        latest = max(latest, min(moment, now))
        frames.inputArrived(at: min(max(moment, run.compositor.lastRead), now))
        canvas?.invalidate()
    }

    private func configure(_ state: WindowState) {
        guard let window else { return }
        updateLooks(state)
        frames.cornerRadius = state.cornerRadius
        if let canvas { canvas.arrange() } else { apply(state) }
        if options.isKiosk, !state.isFullscreen { window.setFullscreen(true) }
        if hasRecorder, recorder == nil, let path = options.reports.record {
            startRecording(path, state)
        }
        frames.surfaceIsKnown(at: run.clock())
        session.surfaceIsKnown()
        // The whole picture needs this memory. Its preview does not, so decoding goes first.
        if !window.isMapped {
            prefault(state.bufferSize, frames: 1, niceness: 2 * PictureProvider.niceness)
        }
    }

    private func apply(_ event: InputEvent) {
        let now = passingTime()
        recorder?.record(event, at: now)
        session.handle(event, at: now)
        frames.invalidate()
    }

    /// Applies a configure event, which may change size and scale at once.
    private func apply(_ state: WindowState) {
        let now = passingTime()
        recorder?.record(.scale(state.scale), at: now)
        recorder?.record(.resize(state.size), at: now)
        session.resize(to: state.size, scale: state.scale, at: now)
        frames.invalidate()
    }

    /// Record and trace have the same time 0, so that a reader of both finds what a frame made of its input.
    private func startRecording(_ path: FilePath, _ state: WindowState) {
        let start = run.clock()
        frames.beginTrace(at: start)
        do throws(SystemError) {
            recorder = try Recorder(path, start: start, size: state.size, scale: state.scale)
        } catch {
            Diagnostics.error(path, localized("cannot be written: \(error)"))
        }
    }

    /// Applies the size of a canvas of which this window is a part.
    func resizeSession(to size: Size, scale: Double) {
        session.resize(to: size, scale: scale, at: passingTime())
    }
}
