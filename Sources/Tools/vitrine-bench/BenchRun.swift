import CLinux

/// A run of the program: what its arguments ask for, and its exit status.
struct BenchRun {
    private var isTable = false
    private var baseline: String?
    private var only: [String] = []
    private var problem: String?

    private static let usage = """
        usage: vitrine-bench [--table] [--check FILE] [--only SUITE]…
          --table        a table instead of lines of JSON
          --check FILE   end with 1 where a ratio is more than 25 % above the one in FILE, which this
                         program wrote (lines of JSON)
          --only SUITE   only figures of that subject: \(BenchSuite.all.map(\.name).joined(separator: ", "))

        """

    init(_ arguments: [String]) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--table": isTable = true
            case "--check", "--only":
                guard let value = rest.popFirst() else {
                    problem = "\(argument) needs a value"
                    return
                }
                if argument == "--check" { baseline = value } else { only.append(value) }
            default:
                problem = "unknown: \(argument)"
                return
            }
        }
        problem = only.first { name in !BenchSuite.all.contains { $0.name == name } }
            .map { "no such subject: \($0)" }
    }

    /// 0 where all is well, 1 where a figure was lost, 2 where the arguments or the baseline are of
    /// no use.
    func run() -> Int32 {
        if let problem { return complain("\(problem)\n\(Self.usage)") }
        var known: Baseline?
        if let baseline {
            do throws(Baseline.Failure) {
                known = try Baseline(path: baseline)
            } catch {
                return complain("\(error.reason)\n")
            }
        }
        var all: [Figure] = []
        for suite in BenchSuite.all where only.isEmpty || only.contains(suite.name) {
            var figures = suite.figures()
            if let known, figures.contains(where: known.isLost) {
                // Once more before anything is said: the machine may have been at something else.
                let again = suite.figures()
                figures = figures.map { figure in
                    again.first { $0.name == figure.name && $0.ratio < figure.ratio } ?? figure
                }
            }
            if !isTable { for figure in figures { print(figure.line) } }
            all += figures
        }
        if isTable { for line in FigureTable.lines(all) { print(line) } }
        let lost = known.map { known in all.filter(known.isLost) } ?? []
        for figure in lost {
            let before = known?.ratios[figure.name] ?? .nan
            write("lost: \(figure.name): \(figure.ratio.rounded(to: 2)), was \(before)\n")
        }
        // Where all was measured, a figure that did not come is none that holds.
        let names = Set(all.map(\.name))
        let missing = only.isEmpty ? known?.ratios.keys.filter { !names.contains($0) } ?? [] : []
        for name in missing.sorted() { write("lost: \(name): not measured any more\n") }
        return lost.isEmpty && missing.isEmpty ? 0 : 1
    }

    private func complain(_ text: String) -> Int32 {
        write(text)
        return 2
    }

    private func write(_ text: String) {
        clinux_write_error(text, text.utf8.count)
    }
}
