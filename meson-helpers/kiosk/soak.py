"""The part of meson-helpers/kiosk/soak that measures: soak.py FOLDER [OPTION…]."""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time

from wall import Viewer, descriptors, memory, own_memory, slope, switches

WORK = sys.argv[1]
FILES = 60


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def pictures(folder, size="800x600"):
    """A folder of pictures, and the bytes that files of it may have: good and broken ones."""
    os.makedirs(folder)
    good = []
    for seed in range(6):
        name = f"{WORK}/source-{seed}.jpg"
        subprocess.run(["/usr/bin/convert", "-seed", str(seed), "-size", size, "plasma:", "-quality", "85",
                        name], check=True)
        with open(name, "rb") as file:
            good.append(file.read())
    broken = [b"", os.urandom(4000), good[0][:300], good[1][:200] + os.urandom(5000)]
    for number in range(FILES):
        write(folder, number, good, broken)
    return good, broken


def write(folder, number, good, broken):
    """Writes a file beside and renames it; every tenth is broken."""
    content = random.choice(broken if number % 10 == 9 else good)
    with open(f"{WORK}/new", "wb") as file:
        file.write(content)
    os.chmod(f"{WORK}/new", 0o644)
    os.rename(f"{WORK}/new", f"{folder}/{number:05}.jpg")


def churn(folder, good, broken, stop, pause, hold=None):
    """Takes the oldest file away and puts a new one there, again and again, but not on `hold`."""
    number = FILES
    while not stop.wait(pause):
        if hold and hold.is_set():
            continue
        write(folder, number, good, broken)
        try:
            os.remove(f"{folder}/{number - FILES:05}.jpg")
        except OSError:
            pass
        number += 1


def verdict(points, per, what, limit):
    """The slope of the last three quarters of the points, as text, and whether it is within a limit."""
    points = points[len(points) // 4:]
    value = slope(points) * per
    return f"{value:+.2f} {what}", value <= limit


def accelerated(slides, transition):
    """Slides on the virtual clock; whether nothing grows."""
    folder = f"{WORK}/{transition}"
    good, broken = pictures(folder)
    # A fifth of a second for each slide, and a tenth for its transition.
    seconds = slides * (0.2 if transition == "cut" else 0.3)
    with open(f"{WORK}/script.txt", "w") as file:
        file.write(f"{seconds * 1000:.0f} end\n")
    stop = threading.Event()
    threading.Thread(target=churn, args=(folder, good, broken, stop, 0.5), daemon=True).start()
    start = time.monotonic()
    with open(f"{WORK}/errors-{transition}.txt", "w") as errors:
        viewer = subprocess.Popen(
            [f"{WORK}/vitrine", "--headless", "640x400", "--refresh", "20", "--script", f"{WORK}/script.txt",
             "--trace", "-", "--slideshow", "0.2", "--set", f"slideshow.transition={transition}",
             "--set", "slideshow.transition_time=100", "--viewer", folder],
            stdout=subprocess.PIPE, stderr=errors, text=True,
            env={**os.environ, "XDG_CACHE_HOME": f"{WORK}/cache", "XDG_STATE_HOME": f"{WORK}/state"})
    shown, last, names, sizes, growth, counts = 0, None, set(), [], [], []
    sampled = 0
    for line in viewer.stdout:
        try:
            path = json.loads(line).get("path")
        except ValueError:
            continue
        if path == last:
            continue
        last = path
        shown += 1
        names.add(path)
        if shown - sampled >= max(slides // 100, 10):
            sampled = shown
            size, count = sum(memory(viewer.pid).values()), descriptors(viewer.pid)
            # Zero after the end of the viewer, whose last lines are still in the pipe.
            if size and count:
                sizes.append((shown, size))
                growth.append((shown, own_memory(viewer.pid)))
                counts.append((shown, count))
    viewer.wait()
    stop.set()
    size, flat = verdict(growth, 10000, "MiB", 1)
    count, closed = verdict(counts, 10000, "descriptors", 0.5)
    row(transition, f"{shown:,}", f"{time.monotonic() - start:.0f} s", f"{len(names):,}",
        f"{sizes[0][1]:.0f} to {sizes[-1][1]:.0f} MiB, at most {max(s for _, s in sizes):.0f}", size,
        f"{counts[0][1]} to {counts[-1][1]}", count)
    return flat and closed and viewer.returncode == 0


def touch(rng):
    """A tap, a page, a pan or a pinch at random, as a script."""
    lines, x, y = [], rng.uniform(300, 1600), rng.uniform(200, 900)
    kind = rng.choice(["tap", "page", "pan", "pinch"])
    fingers = 2 if kind == "pinch" else 1
    steps = 1 if kind == "tap" else 30
    dx, dy = (rng.choice([-12, 12]), 0) if kind == "page" else (rng.uniform(-6, 6), rng.uniform(-6, 6))
    for step in range(steps):
        for finger in range(fingers):
            side = 1 - 2 * finger
            place = f"{x + side * (60 if fingers > 1 else 0) + side * dx * step:.1f} {y + dy * step:.1f}"
            lines.append(f"{step * 8} touch {'down' if step == 0 else 'move'} {finger} {place}")
        lines.append(f"{step * 8} touch frame")
    lines += [f"{steps * 8 + 60} touch up {finger}" for finger in range(fingers)]
    return "\n".join(lines + [f"{steps * 8 + 60} touch frame"]).encode()


# What a run in real time may grow by in an hour, in MiB and descriptors; which part of its frames may be late;
# and how often the viewer may wake up between two slides, a second. Caches fill in the first hour.
MOST_GROWTH, MOST_DESCRIPTORS, MOST_LATE, MOST_WAKE_UPS = 8, 1, 0.01, 2


def real(seconds):
    """A slideshow in Sway with a random hand; whether nothing grows, stutters or runs without need."""
    folder = f"{WORK}/real"
    good, broken = pictures(folder, "3000x2000")
    interval = 4
    os.mkfifo(f"{WORK}/trace")
    os.chmod(f"{WORK}/trace", 0o666)
    frames = {"all": 0, "late": 0, "slides": 0}

    def read():
        last = None
        with open(f"{WORK}/trace") as trace:
            for line in trace:
                try:
                    frame = json.loads(line)
                except ValueError:
                    continue
                frames["all"] += 1
                frames["late"] = frame.get("late_frames", frames["late"])
                if frame.get("path") != last:
                    last = frame.get("path")
                    frames["slides"] += 1

    threading.Thread(target=read, daemon=True).start()
    viewer = Viewer(WORK, ["--kiosk", "--slideshow", str(interval), "--set", "slideshow.resume=6",
                           "--trace", f"{WORK}/trace", "--viewer", folder])
    stop, hold = threading.Event(), threading.Event()
    threading.Thread(target=churn, args=(folder, good, broken, stop, 2, hold), daemon=True).start()
    rng, start = random.Random(1), time.monotonic()
    sizes, growth, counts, parts, idle, touches, unanswered = [], [], [], [], [], 0, 0
    time.sleep(10)
    while time.monotonic() - start < seconds:
        # Half of the time a hand plays, then the slideshow goes on by itself.
        for _ in range(rng.randint(1, 5)):
            reply = viewer.message("play", "-", stdin=touch(rng))
            touches += 1
            unanswered += reply.get("ok") is not True
            time.sleep(rng.uniform(0.2, 1))
        # A change of the folder is read, and painted.
        hold.set()
        time.sleep(14)
        for _ in range(4):
            # Two seconds without a frame are rest between two slides.
            before, count = frames["all"], switches(viewer.pid)
            time.sleep(2)
            if frames["all"] == before:
                idle.append((switches(viewer.pid) - count) / 2)
        hold.clear()
        minutes = (time.monotonic() - start) / 60
        parts.append((minutes, memory(viewer.pid)))
        sizes.append((minutes, sum(parts[-1][1].values())))
        growth.append((minutes, own_memory(viewer.pid)))
        counts.append((minutes, descriptors(viewer.pid)))
    stop.set()
    alive = bool(viewer.message("state"))
    viewer.stop()
    size, flat = verdict(growth, 60, "MiB", MOST_GROWTH)
    count, closed = verdict(counts, 60, "descriptors", MOST_DESCRIPTORS)
    idle.sort()
    rest = f"{idle[len(idle) // 2]:.1f} a second (at most {idle[-1]:.1f}, {len(idle)} rests)" if idle else "no rest"
    print()
    row("time", "slides", "touches", "frames", "late frames", "memory", "in an hour", "descriptors",
        "in an hour", "wake-ups between slides")
    row(*["---"] * 10)
    row(f"{seconds / 60:.0f} min", frames["slides"], touches, frames["all"], frames["late"],
        f"{sizes[0][1]:.0f} to {sizes[-1][1]:.0f} MiB, at most {max(s for _, s in sizes):.0f}", size,
        f"{counts[0][1]} to {counts[-1][1]}", count, rest)
    print()
    row("after", "memory by process")
    row(*["---"] * 2)
    for eighth in range(9):
        minutes, sizes_now = parts[(len(parts) - 1) * eighth // 8]
        row(f"{minutes:.0f} min", ", ".join(f"{name} {size:.0f}" for name, size in sorted(sizes_now.items())))
    if unanswered:
        print(f"{unanswered} gestures were not answered")
    good = {
        "alive": alive, "answers": not unanswered, "memory": flat, "descriptors": closed,
        "late frames": frames["late"] <= MOST_LATE * frames["all"],
        "rest": bool(idle) and idle[len(idle) // 2] <= MOST_WAKE_UPS,
    }
    missed = [name for name, holds in good.items() if not holds]
    if missed:
        print("not within the limits: " + ", ".join(missed))
    return not missed


def photographs():
    """The memory of a slideshow of photographs; whether it is at most 100 MiB."""
    folder = f"{WORK}/photographs"
    os.makedirs(folder)
    for seed in range(8):
        subprocess.run(["/usr/bin/convert", "-seed", str(seed), "-size", "6000x4000", "plasma:steelblue-tan",
                        "-attenuate", "0.3", "+noise", "Gaussian", "-sampling-factor", "2x2",
                        "-quality", "88", f"{folder}/{seed}.jpg"], check=True)
    row("transition", "highest", "median", "at the highest, by process")
    row(*["---"] * 4)
    within = True
    for transition in ["cut", "fade"]:
        viewer = Viewer(WORK, ["--kiosk", "--slideshow", "5", "--set", f"slideshow.transition={transition}",
                               "--viewer", folder])
        time.sleep(5)
        samples = []
        for _ in range(180):
            parts = memory(viewer.pid)
            samples.append((sum(parts.values()), parts))
            time.sleep(0.25)
        viewer.stop()
        samples.sort(key=lambda sample: sample[0])
        highest, parts = samples[-1]
        row(transition, f"{highest:.0f} MiB", f"{samples[len(samples) // 2][0]:.0f} MiB",
            ", ".join(f"{name} {size:.0f}" for name, size in parts.items()))
        within = within and highest <= 100
    return within


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--slides", type=int, default=100_000)
    parser.add_argument("--minutes", type=float, default=45)
    parser.add_argument("--days", type=float, default=0)
    parser.add_argument("--photographs", action="store_true")
    options = parser.parse_args(sys.argv[2:])
    if options.photographs:
        sys.exit(0 if photographs() else 1)
    passed = True
    if options.slides:
        row("transition", "slides", "time", "different files", "memory", "in 10,000 slides", "descriptors",
            "in 10,000 slides")
        row(*["---"] * 8)
        for transition in ["cut", "fade"]:
            passed = accelerated(options.slides // 2, transition) and passed
            shutil.rmtree(f"{WORK}/{transition}")
    seconds = options.days * 86400 or options.minutes * 60
    if seconds:
        passed = real(seconds) and passed
    sys.exit(0 if passed else 1)


main()
