"""The part of meson-helpers/kiosk/drill that measures: drill.py FOLDER [COMPOSITOR…]."""

import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

from wall import AS_USER, Viewer, tree

WORK = sys.argv[1]
COMPOSITORS = sys.argv[2:] or ["sway", "mutter", "weston", "cage"]
DOCUMENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Sources/Documentation/kiosk.md")
SIZE = "1280x800"
INTERVAL = 2
# An empty screen for longer than this, and a message that waits longer, count as a failure, in seconds.
MOST_EMPTY = 2
MOST_SILENT = 1
# The compositors whose screen can be read; elsewhere only the messages of the viewer tell what is shown.
# Of a headless cage grim reads black while one surface covers the output and does not change: imv, too.
SEEN = ["sway", "mutter", "weston"]

NO_SLIDESHOW = "no slideshow"

# Asks for the state 20 times a second, and prints the time of the question and of the answer, the path and
# the message on the screen.
ASKER = """
import json, socket, sys, time
peer = socket.socket(socket.AF_UNIX)
peer.connect(sys.argv[1])
lines = peer.makefile("r")
while True:
    asked = time.monotonic()
    peer.sendall(b'{"command":"state"}\\n')
    line = lines.readline()
    if not line: break
    state = json.loads(line)
    print(asked, time.monotonic(), json.dumps([state.get("path"), state.get("ui", {}).get("message")]),
          flush=True)
    time.sleep(0.05)
"""


def source(number):
    """The bytes of a colourful picture."""
    name = f"{WORK}/source-{number}.jpg"
    if not os.path.exists(name):
        subprocess.run(["/usr/bin/convert", "-seed", str(number), "-size", "1600x1000", "plasma:",
                        "-quality", "85", name], check=True)
    with open(name, "rb") as file:
        return file.read()


def write(path, content):
    """Writes a file beside and renames it."""
    with open(path + ".part", "wb") as file:
        file.write(content)
    os.chmod(path + ".part", 0o644)
    os.rename(path + ".part", path)


def fill(folder, count=8):
    os.makedirs(folder, exist_ok=True)
    for number in range(count):
        write(f"{folder}/{number:02}.jpg", source(number % 6))


def processes(pid, name):
    found = []
    for process in tree(pid):
        try:
            with open(f"/proc/{process}/comm") as file:
                if file.read().strip() == name:
                    found.append(process)
        except OSError:
            pass
    return found


class Drill:
    """A slideshow in a compositor, with an asker and an eye on the screen."""

    def __init__(self, compositor, options=()):
        self.compositor = compositor
        self.folder = f"{WORK}/pictures"
        # Only programs of the session see a screen cast.
        before = "./mutter-eye ./mutter-play eye.txt 2>eye-errors.txt &" if compositor == "mutter" else ""
        self.viewer = Viewer(WORK, [
            "--kiosk", "--reconnect", "--slideshow", str(INTERVAL), "--set", "slideshow.transition_time=300",
            "--set", "slideshow.resume=1", *options, "--viewer", self.folder], compositor, SIZE, before)
        self.answers, self.screens, self.messages = [], [], []
        self.over = threading.Event()
        Viewer.wait(lambda: self.viewer.path(), 20)
        self.asker = subprocess.Popen(
            [*AS_USER, "python3", "-c", ASKER, f"{WORK}/control"], stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self.listen, daemon=True).start()
        if compositor in SEEN:
            threading.Thread(target=self.watch, daemon=True).start()

    def listen(self):
        for line in self.asker.stdout:
            asked, answered, state = line.split(" ", 2)
            path, message = json.loads(state)
            self.answers.append((float(asked), float(answered), path))
            if message:
                self.messages.append((float(asked), message))

    def watch(self):
        eye = {"sway": self.viewer.colours, "mutter": self.mutter_colours, "weston": self.weston_colours}
        while not self.over.wait(0.25):
            at = time.monotonic()
            self.screens.append((at, eye[self.compositor]()))

    @staticmethod
    def mutter_colours():
        """How many colours the screen of mutter has since its last change; None if it cannot be seen."""
        try:
            with open(f"{WORK}/eye.txt", encoding="utf-8") as file:
                lines = file.read().splitlines()
            return int(lines[-1].split()[1]) or None
        except (OSError, IndexError):
            return None

    def weston_colours(self):
        """How many colours are on the screen of weston; None if it cannot be read."""
        self.viewer.run("weston-screenshooter", seconds=5)
        colours = None
        for file in glob.glob(f"{WORK}/wayland-screenshot-*.png"):
            found = subprocess.run(["/usr/bin/convert", file, "-sample", "64x40", "-format", "%k", "info:"],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
            colours = int(found) if found.isdigit() else colours
            os.remove(file)
        return colours

    def seen(self, since, until):
        """What was shown: how many pictures, by the viewer's own account, and messages in their place."""
        shown = {path for asked, answered, path in self.answers if since <= asked <= until}
        messages = {message for at, message in self.messages if since <= at <= until}
        count = "1 picture" if len(shown) == 1 else f"{len(shown)} pictures"
        return "; ".join(sorted(messages)) if messages else count

    def next_slides(self, since, count=2, seconds=40):
        """Waits until so many other pictures were shown; when the first of them was, None if they were not."""
        def changes():
            shown = [(answered, path) for asked, answered, path in self.answers if asked >= since]
            return [new for old, new in zip(shown, shown[1:]) if old[1] != new[1]]
        if Viewer.wait(lambda: len(changes()) >= count, seconds) is None:
            return None
        return changes()[0][0]

    def silence(self, since, until):
        """The longest time without an answer that began after `since`, in seconds."""
        times = [answered for asked, answered, path in self.answers if asked >= since - 1]
        longest = max((b - a for a, b in zip(times, times[1:])), default=0)
        return max(longest, until - times[-1] if times else until - since)

    def emptiness(self, since, until):
        """The longest time of a screen of one colour, in seconds; None if no screen was read."""
        if not any(colours for at, colours in self.screens if since <= at <= until):
            return None
        longest, begun = 0, None
        for at, colours in self.screens:
            # No colour: a screen that cannot be read, as that of a compositor that stands still.
            if since <= at <= until and colours == 1:
                begun = at if begun is None else begun
                longest = max(longest, at - begun)
            else:
                begun = None
        return longest

    def compositor_pid(self):
        found = processes(self.viewer.session.pid, self.compositor)
        return found[0] if found else None

    def restart(self):
        """Starts the compositor again as it was started."""
        environment = {k: v for k, v in self.viewer.environment().items() if k != "WAYLAND_DISPLAY"}
        command = {
            "sway": ["sway", "-c", "sway.conf"],
            "weston": ["weston", "--backend=headless-backend.so", "--use-pixman", "--no-config", "--debug",
                       "--socket=vitrine-test", "--width=1280", "--height=800"],
            "mutter": ["mutter", "--headless", "--wayland", "--no-x11", "--virtual-monitor", f"{SIZE}@60",
                       "--wayland-display", "vitrine-test"],
        }[self.compositor]
        self.other = subprocess.Popen([*AS_USER, *command], env=environment, cwd=WORK,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def swaymsg(self, *words):
        # The socket of another Sway has another name.
        sockets = [name for name in os.listdir(f"{WORK}/run") if name.startswith("sway-ipc")]
        newest = max(sockets, key=lambda name: os.path.getmtime(f"{WORK}/run/{name}"))
        self.viewer.run("swaymsg", "-s", f"{WORK}/run/{newest}", *words, seconds=5)

    def end(self):
        self.over.set()
        self.asker.kill()
        alive = os.path.exists(f"/proc/{self.viewer.pid}")
        self.viewer.stop()
        if hasattr(self, "other"):
            self.other.kill()
            self.other.wait()
        return alive


def signal_all(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except OSError:
            pass


# Each fault is a function of the drill that lets it happen and returns when it was over: the recovery counts
# from that moment on.

def nothing(drill):
    time.sleep(4)
    return time.monotonic()


def compositor_killed(drill):
    signal_all([drill.compositor_pid()], signal.SIGKILL)
    time.sleep(3)
    drill.restart()
    return time.monotonic()


def compositor_stopped(drill):
    pid = drill.compositor_pid()
    signal_all([pid], signal.SIGSTOP)
    time.sleep(12)
    signal_all([pid], signal.SIGCONT)
    return time.monotonic()


def rotated(drill):
    drill.swaymsg("output", "HEADLESS-1", "transform", "90")
    return time.monotonic()


def decoders_killed(drill):
    signal_all(processes(drill.viewer.pid, "vitrine-decode"), signal.SIGKILL)
    return time.monotonic()


def decoders_crash(drill):
    end = time.monotonic() + 8
    while time.monotonic() < end:
        signal_all(processes(drill.viewer.pid, "vitrine-decode"), signal.SIGKILL)
        time.sleep(0.02)
    return time.monotonic()


def server_killed(drill):
    signal_all(processes(drill.viewer.pid, "vitrine-files"), signal.SIGKILL)
    return time.monotonic()


def suspended(drill):
    pids = tree(drill.viewer.pid)
    signal_all(pids, signal.SIGSTOP)
    time.sleep(15)
    signal_all(pids, signal.SIGCONT)
    return time.monotonic()


def folder_hangs(drill):
    signal_all([drill.mount.pid], signal.SIGSTOP)
    time.sleep(15)
    signal_all([drill.mount.pid], signal.SIGCONT)
    return time.monotonic()


def folder_vanishes(drill):
    os.rename(drill.folder, drill.folder + "-gone")
    time.sleep(10)
    os.rename(drill.folder + "-gone", drill.folder)
    return time.monotonic()


def all_broken(drill):
    for name in os.listdir(drill.folder):
        write(f"{drill.folder}/{name}", os.urandom(4000))
    time.sleep(8)
    fill(drill.folder)
    return time.monotonic()


def half_copied(drill):
    content = source(1)
    with open(f"{drill.folder}/99.jpg", "wb") as file:
        os.chmod(file.name, 0o644)
        for part in range(10):
            file.write(content[len(content) * part // 10:len(content) * (part + 1) // 10])
            file.flush()
            time.sleep(0.8)
    return time.monotonic()


def emptied(drill):
    for name in os.listdir(drill.folder):
        os.remove(f"{drill.folder}/{name}")
    time.sleep(6)
    fill(drill.folder)
    return time.monotonic()


# Name, function, compositors, whether the screen may be empty, and whether the viewer may be silent, because
# it does not run.
FAULTS = [
    ("nothing", nothing, COMPOSITORS, False, False),
    ("the compositor is killed, and starts after 3 s", compositor_killed, ["sway", "mutter", "weston"],
     True, False),
    ("the compositor stands still for 12 s", compositor_stopped, COMPOSITORS, True, False),
    ("the screen is rotated", rotated, ["sway"], False, False),
    ("all decoders are killed", decoders_killed, COMPOSITORS, False, False),
    ("all decoders are killed 50 times a second, for 8 s", decoders_crash, COMPOSITORS, False, False),
    ("the file server is killed", server_killed, COMPOSITORS, False, False),
    ("the viewer is suspended for 15 s", suspended, COMPOSITORS, False, True),
    ("the folder does not answer for 15 s", folder_hangs, COMPOSITORS, False, False),
    ("the folder vanishes for 10 s", folder_vanishes, COMPOSITORS, False, False),
    ("all files are broken for 8 s", all_broken, ["sway"], False, False),
    ("the folder is empty for 6 s", emptied, ["sway"], False, False),
    ("a file is copied in 8 s", half_copied, ["sway"], False, False),
]


def play(compositor, fault):
    name, happen, _, may_be_empty, may_be_silent = fault
    folder = f"{WORK}/pictures"
    subprocess.run(["umount", "-l", folder], stderr=subprocess.DEVNULL)
    for leftover in [folder, folder + "-gone", f"{WORK}/real", f"{WORK}/state"]:
        shutil.rmtree(leftover, ignore_errors=True)
    mount = None
    if happen is folder_hangs:
        # A mount of a folder by a process, which is stopped: its files do not answer.
        fill(f"{WORK}/real")
        os.makedirs(folder)
        mount = subprocess.Popen(["bindfs", "-f", "-o", "allow_other", f"{WORK}/real", folder])
        Viewer.wait(lambda: os.path.ismount(folder), 5)
    else:
        fill(folder)
    os.chmod(folder, 0o755)
    if os.path.exists(f"{WORK}/eye.txt"):
        os.remove(f"{WORK}/eye.txt")
    drill = Drill(compositor)
    drill.mount = mount
    if drill.next_slides(time.monotonic(), 1) is None:
        drill.end()
        return [compositor, name, NO_SLIDESHOW, "", "", ""], False
    begun = time.monotonic()
    over = happen(drill)
    recovered = drill.next_slides(over)
    until = time.monotonic()
    silent, empty = drill.silence(begun, until), drill.emptiness(begun, until)
    seen = drill.seen(begun, over)
    alive = drill.end()
    if mount:
        mount.kill()
        mount.wait()
        subprocess.run(["umount", "-l", folder], stderr=subprocess.DEVNULL)
    good = recovered is not None and alive
    good = good and (may_be_silent or silent <= MOST_SILENT)
    good = good and (may_be_empty or empty is None or empty <= MOST_EMPTY)
    # A picture is due after the interval by itself.
    return [compositor, name, f"{recovered - over:.1f} s" if recovered else "none", seen,
            "not looked at" if empty is None else f"{empty:.1f} s",
            "stopped itself" if may_be_silent else f"{silent * 1000:.0f} ms"], good


def main():
    rows, failed = [], []
    heads = ["compositor", "fault", "next picture after its end", "on the screen meanwhile",
             "longest empty screen", "longest time without an answer"]
    lines = ["| " + " | ".join(heads) + " |", "| " + " | ".join(["---"] * len(heads)) + " |"]
    print("\n".join(lines), flush=True)
    for fault in FAULTS:
        for compositor in fault[2]:
            if compositor not in COMPOSITORS:
                continue
            cells, good = play(compositor, fault)
            if cells[2] == NO_SLIDESHOW:
                # The compositor has not started: that is not the fault to look at.
                cells, good = play(compositor, fault)
            lines.append("| " + " | ".join(cells) + " |")
            print(lines[-1] + ("" if good else "  <-- not good"), flush=True)
            if not good:
                failed.append(cells[:2])
    if not sys.argv[2:] and not failed:
        with open(DOCUMENT) as file:
            text = file.read()
        text = re.sub(r"(<!-- table drill: .*? -->\n).*?(<!-- end of table -->)",
                      lambda found: found[1] + "\n" + "\n".join(lines) + "\n\n" + found[2], text, flags=re.S)
        with open(DOCUMENT, "w") as file:
            file.write(text)
    sys.exit(1 if failed else 0)


main()
