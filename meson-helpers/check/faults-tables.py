"""Replaces the tables of Sources/Documentation/faults.md by those of a log: faults-tables.py LOG DOCUMENT.

A line of the log is a record of the tests (FaultRecord): table, fault, number of answers, median and
longest time to an answer and longest turn of the loop in milliseconds, and the message that a person saw.
A fault may be "ROW: FAULT"; the row then has several faults. Tables without a record in the log stay as
they are.
"""

import re
import statistics
import sys

STALLS = {
    "theFirstPictureStalls": ("the first picture, at the start", "the picture after the release"),
    "theFolderStalls": ("the folder, at the start", "all cells after the release"),
    "aPageStalls": ("the next page", "other pages at once, this one after the release"),
    "aCellStalls": ("a cell of the grid", "the other cells at once, this one after the release"),
    "everyCellStalls": ("nine of ten cells", "a tap opens the tenth; the end waits for nothing"),
    "theFilmstripStalls": ("five cells of the filmstrip", "pages turn; the end waits for nothing"),
    "theFileOfAPictureBeyondTheBudgetStalls": (
        "the cache folder, for a picture beyond the budget",
        "other pages at once, this one after the release",
    ),
    "theCacheOfThumbnailsStalls": (
        "the cache of thumbnails", "all cells, made without the cache"),
    "theHomeFolderStalls": (
        "the home folder: settings, state, fonts, keys", "pages turn; texts in plain letters"),
    "whatIsRememberedStalls": (
        "the folder of the state", "the place of the slideshow after the release"),
    "whatAKioskRemembersStalls": (
        "the folder of the state of a kiosk, and a new output", "the window at once"),
    "theInformationPanelStalls": ("the file of the information panel", "pages turn"),
    "aDecoderThatCannotBeKilledIsNotWaitedFor": (
        "a read by a decoder, which cannot be killed then", "the next picture at once"),
}
RECOVERY = {
    "events": "resizes, keys and fingers are followed again",
    "calls": "the picture, or an end with a line and exit code 1",
    "cuts": "the program ends with exit code 3",
    "decoders": "pages turn; as much of the system is used as before",
}


def seen(records):
    """The messages of the records, the most frequent first, three at most."""
    counts = {}
    for record in records:
        message = re.sub(r"/\S*/", "", record["seen"]).strip().removeprefix("vitrine: ")
        # Process and time of the messages of GLib.
        message = re.sub(r"\(process:\d+\): |\d+:\d+:\d+\.\d+: ", "", message)
        if message:
            counts[message] = counts.get(message, 0) + 1
    messages = sorted(counts, key=lambda message: -counts[message])
    more = f"; {len(messages) - 3} others" if len(messages) > 3 else ""
    return "; ".join(messages[:3]) + more if messages else "no message"


def rows(table, records):
    """The rows of a table, the records of one fault in each."""
    faults = {}
    for record in records:
        fault, recovery = re.split(r"\(|: ", record["fault"])[0], RECOVERY.get(table)
        if table == "stalls":
            if fault not in STALLS:
                sys.exit("no description of " + fault)
            fault, recovery = STALLS[fault]
        elif table == "cuts":
            fault = "the connection is cut"
        faults.setdefault((fault, recovery), []).append(record)
    for (fault, recovery), group in faults.items():
        # Programs that ended before they had a window answered nothing.
        answered = [record for record in group if record["count"] > 0]
        times = turns = "– | –"
        if answered:
            median = sorted(record["median"] for record in answered)[len(answered) // 2]
            longest = max(record["longest"] for record in answered)
            times = f"{median:.1f} ms | {longest:.1f} ms"
            turn = max(record["turn"] for record in answered)
            # The fault with the longest turn in its median run.
            runs = {}
            for record in answered:
                runs.setdefault(record["fault"], []).append(record["turn"])
            usual = max(statistics.median(turns) for turns in runs.values())
            if turn > 0:
                turns = f"{usual:.1f} ms | {turn:.1f} ms"
        yield (f"| {fault} | {len(group)} | {sum(record['count'] for record in group)} | "
               f"{turns} | {times} | {seen(group)} | {recovery} |")


def main(log, document):
    tables = {}
    for line in open(log, encoding="utf-8", errors="replace"):
        table, fault, count, median, longest, turn, message = line.rstrip("\n").split("\t")
        tables.setdefault(table, []).append({
            "fault": fault, "count": int(count), "median": float(median),
            "longest": float(longest), "turn": float(turn), "seen": message})
    text = open(document, encoding="utf-8").read()
    for table, records in tables.items():
        begin, end = f"<!-- table {table}: made by meson-helpers/check/faults -->", "<!-- end of table -->"
        first, rest = text.split(begin)
        lines = ["| fault | runs | answers | turn | longest turn | median answer | longest answer "
                 "| what the person saw | recovery |",
                 "| --- | --- | --- | --- | --- | --- | --- | --- | --- |", *rows(table, records)]
        text = first + begin + "\n\n" + "\n".join(lines) + "\n\n" + end + rest.split(end, 1)[1]
    open(document, "w", encoding="utf-8").write(text)


main(*sys.argv[1:])
