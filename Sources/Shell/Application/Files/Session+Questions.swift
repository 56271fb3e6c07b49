import Browser
import EventLoop
import Interface
import Localization
import Motion

/// The question that a prompt asks.
struct Question {
    /// Handles the answer; nil without a prompt.
    var onAnswer: ((Prompt.Answer) -> Void)?
    /// The ids of the pictures that the last question for stars was about.
    var ratedPictures: [Int] = []
}

/// The questions that a prompt asks.
extension Session {
    /// Shows a prompt.
    ///
    /// `onAnswer` continues, once. A question that was not answered is cancelled.
    func ask(_ prompt: Prompt, onAnswer: @escaping (Prompt.Answer) -> Void) {
        let former = question.onAnswer
        question.onAnswer = onAnswer
        browser.setPrompt(prompt, at: now())
        former?(.cancelled)
    }

    /// Lets a person choose a folder where the desktop has no file chooser.
    var folderChooser: FolderChooser {
        if let known = changes.folderChooser { return known }
        let chooser = FolderChooser(BackgroundJobs(sources)) { [unowned self] prompt, onAnswer in
            ask(prompt, onAnswer: onAnswer)
            window?.invalidate()
        }
        changes.folderChooser = chooser
        return chooser
    }

    /// Continues what a prompt has asked for.
    func receive(_ answer: Prompt.Answer, to purpose: Prompt.Purpose) {
        guard purpose != .progress else {
            changes.crops.stop()
            changes.files.stop()
            changes.ownCommands.latest?.stop()
            return
        }
        let continuation = question.onAnswer
        question.onAnswer = nil
        continuation?(answer)
    }

    /// Shows how far a job is, with a way to stop it; nil ends that.
    ///
    /// A question and the settings page have priority.
    func showProgress(_ progress: FileWork.Progress?) {
        guard !browser.isModal || browser.prompt?.purpose == .progress else { return }
        guard let progress else { return browser.setPrompt(nil, at: now()) }
        var prompt = Prompt(.progress, progress.title)
        if progress.all > 1 { prompt.text = localizedNumber(progress.done, of: progress.all) }
        prompt.progress = progress.share
        browser.setPrompt(prompt, at: now())
    }
}
