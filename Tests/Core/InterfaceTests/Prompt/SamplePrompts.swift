import Interface

/// Prompts of every kind.
enum SamplePrompts {
    static var rename: Prompt {
        var prompt = Prompt(.rename, "Rename “Beach at noon.jpg”")
        (prompt.field, prompt.selected, prompt.confirm) = ("Beach at noon.jpg", 13, "Rename")
        return prompt
    }

    static var refusedName: Prompt {
        var prompt = rename
        prompt.text = "a file with this name exists already"
        prompt.isRefused = true
        return prompt
    }

    static var delete: Prompt {
        var prompt = Prompt(.deleteForGood, "Delete 3 pictures for good?")
        prompt.text =
            "There is no trash on this device. What is deleted there cannot be brought back."
        (prompt.confirm, prompt.isDestructive) = ("Delete", true)
        return prompt
    }

    static var rate: Prompt {
        var prompt = Prompt(.rate, "Rate “Beach at noon.jpg”")
        prompt.rating = 3
        return prompt
    }

    /// Recent folders, with a button for another one.
    static func folders(_ count: Int) -> Prompt {
        var prompt = Prompt(.copyTo, "Copy 2 pictures to")
        prompt.choices = (0..<count).map {
            .init("Folder \($0)", detail: "/home/person/Pictures/Folder \($0)", icon: .open)
        }
        prompt.confirm = "Other folder…"
        return prompt
    }

    static var applications: Prompt {
        var prompt = Prompt(.openWith, "Open with")
        prompt.choices = ["Image Viewer", "GIMP", "Krita", "darktable"].map { .init($0) }
        return prompt
    }

    static func progress(_ share: Double, _ text: String = "12 of 340: Beach at noon.jpg") -> Prompt
    {
        var prompt = Prompt(.progress, "Copying 340 pictures")
        (prompt.text, prompt.progress) = (text, share)
        return prompt
    }

    static var all: [Prompt] {
        [
            rename, refusedName, delete, rate, folders(4), folders(300), applications,
            progress(0.4),
        ]
    }
}
