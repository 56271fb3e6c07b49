/// A question over the content: buttons, choices, a text to edit, or the progress of something.
package struct Prompt: Hashable, Sendable {
    /// What the prompt is for; the owner gets it back with the answer.
    package enum Purpose: String, Hashable, Sendable {
        case rename, delete, deleteForGood = "delete-for-good", rate, copyTo = "copy-to"
        case moveTo = "move-to", openWith = "open-with", runCommand = "run-command"
        case paste, progress, saveCrop = "save-crop"
        case chooseFolder = "choose-folder", newFolder = "new-folder"
        case angle
    }

    package enum Answer: Hashable, Sendable {
        /// The choice at this index.
        case choice(Int)
        /// The text, for a prompt with a field.
        case text(String)
        /// The button at the end was pressed, of a prompt without a field.
        case confirmed
        case cancelled
    }

    package struct Choice: Hashable, Sendable {
        package var title: String
        package var detail: String
        package var icon: Icon?

        package init(_ title: String, detail: String = "", icon: Icon? = nil) {
            (self.title, self.detail, self.icon) = (title, detail, icon)
        }
    }

    /// The most stars of a rating.
    static let mostStars = 5

    package var purpose: Purpose
    /// What the choices belong to, such as a folder: with another subject, focus and scroll offset begin anew.
    package var subject = ""
    package var title: String
    /// A paragraph below the title, or below the field; empty for none.
    package var text = ""
    /// Whether `text` says why the answer before cannot be accepted.
    package var isRefused = false
    package var choices: [Choice] = []
    /// The choice that has the focus at first; nil for the button at the end, if there is one.
    package var firstChoice: Int? = 0
    /// The text to edit at first; nil without a field.
    package var field: String?
    /// How many characters at the start of the field's text are selected.
    package var selected = 0
    /// The title of the button at the end; nil without one.
    package var confirm: String?
    /// Whether the button at the end loses something.
    package var isDestructive = false
    /// The share that is done, 0…1; nil without a progress.
    package var progress: Double?
    /// The number of stars, 0…5, that a prompt for a rating shows; its answer is a choice of 0…5.
    ///
    /// Nil while the number is not known, and where the pictures differ.
    package var rating: Int?

    package init(_ purpose: Purpose, _ title: String) {
        (self.purpose, self.title) = (purpose, title)
    }
}
