"""On the host: the virtual machine with the touchscreen."""
import base64
import json
import os
import shutil
import socket
import subprocess
import time

# In MiB, by the name of the disk.
MEMORY = {"wlroots": 2048, "gnome": 3072}


class Failure(Exception):
    """The machine does not do its part; nothing is said about the viewer."""


class Line:
    """A socket of QEMU with a line of JSON for each message."""

    def __init__(self, path, patience):
        self.socket = socket.socket(socket.AF_UNIX)
        end = time.monotonic() + patience
        while True:
            try:
                self.socket.connect(path)
                break
            except OSError:
                if time.monotonic() > end:
                    raise Failure(f"QEMU does not listen at {path}") from None
                time.sleep(0.2)
        self.rest = b""

    def send(self, message):
        self.socket.settimeout(600)
        self.socket.sendall(json.dumps(message).encode() + b"\n")

    def receive(self, patience):
        end = time.monotonic() + patience
        while b"\n" not in self.rest:
            self.socket.settimeout(max(end - time.monotonic(), 0.01))
            try:
                piece = self.socket.recv(1 << 20)
            except TimeoutError:
                raise Failure(f"no answer within {patience:.0f} s") from None
            if not piece:
                raise Failure("QEMU has ended")
            self.rest += piece
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)


class Machine:
    """QEMU with the disk NAME.raw of `folder`, which the programs of the Debian in `folder`/host see as /lab.

    One instruction of the guest is a nanosecond of its clock (-icount shift=0). The guest has two ports: the
    agent's, and one whose other end is a second monitor of QEMU, so that the guest plays gestures on its own
    clock. Its processor has no AVX, as those of small tablets: QEMU is slow with vectors of 32 bytes.
    """

    COMMAND = """exec nice -n 5 qemu-system-x86_64 -machine q35,i8042=off,hpet=off -nodefaults -no-reboot \
-accel tcg,thread=single,tb-size=512 -icount shift=0,sleep=on -cpu Nehalem -smp 1 -m {memory} \
-kernel /lab/{name}.kernel -initrd /lab/{name}.initrd \
-append "root=/dev/vda rw console=ttyS0 mitigations=off nokaslr audit=0 nowatchdog session={session}" \
-drive file=/lab/run/{name}.qcow2,if=virtio,format=qcow2,cache=unsafe \
-drive file=/lab/run/files.tar,if=virtio,format=raw,readonly=on \
-vga none -device virtio-gpu-pci,id=gpu0,xres=1280,yres=800 -display none \
-device pcie-root-port,id=slot1,chassis=1,slot=1 -device virtio-multitouch-pci,id=touch0,bus=slot1 \
-device virtio-keyboard-pci -device virtio-rng-pci -device virtio-serial-pci \
-chardev socket,id=agent,path=/lab/run/agent.sock,server=on,wait=off \
-device virtserialport,chardev=agent,name=agent \
-chardev socket,id=inner,path=/lab/run/inner.sock,server=on,wait=off -object monitor-qmp,id=qmp1,chardev=inner \
-chardev socket,id=outer,path=/lab/run/inner.sock,reconnect-ms=500 \
-device virtserialport,chardev=outer,name=monitor \
-qmp unix:/lab/run/monitor.sock,server=on,wait=off -serial file:/lab/run/serial.log {snapshot}
"""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.run_folder = os.path.join(folder, "run")

    def start(self, session, files=(), snapshot=None):
        """Boots; the guest finds `files` as an archive of tar on its second disk."""
        if not snapshot:
            shutil.rmtree(self.run_folder, ignore_errors=True)
        os.makedirs(self.run_folder, exist_ok=True)
        os.makedirs(os.path.join(self.folder, "shots"), exist_ok=True)
        # The path of a socket has at most 107 bytes.
        os.chdir(self.run_folder)
        for name in ("agent.sock", "inner.sock", "monitor.sock"):
            if os.path.exists(name):
                os.remove(name)
        disk = f"{self.name}.qcow2"
        if not snapshot:
            self.host("qemu-img", "create", "-q", "-f", "qcow2", "-b", f"/lab/{self.name}.raw", "-F", "raw",
                      f"/lab/run/{disk}").wait()
        subprocess.run(["tar", "-P", "-cf", "files.tar", "--transform", "s,.*/,,", *files], check=True)
        with open("command", "w") as file:
            file.write(self.COMMAND.format(
                memory=MEMORY[self.name], name=self.name, session=session,
                snapshot=f"-loadvm {snapshot}" if snapshot else ""))
        self.log = open("qemu.log", "w")
        self.process = self.host("sh", "/lab/run/command", stdout=self.log, stderr=self.log)
        self.monitor = Line("monitor.sock", 60)
        self.monitor.receive(60)
        self.ask("qmp_capabilities")
        self.agent = Line("agent.sock", 60)

    def host(self, *command, **options):
        """A program of the Debian with QEMU."""
        script = (
            'for f in dev proc; do mount --rbind /$f "$0/host/$f"; done; mkdir -p "$0/host/lab"; '
            'mount --bind "$0" "$0/host/lab"; exec chroot "$0/host" "$@"'
        )
        return subprocess.Popen(["unshare", "--mount", "sh", "-c", script, self.folder, *command], **options)

    def ask(self, command, **arguments):
        """A command of QEMU's monitor."""
        self.monitor.send({"execute": command, "arguments": arguments})
        while True:
            reply = self.monitor.receive(120)
            if "return" in reply or "error" in reply:
                return reply

    def put(self, path, data):
        self.agent.send({"put": path, "data": base64.b64encode(data).decode()})
        self.expect("ok", 600)

    def get(self, path):
        self.agent.send({"get": path})
        return base64.b64decode(self.expect("data", 600))

    def expect(self, member, patience):
        reply = self.agent.receive(patience)
        if member not in reply:
            raise Failure(reply.get("error", str(reply)))
        return reply[member]

    def run(self, *command, patience=600, line=lambda text: None):
        """Runs a program in the guest; `patience` is the longest silence, in seconds of the host."""
        self.agent.send({"run": command})
        while True:
            reply = self.agent.receive(patience)
            if "line" in reply:
                line(reply["line"])
            elif "exit" in reply:
                return reply["exit"]
            else:
                raise Failure(reply.get("error", str(reply)))

    def stop(self):
        try:
            self.monitor.send({"execute": "quit"})
            self.process.wait(30)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
