"""In the guest, as root: the touchscreen, the compositor and the viewer."""
import glob
import json
import os
import re
import select
import socket
import struct
import subprocess
import time

FOLDER = "/run/touchscreen"
PROGRAMS = "/usr/local/lib/touchscreen"
HOME = "/home/person"
RUNTIME = "/run/user/1000"
WIDTH, HEIGHT = 1280, 800


class Monitor:
    """QEMU's monitor, at the other end of a virtio port."""

    def __init__(self):
        self.port = os.open("/dev/virtio-ports/monitor", os.O_RDWR)
        self.rest, self.count = b"", 0
        # An earlier program may have left answers, and has opened the monitor.
        self.send("qmp_capabilities")
        self.read(0.5)
        self.rest = b""

    def read(self, wait):
        while select.select([self.port], [], [], wait)[0]:
            piece = os.read(self.port, 1 << 16)
            if not piece:
                time.sleep(0.05)
                return
            self.rest, wait = self.rest + piece, 0

    def send(self, command, **arguments):
        self.count += 1
        message = {"execute": command, "arguments": arguments, "id": self.count}
        os.write(self.port, json.dumps(message).encode() + b"\n")
        return self.count

    def ask(self, command, **arguments):
        number, end = self.send(command, **arguments), time.monotonic() + 60
        while time.monotonic() < end:
            self.read(0.05)
            while b"\n" in self.rest:
                text, self.rest = self.rest.split(b"\n", 1)
                try:
                    reply = json.loads(text)
                except ValueError:
                    continue
                if reply.get("id") == number:
                    if "error" in reply:
                        raise RuntimeError(f"{command}: {reply['error']}")
                    return reply["return"]
        raise RuntimeError(f"{command}: no answer")


class Touchscreen:
    """The multi-touch device of the machine."""

    def __init__(self, monitor):
        self.monitor = monitor
        self.tracking = {}
        self.count = int(time.monotonic() * 10) % 30000

    def reports(self, kind, slot, x, y):
        def report(what, axis="x", value=0):
            data = {"type": what, "slot": slot, "tracking-id": self.tracking.get(slot, -1), "axis": axis,
                    "value": value}
            return {"type": "mtt", "data": data}

        def button(is_down):
            return {"type": "btn", "data": {"button": "touch", "down": is_down}}

        if kind == "up":
            self.tracking.pop(slot, None)
            return [report("end")] + ([] if self.tracking else [button(False)])
        begin = [report("update")]
        if kind == "down":
            self.count += 1
            begin = [] if self.tracking else [button(True)]
            self.tracking[slot] = self.count
            begin.append(report("begin"))
        place = [
            report("data", axis, min(max(round(value / size * 32768), 0), 32767))
            for axis, value, size in (("x", x, WIDTH), ("y", y, HEIGHT))
        ]
        return begin + place

    def play(self, events):
        """Plays a timeline; returns [(ms of CLOCK_MONOTONIC, kind, slot, x, y)]."""
        moments = {}
        for event in events:
            moments.setdefault(round(event[0], 3), []).append(event)
        start, sent = time.monotonic() + 0.03, []
        for moment in sorted(moments):
            wait = start + moment / 1000 - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            reports = []
            for event in moments[moment]:
                if event[1] == "do":
                    event[2]()
                else:
                    reports += self.reports(*event[1:])
                    sent.append((time.monotonic() * 1000, *event[1:]))
            if reports:
                self.monitor.send("input-send-event", events=reports)
            self.monitor.read(0)
        return sent

    def unplug(self):
        self.tracking.clear()
        self.monitor.ask("device_del", id="touch0")

    def plug(self):
        self.monitor.ask("device_add", driver="virtio-multitouch-pci", id="touch0", bus="slot1")

    @staticmethod
    def is_there():
        with open("/proc/bus/input/devices") as file:
            return "MultiTouch" in file.read()


class Lab:
    def __init__(self, compositor, group):
        self.compositor, self.group = compositor, group
        self.monitor = Monitor()
        self.screen = Touchscreen(self.monitor)
        self.viewers = []
        self.results, self.exits = [], {}
        os.makedirs(FOLDER, exist_ok=True)
        os.chmod(FOLDER, 0o777)

    # Session

    def environment(self):
        env = {"XDG_RUNTIME_DIR": RUNTIME, "HOME": HOME, "USER": "person", "LANG": "C.UTF-8",
               "PATH": "/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": f"unix:path={RUNTIME}/bus"}
        names = sorted(p for p in glob.glob(f"{RUNTIME}/wayland-*") if not p.endswith(".lock"))
        if names:
            env["WAYLAND_DISPLAY"] = os.path.basename(names[-1])
        return env

    def session(self):
        """Waits for the compositor; starts it in place of another one."""
        names = {"sway": "sway", "cage": "cage", "gnome": "gnome-shell"}
        if not self.runs(names[self.compositor]):
            with open("/run/session", "w") as file:
                file.write(self.compositor)
            for name in names.values():
                subprocess.run(["pkill", "-x", name], check=False)
            self.until(lambda: not any(self.runs(n) for n in names.values() if n != names[self.compositor]), 30)
            for path in glob.glob(f"{RUNTIME}/wayland-*"):
                os.remove(path)
            subprocess.run(["systemctl", "restart", "getty@tty1"], check=True)
        self.until(lambda: "WAYLAND_DISPLAY" in self.environment(), 240)
        time.sleep(3)
        self.leave_overview()

    def leave_overview(self):
        """GNOME starts in its overview, which takes all touches."""
        if self.compositor == "gnome":
            self.until(self.has_left_overview, 120)

    def has_left_overview(self):
        return "true" in self.output(
            "gdbus", "call", "--session", "-d", "org.gnome.Shell", "-o", "/org/gnome/Shell",
            "-m", "org.gnome.Shell.Eval",
            # A window that opens during the overview gets no focus, and so no full screen.
            "Main.overview.hide(); for (const actor of global.get_window_actors()) actor.meta_window.activate(0);"
            "!Main.overview.visible")

    @staticmethod
    def runs(name):
        return subprocess.run(["pgrep", "-x", name], stdout=subprocess.DEVNULL, check=False).returncode == 0

    @staticmethod
    def until(condition, seconds):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise RuntimeError("waited in vain")
            time.sleep(0.25)

    def as_person(self, function, *command, **options):
        return function(command, env=self.environment(), cwd=HOME, user=1000, group=1000,
                        extra_groups=os.getgrouplist("person", 1000), **options)

    def output(self, *command):
        """What a program of the person prints."""
        return self.as_person(subprocess.run, *command, capture_output=True, text=True, timeout=120,
                              check=False).stdout

    def turn(self, transform):
        """Turns the output: normal, 90, 180 or 270."""
        if self.compositor == "sway":
            with socket.socket(socket.AF_UNIX) as ipc:
                ipc.settimeout(30)
                ipc.connect(glob.glob(f"{RUNTIME}/sway-ipc.*")[0])
                command = f"output * transform {transform}".encode()
                ipc.sendall(b"i3-ipc" + struct.pack("=II", len(command), 0) + command)
                ipc.recv(4096)
        else:
            self.output("wlr-randr", "--output", "Virtual-1", "--transform", transform)

    # Viewers

    def start(self, name, *arguments):
        """Starts a viewer, which writes a trace and a record; waits for its first frame."""
        viewer = Viewer(self, name, arguments)
        self.viewers.append(viewer)
        self.viewer = viewer
        viewer.wait()
        return viewer

    def shot(self, label):
        """The screen, in the folder of the host."""
        name = re.sub("[^a-z0-9]+", "-", f"{self.compositor} {self.name} {label}".lower())
        self.monitor.ask("screendump", filename=f"/lab/shots/{name}.ppm")
        self.shots[label] = name + ".ppm"

    def note(self, label, shot=False):
        """An event of a timeline: the state, and with `shot` the screen."""

        def take():
            if shot:
                self.shot(label)
            self.states[label] = self.viewer.state()

        return take

    def gesture(self, name, play):
        """Plays a gesture and keeps what is known about it."""
        self.name, self.sent, self.states, self.shots, self.facts = name, [], {}, {}, {}
        begin = time.monotonic() * 1000
        marks = [viewer.trace_size() for viewer in self.viewers]
        error = None
        try:
            self.leave_overview()
            play(self)
        except (OSError, RuntimeError) as problem:
            error = str(problem)
        self.results.append({
            "name": name, "viewer": self.viewer.name, "error": error, "sent": self.sent, "states": self.states,
            "shots": self.shots, "facts": self.facts, "from": begin, "to": time.monotonic() * 1000,
            "traces": {v.name: [mark, v.trace_size()] for v, mark in zip(self.viewers, marks)}})
        self.save()
        print(f"played: {self.compositor}, {name}" + (f": {error}" if error else ""), flush=True)

    def save(self):
        with open(f"{FOLDER}/{self.compositor}-{self.group}.json", "w") as file:
            json.dump({"results": self.results, "exits": self.exits}, file)

    def play(self, events, wait=0.0):
        """Plays a timeline, then waits for rest; the states before and after are `before` and `rest`."""
        if "before" not in self.states:
            self.states["before"] = self.viewer.rest()
        self.sent += self.screen.play(events)
        if wait:
            time.sleep(wait)
        self.states["rest"] = self.viewer.rest()

    def ready(self, number=4, zoom="fit"):
        """The viewer at rest with a picture and without bars and menus.

        A state is that of the last frame. GNOME takes seconds for the first ones of its first window.
        """
        viewer = self.viewer
        state = viewer.state()
        for member, command in (("menu", "menu"), ("info", "information"), ("chrome", "chrome")):
            if state.get("ui", {}).get(member):
                viewer.message("do", command)
        viewer.message("viewer")
        viewer.message("zoom", "fit")
        viewer.message("goto", number)
        self.until(lambda: viewer.shows(number - 1), 60)
        # From fit, a zoom is about the middle.
        viewer.rest()
        if zoom != "fit":
            viewer.message("zoom", zoom)
            self.until(lambda: viewer.state().get("zoom") == zoom, 60)
        self.states["before"] = viewer.rest()

    def grid(self):
        viewer = self.viewer
        viewer.message("grid")
        viewer.rest()
        viewer.message("do", "first")
        viewer.message("do", "default-columns")
        self.states["before"] = viewer.rest()


class Viewer:
    def __init__(self, lab, name, arguments):
        self.lab, self.name = lab, f"{lab.compositor}-{name}"
        self.socket = f"{RUNTIME}/vitrine-{name}.sock"
        self.trace, self.record = (f"{FOLDER}/{self.name}.{kind}" for kind in ("trace", "record"))
        self.log = open(f"{FOLDER}/{self.name}.log", "w")
        self.process = lab.as_person(
            subprocess.Popen, f"{PROGRAMS}/vitrine", "--socket", self.socket, "--trace", self.trace, "--record",
            self.record, *arguments, stdout=self.log, stderr=self.log, start_new_session=True)

    def wait(self):
        self.lab.until(lambda: "image" in self.state() or "grid" in self.state() or self.process.poll() is not None,
                       120)
        if self.process.poll() is not None:
            raise RuntimeError(f"the viewer has ended with {self.process.returncode}")
        self.rest(20)

    def message(self, command, *arguments):
        with socket.socket(socket.AF_UNIX) as peer:
            peer.settimeout(30)
            try:
                # The viewer talks to its own user only.
                os.seteuid(1000)
                try:
                    peer.connect(self.socket)
                finally:
                    os.seteuid(0)
                peer.sendall(json.dumps({"command": command, "arguments": list(arguments)}).encode() + b"\n")
                data = b""
                while not data.endswith(b"\n"):
                    piece = peer.recv(1 << 16)
                    if not piece:
                        break
                    data += piece
                return json.loads(data)
            except (OSError, ValueError) as error:
                return {"error": repr(error)}

    def state(self):
        return self.message("state")

    def shows(self, index):
        """Whether the last frame shows a picture."""
        state = self.state()
        return state.get("mode") == "viewer" and state.get("index") == index and "image" in state

    def rest(self, seconds=10.0):
        """The state once it has been the same for 0.25 s."""
        end, last = time.monotonic() + seconds, None
        while time.monotonic() < end:
            state = self.state()
            if last is not None and state.get("t") == last.get("t") and "error" not in state:
                return state
            last = state
            time.sleep(0.25)
        return last

    def trace_size(self):
        return os.path.getsize(self.trace) if os.path.exists(self.trace) else 0

    def quit(self):
        """Ends the viewer; returns its exit code."""
        if self.process.poll() is None:
            self.message("quit")
        try:
            code = self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = "none within 30 s"
        return code
