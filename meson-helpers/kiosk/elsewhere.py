"""The part of meson-helpers/kiosk/elsewhere that runs the recipes: see there.

Usage: elsewhere.py WORK [RECIPE…]

WORK has the programs of Vitrine in `programs`, and rclone and syncthing of two versions in `old` and `new`.
"""

import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import xml.etree.ElementTree as xml

from wall import AS_USER, HERE, Viewer, tree

WORK = pathlib.Path(sys.argv[1])
RECIPES = pathlib.Path(HERE, "../../Sources/Distribution/recipes")
PAGE = pathlib.Path(HERE, "../../Sources/Documentation/elsewhere.md")
SIZE = "1280x720"
# How long something may take that takes a second on an idle machine.
LIMIT = 30
PASSWORD = "not a secret"
# Each picture has one colour of these, with noise, so that a screen tells which picture it shows.
COLOURS = {
    "red": (200, 40, 40), "green": (40, 160, 40), "blue": (50, 60, 220), "yellow": (200, 200, 40),
    "cyan": (40, 190, 200), "magenta": (200, 40, 190), "white": (230, 230, 230), "orange": (220, 120, 30),
}
BIG = "orange"
WHOLE = {}


class Failure(Exception):
    pass


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def pictures():
    """Makes a picture of each colour; the large one has several MiB."""
    folder = WORK / "pictures"
    folder.mkdir()
    for name, colour in COLOURS.items():
        size, noise = ("2400x1600", "0.6") if name == BIG else ("1200x800", "0.1")
        subprocess.run(
            ["/usr/bin/convert", "-size", size, "xc:rgb(%d,%d,%d)" % colour, "-attenuate", noise, "+noise",
             "Gaussian", "-quality", "97", folder / f"{name}.jpg"], check=True)
        content = (folder / f"{name}.jpg").read_bytes()
        WHOLE[hashlib.sha256(content).digest()] = name
    return folder


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def await_port(port, process):
    def isOpen():
        if process.poll() is not None:
            raise Failure(f"the server ended with {process.returncode}")
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0
    if Viewer.wait(isOpen, LIMIT) is None:
        raise Failure("the server does not answer")


def end(process, number=signal.SIGKILL):
    """Ends a process and those that it has started, some of which have a group of their own."""
    started = tree(process.pid)
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pass
    for each in started if number == signal.SIGKILL else []:
        try:
            os.kill(each, number)
        except ProcessLookupError:
            pass
    process.wait()
    if Viewer.wait(lambda: not any(os.path.exists(f"/proc/{each}") for each in started), LIMIT) is None:
        raise Failure("a process does not end")


class Line:
    """A line to a server that may be slow: what the server sends is passed on at `rate` bytes a second.

    The buffers of the kernel hold several MiB, so that the server alone cannot send slowly.
    """

    def __init__(self, port, server_port, rate):
        self.server_port, self.rate, self.sockets = server_port, rate, []
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", port))
        self.listener.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
                server = socket.create_connection(("127.0.0.1", self.server_port))
            except OSError:
                return
            self.sockets += [client, server]
            for source, target, rate in ((client, server, None), (server, client, self.rate)):
                threading.Thread(target=self.carry, args=(source, target, rate), daemon=True).start()

    def carry(self, source, target, rate):
        try:
            while data := source.recv(32768):
                target.sendall(data)
                if rate:
                    time.sleep(len(data) / rate)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def cut(self):
        for each in [self.listener, *self.sockets]:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            each.close()


class Unit:
    """The command of a unit of systemd, run as systemd runs it."""

    def __init__(self, file, folder):
        # Comments may stand between the lines of a value.
        lines, joined = file.read_text().splitlines(), []
        for line in lines:
            if line.lstrip()[:1] in ("#", ";"):
                continue
            if joined and joined[-1].endswith("\\"):
                joined[-1] = joined[-1][:-1] + " " + line
            else:
                joined.append(line)
        self.values, self.folder = {}, folder
        for line in joined:
            key, equals, value = line.partition("=")
            if equals:
                self.values.setdefault(key, []).append(value.replace("%h", str(folder)))
        (command,) = self.values["ExecStart"]
        if re.search(r"%|\\|(^|[^$])\$[^$]", command.replace("$$", "")):
            raise Failure("the command has specifiers, escapes or variables that this script does not know")
        self.command = [word.replace("$$", "$") for word in shlex.split(command)]

    def environment(self):
        found = dict(line.split("=", 1) for line in self.values.get("Environment", []))
        for name in self.values.get("EnvironmentFile", []):
            if os.path.exists(name.lstrip("-")):
                text = pathlib.Path(name.lstrip("-")).read_text()
                found.update(line.split("=", 1) for line in text.splitlines()
                             if "=" in line and line[:1] not in "#;")
        return found


class Eye(threading.Thread):
    """Watches the folder and the screen of a viewer: what is there has to be whole."""

    def __init__(self, viewer, folder, has_pictures):
        super().__init__(daemon=True)
        self.viewer, self.folder = viewer, folder
        self.seen, self.faults, self.looks, self.reads = {}, [], 0, 0
        self.now, self.stopped, self.known = None, threading.Event(), {}
        # Without pictures, screens are not judged: the first ones come into the empty grid and grow out of it.
        self.has_pictures = has_pictures
        self.reader = threading.Thread(target=self.read, daemon=True)

    def run(self):
        self.reader.start()
        while not self.stopped.is_set():
            what = self.look()
            if what is None:
                continue
            self.looks += 1
            self.now = what
            self.seen[what] = time.monotonic()
            if what == "dark" and self.has_pictures and len(self.seen) > 1:
                self.faults.append("a screen without a picture")

    def look(self):
        """The colour of the screen, "dark" without a picture, "other" for all else, None if unreadable."""
        image = self.viewer.run("grim", "-s", "0.25", "-t", "ppm", "-", seconds=5)
        try:
            _, size, _, pixels = image.split(b"\n", 3)
            width, height = map(int, size.split())
        except ValueError:
            return None
        found = set()
        # The picture has 3:2 and is as high as the screen. Messages are in the middle, below.
        for down in (0.03, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97):
            for across in (0.2, 0.35, 0.65, 0.8):
                x, y = int(width * across), int(height * down)
                sums = [0, 0, 0]
                for dy in (-1, 0, 1):
                    at = ((y + dy) * width + x - 1) * 3
                    for index in range(9):
                        sums[index % 3] += pixels[at + index]
                mean = [total / 9 for total in sums]
                near = [name for name, colour in COLOURS.items()
                        if max(abs(a - b) for a, b in zip(mean, colour)) < 45]
                found.add(near[0] if near else "dark" if max(mean) < 45 else "other")
        if len(found) == 1:
            return found.pop()
        state = self.viewer.message("state", seconds=5)
        if state.get("mode") == "grid" and state.get("count") == 0:
            return "dark"
        if self.has_pictures:
            self.faults.append(f"a screen that is no whole picture: {', '.join(sorted(found))}")
        return "other"

    def read(self):
        """Compares each file that is visible in the folder with the whole pictures."""
        while not self.stopped.wait(0.02):
            for path in self.files():
                try:
                    facts = os.stat(path)
                    mark = (facts.st_ino, facts.st_size, facts.st_mtime_ns)
                    if self.known.get(path) == mark:
                        continue
                    content = path.read_bytes()
                except OSError:
                    continue
                self.reads += 1
                if hashlib.sha256(content).digest() in WHOLE:
                    self.known[path] = mark
                else:
                    self.faults.append(f"{path.name} is in the folder with {len(content)} bytes")

    def files(self):
        """All files that are not hidden, nor in a hidden folder."""
        for parent, folders, files in os.walk(self.folder):
            folders[:] = [name for name in folders if name[0] != "."]
            for name in files:
                if name[0] != ".":
                    yield pathlib.Path(parent, name)

    def names(self):
        return {path.name for path in self.files()}

    def stop(self):
        self.stopped.set()
        self.join()
        self.reader.join()


class Frame:
    """A user with a folder of pictures, and a viewer that shows the folder."""

    def __init__(self, name, version):
        self.name, self.version = name, version
        self.home = WORK / f"{name}-{version}"
        self.shown = self.home / "Bilder/elsewhere"
        self.remote = WORK / f"remote-{name}-{version}"
        self.frame = self.remote / "frame"
        self.frame.mkdir(parents=True)
        (self.home / ".config").mkdir(parents=True)
        # Not every user has a folder "Pictures".
        (self.home / ".config/user-dirs.dirs").write_text('XDG_PICTURES_DIR="$HOME/Bilder"\n')
        for program in ("vitrine", "vitrine-decode"):
            os.link(WORK / "programs" / program, self.home / program)
        self.shown.mkdir(parents=True)
        self.own()
        self.results, self.faults = [], []
        self.viewer = self.eye = self.server = None

    def own(self):
        subprocess.run(["chown", "-R", "nobody:", self.home, self.remote], check=True)

    def environment(self):
        return {"HOME": str(self.home), "PATH": f"{WORK / self.version}:/usr/bin:/bin", "LANG": "C.UTF-8",
                "XDG_RUNTIME_DIR": str(self.home / "run")}

    def start(self, *command, environment=None, log="recipe.log"):
        with open(WORK / f"{self.home.name}-{log}", "ab") as file:
            return subprocess.Popen(
                [*AS_USER, *map(str, command)], cwd=self.home, stdout=file, stderr=file, stdin=subprocess.DEVNULL,
                env={**self.environment(), **(environment or {})}, start_new_session=True)

    def call(self, *command, environment=None, text=None):
        done = subprocess.run([*AS_USER, *map(str, command)], cwd=self.home, text=True, input=text or "",
                              env={**self.environment(), **(environment or {})}, capture_output=True, timeout=120)
        if done.returncode:
            raise Failure(f"{command[0]} {command[1:]}: {done.stderr[-600:]}")
        return done.stdout

    # Remote files.

    def put(self, colour, name=None):
        """A file of the remote, which was written an hour ago."""
        target = self.frame / (name or f"{colour}.jpg")
        target.parent.mkdir(exist_ok=True)
        part = self.remote / "part"
        shutil.copy(WORK / "pictures" / f"{colour}.jpg", part)
        then = time.time() - 3600 - len(os.listdir(self.frame)) - list(COLOURS).index(colour)
        os.utime(part, (then, then))
        shutil.chown(part, "nobody")
        os.rename(part, target)

    def take(self, name):
        (self.frame / name).unlink()

    # The viewer.

    def view(self, has_pictures=False):
        self.viewer = Viewer(
            str(self.home), ["--kiosk", "--slideshow", "1", "--set", "slideshow.transition=cut",
                             "--set", "collection.recursive=true", str(self.home / "Bilder")], size=SIZE)
        self.eye = Eye(self.viewer, self.home / "Bilder", has_pictures)
        self.eye.start()

    def unview(self):
        if self.eye:
            self.eye.stop()
            self.faults += self.eye.faults
            self.viewer.stop()
            self.eye = None

    def check(self, holds, what):
        if not holds:
            raise Failure(what)

    def await_colours(self, colours, what):
        """Seconds until each colour has been on the screen from now on."""
        start = time.monotonic()
        took = Viewer.wait(lambda: all(self.eye.seen.get(each, 0) > start for each in colours), LIMIT)
        self.check(took is not None, f"{what}: not shown: " + ", ".join(
            each for each in colours if self.eye.seen.get(each, 0) <= start))
        self.eye.has_pictures = True
        return took

    def await_gone(self, names, what):
        """Waits until some pictures are not in the folder any more."""
        took = Viewer.wait(lambda: not names & self.eye.names(), LIMIT)
        self.check(took is not None, f"{what}: still in the folder")

    def message(self, *words):
        reply = self.viewer.message(*words)
        self.check(reply and "error" not in reply, f"{words}: {reply}")
        return reply

    def shows_on(self, seconds, what):
        """The slideshow goes on: at least three pictures in some seconds."""
        start = time.monotonic()
        time.sleep(seconds)
        recent = [name for name, when in self.eye.seen.items() if when > start and name in COLOURS]
        self.check(len(recent) >= 3, f"{what}: only {recent} were shown")

    # Steps that all recipes have.

    def first_start(self):
        """A first start without the remote: the waiting screen, and then pictures without a restart."""
        self.view()
        self.attempt_without_remote()
        self.check(Viewer.wait(lambda: self.eye.now == "dark", LIMIT) is not None, "no waiting screen")
        texts = json.dumps(self.message("ui"))
        self.check("No pictures here" in texts, "the waiting screen has no text")
        before = self.viewer.pid
        for colour in ("red", "green"):
            self.put(colour)
        self.put("blue", "sub folder/blue ü.jpg")
        self.up()
        start = time.monotonic()
        self.step()
        self.await_colours({"red", "green", "blue"}, "first start")
        self.results.append(f"{time.monotonic() - start:.1f}")
        self.check(self.viewer.pid == before and os.path.exists(f"/proc/{before}"), "the viewer has ended")

    def arrival(self):
        self.put("yellow")
        start = time.monotonic()
        self.step()
        self.await_colours({"yellow"}, "a new picture")
        self.results.append(f"{time.monotonic() - start:.1f}")

    def replacement(self):
        self.put("white", "red.jpg")
        self.step()
        self.await_colours({"white"}, "a replaced picture")
        now = time.monotonic()
        self.await_colours({"green", "white"}, "a round of the slideshow")
        self.check(self.eye.seen["red"] < now, "the replaced picture is still shown")

    def deletion(self):
        """The picture on the screen is deleted, and another one, while the slideshow stands still."""
        count = self.message("state")["count"]
        end = time.monotonic() + LIMIT
        while True:
            self.check(time.monotonic() < end, "the slideshow does not stop at the picture that will be deleted")
            if Viewer.wait(lambda: self.viewer.path() == "yellow.jpg", 10) is not None:
                self.message("slideshow", "off")
                if self.viewer.path() == "yellow.jpg":
                    break
                self.message("slideshow", "on")
        self.await_colours({"yellow"}, "the picture that will be deleted")
        self.take("yellow.jpg")
        self.take("green.jpg")
        start = time.monotonic()
        self.step()
        self.await_gone({"yellow.jpg", "green.jpg"}, "a deletion")
        gone = Viewer.wait(lambda: self.message("state")["count"] == count - 2
                           and self.viewer.path() != "yellow.jpg" and self.eye.now not in ("yellow", "dark"), LIMIT)
        self.check(gone is not None, f"after a deletion: {self.message('state')}, {self.eye.now}")
        self.results.append(f"{time.monotonic() - start:.1f}")
        texts = json.dumps(self.message("ui"))
        self.check("annot" not in texts and "no such file" not in texts, f"a message after a deletion: {texts}")
        self.message("slideshow", "on")
        for colour in ("green", "yellow"):
            self.put(colour)
        self.step()
        self.await_colours({"green", "yellow"}, "pictures that come back")

    def outage(self):
        """The remote is away: the slideshow goes on, and catches up afterwards."""
        self.down()
        self.put("cyan")
        self.take("yellow.jpg")
        self.attempt_without_remote()
        self.shows_on(5, "without the remote")
        self.check("yellow.jpg" in self.eye.names(), "a picture has gone without the remote")
        self.up()
        start = time.monotonic()
        self.step()
        self.await_colours({"cyan"}, "after the outage")
        self.await_gone({"yellow.jpg"}, "after the outage")
        self.results.append(f"{time.monotonic() - start:.1f}")

    def run(self):
        """Plays all steps; whether all is well."""
        failure = None
        try:
            for step in self.steps():
                step()
        except (Failure, subprocess.TimeoutExpired) as error:
            failure = f"{step.__name__}: {error}"
        except Exception as error:
            failure = f"{step.__name__}: {type(error).__name__}: {error}"
        looks = (self.eye.looks, self.eye.reads) if self.eye else (0, 0)
        try:
            self.unview()
        finally:
            self.down()
        lines = (self.home / "errors.txt").read_text() if (self.home / "errors.txt").exists() else ""
        spoken = sorted({line for line in lines.splitlines() if "there is no picture in this folder" not in line})
        if self.faults and not failure:
            failure = f"{len(self.faults)} faults, the first: {self.faults[0]}"
        if spoken and not failure:
            failure = f"the viewer says: {spoken[0]}"
        columns = len(HEAD) - 4
        row(self.title(), self.release(), *(self.results + ["–"] * columns)[:columns], self.looked(looks),
            "ok" if failure is None else f"FAILED: {failure}")
        if failure:
            for log in sorted(WORK.glob(f"{self.home.name}-*.log")):
                sys.stderr.write(f"== {log.name}\n" + log.read_text(errors="replace")[-3000:])
        return failure is None

    def looked(self, looks):
        return getattr(self, "earlier", 0) + looks[0]


class Rclone(Frame):
    def __init__(self, name, version):
        super().__init__(name, version)
        self.port, self.server_port, self.line = free_port(), free_port(), None
        self.unit = Unit(RECIPES / "vitrine-rclone.service", self.home)
        self.options({})
        self.configure()

    def title(self):
        return {"webdav": "WebDAV, as Nextcloud", "s3": "S3", "sftp": "SFTP"}[self.name]

    def release(self):
        return self.call("rclone", "version").split()[1].lstrip("v").replace("-DEV", "")

    def steps(self):
        steps = [self.first_start, self.arrival, self.terminated, self.power_cut, self.cut_connection, self.throttled,
                 self.replacement, self.deletion, self.outage, self.emptied]
        return steps + [self.slow_upload] if self.name == "sftp" else steps

    def options(self, options):
        if self.name == "s3":
            options = {"RCLONE_USE_SERVER_MODTIME": "true", **options}
        folder = self.home / ".config/vitrine"
        folder.mkdir(exist_ok=True)
        (folder / "rclone.env").write_text("".join(f"{key}={value}\n" for key, value in options.items()))

    def configure(self):
        """Makes the remote by the command of the page."""
        (line,) = [line.strip() for line in PAGE.read_text().splitlines()
                   if re.match(rf" {{4,}}rclone config create pictures {self.name} ", line)]
        for example, ours in (("https://cloud.example", f"http://127.0.0.1:{self.port}"),
                              ("https://s3.example", f"http://127.0.0.1:{self.port}"),
                              ("host sftp.example", f"host 127.0.0.1 port {self.port}")):
            line = line.replace(example, ours)
        self.check(".example" not in line, line)
        if self.name == "sftp":
            (self.home / ".ssh").mkdir()
            for key in (self.home / ".ssh/frame", self.remote / "host"):
                subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
            host = (self.remote / "host.pub").read_text()
            (self.home / ".ssh/known_hosts").write_text(f"[127.0.0.1]:{self.port} {host}")
            shutil.copy(self.home / ".ssh/frame.pub", self.remote / "authorized")
        self.own()
        self.call("sh", "-euc", line, text=PASSWORD + "\n")

    def up(self, rate=None):
        common = ["--addr", f"127.0.0.1:{self.server_port}", "--dir-cache-time", "100ms", "--poll-interval", "0"]
        served = self.remote / "served"
        served.mkdir(exist_ok=True)
        if not (served / "frame").exists():
            (served / "frame").symlink_to(self.frame)
        command = {
            "webdav": ["rclone", "serve", "webdav", "--copy-links", served, *common, "--user", "ann",
                       "--pass", PASSWORD, "--baseurl", "/remote.php/dav/files/ann"],
            "sftp": ["rclone", "serve", "sftp", "--copy-links", served, *common, "--key", self.remote / "host",
                     "--authorized-keys", self.remote / "authorized"],
            "s3": [WORK / "moto/bin/moto_server", "--host", "127.0.0.1", "--port", self.server_port],
        }[self.name]
        self.server = self.start(*command, environment={"RCLONE_CONFIG": "/dev/null"}, log="server.log")
        await_port(self.server_port, self.server)
        self.line = Line(self.port, self.server_port, rate)

    def down(self):
        if self.server:
            self.line.cut()
            end(self.server)
            self.server = None

    def publish(self):
        """Brings the pictures of the remote to the server of S3, which has them in memory."""
        if self.name == "s3" and self.server:
            self.call("rclone", "sync", self.frame, "up:frame", environment={
                "RCLONE_CONFIG_UP_TYPE": "s3", "RCLONE_CONFIG_UP_PROVIDER": "Other",
                "RCLONE_CONFIG_UP_ENDPOINT": f"http://127.0.0.1:{self.server_port}",
                "RCLONE_CONFIG_UP_ACCESS_KEY_ID": "up", "RCLONE_CONFIG_UP_SECRET_ACCESS_KEY": "up"})

    def begin(self):
        self.publish()
        return self.start(*self.unit.command, environment=self.unit.environment())

    def step(self, code=0):
        unit = self.begin()
        try:
            found = unit.wait(60)
        finally:
            end(unit)
        self.check(found == code, f"the unit ended with {found}")

    def attempt_without_remote(self):
        unit = self.begin()
        start = time.monotonic()
        found = unit.wait(60)
        self.check(found != 0, "the unit succeeded without the remote")
        self.check(time.monotonic() - start < 20, "the unit takes long without the remote")

    # Large pictures over a slow line.

    def begin_slowly(self):
        """The unit with a large picture on its way, of which a part is here."""
        self.options({"RCLONE_BWLIMIT": "1M"})
        self.put(BIG)
        before, whole = self.parts(), (self.frame / f"{BIG}.jpg").stat().st_size
        unit = self.begin()
        came = lambda: any(0 < size < whole for _, size in self.parts() - before)
        self.check(Viewer.wait(came, LIMIT) is not None, "no part of the large picture came")
        time.sleep(1)
        self.check(unit.poll() is None, "the large picture came too fast")
        self.check(f"{BIG}.jpg" not in self.eye.names(), "the large picture is in the folder already")
        return unit

    def parts(self):
        """What there is of the large picture: inodes and sizes."""
        found = set()
        for path in (self.home / "Bilder/.elsewhere/new").glob(f"{BIG}*"):
            try:
                facts = path.stat()
            except OSError:
                continue
            found.add((facts.st_ino, facts.st_size))
        return found

    def terminated(self):
        """rclone alone is ended in the middle, as when memory is short: the unit takes nothing over."""
        unit = self.begin_slowly()
        for process in tree(unit.pid):
            try:
                if pathlib.Path(f"/proc/{process}/comm").read_text().strip() == "rclone":
                    os.kill(process, signal.SIGTERM)
            except OSError:
                pass
        self.check(unit.wait(LIMIT) != 0, "the unit succeeded without rclone")
        self.check(f"{BIG}.jpg" not in self.eye.names(), "half a picture came")

    def power_cut(self):
        """Everything ends in the middle, and the viewer starts anew, beside the part of a picture."""
        end(self.begin_slowly())
        self.check(self.parts(), "the power cut left no part of the picture")
        self.earlier = getattr(self, "earlier", 0) + self.eye.looks
        self.unview()
        self.view(has_pictures=True)
        self.await_colours({"red", "green", "blue"}, "after a power cut")

    def cut_connection(self):
        self.down()
        self.up(rate=1_000_000)
        unit = self.begin_slowly()
        self.down()
        self.check(unit.wait(120) != 0, "the unit succeeded without the remote")
        self.check(f"{BIG}.jpg" not in self.eye.names(), "half a picture came")
        self.shows_on(4, "after the end of the connection")
        self.up()

    def throttled(self):
        start = time.monotonic()
        unit = self.begin_slowly()
        self.check(unit.wait(60) == 0, f"the unit ended with {unit.returncode}")
        self.await_colours({BIG}, "a large picture")
        self.results.append(f"{time.monotonic() - start:.1f}")
        self.options({})

    def replacement(self):
        """The new picture of a name comes slowly, while the old one is shown."""
        self.options({"RCLONE_BWLIMIT": "100k"})
        super().replacement()
        self.options({})

    def emptied(self):
        """A remote without pictures deletes nothing, and costs nothing when the pictures are back."""
        away = self.remote / "away"
        os.rename(self.frame, away)
        self.frame.mkdir()
        self.own()
        names = self.eye.names()
        self.step(code=1)
        self.check(self.eye.names() == names, "an empty remote deleted pictures")
        self.step(code=1)
        self.check(self.eye.names() == names, "an empty remote deleted pictures the second time")
        self.frame.rmdir()
        before = {path: path.stat().st_ino for path in self.eye.files()}
        os.rename(away, self.frame)
        time.sleep(0.2)
        self.step()
        after = {path: path.stat().st_ino for path in self.eye.files()}
        self.check(before == after, "pictures came a second time")

    def slow_upload(self):
        """Somebody writes a picture into the folder of the server, slowly, with the option of the recipe."""
        self.options({"RCLONE_MIN_AGE": "3s"})
        self.take(f"{BIG}.jpg")
        self.step()
        self.await_gone({f"{BIG}.jpg"}, "before the upload")
        content = (WORK / "pictures" / f"{BIG}.jpg").read_bytes()

        def upload():
            with open(self.frame / f"{BIG}.jpg", "wb", buffering=0) as file:
                for part in range(20):
                    file.write(content[len(content) * part // 20:len(content) * (part + 1) // 20])
                    time.sleep(0.3)

        writer = threading.Thread(target=upload)
        writer.start()
        while writer.is_alive():
            self.step()
            self.check(f"{BIG}.jpg" not in self.eye.names() or not writer.is_alive(), "half an upload came")
        time.sleep(3.5)
        self.step()
        self.await_colours({BIG}, "after the upload")


class Syncthing(Frame):
    """Two instances of Syncthing: that of the recipe, and the device that has the pictures."""

    def __init__(self, name, version):
        super().__init__(name, version)
        self.sender = self.remote / "home"
        self.sender.mkdir()
        self.ports = {self.home: (free_port(), free_port()), self.sender: (free_port(), free_port())}
        self.receiver = None
        self.own()
        for home in self.ports:
            self.prepare(home)

    def title(self):
        return "Syncthing"

    def release(self):
        return self.call("syncthing", "--version").split()[1].lstrip("v")

    def steps(self):
        return [self.set_up, self.first_start, self.arrival, self.throttled, self.replacement, self.deletion,
                self.outage, self.unmounted]

    def prepare(self, home):
        """The configuration of an instance that speaks on the loopback interface only."""
        output = self.call("syncthing", "generate", environment={"HOME": str(home)})
        found = [path for path in home.glob(".*/**/config.xml")]
        self.check(len(found) == 1, f"configurations: {found} {output}")
        listen, interface = self.ports[home]
        tree = xml.parse(found[0])
        root = tree.getroot()
        for folder in root.findall("folder"):
            root.remove(folder)
        root.find("gui/address").text = f"127.0.0.1:{interface}"
        options = root.find("options")
        values = {
            "listenAddress": f"tcp://127.0.0.1:{listen}", "globalAnnounceEnabled": "false",
            "localAnnounceEnabled": "false", "relaysEnabled": "false", "natEnabled": "false",
            "urAccepted": "-1", "crashReportingEnabled": "false", "autoUpgradeIntervalH": "0",
            "reconnectionIntervalS": "2", "startBrowser": "false", "stunKeepaliveStartS": "0",
            "limitBandwidthInLan": "true", "announceLANAddresses": "false"}
        for key, value in values.items():
            for old in options.findall(key):
                options.remove(old)
            xml.SubElement(options, key).text = value
        tree.write(found[0])
        shutil.chown(found[0], "nobody")

    def serve(self, home, log):
        """Syncthing as the unit of Debian starts it."""
        (command,) = [line.split("=", 1)[1] for line in
                      pathlib.Path("/usr/lib/systemd/user/syncthing.service").read_text().splitlines()
                      if line.startswith("ExecStart=")]
        words = shlex.split(command)
        words[0] = WORK / self.version / "syncthing"
        process = self.start(*words, environment={"HOME": str(home), "STNOUPGRADE": "1"}, log=log)
        await_port(self.ports[home][1], process)
        ready = lambda: subprocess.run(
            [*AS_USER, WORK / self.version / "syncthing", "cli", "show", "system"], cwd=home, capture_output=True,
            env={**self.environment(), "HOME": str(home)}).returncode == 0
        self.check(Viewer.wait(ready, LIMIT) is not None, "Syncthing does not answer")
        return process

    def ask_sender(self, path, item=None):
        (file,) = self.sender.glob(".*/**/config.xml")
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.ports[self.sender][1]}/rest/{path}", method="POST",
            data=json.dumps(item).encode() if item else b"",
            headers={"X-API-Key": xml.parse(file).find("gui/apikey").text})
        urllib.request.urlopen(request, timeout=LIMIT).close()

    def set_up(self):
        self.server = self.serve(self.sender, "sender.log")
        device = json.loads(self.call(
            "syncthing", "cli", "show", "system", environment={"HOME": str(self.sender)}))["myID"]
        self.receiver = self.serve(self.home, "receiver.log")
        here = self.call("sh", RECIPES.resolve() / "vitrine-syncthing.sh", device, "frame").strip()
        self.ask_sender("config/devices", {
            "deviceID": here, "addresses": [f"tcp://127.0.0.1:{self.ports[self.home][0]}"]})
        self.ask_sender("config/folders", {
            "id": "frame", "path": str(self.frame), "type": "sendonly", "fsWatcherDelayS": 1,
            "devices": [{"deviceID": device}, {"deviceID": here}]})
        self.down()

    def up(self):
        self.server = self.serve(self.sender, "sender.log")

    def down(self):
        if self.server:
            end(self.server, signal.SIGTERM)
            self.server = None

    def run(self):
        try:
            return super().run()
        finally:
            if self.receiver:
                end(self.receiver, signal.SIGTERM)

    def step(self):
        """Nothing: Syncthing watches its folders."""

    def attempt_without_remote(self):
        pass

    def throttled(self):
        self.call("syncthing", "cli", "config", "options", "max-recv-kbps", "set", "1000")
        self.put(BIG)
        came = lambda: [path for path in self.shown.glob(f".syncthing.{BIG}*.tmp")]
        self.check(Viewer.wait(came, LIMIT) is not None, "no part of the large picture came")
        start = time.monotonic()
        # A power cut in the middle: Syncthing and the viewer begin anew.
        time.sleep(1.5)
        self.check(f"{BIG}.jpg" not in self.eye.names(), "the large picture is in the folder already")
        end(self.receiver)
        self.earlier = self.eye.looks
        self.unview()
        self.view(has_pictures=True)
        self.check(f"{BIG}.jpg" not in self.eye.names(), "half a picture came")
        self.receiver = self.serve(self.home, "receiver.log")
        self.await_colours({BIG}, "a large picture")
        self.results.append(f"{time.monotonic() - start:.1f}")
        self.call("syncthing", "cli", "config", "options", "max-recv-kbps", "set", "0")

    def unmounted(self):
        """The folder of the other device is gone: nothing is deleted."""
        away, names = self.remote / "away", self.eye.names()
        os.rename(self.frame, away)
        self.frame.mkdir()
        self.own()
        try:
            self.ask_sender("db/scan?folder=frame")
        except urllib.error.HTTPError as error:
            if b"marker" not in error.read():
                raise
        self.shows_on(5, "without the folder of the other device")
        self.check(self.eye.names() == names, "a folder that is gone deleted pictures")
        self.frame.rmdir()
        os.rename(away, self.frame)


def control():
    """A picture that is cut must be noticed, in the folder and on the screen, or no result counts."""
    frame = Frame("control", "old")
    content = (WORK / "pictures" / f"{BIG}.jpg").read_bytes()
    (frame.shown / f"{BIG}.jpg").write_bytes(content[:len(content) // 2])
    frame.own()
    frame.view(has_pictures=True)
    Viewer.wait(lambda: any("screen" in each for each in frame.eye.faults)
                and any("bytes" in each for each in frame.eye.faults), LIMIT)
    frame.unview()
    noticed = {what: any(what in each for each in frame.faults) for what in ("screen", "bytes")}
    if not all(noticed.values()):
        raise SystemExit(f"elsewhere: half a picture is not noticed: {noticed}")


HEAD = ["recipe", "version", "first start: all pictures", "new picture", "large picture, slow line",
        "deletions", "after an outage", "screens", "result"]


def main():
    names = sys.argv[2:] or ["webdav", "s3", "sftp", "syncthing"]
    versions = os.environ.get("VERSIONS", "old new").split()
    start = time.monotonic()
    pictures()
    control()
    row(*HEAD)
    row(*["---"] * len(HEAD))
    passed = True
    for name in names:
        for version in versions:
            frame = (Syncthing if name == "syncthing" else Rclone)(name, version)
            passed = frame.run() and passed
    sys.stderr.write(f"{time.monotonic() - start:.0f} s\n")
    sys.exit(0 if passed else 1)


main()
