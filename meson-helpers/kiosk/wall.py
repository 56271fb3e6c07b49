"""What the scripts soak, drill and fades share: a viewer in a headless compositor, its messages and its memory."""

import json
import os
import signal
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SESSION = os.path.join(HERE, "../../Tests/Programs/EndToEndTests/Support/session")
# The session gives its folder to this user if root runs it.
AS_USER = ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"] if os.getuid() == 0 else []


def tree(pid):
    """A process and all of its descendants."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                parents.setdefault(int(file.read().rsplit(")", 1)[1].split()[1]), []).append(int(name))
        except OSError:
            pass
    found = [pid]
    for process in found:
        found += parents.get(process, [])
    return found


def memory(pid, fields=("Pss",)):
    """MiB of a process and its descendants by command: PSS, or where it cannot be read, all that is resident.

    Only root may read the PSS of decoders. `fields` are those of smaps_rollup that are added up.
    """
    sizes = {}
    for process in tree(pid):
        try:
            with open(f"/proc/{process}/comm") as file:
                name = file.read().strip()
            try:
                with open(f"/proc/{process}/smaps_rollup") as file:
                    values = dict(line.split(":", 1) for line in file if ":" in line)
                size = sum(int(values[field].split()[0]) for field in fields)
            except (OSError, KeyError):
                with open(f"/proc/{process}/status") as file:
                    values = dict(line.split(":", 1) for line in file)
                size = int(values["VmRSS"].split()[0])
        except (OSError, KeyError):
            continue
        sizes[name] = sizes.get(name, 0) + size / 1024
    return sizes


def own_memory(pid):
    """MiB of a process and its descendants without the pages of program files and libraries.

    The share of a process in those depends on other programs that begin and end.
    """
    return sum(memory(pid, ("Pss_Anon", "Pss_Shmem")).values())


def descriptors(pid):
    """The number of open descriptors of a process."""
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def switches(pid):
    """The number of context switches of all threads of a process."""
    total = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{task}/status") as file:
                total += sum(int(line.split()[1]) for line in file if "ctxt_switches" in line)
        except OSError:
            pass
    return total


def slope(points):
    """The slope of the line of least squares through points."""
    if len(points) < 2:
        return 0.0
    x, y = (sum(axis) / len(points) for axis in zip(*points))
    across = sum((a - x) ** 2 for a, _ in points)
    return sum((a - x) * (b - y) for a, b in points) / across if across else 0.0


class Viewer:
    """A viewer in a headless compositor of its own.

    `folder` has the programs and the pictures. The shell lines `before` run in the session first.
    """

    def __init__(self, folder, arguments, compositor="sway", size="1920x1080", before=""):
        self.folder = folder
        for name in ["pid", "control"]:
            if os.path.exists(f"{folder}/{name}"):
                os.remove(f"{folder}/{name}")
        script = before + "\nenv >environment\n" \
            "sh -c 'echo $$ >pid; exec ./vitrine \"$@\"' viewer --socket \"$PWD/control\" \"$@\" 2>>errors.txt\n" \
            "echo $? >outcome"
        self.log = open(f"{folder}/session.log", "a")
        self.session = subprocess.Popen(
            ["bash", SESSION, compositor, size, folder, "bash", "-c", script, "session", *arguments],
            stdout=self.log, stderr=self.log)
        self.wait(lambda: os.path.exists(f"{folder}/pid") and open(f"{folder}/pid").read().strip(), 30)
        self.pid = int(open(f"{folder}/pid").read())

    @staticmethod
    def wait(condition, seconds):
        """Seconds until a condition holds; None if it does not."""
        start = time.monotonic()
        while time.monotonic() - start < seconds:
            if condition():
                return time.monotonic() - start
            time.sleep(0.05)
        return None

    def environment(self):
        with open(f"{self.folder}/environment") as file:
            return dict(line.rstrip("\n").split("=", 1) for line in file if "=" in line)

    def run(self, *command, stdin=None, seconds=20):
        """Runs a command in the session; its output, or nothing after some seconds."""
        try:
            return subprocess.run([*AS_USER, *command], env=self.environment(), cwd=self.folder,
                                  input=stdin, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  timeout=seconds).stdout
        except subprocess.TimeoutExpired:
            return b""

    def message(self, *words, stdin=None, seconds=20):
        """Sends a message; the reply as an object, empty if there is none."""
        reply = self.run("./vitrine", "msg", "--socket", f"{self.folder}/control", *words,
                         stdin=stdin, seconds=seconds)
        try:
            return json.loads(reply)
        except ValueError:
            return {}

    def path(self):
        """The name of the picture that is shown."""
        return os.path.basename(self.message("state", seconds=5).get("path") or "")

    def colours(self):
        """How many colours are in the middle of the screen: an empty screen has one."""
        pixels = self.run("grim", "-t", "ppm", "-", seconds=5)
        return len({pixels[at:at + 3] for at in range(len(pixels) % 3 + 999, len(pixels) - 3, 2997)})

    def stop(self):
        try:
            os.kill(self.pid, signal.SIGCONT)
            os.kill(self.pid, signal.SIGTERM)
        except OSError:
            pass
        self.wait(lambda: not os.path.exists(f"/proc/{self.pid}"), 5)
        self.session.terminate()
        self.session.wait()
        self.log.close()
