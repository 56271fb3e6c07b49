"""Frames of cross-fades and of the slow pan and zoom in Sway on machines of several speeds; see fades."""

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time

from wall import Viewer, tree

WORK = sys.argv[1]
MACHINES = {
    "4k-two-cores": ("3840×2160, two cores", "3840x2160", None, False),
    "4k-one-core": ("3840×2160, one core", "3840x2160", "0", False),
    "hd-half-a-core": ("1920×1080, half of one core", "1920x1080", "0", True),
}
INTERVAL, FADE = 4, 1000
PERIOD = 1000 / 60


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def photographs(folder):
    """Eight photographs in a folder, every fourth one upright."""
    os.makedirs(folder)
    for seed in range(8):
        small, size = ("1000x1500", "4000x6000") if seed % 4 == 3 else ("1500x1000", "6000x4000")
        subprocess.run(["/usr/bin/convert", "-seed", str(seed), "-size", small, "plasma:steelblue-tan",
                        "-attenuate", "0.3", "+noise", "Gaussian", "-filter", "box", "-resize", size,
                        "-sampling-factor", "2x2", "-quality", "88", f"{folder}/{seed}.jpg"], check=True)


class Halved(threading.Thread):
    """Lets a process and its descendants run for two of every four milliseconds."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.over = pid, threading.Event()

    def run(self):
        processes, checked = [], 0
        while not self.over.is_set():
            if time.monotonic() - checked > 0.5:
                processes, checked = tree(self.pid), time.monotonic()
            for number in [signal.SIGSTOP, signal.SIGCONT]:
                for process in processes:
                    try:
                        os.kill(process, number)
                    except OSError:
                        pass
                time.sleep(0.002)


def quantile(values, share):
    values = sorted(values)
    return values[min(int(len(values) * share), len(values) - 1)] if values else 0


def play(name, seconds, folder):
    """Plays on one machine; prints a row of the table."""
    title, size, processor, halved = MACHINES[name]
    trace = f"{WORK}/trace"
    if not os.path.exists(trace):
        os.mkfifo(trace)
        os.chmod(trace, 0o666)
    frames, counting = [], threading.Event()

    def read():
        with open(trace) as lines:
            for line in lines:
                if not counting.is_set():
                    continue
                try:
                    frame = json.loads(line)
                except ValueError:
                    continue
                if "paint_ms" in frame:
                    frames.append((frame["paint_ms"], frame["resolution"], frame["t"],
                                   "transition" in frame.get("slideshow", {}), frame["path"]))

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    # The compositor keeps both processors.
    pin = f"taskset -cp {processor} $$ >/dev/null" if processor is not None else ""
    viewer = Viewer(WORK, ["--kiosk", "--slideshow", str(INTERVAL), "--trace", trace,
                           "--set", f"slideshow.transition_time={FADE}",
                           "--set", "slideshow.motion=pan-zoom", "--viewer", folder],
                    size=size, before=pin)
    throttle = Halved(viewer.pid) if halved else None
    if throttle:
        throttle.start()
    # The first pictures, and the governor learns the machine.
    time.sleep(3 * INTERVAL)
    counting.set()
    time.sleep(seconds)
    counting.clear()
    if throttle:
        throttle.over.set()
        throttle.join()
    viewer.stop()
    if len(frames) < 2:
        row(title, "no frames")
        return False
    fades, moves = [[f for f in frames if f[3] == is_fade] for is_fade in [True, False]]
    # Sway without a screen does not report when frames were shown.
    gaps = [(b[2] - a[2], b[0]) for a, b in zip(frames, frames[1:])]
    late = sum(gap > 1.5 * PERIOD for gap, _ in gaps)
    slow = sum(gap > 1.5 * PERIOD and paint > PERIOD for gap, paint in gaps)
    slides = sum(a[4] != b[4] for a, b in zip(frames, frames[1:]))
    row(title, f"{seconds:.0f} s", slides, len(frames), f"{late} ({100 * late / len(frames):.2f} %)", slow,
        *(f"{quantile([f[0] for f in part], 0.5):.1f} ms, 99 %: {quantile([f[0] for f in part], 0.99):.1f} ms, "
          f"resolution {quantile([f[1] for f in part], 0.5):g}" for part in [fades, moves]))
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("machines", nargs="*", choices=[[], *MACHINES])
    options = parser.parse_args(sys.argv[2:])
    folder = f"{WORK}/photographs"
    photographs(folder)
    row("machine", "time", "slides", "frames", "frames after a gap", "of these painted for more than a period",
        "paint in a fade", "paint between fades")
    row(*["---"] * 8)
    played = [play(name, options.seconds, folder) for name in options.machines or MACHINES]
    sys.exit(0 if all(played) else 1)


main()
