import Localization
import SceneModel

/// The texts of the sheet that says what the program is.
enum AboutPage {
    struct Row {
        var title: String
        var detail: String
        /// What a tap does; nil for nothing.
        var action: Widget.Action?
    }

    /// The row of the help that leads to the page.
    static var link: Row {
        let version = ProgramFacts.version
        return Row(
            title: localized("About Vitrine"), detail: localized("Version \(version)"),
            action: .about)
    }

    static var rows: [Row] {
        let version = ProgramFacts.version
        let program = [
            Row(title: "Vitrine", detail: localized("Version \(version)")),
            Row(
                title: localized("Website"), detail: ProgramFacts.homePage.isolated,
                action: .homePage),
            Row(
                title: localized("Copyright"), detail: localized("The Vitrine authors, MIT licence")
            ),
        ]
        return program + ProgramFacts.libraries.map { Row(title: $0.name, detail: $0.licence) }
    }
}
