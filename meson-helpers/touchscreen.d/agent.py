"""In the guest, as root: performs the requests of the host, which come through a virtio port.

A request and a reply are a line of JSON each. {"put": PATH, "data": BASE64} writes a file, {"get": PATH} reads one,
and {"run": [PROGRAM, ARGUMENT…]} runs a program: a reply for each line that it prints, and one with its exit code.
"""
import base64
import json
import os
import subprocess
import time


def lines(port):
    pieces = []
    while True:
        piece = os.read(port, 1 << 16)
        if not piece:
            # Nobody is at the other end.
            time.sleep(0.2)
            continue
        first, *more = piece.split(b"\n")
        pieces.append(first)
        for part in more:
            yield b"".join(pieces)
            pieces = [part]


def send(port, reply):
    data = json.dumps(reply).encode() + b"\n"
    while data:
        # The port takes at most 32 KiB at once.
        data = data[os.write(port, data) :]


def answer(request):
    if "put" in request:
        os.makedirs(os.path.dirname(request["put"]), exist_ok=True)
        with open(request["put"], "wb") as file:
            file.write(base64.b64decode(request["data"]))
        os.chmod(request["put"], 0o755)
        yield {"ok": True}
    elif "get" in request:
        with open(request["get"], "rb") as file:
            yield {"data": base64.b64encode(file.read()).decode()}
    else:
        program = subprocess.Popen(
            request["run"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        for line in program.stdout:
            yield {"line": line.decode(errors="replace").rstrip("\n")}
        yield {"exit": program.wait()}


def main():
    port = os.open("/dev/virtio-ports/agent", os.O_RDWR)
    for line in lines(port):
        try:
            for reply in answer(json.loads(line)):
                send(port, reply)
        except (OSError, ValueError, KeyError) as error:
            send(port, {"error": repr(error)})


main()
