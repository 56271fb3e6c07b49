"""Texts of the desktop entry and of the AppStream metainfo, and their translations.

Both files are in English in Sources/Distribution; what is installed has the texts of all catalogues.
"""

import gettext
import io
import pathlib
import re
import subprocess
import xml.sax.saxutils

FOLDER = pathlib.Path(__file__).absolute().parent.parent.parent / "Sources" / "Distribution"
ENTRY = FOLDER / "io.github.vitrine_viewer.Vitrine.desktop"
METAINFO = FOLDER / "vitrine.metainfo.xml"
CATALOGUES = FOLDER / "po"
# Names of languages and regions without a catalogue of their own, and the catalogue that they share.
ALIASES = {"pt": "pt_BR", "zh_HK": "zh_TW", "zh_MO": "zh_TW", "zh_SG": "zh_CN"}

# The name of the program is the same in every language; those of its actions are not.
LINE = re.compile(r"(GenericName|Comment|Keywords|Name)=(?!Vitrine$)(.*)")
ELEMENT = re.compile(r"([ \t]*)<(summary|p|li|caption)>(.*?)</\2>\n", re.DOTALL)
KEYWORDS = re.compile(r"([ \t]*)</keywords>\n")
NOTES = {"Keywords": "Translators: words that people search for; each one ends with a semicolon."}


def languages():
    """The names of all catalogues."""
    return (CATALOGUES / "LINGUAS").read_text().split()


def plain(text):
    """The text of an element, which may have several lines."""
    return " ".join(xml.sax.saxutils.unescape(text).split())


def texts():
    """All texts in English: the file, the text, and the translators' note or None."""
    for line in ENTRY.read_text().splitlines():
        if match := LINE.fullmatch(line):
            yield ENTRY, match[2], NOTES.get(match[1])
    for match in ELEMENT.finditer(METAINFO.read_text()):
        yield METAINFO, plain(match[3]), None


class Catalogues:
    """The translations into all languages."""

    def __init__(self):
        self.all = {}
        for name in languages():
            compiled = subprocess.run(
                ["msgfmt", "-o", "-", CATALOGUES / f"{name}.po"], check=True, capture_output=True)
            self.all[name] = gettext.GNUTranslations(io.BytesIO(compiled.stdout))
        for name, other in ALIASES.items():
            self.all[name] = self.all[other]

    def translations(self, text):
        """The name of each language and the text in it, where that is not the English one."""
        for name, catalogue in sorted(self.all.items()):
            translation = catalogue.gettext(text)
            if translation != text:
                yield name, translation


def translated_entry():
    """The desktop entry in all languages."""
    catalogues, lines = Catalogues(), []
    for line in ENTRY.read_text().splitlines():
        lines.append(line)
        if match := LINE.fullmatch(line):
            lines += [f"{match[1]}[{name}]={text}" for name, text in catalogues.translations(match[2])]
    return "\n".join(lines) + "\n"


def translated_metainfo():
    """The metainfo in all languages; its keywords are those of the desktop entry."""
    catalogues = Catalogues()
    keywords = re.search(r"^Keywords=(.*)$", ENTRY.read_text(), re.MULTILINE)[1]

    def element(indent, tag, name, text):
        return f'{indent}<{tag} xml:lang="{name}">{xml.sax.saxutils.escape(text)}</{tag}>\n'

    def more(match):
        indent, tag, text = match.groups()
        return match[0] + "".join(
            element(indent, tag, name, translation)
            for name, translation in catalogues.translations(plain(text)))

    def words(match):
        return "".join(
            element(match[1] + "  ", "keyword", name, word)
            for name, all_words in catalogues.translations(keywords)
            for word in all_words.split(";") if word) + match[0]

    return KEYWORDS.sub(words, ELEMENT.sub(more, METAINFO.read_text()))
