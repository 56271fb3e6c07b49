import CLinux
import Glibc

/// A run of the program: its arguments and its exit status.
struct BenchRun {
    private var isTable = false
    private var baseline: String?
    private var only: [String] = []
    private var problem: String?

    private static let usage = """
        usage: vitrine-bench [--table] [--check FILE] [--only SUITE]…
          --table        print a table instead of JSON lines
          --check FILE   exit with status 1 if a ratio is more than 25 % above the one in FILE
                         (JSON lines of an earlier run)
          --only SUITE   measure only this suite: \(BenchSuite.all.map(\.name).joined(separator: ", ")),
                         \(BenchSuite.others.map(\.name).joined(separator: ", "))

        """

    init(_ arguments: [String]) {
        var remaining = arguments[...]
        while let argument = remaining.popFirst() {
            switch argument {
            case "--table": isTable = true
            case "--check", "--only":
                guard let value = remaining.popFirst() else {
                    problem = "\(argument) needs a value"
                    return
                }
                if argument == "--check" { baseline = value } else { only.append(value) }
            default:
                problem = "unknown argument: \(argument)"
                return
            }
        }
        let suites = BenchSuite.all + BenchSuite.others
        problem = only.first { name in !suites.contains { $0.name == name } }
            .map { "unknown suite: \($0)" }
    }

    /// Returns the exit status: 0 on success, 1 for a regression, 2 for invalid arguments or an
    /// invalid baseline.
    func run() -> Int32 {
        if let problem { return fail("\(problem)\n\(Self.usage)") }
        var known: Baseline?
        if let baseline {
            do throws(Baseline.Failure) {
                known = try Baseline(path: baseline)
            } catch {
                return fail("\(error.reason)\n")
            }
        }
        var all: [Figure] = []
        let suites =
            only.isEmpty
            ? BenchSuite.all
            : (BenchSuite.all + BenchSuite.others).filter { only.contains($0.name) }
        for suite in suites {
            var figures = suite.figures()
            if let known, figures.contains(where: known.isLost) {
                // Measure again before reporting: the machine may have been busy.
                let repeated = suite.figures()
                figures = figures.map { figure in
                    repeated.first { $0.name == figure.name && $0.ratio < figure.ratio } ?? figure
                }
            }
            if !isTable { for figure in figures { print(figure.line) } }
            // Programs that the suite "desktop" starts print lines of their own.
            fflush(nil)
            all += figures
        }
        if isTable { for line in FigureTable.lines(all) { print(line) } }
        let regressions = known.map { known in all.filter(known.isLost) } ?? []
        for figure in regressions {
            let before = known?.ratios[figure.name] ?? .nan
            write("regression: \(figure.name): \(figure.ratio.rounded(to: 2)), was \(before)\n")
        }
        // If all suites ran, a figure of the baseline that was not measured counts as a regression.
        let names = Set(all.map(\.name))
        let missing = only.isEmpty ? known?.ratios.keys.filter { !names.contains($0) } ?? [] : []
        for name in missing.sorted() { write("regression: \(name): no longer measured\n") }
        return regressions.isEmpty && missing.isEmpty ? 0 : 1
    }

    private func fail(_ text: String) -> Int32 {
        write(text)
        return 2
    }

    private func write(_ text: String) {
        clinux_write_error(text, text.utf8.count)
    }
}
