import Commands
import CoreTestKit
import Geometry
import SceneModel
import Testing

@testable import Interface

/// What the header of the grid and its menus say.
@Suite struct GridBarsTests {
    private func bars(_ width: Double = 1280, _ change: (inout GridFacts) -> Void = { _ in })
        -> GridBars
    {
        var facts = GridFacts()
        (facts.name, facts.count, facts.state) = ("album", 14, .complete)
        change(&facts)
        return GridBars(
            BarLayout(surface: Size(width: width, height: 800), theme: Theme(), text: .fixed), facts
        )
    }

    private func widget(_ id: String, _ bars: GridBars) -> Widget? {
        bars.widgets.lazy.compactMap { $0.widget(id) }.first
    }

    /// The zoom's names are those of what a person sees: "+" makes pictures larger.
    @Test func theZoomIsNamedAfterThePictures() {
        let names: [Command: String] = [.zoomIn: "Larger pictures", .zoomOut: "Smaller pictures"]
        for (command, name) in names {
            #expect(widget(command.rawValue, bars())?.name == name)
            #expect(bars().items(of: .grid).first { $0.command == command }?.title == name)
        }
    }

    @Test func theMenuHasSections() {
        let items = bars().items(of: .grid)
        #expect(
            items.filter(\.beginsSection).map(\.title) == [
                "Smaller pictures", "Select all", "Open…", "Help", "Quit",
            ])
    }
}
