import Application
import Bridge
import Glibc

// Prints a document that is generated from the tables of the program. The argument is `manual`
// (sections of the man page) or `completion` (for Bash), with `mqtt-` in front for vitrine-mqtt.
// meson-helpers/documents writes the output
// to Sources/Distribution.

switch CommandLine.arguments.dropFirst().first {
case "manual": print(InstalledDocuments.manualSections, terminator: "")
case "completion": print(InstalledDocuments.bashCompletion, terminator: "")
case "mqtt-manual": print(BridgeDocuments.manualSections, terminator: "")
case "mqtt-completion": print(BridgeDocuments.bashCompletion, terminator: "")
default:
    print("usage: vitrine-documents [mqtt-]manual|[mqtt-]completion")
    exit(2)
}
