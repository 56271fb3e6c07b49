"""The part of meson-helpers/kiosk/recipes that runs the recipes: see there.

Usage: recipes.py FOLDER_OF_PROGRAMS RECIPES WORK [NAME…]

Plays the part of a user's service manager for one unit at a time: ExecStart, Restart, RestartSec, the
notifications and the watchdog, and the end of all processes of a unit. A container has no systemd that
could do so.
"""

import json
import os
import pathlib
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time

PROGRAMS, RECIPES, WORK = (pathlib.Path(text) for text in sys.argv[1:4])
HOME, RUNTIME = WORK / "home", WORK / "run"
# What stands in for a screen; all else is as the recipe says.
HEADLESS = {"WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1"}
MUTTER = ["--headless", "--virtual-monitor", "1280x800@60"]
LIMIT = 60


def unit(path):
    """Section → key → values."""
    found, section = {}, None
    for line in path.read_text().splitlines():
        line = line.strip()
        if not line or line[0] in "#;":
            continue
        if line[0] == "[":
            section = found.setdefault(line[1:-1], {})
            continue
        key, value = line.split("=", 1)
        section.setdefault(key, []).append(value.replace("%h", str(HOME)).replace("%t", str(RUNTIME)))
    return found


def processes():
    """Parent by process, and the command by process."""
    parents, names = {}, {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            text = pathlib.Path("/proc", entry, "stat").read_text()
        except OSError:
            continue
        name, rest = text.split("(", 1)[1].rsplit(")", 1)
        state, parent = rest.split()[:2]
        if state != "Z":
            parents[int(entry)], names[int(entry)] = int(parent), name
    return parents, names


def descendants(of):
    parents, names = processes()
    found = []
    for process in parents:
        each = process
        while each in parents and each != of:
            each = parents[each]
        if each == of and process != of:
            found.append((process, names[process]))
    return found


class Service:
    """One unit, started and watched as systemd does."""

    def __init__(self, name):
        self.name = name
        section = unit(RECIPES / f"vitrine-{name}.service")["Service"]
        last = lambda key, default: section.get(key, [default])[-1]
        self.command = shlex.split(last("ExecStart", ""))
        if name == "mutter":
            self.command[1:1] = MUTTER
            self.command.remove("--display-server")
        self.restart, self.pause = last("Restart", "no"), float(last("RestartSec", "0.1"))
        self.watchdog = float(last("WatchdogSec", "0"))
        self.patience = float(last("TimeoutStopSec", "90"))
        assert last("Type", "") == "notify" and last("NotifyAccess", "") == "all"
        self.notify = WORK / "notify"
        self.notify.unlink(missing_ok=True)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(self.notify))
        self.socket.setblocking(False)
        self.notify.chmod(0o666)
        self.starts, self.due, self.process = 0, time.monotonic(), None
        self.signs = []

    def environment(self):
        return {
            "PATH": f"{PROGRAMS}:/usr/local/bin:/usr/bin:/bin", "HOME": str(HOME), "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": str(RUNTIME), "NOTIFY_SOCKET": str(self.notify),
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={RUNTIME}/bus",
            "WATCHDOG_USEC": str(int(self.watchdog * 1e6)), **HEADLESS}

    def start(self):
        log = open(WORK / f"{self.name}.log", "ab")
        # systemd says for which process the watchdog is meant.
        shell = 'WATCHDOG_PID=$$ exec "$@"'
        self.process = subprocess.Popen(
            ["sh", "-c", shell, "sh", *self.command], env=self.environment(), cwd=HOME,
            stdout=log, stderr=log, start_new_session=True)
        self.starts += 1
        self.signs.append(time.monotonic())

    def turn(self):
        """What a service manager does now and then."""
        try:
            while True:
                if b"WATCHDOG=1" in self.socket.recv(4096):
                    self.signs.append(time.monotonic())
        except BlockingIOError:
            pass
        if self.process is None:
            if self.due is not None and time.monotonic() >= self.due:
                self.start()
            return
        code = self.process.poll()
        if code is None:
            if self.watchdog and time.monotonic() - self.signs[-1] > self.watchdog:
                self.process.send_signal(signal.SIGABRT)
                self.signs.append(time.monotonic())
            return
        self.end()
        again = self.restart == "always" or self.restart == "on-failure" and code != 0
        self.due = time.monotonic() + self.pause if again else None

    def end(self):
        """Ends what is left of the unit, as systemd does by the control group."""
        for number, seconds in ((signal.SIGTERM, self.patience), (signal.SIGKILL, LIMIT)):
            end = time.monotonic() + seconds
            left = self.left()
            for process in left:
                try:
                    os.kill(process, number)
                except ProcessLookupError:
                    pass
            while left and time.monotonic() < end:
                time.sleep(0.02)
                reap()
                left = self.left()
        self.process = None

    def left(self):
        """The processes of the unit: the session bus and its services have the session of this process."""
        found = []
        for each, _ in descendants(os.getpid()):
            try:
                if os.getsid(each) != os.getsid(0):
                    found.append(each)
            except ProcessLookupError:
                pass
        return found

    def find(self, name):
        return [each for each, command in descendants(os.getpid()) if command == name]


def reap():
    """Collects orphans of the unit."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def state():
    """The last frame of the only viewer, and its process; nothing if it does not answer."""
    sockets = list(RUNTIME.glob("vitrine-*.sock"))
    for path in sockets:
        try:
            peer = socket.socket(socket.AF_UNIX)
            peer.settimeout(2)
            peer.connect(str(path))
            peer.sendall(b'{"command":"state"}\n')
            line = peer.makefile().readline()
            peer.close()
            found = json.loads(line)
            if found.get("image"):
                return int(path.stem.split("-")[1]), found
        except (OSError, ValueError):
            continue
    return None


def shown(service, after=None):
    """Waits until another viewer than `after` shows a picture; its process, and the seconds."""
    start = time.monotonic()
    while time.monotonic() - start < LIMIT:
        service.turn()
        found = state()
        if found and found[0] != after:
            return found[0], time.monotonic() - start
        time.sleep(0.02)
    sys.stderr.write((WORK / f"{service.name}.log").read_text(errors="replace")[-4000:])
    raise SystemExit(f"{service.name}: no picture after {LIMIT} s")


def check(name):
    service = Service(name)
    viewer, first = shown(service)
    found = state()[1]
    assert found["fullscreen"] is True and found["count"] == 3, found
    os.kill(viewer, signal.SIGKILL)
    viewer, after_viewer = shown(service, viewer)
    # A signal that a viewer obeys is no exit of the staff.
    os.kill(viewer, signal.SIGTERM)
    viewer, _ = shown(service, viewer)
    compositor = service.find(name)
    assert len(compositor) == 1, descendants(os.getpid())
    os.kill(compositor[0], signal.SIGKILL)
    viewer, after_compositor = shown(service, viewer)
    # A viewer that hangs: the signs of life end.
    os.kill(viewer, signal.SIGSTOP)
    viewer, after_hang = shown(service, viewer)
    # The exit of the staff ends the unit for good.
    starts = service.starts
    subprocess.run(
        [PROGRAMS / "vitrine", "msg", "quit"], env=service.environment(), check=True,
        stdout=subprocess.DEVNULL)
    start = time.monotonic()
    while service.process is not None:
        assert time.monotonic() - start < LIMIT, "the unit does not end"
        service.turn()
        time.sleep(0.02)
    assert service.due is None and service.starts == starts, "the unit is started again"
    print(f"| {name} | {first:.1f} | {after_viewer:.1f} | {after_compositor:.1f} "
        f"| {after_hang:.1f} |", flush=True)


def main():
    import ctypes
    # Orphans belong to this process, as those of a unit to its control group (PR_SET_CHILD_SUBREAPER).
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    names = sys.argv[4:] or ["cage", "sway", "mutter"]
    (HOME / ".config/vitrine").mkdir(parents=True, exist_ok=True)
    shutil.copy(RECIPES / "vitrine-sway.conf", HOME / ".config/vitrine")
    subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--nosyslog", f"--address=unix:path={RUNTIME}/bus"],
        env={"PATH": "/usr/bin:/bin", "HOME": str(HOME), "XDG_RUNTIME_DIR": str(RUNTIME)},
        stdout=subprocess.DEVNULL, stderr=open(WORK / "bus.log", "wb"))
    print(
        "| recipe | seconds to the first picture | after SIGKILL of the viewer | of the compositor "
        "| after a hang |")
    print("| --- | --- | --- | --- | --- |", flush=True)
    try:
        for name in names:
            check(name)
    finally:
        for process, _ in descendants(os.getpid()):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass


main()
