"""Boots the machine, plays the gestures and prints the table.

touchscreen.py FOLDER [--judge] [--only NAME]… COMPOSITOR…

The results of each compositor are in FOLDER/results, the screens in FOLDER/shots.
"""
import argparse
import glob
import json
import os
import subprocess
import sys
import time
import traceback

from case import Case, Log
from gestures import GROUPS, Clock
from machine import Failure, Machine

HERE = os.path.dirname(os.path.abspath(__file__))
# What the guest gets; play.py is the program.
PARTS = ("hand.py", "lab.py", "gestures.py", "play.py")
GUEST = "/usr/local/lib/touchscreen"


def say(text):
    print(time.strftime("%H:%M:%S"), text, file=sys.stderr, flush=True)


def play(folder, disk, compositors, words):
    """Plays in the compositors of one disk."""
    machine = Machine(folder, disk)
    begin = time.monotonic()
    programs = [os.path.join(folder, "programs", name) for name in ("vitrine", "vitrine-decode")]
    machine.start(compositors[0], programs + [os.path.join(HERE, name) for name in PARTS])
    try:
        machine.run("tar", "-C", GUEST, "-xf", "/dev/vdb", patience=1800)
        say(f"{disk}: booted in {time.monotonic() - begin:.0f} s")
        os.makedirs(os.path.join(folder, "results"), exist_ok=True)
        for compositor in compositors:
            for name in GROUPS:
                if chosen := played(compositor, name, words):
                    code = machine.run("python3", "-u", f"{GUEST}/play.py", compositor, name, *chosen, patience=1800,
                                       line=say)
                    fetch(machine, folder, f"{compositor}-{name}")
                    if code:
                        say(f"{compositor}-{name}: the player ended with {code}")
    finally:
        machine.stop()


def played(compositor, group, words):
    """The names of the gestures of a group that are asked for."""
    return [gesture.name for gesture in GROUPS[group]["gestures"]
            if compositor in gesture.only and (not words or any(word in gesture.name for word in words))]


def fetch(machine, folder, prefix):
    """Gets the results from the guest; the screens are on the host already."""
    machine.run("sh", "-c", "cd /run/touchscreen; cp /home/person/compositor.log $0.compositor; "
                "tar -cf results.tar $1-*; rm -f $1-*", prefix, prefix.split("-")[0])
    archive = os.path.join(folder, "run", "results.tar")
    with open(archive, "wb") as file:
        file.write(machine.get("/run/touchscreen/results.tar"))
    subprocess.run(["tar", "-C", os.path.join(folder, "results"), "-xf", archive], check=True)


def judge(folder, compositor):
    """{name of a gesture: checks}, of the results of one compositor."""
    results, exits = [], {}
    for path in sorted(glob.glob(os.path.join(folder, "results", f"{compositor}-*.json"))):
        with open(path) as file:
            data = json.load(file)
        results += data["results"]
        exits |= data["exits"]
    names = {result["viewer"] for result in results}
    logs = {name: Log(os.path.join(folder, "results"), name, results) for name in names}
    judges = {Clock.name: Clock} | {gesture.name: gesture for group in GROUPS.values() for gesture in group["gestures"]}
    out = {}
    for result in results:
        checks = out.setdefault(result["name"], [])
        if result["error"]:
            checks.append(("played", False, None, result["error"]))
            continue
        try:
            case = Case(result, logs, os.path.join(folder, "shots"))
            judges[result["name"]].judge(case)
            checks += case.checks
        except Exception:
            # A judge that finds nothing to judge: the gesture did not do what it is about.
            checks.append(("judged", False, None, " ".join(traceback.format_exc().split("\n")[-4:])))
    for name in sorted(names):
        checks = out.setdefault(f"the viewer ends well ({name.split('-', 1)[1]})", [])
        code = exits.get(name)
        checks.append(("exit code", code == 0, None, str(code)))
    return out


def word(checks):
    """The result of a gesture in the table."""
    if not checks:
        return "–"
    failed = [c for c in checks if not c[1] and not c[2]]
    known = [c for c in checks if not c[1] and c[2]]
    mended = [c for c in checks if c[1] and c[2]]
    if failed:
        return f"**fails** ({len(failed)} of {len(checks)})"
    if known:
        return "known: " + known[0][2].split(":")[0]
    return "holds, was known to fail" if mended else f"holds ({len(checks)})"


def report(judged):
    """Prints table and details; returns whether all holds."""
    compositors = list(judged)
    names = [Clock.name] + [gesture.name for group in GROUPS.values() for gesture in group["gestures"]]
    names += [name for checks in judged.values() for name in checks if name not in names]
    print("| gesture | " + " | ".join(compositors) + " |")
    print("| --- |" + " --- |" * len(compositors))
    for name in dict.fromkeys(names):
        row = [word(judged[compositor].get(name)) for compositor in compositors]
        if any(cell != "–" for cell in row):
            print(f"| {name} | " + " | ".join(row) + " |")
    print()
    counts = {"hold": 0, "fail": 0, "known": 0, "mended": 0}
    for compositor in compositors:
        for name, checks in judged[compositor].items():
            for what, holds, known, detail in checks:
                kind = ("mended" if known else "hold") if holds else ("known" if known else "fail")
                counts[kind] += 1
                if kind != "hold":
                    text = {"fail": "fails", "known": f"fails as known ({known})",
                            "mended": f"HOLDS NOW, remove the mark ({known})"}[kind]
                    print(f"- {compositor}, {name}: {what} {text}: {detail}")
    empty = [compositor for compositor in compositors if not judged[compositor]]
    print()
    print(f"touchscreen: {', '.join(compositors)}: {counts['hold'] + counts['mended']} checks hold, "
          f"{counts['fail']} fail, {counts['known']} fail as known, {counts['mended']} of those that hold were "
          "known to fail" + (f"; nothing was played in {', '.join(empty)}" if empty else ""))
    return counts["fail"] == 0 and not empty


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--judge", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("compositors", nargs="+")
    options = parser.parse_args()
    failed = False
    if not options.judge:
        for compositor in options.compositors:
            for path in glob.glob(os.path.join(options.folder, "results", f"{compositor}-*")):
                os.remove(path)
        for disk, names in (("wlroots", ("sway", "cage")), ("gnome", ("gnome",))):
            chosen = [name for name in options.compositors if name in names]
            if not chosen:
                continue
            try:
                play(options.folder, disk, chosen, options.only)
            except Failure as failure:
                say(f"{disk}: {failure}")
                failed = True
    holds = report({name: judge(options.folder, name) for name in options.compositors})
    sys.exit(0 if holds and not failed else 1)


if __name__ == "__main__":
    main()
