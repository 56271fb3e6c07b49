"""How meson-helpers/world starts each compositor without a screen, and takes a picture of what it shows."""

import glob
import json
import os
import subprocess

from hands import KWinHand, MutterHand, ScriptHand, VirtualHand
from patience import Failure, wait_for
from scene import SCREEN

SIZE = "{}x{}".format(*SCREEN)
# Seconds until a compositor that was started answers.
PATIENCE = 60


class Compositor:
    """A compositor with a runtime folder, a session bus and logs of its own, all in `folder`."""

    package = ""
    command = []
    environment = {}
    # Where a pointer that rests is painted, as x, y, width and height.
    pointers = []
    # What is over a window that is not fullscreen.
    panels = []

    def __init__(self, folder):
        self.folder = folder
        self.hand = None
        self.processes = []
        runtime = f"{folder}/run"
        os.makedirs(runtime, mode=0o700)
        self.environ = {
            "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": folder, "XDG_RUNTIME_DIR": runtime,
            "GSETTINGS_BACKEND": "keyfile", "LIBGL_ALWAYS_SOFTWARE": "1", **self.environment}

    def start(self):
        self.environ["DBUS_SESSION_BUS_ADDRESS"] = self.bus("session")
        self.prepare()
        self.main = self.run(self.package, self.command)
        self.environ["WAYLAND_DISPLAY"] = wait_for(self.socket, PATIENCE, f"{self.package} has no socket")
        wait_for(self.answers, PATIENCE, f"{self.package} does not answer")
        self.arrange()

    def prepare(self):
        """What must run before the compositor."""

    def arrange(self):
        """What is done to the compositor before the viewer starts."""

    def bus(self, name):
        """Starts a message bus; its address."""
        path = f"{self.folder}/run/{name}-bus"
        # A bus for a system, too: one of the user alone needs no rules about who may say what.
        self.run(f"{name}-bus", ["dbus-daemon", "--session", "--nofork", "--nosyslog", f"--address=unix:path={path}"])
        wait_for(lambda: os.path.exists(path), PATIENCE, f"there is no {name} bus")
        return f"unix:path={path}"

    def run(self, name, command):
        """Starts a program that stays; its output goes to NAME.log."""
        with open(f"{self.folder}/{name}.log", "wb") as log:
            process = subprocess.Popen(command, env=self.environ, cwd=self.folder, stdin=subprocess.DEVNULL,
                                       stdout=log, stderr=log)
        self.processes.append(process)
        return process

    def call(self, *command, seconds=20):
        """Runs a program to its end; its output."""
        try:
            return subprocess.run(command, env=self.environ, cwd=self.folder, check=True, timeout=seconds,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
        except subprocess.CalledProcessError as error:
            raise Failure(f"{command[0]} ends with {error.returncode}: "
                          f"{(error.stdout + error.stderr).strip()[-300:]}") from None
        except subprocess.TimeoutExpired:
            raise Failure(f"{command[0]} does not end") from None

    def message(self, *words):
        """Sends a message to the viewer; its reply."""
        return json.loads(self.call("vitrine", "msg", "--socket", f"{self.folder}/control", *words))

    def sockets(self):
        return [os.path.basename(path) for path in glob.glob(f"{self.folder}/run/wayland-*")
                if not path.endswith(".lock")]

    def socket(self):
        self.live()
        return next(iter(self.sockets()), None)

    def answers(self):
        self.live()
        found = subprocess.run(["wayland-info"], env=self.environ, capture_output=True, text=True, timeout=PATIENCE)
        if found.returncode == 0:
            with open(f"{self.folder}/globals.txt", "w", encoding="utf-8") as file:
                file.write(found.stdout)
        return found.returncode == 0

    def live(self):
        """Fails if the compositor has ended."""
        if self.main.poll() is not None:
            raise Failure(f"{self.package} ends with {self.main.returncode}")

    def version(self):
        """The version of upstream, which the package has between an epoch and a revision."""
        whole = self.call("dpkg-query", "-W", "-f", "${Version}", self.package)
        return whole.split(":")[-1].rsplit("-", 1)[0]

    def shoot(self, path):
        """Writes what the screen shows as a PNG."""
        raise NotImplementedError

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in reversed(self.processes):
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


class Mutter(Compositor):
    package = "mutter"
    command = ["mutter", "--headless", "--wayland", "--no-x11", "--virtual-monitor", f"{SIZE}@60"]
    environment = {"XDG_CURRENT_DESKTOP": "GNOME"}

    def prepare(self):
        self.run("pipewire", ["pipewire"])
        wait_for(lambda: os.path.exists(f"{self.folder}/run/pipewire-0"), PATIENCE, "there is no PipeWire")
        self.run("wireplumber", ["wireplumber"])

    def arrange(self):
        # The session bus of this process is that of the compositor.
        os.environ.update(self.environ)
        self.hand = MutterHand()

    def shoot(self, path):
        self.call("gst-launch-1.0", "-q", "pipewiresrc", f"path={self.hand.session.cast_node()}", "num-buffers=1",
                  "always-copy=true", "!", "videoconvert", "!", "pngenc", "!", "filesink", f"location={path}")


class GnomeShell(Mutter):
    package = "gnome-shell"
    # Unsafe mode lets Eval leave the overview.
    command = ["gnome-shell", "--headless", "--wayland", "--no-x11", "--virtual-monitor", f"{SIZE}@60", "--unsafe-mode"]

    def prepare(self):
        super().prepare()
        self.environ["DBUS_SYSTEM_BUS_ADDRESS"] = self.bus("system")
        self.run("logind", ["python3", "-m", "dbusmock", "--system", "--template", "logind"])
        wait_for(lambda: "org.freedesktop.login1" in self.system_names(), PATIENCE, "there is no logind")

    def system_names(self):
        return self.call("gdbus", "call", "--address", self.environ["DBUS_SYSTEM_BUS_ADDRESS"],
                         "-d", "org.freedesktop.DBus", "-o", "/org/freedesktop/DBus",
                         "-m", "org.freedesktop.DBus.ListNames")

    def arrange(self):
        super().arrange()
        wait_for(lambda: "true" in self.evaluate("Main.overview.hide(); !Main.overview.visible"), PATIENCE,
                 "the overview stays")

    def evaluate(self, script):
        try:
            return self.call("gdbus", "call", "--session", "-d", "org.gnome.Shell", "-o", "/org/gnome/Shell",
                             "-m", "org.gnome.Shell.Eval", script)
        except Failure:
            # The shell starts.
            return ""


class Wlroots(Compositor):
    environment = {"WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman"}

    def arrange(self):
        self.call("wlr-randr", "--output", "HEADLESS-1", "--custom-mode", SIZE)
        self.hand = VirtualHand(self)

    def shoot(self, path):
        self.call("grim", path)


class Sway(Wlroots):
    package = "sway"
    command = ["sway", "-c", "/dev/null"]


class Phoc(Wlroots):
    package = "phoc"
    command = ["phoc", "-C", "phoc.ini"]

    def prepare(self):
        with open(f"{self.folder}/phoc.ini", "w", encoding="utf-8") as file:
            file.write("[core]\nxwayland = false\n")


class Cage(Wlroots):
    package = "cage"
    # Cage lives as long as its program. The viewer comes from outside, as with the other compositors.
    command = ["cage", "--", "sleep", "infinity"]


class Labwc(Wlroots):
    package = "labwc"
    command = ["labwc", "-C", "/nonexistent"]


class Weston(Compositor):
    package = "weston"
    # Only in the mode --debug weston-screenshooter may read the screen. A window that no seat activates stays below
    # the panel as fullscreen, too.
    command = ["weston", "--backend=headless", "--renderer=pixman", "--no-config", "--debug", "--fake-seat",
               f"--width={SCREEN[0]}", f"--height={SCREEN[1]}"]
    # The pointer of the seat, of 24 pixels at 100,100.
    pointers = [(96, 96, 32, 32)]
    # Its windows begin at random places.
    panels = [(0, 0, SCREEN[0], 32)]

    def arrange(self):
        self.hand = ScriptHand(self)

    def shoot(self, path):
        for old in glob.glob(f"{self.folder}/wayland-screenshot-*.png"):
            os.remove(old)
        self.call("weston-screenshooter")
        os.rename(glob.glob(f"{self.folder}/wayland-screenshot-*.png")[0], path)


class Stage(Sway):
    """Sway, with one window that covers the screen."""

    command = ["sway", "-c", "sway.conf"]

    def prepare(self):
        with open(f"{self.folder}/sway.conf", "w", encoding="utf-8") as file:
            file.write("default_border none\n")


class KWin(Compositor):
    """KWin as the only window of Sway: by itself it takes no screenshots where it paints without GPU."""

    package = "kwin-wayland"
    # Without the checks every client may send input.
    environment = {"XDG_CURRENT_DESKTOP": "KDE", "KWIN_WAYLAND_NO_PERMISSION_CHECKS": "1"}

    def prepare(self):
        os.makedirs(f"{self.folder}/outer")
        self.outer = Stage(f"{self.folder}/outer")
        self.outer.processes = self.processes
        self.outer.start()
        outer = f"{self.folder}/outer/run/{self.outer.environ['WAYLAND_DISPLAY']}"
        self.command = ["kwin_wayland", "--wayland-display", outer, "--width", str(SCREEN[0]),
                        "--height", str(SCREEN[1]), "--no-lockscreen"]

    def arrange(self):
        self.hand = KWinHand(f"{self.folder}/run/{self.environ['WAYLAND_DISPLAY']}", self.folder)

    def shoot(self, path):
        self.outer.shoot(path)

    def stop(self):
        if self.hand:
            self.hand.close()
        super().stop()


KINDS = {"mutter": Mutter, "gnome-shell": GnomeShell, "sway": Sway, "kwin": KWin, "weston": Weston, "phoc": Phoc,
         "cage": Cage, "labwc": Labwc}
