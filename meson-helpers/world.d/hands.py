"""Hands, which play gestures and keys to the compositors of meson-helpers/world.

A gesture is a script, as `vitrine --record` writes it; each hand plays the script by an interface of its compositor.
"""

import importlib
import os
import sys
import time

import mutter_play
from pywayland.client import Display
from pywayland.scanner import Protocol

from patience import Failure

KEY_LEFT_SHIFT, KEY_RIGHT = 42, 106
# A point of the screen that has neither a button nor a corner that acts.
NOWHERE = (700, 700)


def tap(point):
    """The lines of a tap, and of the time until it is known to be no double tap."""
    x, y = point
    return [f"0 touch down 1 {x:g} {y:g}", "0 touch frame", "40 touch up 1", "40 touch frame", "400 end"]


def pinch(centre, start, end, rest=500):
    """The lines of a pinch of two fingers beside each other, which rest before they lift.

    The first step alone makes it a pinch, and neither finger does: mutter reports one finger after the other, and
    the point between the fingers at the begin is that which stays.
    """
    spans = [start, start + 18]
    spans += [spans[1] + (end - spans[1]) * step / 40 for step in range(1, 41)]
    lines = []
    for step, span in enumerate(spans):
        for finger, side in ((1, -0.5), (2, 0.5)):
            kind = "move" if step else "down"
            lines.append(f"{step * 10} touch {kind} {finger} {centre[0] + side * span:g} {centre[1]:g}")
        lines.append(f"{step * 10} touch frame")
    last = (len(spans) - 1) * 10 + rest
    return lines + [f"{last} touch up {finger}" for finger in (1, 2)] + [f"{last} touch frame"]


def play(lines, event):
    """Passes the words of each line to `event`, after the time since the line before: what is late stays late.

    The fingers must rest before they lift, or the picture goes on with their speed.
    """
    before = 0
    for line in lines:
        moment, *words = line.split()
        time.sleep((float(moment) - before) / 1000)
        before = float(moment)
        event(words)


class MutterHand:
    """Touch and keys by mutter's RemoteDesktop interface, which gnome-shell has, too."""

    how = "touch and keys by RemoteDesktop"
    of_window = False

    def __init__(self):
        self.session = mutter_play.Session()
        # The first event of a kind only makes its device.
        self.hold_key(KEY_LEFT_SHIFT, 0)
        for words in (["touch", "down", "0", *map(str, NOWHERE)], ["touch", "up", "0"]):
            self.session.event(words)
            time.sleep(0.1)

    def touch(self, lines):
        play(lines, self.session.event)

    def hold_right(self, seconds):
        self.hold_key(KEY_RIGHT, seconds)

    def hold_key(self, code, seconds):
        self.session.notify("KeyboardKeycode", "(ub)", code, True)
        time.sleep(seconds)
        self.session.notify("KeyboardKeycode", "(ub)", code, False)


class KWinHand:
    """Touch and keys by org_kde_kwin_fake_input."""

    how = "touch and keys by fake input"
    of_window = False

    def __init__(self, socket, folder):
        protocol = Protocol.parse_file("/usr/share/plasma-wayland-protocols/fake-input.xml")
        os.makedirs(f"{folder}/bindings")
        protocol.output(f"{folder}/bindings", {interface.name: protocol.name for interface in protocol.interface})
        sys.path.insert(0, f"{folder}/bindings")
        fake_input = importlib.import_module(protocol.name).OrgKdeKwinFakeInput
        self.display = Display(socket)
        self.display.connect()
        self.fake = None
        registry = self.display.get_registry()

        def offered(registry, name, interface, version):
            if interface == fake_input.name:
                self.fake = registry.bind(name, fake_input, min(version, fake_input.version))

        registry.dispatcher["global"] = offered
        self.display.roundtrip()
        if not self.fake:
            raise Failure("KWin offers no fake input")
        self.fake.authenticate("vitrine", "test")
        self.display.roundtrip()

    def close(self):
        self.display.disconnect()

    def touch(self, lines):
        play(lines, self.event)

    def event(self, words):
        match words:
            case ["touch", "down", finger, x, y]:
                self.fake.touch_down(int(finger), float(x), float(y))
            case ["touch", "move", finger, x, y]:
                self.fake.touch_motion(int(finger), float(x), float(y))
            case ["touch", "up", finger]:
                self.fake.touch_up(int(finger))
            case ["touch", "frame"]:
                self.fake.touch_frame()
        self.display.roundtrip()

    def hold_right(self, seconds):
        for pressed in (1, 0):
            self.fake.keyboard_key(KEY_RIGHT, pressed)
            self.display.roundtrip()
            if pressed:
                time.sleep(seconds)


class ScriptHand:
    """For a compositor that takes no input from programs: the viewer's own script player, and no key."""

    how = "touch by the viewer's script player, no key"
    # The points of its scripts are those of the window.
    of_window = True
    hold_right = None

    def __init__(self, compositor):
        self.compositor = compositor

    def touch(self, lines):
        path = f"{self.compositor.folder}/script.txt"
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
        self.compositor.message("play", path)


class VirtualHand(ScriptHand):
    """A virtual keyboard for compositors made with wlroots, which have no virtual touchscreen."""

    how = "touch by the viewer's script player, keys by a virtual keyboard"

    def hold_right(self, seconds):
        # The keyboard comes with wtype. A key that is pressed when the viewer learns of the keyboard does not count.
        self.compositor.call("wtype", "-s", "500", "-P", "Right", "-s", str(int(seconds * 1000)), "-p", "Right")
