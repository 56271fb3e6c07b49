import Application
import Glibc

// Prints a document that is generated from the tables of the program. The argument is `manual`
// (sections of the man page) or `completion` (for Bash). meson-helpers/documents writes the output
// to Sources/Distribution.

switch CommandLine.arguments.dropFirst().first {
case "manual": print(InstalledDocuments.manualSections, terminator: "")
case "completion": print(InstalledDocuments.bashCompletion, terminator: "")
default:
    print("usage: vitrine-documents manual|completion")
    exit(2)
}
