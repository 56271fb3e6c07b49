"""Every gesture: how it is played, in the guest, and how it is judged, on the host.

A gesture is a class with `play(lab)` and `judge(case)`. The first line of its docstring is its row of the table.
"""
import math
import subprocess
import time

from hand import around, finger, line, linear, pinch, tap

CENTRE = (740.0, 430.0)
# Why a check is known to fail. A check that holds nevertheless is reported.
DRAG = "Sway moves no drag of a finger to another window"
# How long fingers rest at their end, and when they are noted there, in ms: GNOME shows the picture at its full
# resolution up to 600 ms after the last motion.
REST, NOTED = 950.0, 800.0

GROUPS = {}


def group(name, *arguments, only=("sway", "cage", "gnome")):
    """The gestures that are played to one viewer."""
    GROUPS[name] = {"arguments": arguments, "gestures": [], "only": only}
    return name


# Turns are not kept in the files: the next gesture finds them as they were.
PICTURES = ("--grid", "--fullscreen", "--set", "files.save_turns=false", "/home/person/Pictures")
ZOOM = group("zoom", *PICTURES)
PAN = group("pan", *PICTURES)
PAGES = group("pages", *PICTURES)
TAPS = group("taps", *PICTURES)
GRID = group("grid", "--grid", "--fullscreen", "/home/person/Many")
OUT = group("out", "--grid", "/home/person/Pictures", only=("sway",))
EVENTS = group("events", *PICTURES)


def gesture(group_name, only=None):
    def add(kind):
        kind.name = kind.__doc__.split("\n")[0].rstrip(".")
        kind.only = only or GROUPS[group_name]["only"]
        GROUPS[group_name]["gestures"].append(kind)
        return kind

    return add


class Clock:
    """drag slowly: the clocks of the touches and of the frames"""

    # The first gesture of each viewer.
    only = ("sway", "cage", "gnome")

    def play(lab):
        lab.ready(4, 3)
        lab.play(finger(0, 0, 700, line((760, 460), (560, 360)), rest=200))

    def judge(case):
        case.arrived()
        case.placed("at rest", case.rest, case.hold().held)
        case.follows("the picture follows the finger", case.strokes[0])


Clock.name = Clock.__doc__


def noted(lab, end, label, shot=False):
    """Notes the state of fingers that rest from `end` on, and with `shot` the screen."""
    return [(end + NOTED, "do", lab.note(label, shot))]


# Zoom and rotation


@gesture(ZOOM)
class Pinch:
    """pinch: spread to three times the size, and rest"""

    def play(lab):
        lab.ready()
        lab.play(pinch(0, 600, CENTRE, (60, 180), rest=REST) + noted(lab, 600, "held", shot=True))

    def judge(case):
        case.arrived()
        hold = case.hold()
        case.placed("held", case.states["held"], hold.held)
        case.under("held", CENTRE)
        case.placed("at rest", case.rest, hold.settled())
        case.on_screen("held", CENTRE, (400, 300), (1000, 600))


@gesture(ZOOM)
class PinchSmaller:
    """pinch: close to half the size, and rest"""

    def play(lab):
        lab.ready(4, 1.4)
        lab.play(pinch(0, 500, CENTRE, (180, 80), rest=REST) + noted(lab, 500, "held", shot=True))

    def judge(case):
        case.arrived()
        hold = case.hold()
        case.placed("held", case.states["held"], hold.held)
        case.placed("at rest", case.rest, hold.settled())
        case.on_screen("held", CENTRE)


@gesture(ZOOM)
class PinchOn:
    """pinch: released in motion, the zoom goes on"""

    def play(lab):
        lab.ready()
        lab.play(pinch(0, 300, CENTRE, (70, 150), law=linear))

    def judge(case):
        case.arrived()
        hold = case.hold()
        case.true("the fingers moved at the release", hold.release.zoom_rate > 1)
        case.placed("at rest", case.rest, hold.settled())


@gesture(ZOOM)
class PinchLimits:
    """pinch: beyond the largest zoom, the rubber band and back"""

    def play(lab):
        lab.ready(4, 3)
        lab.play(pinch(0, 500, CENTRE, (70, 190), rest=REST) + noted(lab, 500, "held"))

    def judge(case):
        hold = case.hold()
        case.true("the fingers ask for more than the largest zoom", hold.raw > 4)
        case.placed("held", case.states["held"], hold.held)
        case.near("zoom at rest", case.rest["zoom"], 4, 1e-6)
        case.placed("at rest", case.rest, hold.settled())


@gesture(ZOOM)
class OneByOne:
    """pinch: the fingers lift 60 ms apart"""

    def play(lab):
        lab.ready(4, 0.9)
        lab.play(pinch(0, 400, CENTRE, (80, 160), (0, 10), (700, 400), law=linear, lag=60))

    def judge(case):
        hold = case.hold()
        case.true("one finger was left", case.strokes[0][-1].time - hold.release.time > 40)
        case.placed("at rest", case.rest, hold.settled(), lengths=3, zoom=0.01)


# GNOME takes three fingers and more for itself.
@gesture(ZOOM, only=("sway", "cage"))
class TenFingers:
    """pinch: ten fingers"""

    def play(lab):
        lab.ready()
        lab.play(pinch(0, 600, (640, 400), (150, 330), count=10, rest=REST) + noted(lab, 600, "held"))

    def judge(case):
        case.arrived()
        case.equal("fingers that arrived", max(len(f.downs) for f in case.strokes[0]) and case.most_fingers, 10)
        hold = case.hold()
        case.placed("held", case.states["held"], hold.held)
        case.placed("at rest", case.rest, hold.settled())


@gesture(ZOOM, only=("sway", "cage"))
class ComeAndGo:
    """pinch: fingers come and go, slots are used again"""

    def play(lab):
        lab.ready()
        events = finger(0, 0, 900, around((600, 400), (100, 200)), rest=300)
        events += finger(1, 120, 700, around((600, 400), (100, 200), phase=180))
        events += finger(2, 260, 500, line((500, 600), (560, 500)))
        events += finger(2, 560, 820, line((900, 200), (800, 260)))
        events += tap(1, 760, (300, 300), 40)
        lab.play(sorted(events, key=lambda event: event[0]))

    def judge(case):
        case.arrived()
        case.equal("fingers at once", case.most_fingers, 3)
        zooms = [frame["zoom"] for frame in case.frames if frame.get("gesture") == "pinch"]
        case.true("the fingers zoom", zooms and max(zooms) > 1.03 * min(zooms))
        case.near("rotation at rest", (case.rest["rotation"] + 45) % 90, 45, 1e-6)
        case.true("zoom at rest", case.rest["zoom"] >= case.before["limits"]["fit"])
        case.placed("at rest", case.rest, case.picture().rest(case.place(case.rest)))
        case.no_jumps()


@gesture(ZOOM)
class Twist:
    """twist by 75°, and rest"""

    def play(lab):
        lab.ready()
        lab.play(pinch(0, 700, CENTRE, (150, 150), (20, 95), rest=REST) + noted(lab, 700, "held", shot=True))

    def judge(case):
        case.arrived()
        hold = case.hold()
        case.placed("held", case.states["held"], hold.held)
        case.on_screen("held", CENTRE, (700, 500))
        case.near("rotation at rest", case.rest["rotation"], 90, 1e-6)
        case.placed("at rest", case.rest, hold.settled())


@gesture(ZOOM)
class TwistBack:
    """twist by −75°"""

    def play(lab):
        lab.play(pinch(0, 700, CENTRE, (150, 150), (20, -55), rest=REST) + noted(lab, 700, "held"))

    def judge(case):
        hold = case.hold()
        case.placed("held", case.states["held"], hold.held)
        case.near("rotation at rest", case.rest["rotation"], 0, 1e-6)
        case.placed("at rest", case.rest, hold.settled())


@gesture(ZOOM)
class DoubleTap:
    """double tap: the steps of the zoom"""

    def play(lab):
        lab.ready()
        for number in range(4):
            lab.play(tap(0, 0, (900, 300)) + tap(0, 160, (905, 302)))
            lab.states[f"tap {number}"] = lab.states["rest"]
        lab.shot("end")
        lab.states["end"] = lab.states["rest"]

    def judge(case):
        picture = case.picture()
        ladder = picture.ladder()
        case.equal("steps", [round(step, 4) for step in ladder], [0.4, 0.8, 1.0])
        place = case.place(case.before)
        strokes = case.strokes
        for number, zoom in enumerate([ladder[1], ladder[2], ladder[0], ladder[1]]):
            # The landing point of the second tap.
            point = next(iter(strokes[2 * number + 1][0].downs.values()))
            place = picture.zoomed(place, zoom, point)
            case.placed(f"after double tap {number + 1}", case.states[f"tap {number}"], place)
        case.on_screen("end", (900, 300), (640, 400))


@gesture(ZOOM)
class TwoFingerTap:
    """two-finger tap: back by a step"""

    def play(lab):
        lab.ready(4, 1.0)
        lab.play(tap(0, 0, (600, 400)) + tap(1, 20, (700, 420), 70))
        lab.states["first"] = lab.states["rest"]
        lab.play(tap(0, 0, (600, 400), 80) + tap(1, 35, (700, 420), 30))

    def judge(case):
        picture = case.picture()
        place = case.place(case.before)
        for stroke, zoom, state in zip(case.strokes, (0.8, 0.4), (case.states["first"], case.rest)):
            points = [p for frame in stroke for p in frame.downs.values()]
            place = picture.zoomed(place, zoom, [sum(axis) / 2 for axis in zip(*points)])
            case.placed(f"after the tap to {zoom}", state, place)


@gesture(ZOOM)
class QuickZoom:
    """double tap and drag: zoom with one finger"""

    def play(lab):
        lab.ready()
        lab.play(
            tap(0, 0, (600, 300)) + finger(0, 150, 700, line((602, 301), (602, 511)), rest=REST)
            + noted(lab, 700, "held", shot=True))

    def judge(case):
        case.arrived()
        landing, end = case.ends(case.strokes[1])
        zoom = case.before["zoom"] * 2 ** ((end[1] - landing[1] - 10) / 128)
        case.near("zoom while held", case.states["held"]["zoom"], zoom, 1e-4)
        case.fixed("the landing point stays", case.before, case.states["held"], landing)
        case.on_screen("held", (602, 301))
        case.placed("at rest", case.rest, case.picture().zoomed(case.place(case.states["held"]), zoom, landing))


@gesture(ZOOM)
class QuickZoomOut:
    """double tap and drag: up is smaller"""

    def play(lab):
        lab.ready(4, 1.2)
        lab.play(
            tap(0, 0, (600, 400)) + finger(0, 150, 700, line((602, 401), (602, 291)), rest=REST)
            + noted(lab, 700, "held"))

    def judge(case):
        landing, end = case.ends(case.strokes[1])
        zoom = case.before["zoom"] * 2 ** ((end[1] - landing[1] + 10) / 128)
        case.near("zoom while held", case.states["held"]["zoom"], zoom, 1e-4)
        case.fixed("the landing point stays", case.before, case.states["held"], landing)


# Panning


@gesture(PAN)
class Drag:
    """drag a zoomed picture, and rest"""

    def play(lab):
        lab.ready(4, 1.5)
        lab.play(finger(0, 0, 500, line((800, 500), (500, 350)), rest=REST) + noted(lab, 500, "held", shot=True))

    def judge(case):
        case.arrived()
        hold = case.hold()
        case.placed("held", case.states["held"], hold.held)
        case.on_screen("held", (500, 350), (900, 200))
        case.placed("at rest", case.rest, hold.held)


@gesture(PAN)
class DragPast:
    """drag past the edge: the rubber band and back"""

    def play(lab):
        lab.ready(4, 0.8)
        lab.play(finger(0, 0, 600, line((700, 100), (710, 700)), rest=REST) + noted(lab, 600, "held", shot=True))

    def judge(case):
        hold = case.hold()
        case.true("the picture is past its edge", hold.over[1] > 50)
        case.placed("held", case.states["held"], hold.held)
        case.on_screen("held", (710, 700))
        case.placed("at rest", case.rest, case.picture().rest(hold.held))


@gesture(PAN)
class Fling:
    """fling a zoomed picture"""

    def play(lab):
        lab.ready(4, 2)
        lab.play(finger(0, 0, 160, line((800, 500), (500, 400), linear)))
        lab.shot("rest")

    def judge(case):
        case.arrived()
        hold = case.hold()
        speed = math.hypot(hold.release.vx, hold.release.vy)
        case.true("the finger was fast", speed > 1000)
        case.placed("at rest", case.rest, hold.flung(), lengths=1)
        case.on_screen("rest", (640, 400))
        last = max(n for n, f in enumerate(case.frames) if f["phase"] == "touching")
        flight = [f for f in case.frames[last + 1:] if f["phase"] == "animating"]
        end = case.place(case.rest)
        # What is left of the way falls by k in a second.
        left = [(f["t"] / 1000, math.log(d)) for f in flight
                if (d := math.dist((case.place(f).x, case.place(f).y), (end.x, end.y))) > 20]
        (t0, first), (t1, last) = left[0], left[-1]
        case.near("k of the flight, per s", (first - last) / (t1 - t0), 2.002, 0.02)
        way = math.dist((hold.held.x, hold.held.y), (end.x, end.y))
        case.near("speed of the flight, of the samples", way * 2.002 / speed, 1, 0.01)
        # The estimate sees the jitter of the reports.
        true = math.hypot(300, 100) / 0.16
        case.near("speed of the flight, of the finger", way * 2.002 / true, 1, 0.05)


@gesture(PAN)
class FlingToEdge:
    """fling into the edge: it bounces and rests there"""

    def play(lab):
        lab.ready(4, 0.8)
        lab.play(finger(0, 0, 120, line((700, 550), (710, 300), linear)))

    def judge(case):
        hold = case.hold()
        case.placed("at rest", case.rest, hold.flung())
        end = case.rest["rect"][1]
        past = min(f["rect"][1] for f in case.frames if "rect" in f)
        case.true(f"it was past the edge, by {end - past:.0f} px", past < end - 5)


@gesture(PAN)
class Catch:
    """catch a fling and let go: it goes on"""

    def play(lab):
        lab.ready(4, 2)
        lab.play(
            finger(0, 0, 160, line((800, 500), (600, 430), linear)) + tap(0, 500, (640, 400), 200)
            + [(650, "do", lab.note("caught"))])

    def judge(case):
        hold = case.hold(case.strokes[0])
        case.equal("phase under the finger", case.states["caught"]["phase"], "touching")
        still = [f["rect"] for f in case.frames if f["phase"] == "touching"][-1]
        case.near("the picture stands still", math.dist(still[:2], case.states["caught"]["rect"][:2]), 0, 0.01)
        case.placed("at rest", case.rest, hold.flung(), lengths=1)
        case.equal("bars", case.rest["ui"]["chrome"], False)


@gesture(PAN)
class Motion:
    """the picture stays under fingers that move"""

    def play(lab):
        lab.ready(4, 2)
        lab.play(finger(0, 0, 700, line((1000, 600), (400, 300), linear), rest=200))
        lab.play(finger(0, 0, 700, line((400, 300), (1000, 600)), rest=200))
        lab.play(finger(
            0, 0, 1000, lambda s: (640 + 250 * math.sin(2 * math.pi * s), 400 + 80 * math.sin(4 * math.pi * s)),
            rest=200))
        lab.play(pinch(0, 800, (500, 300), (90, 200), (0, 50), (760, 480), rest=200))

    def judge(case):
        for number, what in enumerate(("at constant speed", "eased", "to and fro", "two fingers that turn")):
            case.follows(what, case.strokes[number])
        start = case.place(case.before)
        for stroke in case.strokes[:3]:
            hold = case.hold(stroke, start)
            start = hold.flung()
        case.placed("at rest", case.rest, case.hold(case.strokes[3], start).settled(), lengths=1)


# Pages


def swipes(count, pause, length, path):
    return [event for number in range(count)
            for event in finger(0, number * pause, number * pause + length, line(*path, linear))]


@gesture(PAGES)
class Swipe:
    """swipe: the next picture, and the previous one"""

    def play(lab):
        lab.ready(2)
        lab.play(swipes(1, 0, 110, ((900, 420), (520, 430))))
        lab.states["next"] = lab.states["rest"]
        lab.shot("next")
        lab.play(swipes(1, 0, 110, ((520, 420), (900, 430))))

    def judge(case):
        case.arrived()
        case.equal("page after the swipe", case.states["next"]["index"], case.before["index"] + 1)
        case.placed("at rest", case.states["next"], case.picture(case.states["next"]).at_fit())
        case.on_screen("next", (640, 400))
        case.equal("page after the swipe back", case.rest["index"], case.before["index"])


@gesture(PAGES)
class SwipeSlowly:
    """swipe: a short slow one returns, one past the middle turns"""

    def play(lab):
        lab.ready(2)
        lab.play(finger(0, 0, 500, line((900, 420), (700, 420)), rest=200))
        lab.states["short"] = lab.states["rest"]
        lab.play(finger(0, 0, 700, line((1150, 420), (350, 420)), rest=200))

    def judge(case):
        case.equal("page after the short one", case.states["short"]["index"], case.before["index"])
        case.placed("at rest", case.states["short"], case.picture().at_fit())
        case.equal("page after the long one", case.rest["index"], case.before["index"] + 1)


@gesture(PAGES)
class Swipes:
    """swipe: six quick ones, and three back"""

    def play(lab):
        lab.ready(1)
        lab.play(swipes(6, 300, 110, ((900, 420), (520, 430))))
        lab.states["six"] = lab.states["rest"]
        lab.play(swipes(3, 220, 80, ((500, 420), (800, 430))))

    def judge(case):
        # A mutter that is late has all motions of a swipe in one frame of wl_touch.
        case.equal("pages of six", case.states["six"]["index"] - case.before["index"], 6)
        case.equal("pages of three", case.rest["index"] - case.states["six"]["index"], -3)


# Leaving the picture


@gesture(PAGES)
class ThrowUp:
    """throw up: back to the grid"""

    def play(lab):
        lab.ready()
        lab.play(finger(0, 0, 130, line((640, 600), (650, 300), linear)), wait=0.5)
        lab.shot("grid")

    def judge(case):
        case.arrived()
        case.equal("mode", case.rest["mode"], "grid")
        case.true("a frame says that it is dismissed", any(f.get("dismissed") for f in case.frames))


@gesture(PAGES)
class ThrowDown:
    """throw down: back to the grid"""

    def play(lab):
        lab.ready()
        lab.play(finger(0, 0, 130, line((640, 300), (650, 600), linear)), wait=0.5)

    def judge(case):
        case.equal("mode", case.rest["mode"], "grid")
        case.true("a frame says that it is dismissed", any(f.get("dismissed") for f in case.frames))


@gesture(PAGES)
class DragDown:
    """drag down slowly: the picture shrinks and comes back"""

    def play(lab):
        lab.ready()
        lab.play(finger(0, 0, 500, line((640, 300), (640, 420)), rest=REST) + noted(lab, 500, "held", shot=True))

    def judge(case):
        landing, end = case.ends(case.strokes[0])
        progress = (end[1] - landing[1] - 10) / (0.5 * case.before["view"][1])
        held = case.states["held"]
        case.near("zoom while held", held["zoom"], case.before["zoom"] * (1 - 0.5 * progress), 1e-4)
        case.near("backdrop while held", held["dim"], 1 - progress, 0.002)
        case.fixed("the finger keeps its point", case.before, held, (landing[0], landing[1] + 10), end, lengths=0.2)
        case.equal("mode", case.rest["mode"], "viewer")
        case.placed("at rest", case.rest, case.picture().at_fit())


@gesture(PAGES)
class PinchAway:
    """pinch small: back to the grid"""

    def play(lab):
        lab.ready()
        lab.play(pinch(0, 400, CENTRE, (200, 90), rest=REST) + noted(lab, 400, "held"), wait=0.5)

    def judge(case):
        case.arrived()
        hold = case.hold(armed=True)
        held = case.states["held"]
        case.placed("held", held, hold.held)
        ratio = hold.held.zoom / case.before["zoom"]
        case.near("backdrop while held", held["dim"], min(max(1 - 1.2 * (1 - ratio), 0), 1), 0.002)
        case.equal("mode", case.rest["mode"], "grid")


@gesture(PAGES)
class PinchALittle:
    """pinch a little smaller: the picture comes back"""

    def play(lab):
        lab.ready()
        lab.play(pinch(0, 400, CENTRE, (200, 180), rest=200))

    def judge(case):
        case.equal("mode", case.rest["mode"], "viewer")
        case.placed("at rest", case.rest, case.picture().at_fit())


# Taps


@gesture(TAPS)
class Tap:
    """tap: the bars come, and go"""

    def play(lab):
        lab.ready()
        lab.play(tap(0, 0, (640, 400)), wait=0.6)
        lab.shot("bars")
        lab.states["bars"] = lab.viewer.state()
        lab.play(tap(0, 0, (640, 400)), wait=0.6)

    def judge(case):
        case.equal("bars after the first tap", case.states["bars"]["ui"]["chrome"], True)
        case.equal("bars after the second tap", case.rest["ui"]["chrome"], False)
        case.placed("the picture stays", case.rest, case.place(case.before))
        up = case.strokes[0][-1].time
        shown = case.first(lambda f: f["ui"]["chrome"])
        if shown is not None:
            case.true(f"the bars come {shown - up:.0f} ms after the tap", 290 < shown - up < 400)


@gesture(TAPS)
class TapLate:
    """tap just before the bars hide by themselves"""

    def play(lab):
        def until(shown):
            end = time.monotonic() + 20
            while lab.viewer.state()["ui"]["chrome"] != shown:
                if time.monotonic() > end:
                    raise RuntimeError("the bars do not " + ("come" if shown else "hide"))
                time.sleep(0.005)
            return time.monotonic()

        lab.ready()
        lab.screen.play(tap(0, 0, (640, 400)))
        shown = until(True)
        life = until(False) - shown
        lab.facts["bars stay"] = life
        lab.screen.play(tap(0, 0, (640, 400)))
        shown = until(True)
        # A timeline begins 30 ms after it was given.
        time.sleep(shown + life - 0.11 - time.monotonic())
        lab.sent += lab.screen.play(tap(0, 0, (640, 400)))
        time.sleep(0.8)
        lab.states["rest"] = lab.viewer.state()

    def judge(case):
        case.equal("bars after the tap", case.rest["ui"]["chrome"], False)


@gesture(TAPS)
class Buttons:
    """tap on buttons of the bars: turn, turn back, information"""

    COMMANDS = ("rotate-clockwise", "rotate-anticlockwise", "information")

    def play(lab):
        lab.ready()
        lab.play(tap(0, 0, (640, 400)), wait=0.6)
        lab.states["before"] = lab.viewer.state()
        for command in Buttons.COMMANDS:
            point = button(lab.viewer.message("ui"), command)
            if point is None:
                raise RuntimeError(f"there is no button for {command}")
            lab.play(tap(0, 0, point), wait=0.6)
            lab.states[command] = lab.states["rest"]
        lab.viewer.message("do", "information")
        lab.viewer.rest()

    def judge(case):
        turned, back, information = (case.states[command] for command in Buttons.COMMANDS)
        case.equal("bars", case.before["ui"]["chrome"], True)
        case.placed("turned", turned, case.picture().at_fit(math.pi / 2))
        case.placed("turned back", back, case.picture().at_fit())
        case.equal("information before", back["ui"]["info"], False)
        case.equal("information", information["ui"]["info"], True)


def button(tree, command):
    """The middle of the button with a command or a name."""
    if command in (tree.get("command"), tree.get("name")) and tree["role"].endswith("button"):
        x, y, width, height = tree["rect"]
        return (x + width / 2, y + height / 2)
    for child in tree.get("children", []):
        if point := button(child, command):
            return point
    return None


@gesture(TAPS)
class LongPress:
    """long press: the menu; a tap beside closes it"""

    def play(lab):
        lab.ready()
        lab.play(tap(0, 0, (640, 400), 800) + [(750, "do", lab.note("held"))], wait=0.2)
        lab.shot("menu")
        lab.states["menu"] = lab.viewer.state()
        lab.play(tap(0, 0, (200, 200)), wait=0.5)

    def judge(case):
        case.equal("menu while held", case.states["held"]["ui"]["menu"], True)
        case.equal("menu after the finger has lifted", case.states["menu"]["ui"]["menu"], True)
        down = case.strokes[0][0].time
        shown = case.first(lambda f: f["ui"]["menu"])
        case.true(f"the menu comes {shown - down:.0f} ms after the finger", 490 < shown - down < 600)
        case.equal("menu after the tap beside", case.rest["ui"]["menu"], False)


@gesture(TAPS)
class MenuAndFilmstrip:
    """tap on the filmstrip beside the menu closes the menu"""

    def play(lab):
        lab.ready()
        lab.viewer.message("do", "chrome")
        lab.viewer.rest()
        lab.play(tap(0, 0, (640, 300), 800), wait=0.2)
        lab.states["menu"] = lab.states["rest"]
        lab.shot("menu")
        # The filmstrip's row, where it has no picture.
        lab.play(tap(0, 0, (200, 706)), wait=0.8)
        lab.shot("after")

    def judge(case):
        case.equal("menu after the long press", case.states["menu"]["ui"]["menu"], True)
        case.equal("menu after the tap", case.rest["ui"]["menu"], False)
        case.equal("page after the tap", case.rest["index"], case.before["index"])


# The grid


@gesture(GRID)
class GridPinch:
    """on the grid, pinch: fewer columns, and more"""

    def play(lab):
        lab.grid()
        lab.play(pinch(0, 500, CENTRE, (80, 150), rest=REST) + noted(lab, 500, "held", shot=True))
        lab.states["spread"] = lab.states["rest"]
        lab.play(pinch(0, 500, CENTRE, (150, 75), rest=REST) + noted(lab, 500, "held 2"))

    def judge(case):
        case.arrived()
        steps = case.stages()
        scale = 1.0
        for stroke, held, rest in zip(case.strokes, ("held", "held 2"), (case.states["spread"], case.rest)):
            scale, middle, _ = case.spread(stroke, scale)
            grid = case.states[held]["grid"]
            case.near(f"{held}: scale", grid["scale"], scale, 2e-4)
            anchor = grid["anchor"]["point"]
            case.near(f"{held}: the held point is between the fingers", math.dist(anchor, middle), 0, 0.1)
            nearest = min(range(len(steps)), key=lambda n: abs(math.log(steps[n] / scale)))
            case.equal(f"{held}: columns at rest", rest["grid"]["columns"], 5 - nearest)
            scale = steps[nearest]
            case.near(f"{held}: scale at rest", rest["grid"]["scale"], scale, 1e-4)


@gesture(GRID)
class GridTap:
    """on the grid, tap: the picture opens"""

    def play(lab):
        lab.grid()
        point = cell(lab.viewer.message("ui"), 7)
        lab.facts["point"] = point
        lab.play(tap(0, 0, point), wait=0.5)
        lab.shot("open")
        lab.states["open"] = lab.viewer.state()

    def judge(case):
        case.equal("mode", case.rest["mode"], "viewer")
        case.equal("picture", case.rest["index"], 6)
        case.placed("at rest", case.rest, case.picture(case.rest).at_fit())
        case.on_screen("open", (640, 400))


def cell(tree, number):
    """The middle of the cell with the picture NUMBER.png."""
    if f"{number:03}.png" in tree.get("name", "") and tree.get("rect"):
        x, y, width, height = tree["rect"]
        return (x + width / 2, y + height / 2)
    for child in tree.get("children", []):
        if point := cell(child, number):
            return point
    return None


@gesture(GRID)
class GridLongPress:
    """on the grid, long press: select; taps select more"""

    def play(lab):
        lab.grid()
        ui = lab.viewer.message("ui")
        one, two = cell(ui, 7), cell(ui, 8)
        lab.play(tap(0, 0, one, 700) + [(650, "do", lab.note("held"))], wait=0.3)
        lab.states["one"] = lab.states["rest"]
        lab.play(tap(0, 0, two), wait=0.5)
        lab.states["two"] = lab.states["rest"]
        lab.shot("selected")
        lab.play(tap(0, 0, one), wait=0.5)
        lab.states["less"] = lab.states["rest"]
        lab.play(tap(0, 0, two), wait=0.5)

    def judge(case):
        case.equal("selected while held", case.states["held"]["ui"]["selection"], 1)
        case.equal("selected after the long press", case.states["one"]["ui"]["selection"], 1)
        case.equal("selected after a tap", case.states["two"]["ui"]["selection"], 2)
        case.equal("selected after another tap", case.states["less"]["ui"]["selection"], 1)
        case.equal("selected in the end", case.rest["ui"]["selection"], 0)
        case.equal("mode", case.rest["mode"], "grid")


@gesture(GRID)
class GridFling:
    """on the grid, fling: it scrolls"""

    def play(lab):
        lab.grid()
        lab.play(finger(0, 0, 140, line((640, 600), (645, 350), linear)), wait=1)

    def judge(case):
        case.arrived()
        samples, up = case.samples(case.strokes[0])
        samples = [(time, y) for time, (x, y) in samples]
        landing, end = case.ends(case.strokes[0])
        way = landing[1] - end[1] - 10 * abs(case.crossing(case.strokes[0])[1]) - case.velocity(samples, up) / 2.002
        scrolled = case.rest["grid"]["scroll"][1] - case.before["grid"]["scroll"][1]
        case.near("way to rest", scrolled, way, 1)


@gesture(GRID)
class Handle:
    """drag the handle at the right edge: scroll fast"""

    def play(lab):
        lab.grid()
        # The handle is there while the grid moves, and 0.9 s longer.
        lab.screen.play(finger(0, 0, 300, line((640, 600), (640, 500)), rest=100))
        lab.states["before"] = state = lab.viewer.state()
        top, travel, height = handle(state)
        share = state["grid"]["scroll"][1] / (state["grid"]["content"][1] - state["view"][1])
        y = top + travel * share + height / 2
        lab.facts["y"] = y
        up = 300 if y > 400 else -300
        lab.play(
            finger(0, 0, 500, line((1270, y), (1270, y - up)), rest=REST) + noted(lab, 500, "held", shot=True))

    def judge(case):
        before, held = (state["grid"]["scroll"][1] for state in (case.before, case.states["held"]))
        landing, end = case.ends(case.strokes[-1])
        way = end[1] - landing[1] - math.copysign(10, end[1] - landing[1])
        _, travel, _ = handle(case.before)
        all_of_it = case.before["grid"]["content"][1] - case.before["view"][1]
        case.near("scroll while held", held - before, way / travel * all_of_it, 1)
        case.near("scroll at rest", case.rest["grid"]["scroll"][1], held, 0.01)


def handle(state):
    """The top of the handle's track below the header, its travel and its height."""
    view, content = state["view"][1], state["grid"]["content"][1]
    track = view - 64 - 8
    height = max(track * view / content, 48)
    return 68, track - height, height


@gesture(GRID)
class GridMenu:
    """tap on the menu button of the grid"""

    def play(lab):
        lab.grid()
        point = button(lab.viewer.message("ui"), "Menu")
        lab.play(tap(0, 0, point), wait=0.5)
        lab.states["menu"] = lab.states["rest"]
        lab.shot("menu")
        lab.play(tap(0, 0, (200, 700)), wait=0.5)

    def judge(case):
        case.equal("menu", case.states["menu"]["ui"]["menu"], True)
        case.equal("menu after a tap beside", case.rest["ui"]["menu"], False)
        case.equal("mode", case.rest["mode"], "grid")


@gesture(GRID)
class Feed:
    """on the grid, pinch to a single column: the feed"""

    def play(lab):
        lab.grid()
        lab.play(pinch(0, 700, (640, 400), (40, 330), rest=300), wait=1)
        lab.shot("feed")

    def judge(case):
        case.equal("columns", case.rest["grid"]["columns"], 1)
        case.near("scale", case.rest["grid"]["scale"], case.stages()[-1], 1e-4)


@gesture(GRID)
class Peek:
    """on the feed, spread: the picture is lifted, and returns"""

    def play(lab):
        # The feed as the gesture before has left it.
        lab.facts["cell"] = item_at(lab.viewer.message("ui"), (640, 400))
        lab.play(
            pinch(0, 500, (640, 400), (60, 96), to=(660, 390), rest=REST) + noted(lab, 500, "held", shot=True),
            wait=0.5)

    def judge(case):
        case.arrived()
        factor, middle, start = case.spread(case.strokes[0], 1.0)
        peek = case.states["held"].get("peek")
        case.true("a picture is lifted", peek)
        if not peek:
            return
        case.near("scale while held", peek["scale"], factor, 2e-4)
        case.near("backdrop while held", peek["dim"], min(0.4 + factor - 1, 0.8), 0.002)
        # The point of the picture that was touched first stays between the fingers.
        x, y, width, height = case.facts["cell"]
        law = [middle[0] + (x - start[0]) * factor, middle[1] + (y - start[1]) * factor, width * factor,
               height * factor]
        far = max(abs(a - b) for a, b in zip(law, peek["rect"]))
        case.near("rectangle while held, px from the law", far, 0, 0.5)
        case.equal("lifted at rest", case.rest.get("peek"), None)
        case.equal("columns at rest", case.rest["grid"]["columns"], 1)
        up = case.strokes[0][-1].time
        gone = case.first(lambda frame: not frame.get("peek"), after=up)
        if gone is not None:
            case.true(f"it is back after {gone - up:.0f} ms", 250 < gone - up < 420)


def item_at(tree, point):
    """The rectangle of the cell at a point."""
    x, y, width, height = tree.get("rect") or (0, 0, 0, 0)
    if tree["role"] == "list item" and x <= point[0] < x + width and y <= point[1] < y + height:
        return tree["rect"]
    for child in tree.get("children", []):
        if found := item_at(child, point):
            return found
    return None


# Dragging out


@gesture(OUT)
class DragOut:
    """long press and move: dragged to another window"""

    def play(lab):
        # Two windows side by side; the other one shows one picture.
        grid = lab.viewer
        other = lab.start("target", "--viewer", "/home/person/Many/001.png")
        lab.viewer = grid
        time.sleep(1)
        lab.grid()
        lab.states["target before"] = other.state()
        point = cell(grid.message("ui"), 4)
        lab.facts["point"] = point
        # Sway has put the new window at the right.
        events = finger(0, 0, 1, lambda s: point, lifts=False)
        events += finger(0, 750, 1500, line(point, (960, 400)), rest=500, lands=False)
        lab.play(events + [(650, "do", lab.note("held")), (1900, "do", lambda: lab.shot("drag"))], wait=2)
        lab.states["target"] = other.rest()
        lab.shot("dropped")
        lab.facts["exit"] = other.quit()

    def judge(case):
        case.equal("selected while held", case.states["held"]["ui"]["selection"], 1)
        case.true("the other window showed something else",
                  not case.states["target before"]["path"].endswith("Pictures/004.png"))
        case.equal("picture of the other window", case.states["target"]["path"], "/home/person/Pictures/004.png",
                   known=DRAG)


# What happens meanwhile


def drag(rest=1400.0):
    """A drag that stays down."""
    return finger(0, 0, 400, line((800, 500), (600, 400)), rest=rest, lifts=False)


def go_on(start):
    """The same finger moves on and lifts."""
    return finger(0, start, start + 300, line((600, 400), (640, 480)), rest=100, lands=False)


class Afterwards:
    """Whether the touchscreen works after what has happened."""

    def play(lab, name="after"):
        lab.ready()
        lab.states["after before"] = lab.states["before"]
        lab.play(pinch(0, 400, (640, 400), (60, 150), rest=REST) + noted(lab, 400, name, shot=True))
        lab.states["after rest"] = lab.states["rest"]

    def judge(case, name="after"):
        hold = case.hold(case.strokes[-1], case.place(case.states["after before"]),
                         picture=case.picture(case.states["after before"]))
        case.equal("fingers of a pinch afterwards", len(hold.fingers), 2)
        case.placed("a pinch afterwards, held", case.states[name], hold.held)
        case.placed("a pinch afterwards, at rest", case.states["after rest"], hold.settled())
        case.on_screen(name, (640, 400))


@gesture(EVENTS)
class Unplug:
    """the touchscreen is pulled out in a drag, and plugged in again"""

    def play(lab):
        lab.ready(4, 1.5)
        first = lab.states["before"]
        lab.play(drag() + [(800, "do", lab.note("held")), (900, "do", lab.screen.unplug)], wait=4)
        lab.facts["is there"] = lab.screen.is_there()
        lab.states["pulled out"] = lab.states["rest"]
        lab.screen.plug()
        lab.until(lab.screen.is_there, 30)
        time.sleep(3)
        Afterwards.play(lab)
        lab.states["first"] = first

    def judge(case):
        case.equal("the kernel has the touchscreen", case.facts["is there"], False)
        hold = case.hold(case.strokes[0], case.place(case.states["first"]), whole=False)
        case.placed("held", case.states["held"], hold.at(800))
        case.equal("phase without the touchscreen", case.states["pulled out"]["phase"], "idle")
        case.placed("at rest without the touchscreen", case.states["pulled out"], hold.at(800))
        Afterwards.judge(case)


@gesture(EVENTS)
class UnplugPinch:
    """the touchscreen is pulled out in a pinch that would dismiss"""

    def play(lab):
        lab.ready()
        fingers = pinch(0, 400, CENTRE, (200, 120), lifts=False)
        lab.play(fingers + [(800, "do", lab.note("held")), (900, "do", lab.screen.unplug)], wait=4)
        lab.states["pulled out"] = lab.states["rest"]
        lab.screen.plug()
        lab.until(lab.screen.is_there, 30)
        time.sleep(3)
        Afterwards.play(lab)

    def judge(case):
        case.equal("phase while held", case.states["held"]["phase"], "touching")
        # wl_touch.cancel dismisses nothing; compositors may also lift the fingers, one after the other.
        out = case.states["pulled out"]
        case.equal("phase without the touchscreen", out["phase"], "idle")
        if case.was_cancelled():
            case.equal("mode without the touchscreen", out["mode"], "viewer")
        Afterwards.judge(case)


@gesture(EVENTS, ("sway", "cage"))
class TurnWithFinger:
    """the output turns with a finger down"""

    def play(lab):
        lab.ready(4, 1.5)
        lab.play(
            drag() + [(550, "do", lab.note("held")), (700, "do", lambda: lab.turn("90")),
                      (1500, "do", lab.note("turned", shot=True))] + go_on(1600))
        lab.states["moved on"] = lab.states["rest"]
        lab.shot("rest")

    def judge(case):
        turned = case.states["turned"]
        case.equal("surface", turned["view"][:2], [800, 1280])
        case.no_jumps()
        picture = case.picture(case.rest)
        case.placed("at rest", case.rest, picture.rest(case.place(case.rest)))
        case.on_screen("rest", (400, 500), rotated=True)


@gesture(EVENTS, ("sway", "cage"))
class TurnedPinch:
    """pinch on the turned output"""

    def play(lab):
        Afterwards.play(lab)

    def judge(case):
        before = case.states["after before"]
        case.equal("surface", before["view"][:2], [800, 1280])
        hold = case.hold(case.strokes[-1], case.place(before), picture=case.picture(before))
        case.placed("held", case.states["after"], hold.held)
        case.placed("at rest", case.states["after rest"], hold.settled())


@gesture(EVENTS, ("sway", "cage"))
class TurnWithTwo:
    """the output turns back with two fingers down"""

    def play(lab):
        lab.ready()
        lab.play(pinch(0, 300, (640, 400), (60, 120), rest=1500) + [(700, "do", lambda: lab.turn("normal"))])
        lab.states["turned"] = lab.states["rest"]
        Afterwards.play(lab)

    def judge(case):
        turned = case.states["turned"]
        case.equal("surface", turned["view"][:2], [1280, 800])
        case.placed("at rest", turned, case.picture(turned).rest(case.place(turned)))
        Afterwards.judge(case)


@gesture(EVENTS)
class TerminalWithFinger:
    """the terminal is switched away and back with a finger down"""

    def play(lab):
        lab.ready(4, 1.5)
        first = lab.states["before"]
        lab.play(
            drag() + [(800, "do", lab.note("held")), (900, "do", lambda: terminal(3)),
                      (1800, "do", lab.note("away")), (2200, "do", lambda: terminal(1))] + go_on(3100), wait=1.5)
        lab.states["back"] = lab.states["rest"]
        Afterwards.play(lab)
        lab.states["first"] = first

    def judge(case):
        hold = case.hold(case.strokes[0], case.place(case.states["first"]), whole=False)
        case.placed("held", case.states["held"], hold.at(800))
        back = case.states["back"]
        case.equal("phase when back", back["phase"], "idle")
        case.placed("at rest when back", back, case.picture(back).rest(case.place(back)))
        Afterwards.judge(case)


@gesture(EVENTS)
class TerminalAndLift:
    """the terminal is switched away, the finger lifts there, and back"""

    def play(lab):
        lab.ready(4, 1.5)
        lab.play(
            drag(900) + [(700, "do", lambda: terminal(3)), (1600, "up", 0, 0.0, 0.0),
                         (2200, "do", lambda: terminal(1))], wait=2)
        lab.states["back"] = lab.states["rest"]
        # libinput still has the finger that lifted elsewhere: the next touch of its slot brings nothing.
        lab.sent += lab.screen.play(tap(0, 0, (300, 300)))
        time.sleep(1)
        Afterwards.play(lab)

    def judge(case):
        back = case.states["back"]
        case.equal("phase when back", back["phase"], "idle")
        case.placed("at rest when back", back, case.picture(back).rest(case.place(back)))
        Afterwards.judge(case)


def terminal(number):
    subprocess.run(["chvt", str(number)], check=True)
