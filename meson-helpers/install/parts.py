#!/usr/bin/env python3
"""Writes the parts of a Debian package as SPDX 2.3 beside it: meson-helpers/install/parts.py FILE.deb <LIBRARIES

Standard input has the other parts: lines of "linked" or "opened", the file of a library, and its Debian package, which
the system must have; and "swift" and the version of the Swift runtime in the programs. Licences are those of the
machine-readable files /usr/share/doc/PACKAGE/copyright; without one, the licence is NOASSERTION. The time is
SOURCE_DATE_EPOCH.
"""

import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse

NONE = "NOASSERTION"
# Names of licences in Debian's files, and in SPDX. Names with a version ("GPL-2+") follow a rule.
LICENCES = {
    "expat": "MIT", "mit": "MIT", "apache-2.0": "Apache-2.0", "apache-2": "Apache-2.0", "zlib": "Zlib", "isc": "ISC",
    "bsd-2-clause": "BSD-2-Clause", "bsd-3-clause": "BSD-3-Clause", "bsd-4-clause": "BSD-4-Clause",
    "0bsd": "0BSD", "bsl-1.0": "BSL-1.0", "boost-1.0": "BSL-1.0", "cc0-1.0": "CC0-1.0", "cc0": "CC0-1.0",
    "mpl-2.0": "MPL-2.0", "mpl-1.1": "MPL-1.1", "ijg": "IJG", "libtiff": "libtiff", "unlicense": "Unlicense",
    "cddl-1.0": "CDDL-1.0", "epl-1.0": "EPL-1.0", "cc-by-sa-4.0": "CC-BY-SA-4.0", "cc-by-4.0": "CC-BY-4.0",
    "afl-2.0": "AFL-2.0", "epl-2.0": "EPL-2.0", "bsd-1-clause": "BSD-1-Clause", "libpng-2.0": "libpng-2.0",
    "bitstream-vera": "Bitstream-Vera", "apache-2.0 with llvm-exception": "Apache-2.0 WITH LLVM-exception",
    "cc-by-sa-3.0": "CC-BY-SA-3.0", "cc-by-3.0": "CC-BY-3.0", "ofl-1.1": "OFL-1.1", "fsfap": "FSFAP",
}
GNU = re.compile(r"(l?gpl|gfdl)-?v?(\d)(?:\.(\d))?(\+)?", re.IGNORECASE)


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def fields(paragraph):
    """The fields of a paragraph of a Debian control file."""
    result, name = {}, None
    for line in paragraph.splitlines():
        if line[:1] in " \t" and name:
            result[name] += "\n" + line[1:]
        elif ":" in line:
            name, _, value = line.partition(":")
            name = name.lower()
            result[name] = value.strip()
    return result


class Licences:
    """Licences of Debian's copyright files as expressions of SPDX, and the texts of those that SPDX has no name for."""

    def __init__(self):
        self.texts = {}

    def of(self, package):
        """The licence of a package as an expression, or NOASSERTION."""
        path = pathlib.Path("/usr/share/doc") / package / "copyright"
        text = path.read_text(errors="replace") if path.exists() else ""
        paragraphs = [fields(part) for part in re.split(r"\n[ \t]*\n", text.lstrip("\n"))]
        if "format" not in paragraphs[0]:
            return NONE
        texts = {}
        for paragraph in paragraphs:
            name, _, body = paragraph.get("license", "").partition("\n")
            if body:
                texts.setdefault(name, body)
        # Licences of files that build or test a library do not apply to the library, but the files cannot be told apart.
        names = {paragraph.get("license", "").partition("\n")[0] for paragraph in paragraphs if "files" in paragraph}
        terms = sorted({term for name in names - {""} for term in self.terms(name, texts, package)})
        if len(terms) == 1:
            return terms[0].removeprefix("(").removesuffix(")")
        return " AND ".join(terms) or NONE

    def terms(self, name, texts, package):
        """The licences that hold together, each a name or alternatives in brackets. A comma ends a group of names."""
        for word in ", and ", ", or ", " or ", " and ":
            if word in name:
                parts = [self.terms(part.strip(" ,"), texts, package) for part in name.split(word)]
                if "and" in word:
                    return [term for part in parts for term in part]
                return ["(" + " OR ".join(part[0] if len(part) == 1 else f"({' AND '.join(part)})" for part in parts) + ")"]
        if known := LICENCES.get(name.lower()):
            return [known]
        if match := GNU.fullmatch(name):
            family, major, minor, later = match.groups()
            return [f"{family.upper()}-{major}.{minor or 0}-{'or-later' if later else 'only'}"]
        identifier = "LicenseRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", f"{package}-{name}").strip("-")
        text = texts.get(name) or f"See /usr/share/doc/{package}/copyright."
        self.texts[identifier] = {"licenseId": identifier, "name": name, "extractedText": text}
        return [identifier]


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]+", "-", name)


def purl(name, version, architecture):
    # Of a Debian system only.
    system = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line)
    query = f"arch={architecture}&distro={system.get('VERSION_CODENAME', '').strip(chr(34))}"
    return [{
        "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
        "referenceLocator": f"pkg:deb/{system['ID']}/{name}@{urllib.parse.quote(version)}?{query}"}]


def part(name, version, licence, origin, **more):
    return {
        "SPDXID": identifier(name), "name": name, "versionInfo": version, "downloadLocation": origin or NONE,
        "filesAnalyzed": False, "licenseConcluded": NONE, "licenseDeclared": licence, "copyrightText": NONE, **more}


def library(name, architecture, licences):
    version, source, source_version, homepage = output(
        "dpkg-query", "-W", "-f", "${Version}\n${source:Package}\n${source:Version}\n${Homepage}",
        f"{name}:{architecture}").split("\n")
    more = {"homepage": homepage} if homepage else {}
    return part(
        name, version, licences.of(name), None, supplier="Organization: Debian",
        sourceInfo=f"built from the Debian source package {source} {source_version}",
        primaryPackagePurpose="LIBRARY", externalRefs=purl(name, version, architecture), **more)


def main():
    package = pathlib.Path(sys.argv[1])
    control = fields(output("dpkg-deb", "-f", package))
    architecture, homepage = control["architecture"], control["homepage"]
    checksum = hashlib.sha256(package.read_bytes()).hexdigest()
    lines = [line.split() for line in sys.stdin]
    swift_version = " ".join(line[1] for line in lines if line[0] == "swift")
    lines = [line for line in lines if line[0] != "swift"]
    if not any(line[0] == "linked" for line in lines) or not any(line[0] == "opened" for line in lines):
        sys.exit(f"{package}: no libraries")
    licences = Licences()
    vitrine = part(
        "vitrine", control["version"], "MIT", homepage, supplier=f"Organization: {control['maintainer']}",
        packageFileName=package.name, homepage=homepage, primaryPackagePurpose="APPLICATION",
        checksums=[{"algorithm": "SHA256", "checksumValue": checksum}],
        externalRefs=purl("vitrine", control["version"], architecture))
    swift = part(
        "swift-runtime", swift_version or NONE, "Apache-2.0 WITH Swift-exception", "https://github.com/swiftlang/swift",
        supplier="Organization: Swift project", primaryPackagePurpose="LIBRARY")
    names = sorted({line[2] for line in lines})
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", vitrine["SPDXID"], None),
                 (vitrine["SPDXID"], "STATIC_LINK", swift["SPDXID"], "standard library and concurrency")]
    for kind, file, name in lines:
        if kind == "linked":
            relations.append((vitrine["SPDXID"], "DYNAMIC_LINK", identifier(name), file))
        else:
            relations.append((identifier(name), "RUNTIME_DEPENDENCY_OF", vitrine["SPDXID"], f"{file}, opened at run time"))
    time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": package.stem,
        # A new package has a new name.
        "documentNamespace": f"{homepage}/spdx/{package.stem}-{checksum}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: meson-helpers/install/parts.py"]},
        "packages": [vitrine, swift, *(library(name, architecture, licences) for name in names)],
        "relationships": [
            {"spdxElementId": first, "relationshipType": kind, "relatedSpdxElement": second}
            | ({"comment": comment} if comment else {}) for first, kind, second, comment in relations],
    }
    if licences.texts:
        document["hasExtractedLicensingInfos"] = [licences.texts[name] for name in sorted(licences.texts)]
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    package.with_suffix(".spdx.json").write_text(text)


main()
