#!/usr/bin/python3
"""The part of meson-helpers/world that runs inside: check.py COMPOSITOR FOLDER

Starts the compositor and a viewer in it, plays gestures and keys, and compares the screen with the expected one.
Prints a line, and exits with 1 if anything differs. Screenshots, logs and all differences stay in FOLDER.
"""

import itertools
import re
import subprocess
import sys
import time

import scene
from compositors import KINDS
from hands import pinch, tap
from patience import Failure, Late, wait_for

PICTURES = "/srv/pictures"
# Seconds for what a person would see at once; a busy machine gets more.
SOON = 60
# Seconds in which bars come after a tap; they stay for about as long.
BARS = 3
# Seconds after which a screen that is not as expected counts as different.
LATE = 6
# The pinch: its centre, the distances of the fingers, and the zoom that follows from them. Two fingers pinch once
# their distance has changed by 16 pixels, and the base follows by these (motion.md).
CENTRE, SPANS = (500, 300), (100, 232)
FACTOR = SPANS[1] / (SPANS[0] + 16)
# Wayland has coordinates in steps of 1/256 pixel: that many of 116 pixels at both fingers are 0.01 % of the zoom.
ZOOM_TOLERANCE = 0.001
# Pixels: the same, up to 1000 pixels from the centre of the pinch.
PLACE_TOLERANCE = 0.5
# A key that is held for 2 s turns at least so many pages. Compositors repeat after 200 to 660 ms, 25 to 40 times a
# second; a page needs about 80 ms to be turned.
HELD_SECONDS, HELD_PAGES = 2, 10


class Check:
    def __init__(self, kind, folder):
        self.kind = kind
        self.folder = folder
        self.failures = []
        self.compositor = KINDS[kind](folder)
        self.viewer = None
        # Where the view was in the last screenshot.
        self.offset = (0, 0)

    def fail(self, text):
        self.failures.append(text)

    def rest(self, view=None, bars=False):
        """The state of the viewer once nothing moves, with a view of this size if any, with or without its bars."""
        state = {}

        def still():
            nonlocal state
            state = self.compositor.message("state")
            return state.get("phase") == "idle" and state.get("rect") and state["ui"]["chrome"] == bars \
                and not state["ui"].get("toast") and (view is None or state["view"][:2] == list(view))

        try:
            wait_for(still, BARS if bars else SOON, f"the viewer is not at rest{' with bars' if bars else ''}")
        except Late as late:
            raise Late(f"{late}: {state.get('phase')}, view {state.get('view')}, {state.get('ui')}") from None
        return state

    def compare(self, name, view, rect):
        """Compares the state and the screen with the place of the picture that `rect` computes from a view.

        A view that is None is a window, which may be anywhere.
        """
        # The compositor may still move the window, and a frame may not be on the screen yet.
        end = time.monotonic() + LATE
        for attempt in itertools.count(1):
            time.sleep(0.3)
            state = self.rest(view)
            found = self.deviation(state, rect(state["view"][:2])) or self.shown(name, state, view)
            if not found:
                return state
            if attempt > 2 and time.monotonic() > end:
                self.fail(f"{name}: {found}")
                return state

    def compare_bars(self, point):
        """Shows the bars of a window by a tap, and compares the screen."""
        # They go after some seconds, which may be too soon on a busy machine.
        for _ in range(3):
            self.compositor.hand.touch(tap(point))
            try:
                found = self.shown("bars", self.rest(bars=True), None, bars=True)
            except Late as late:
                found = str(late)
            if not found:
                return
            self.rest()
        self.fail(f"bars: {found}")

    @staticmethod
    def deviation(state, rect):
        """How the state differs from what is expected; None if it does not."""
        if state["view"][2] != 1:
            return f"scale {state['view'][2]}"
        if any(abs(a - b) > PLACE_TOLERANCE for a, b in zip(state["rect"], rect)):
            return f"the picture is at {state['rect']}, expected {[round(x, 2) for x in rect]}"
        return f"rotation {state['rotation']}" if state["rotation"] else None

    def shown(self, name, state, view, bars=False):
        """How a new screenshot differs from the state; None if it does not."""
        path = f"{self.folder}/{self.kind}-{name}.png"
        self.compositor.shoot(path)
        shot = scene.read(path)
        width, height = (round(size) for size in state["view"][:2])
        if view:
            self.offset = (0, 0)
        elif not bars:
            self.offset = scene.place(shot, state["rect"])
        if not self.offset:
            return "the picture is not on the screen"
        left, top = self.offset
        pixels = shot[max(top, 0):top + height, max(left, 0):left + width]
        if pixels.shape[:2] != (height, width):
            return f"a view of {width}×{height} at {left},{top} is not on the screen"
        covers = self.compositor.pointers if view else self.compositor.pointers + self.compositor.panels
        hidden = [(x - left, y - top, *size) for x, y, *size in covers]
        if not view:
            hidden += scene.corners((width, height))
        place = state["rect"], state["index"]
        if not bars:
            return scene.difference(pixels, scene.visible((width, height), hidden), *place)
        over = scene.bars((width, height))
        for part in over[:2]:
            others = [other for other in over if other is not part]
            if not scene.difference(pixels, scene.visible((width, height), hidden + others), *place):
                return "the bars are not on the screen"
        return scene.difference(pixels, scene.visible((width, height), hidden + over), *place)

    def start(self):
        self.log = f"{self.folder}/protocol.txt"
        with open(self.log, "wb") as log:
            self.viewer = subprocess.Popen(
                ["vitrine", "--viewer", "--size", "900x640", "--socket", f"{self.folder}/control", PICTURES],
                env={**self.compositor.environ, "WAYLAND_DEBUG": "client"}, cwd=self.folder,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        wait_for(self.answers, SOON, "the viewer shows no frame")

    def answers(self):
        if self.viewer.poll() is not None:
            raise Failure("the viewer shows no frame")
        try:
            return self.compositor.message("state")
        except Failure:
            # There is no socket yet, or no frame.
            return None

    def play(self):
        hand = self.compositor.hand
        state = self.compare("window", None, scene.fit)

        left, top = (0, 0) if hand.of_window or not self.offset else self.offset
        self.compare_bars((left + state["view"][0] / 2, top + state["view"][1] / 2))

        self.compositor.message("fullscreen", "on")
        self.compare("fit", scene.SCREEN, scene.fit)

        hand.touch(pinch(CENTRE, *SPANS))
        time.sleep(0.2)
        state = self.compare("zoom", scene.SCREEN, lambda view: scene.zoomed(scene.fit(view), FACTOR, CENTRE))
        zoom = scene.fit(scene.SCREEN)[2] / scene.PICTURE[0] * FACTOR
        if abs(state["zoom"] / zoom - 1) > ZOOM_TOLERANCE:
            self.fail(f"pinch: zoom {state['zoom']}, expected {zoom:.4f}")

        self.compositor.message("zoom", "fit")
        if hand.hold_right:
            before = self.rest()["index"]
            hand.hold_right(HELD_SECONDS)
            time.sleep(0.2)
            state = self.compare("pages", scene.SCREEN, scene.fit)
            pages = state["index"] - before
            if pages < HELD_PAGES:
                self.fail(f"held key: {pages} pages, expected {HELD_PAGES} or more")

    def end(self):
        """Ends the viewer; the compositor must outlive it."""
        self.compositor.message("quit")
        try:
            code = self.viewer.wait(SOON)
            if code:
                self.fail(f"the viewer ends with {code}")
        except subprocess.TimeoutExpired:
            self.fail("the viewer does not end")
        self.compositor.live()

    def read_log(self):
        """Protocol errors, and what the viewer printed besides."""
        with open(self.log, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
        protocol = [line for line in lines if re.match(r"\[[ \d.:]+\]", line)]
        if not any("xdg_toplevel" in line for line in protocol):
            self.fail("the protocol log is empty")
        for line in protocol:
            if re.search(r"wl_display[#@]\d+\.error\(", line):
                self.fail(f"protocol error: {line}")
        for line in lines:
            if line not in protocol:
                self.fail(f"the viewer prints: {line}")

    def run(self):
        begin = time.monotonic()
        version, how = self.compositor.version(), "not played"
        try:
            self.compositor.start()
            how = self.compositor.hand.how
            self.start()
            self.play()
            self.end()
        except Failure as failure:
            if self.viewer and self.viewer.poll() is not None:
                self.fail(f"the viewer has ended with {self.viewer.returncode}")
            self.fail(str(failure))
        finally:
            if self.viewer:
                if self.viewer.poll() is None:
                    self.viewer.kill()
                self.viewer.wait()
                self.read_log()
            self.compositor.stop()
        result = "as expected"
        if self.failures:
            result = f"differs: {self.failures[0]}"
            if len(self.failures) > 1:
                result += f"; {len(self.failures) - 1} more in {self.kind}/differences.txt"
            with open(f"{self.folder}/differences.txt", "w", encoding="utf-8") as file:
                file.writelines(failure + "\n" for failure in self.failures)
        print(f"{self.kind} {version}: {result} ({how}; {time.monotonic() - begin:.0f} s)", flush=True)
        return 1 if self.failures else 0


if __name__ == "__main__":
    sys.exit(Check(sys.argv[1], sys.argv[2]).run())
