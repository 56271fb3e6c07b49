"""On the host: a gesture as it was played, and the checks of its judge."""
import bisect
import json
import math
import os
import statistics

import laws
from laws import Frame, Hold, Picture, Placement

# Most ms between a motion of a finger and its report; the next report is 11 ms later.
JITTER = 10.0


def record(text):
    """The reports of the fingers in a record of the viewer, with their times in ms.

    An event with a later time than those before is a new report, even in the same frame of wl_touch: mutter sends
    everything that has come during a frame of its own in one.
    """
    reports, waiting = [], []
    for row in text.splitlines():
        words = row.split()
        if len(words) < 3 or words[1] != "touch":
            continue
        time, kind = float(words[0]), words[2]
        if kind in ("down", "move", "up"):
            if not waiting or time > waiting[-1].time:
                waiting.append(Frame(time, {}, {}, []))
            add(waiting[-1], kind, words[3:])
        elif kind == "frame":
            for report in waiting:
                report.shared = len(waiting) > 1
            reports += waiting
            waiting = []
        elif kind == "cancel":
            # The last report waits for its frame and is cancelled.
            reports += waiting[:-1] + [Frame(time, {}, {}, ["cancel"])]
            waiting = []
    return reports


def add(report, kind, words):
    """Adds an event to its report."""
    if kind == "up":
        report.ups.append(int(words[0]))
    else:
        (report.downs if kind == "down" else report.moves)[int(words[0])] = (float(words[1]), float(words[2]))


def strokes(frames):
    """Frames from the first finger that lands to the last one that lifts."""
    out, down = [], set()
    for frame in frames:
        if not down and frame.downs:
            out.append([])
        if out:
            out[-1].append(frame)
        down |= set(frame.downs)
        down = set() if "cancel" in frame.ups else down - set(frame.ups)
    return out


def offset(sent, received):
    """Milliseconds from the clock of the guest to that of a record: most landings agree within 40 ms."""
    best, found = -1, 0.0
    for a in sent[:40]:
        for b in received[:40]:
            guess = b - a
            hits = 0
            for time in sent:
                place = bisect.bisect_left(received, time + guess - 5)
                hits += place < len(received) and received[place] < time + guess + 40
            if hits > best:
                best, found = hits, guess
    return found


class Log:
    """Trace and record of one viewer."""

    def __init__(self, folder, name, results):
        def read(kind):
            path = os.path.join(folder, f"{name}.{kind}")
            if not os.path.exists(path):
                return b""
            with open(path, "rb") as file:
                return file.read()

        self.name = name
        self.trace = read("trace")
        self.frames = record(read("record").decode())
        mine = [r for r in results if r["viewer"] == name]
        sent = [s[0] for r in mine for s in r["sent"] if s[1] == "down"]
        received = [f.time for f in self.frames for _ in f.downs]
        self.offset = offset(sent, received)

    def lines(self, begin=0, end=None):
        out = []
        for row in self.trace[begin:end].splitlines():
            try:
                out.append(json.loads(row))
            except ValueError:
                pass
        return out


def along(track, time):
    """The place of a finger between its samples [(ms, x, y)]."""
    place = bisect.bisect(track, (time, math.inf, math.inf))
    if place == 0:
        return track[0][1:]
    if place == len(track):
        return track[-1][1:]
    (t0, x0, y0), (t1, x1, y1) = track[place - 1], track[place]
    share = (time - t0) / (t1 - t0) if t1 > t0 else 1
    return (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share)


class Screen:
    """A picture of the screen (PPM), on which the test pictures tell their place by their colours."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        kind, size, _, self.pixels = data.split(b"\n", 3)
        if kind != b"P6":
            raise ValueError(f"{path} is no PPM")
        self.width, self.height = map(int, size.split())

    def place(self, x, y, radius=20):
        """The shares of the picture's width and height at a point: planes through the pixels around it."""
        points = [(u, v) for v in range(max(int(y) - radius, 0), min(int(y) + radius + 1, self.height))
                  for u in range(max(int(x) - radius, 0), min(int(x) + radius + 1, self.width))]
        count = len(points)
        mx, my = (sum(p[axis] for p in points) / count for axis in (0, 1))
        xx = sum((u - mx) ** 2 for u, _ in points)
        yy = sum((v - my) ** 2 for _, v in points)
        out = []
        for channel in (0, 1):
            values = [self.pixels[3 * (v * self.width + u) + channel] for u, v in points]
            mean = sum(values) / count
            # The points are a rectangle: the slopes are independent.
            a = sum((u - mx) * (c - mean) for (u, _), c in zip(points, values)) / xx
            b = sum((v - my) * (c - mean) for (_, v), c in zip(points, values)) / yy
            out.append((mean + a * (x - 0.5 - mx) + b * (y - 0.5 - my)) / 255)
        return out

    def blue(self, x, y):
        return self.pixels[3 * (int(y) * self.width + int(x)) + 2]


class Case:
    """What the judge of a gesture sees; `checks` has (what, holds, known, detail)."""

    def __init__(self, result, logs, shots):
        self.log = log = logs[result["viewer"]]
        self.result, self.shots_folder = result, shots
        self.states, self.facts, self.shots = result["states"], result["facts"], result["shots"]
        self.before, self.rest = self.states.get("before"), self.states.get("rest")
        # Without the frames of the way to the picture.
        since = (self.before or {}).get("t", 0)
        self.frames = [f for f in log.lines(*result["traces"][result["viewer"]]) if f["t"] > since]
        sent = [s[0] for s in result["sent"]]
        begin, end = (min(sent) - 20, result["to"]) if sent else (result["from"], result["to"])
        self.touches = [f for f in log.frames if begin <= f.time - log.offset <= end]
        self.strokes = strokes(self.touches)
        self.checks = []

    # Checks

    def true(self, what, holds, known=None, detail=""):
        self.checks.append((what, bool(holds), known, detail))

    def equal(self, what, value, expected, known=None):
        self.true(what, value == expected, known, f"{value}, expected {expected}")

    def near(self, what, value, expected, tolerance, known=None):
        self.true(what, abs(value - expected) <= tolerance, known,
                  f"{value:.4f}, expected {expected:.4f} ± {tolerance:g}")

    def placed(self, what, state, place, zoom=1e-4, lengths=0.1, known=None):
        """Zoom, rotation and place of the picture in a state."""
        if "rect" not in state:
            self.true(what, False, known, f"no picture, mode {state.get('mode')}, {state.get('error', '')}")
            return
        now = Placement.of(state)
        turned = (math.degrees(now.angle - place.angle) + 180) % 360 - 180
        far = math.dist((now.x, now.y), (place.x, place.y))
        self.true(
            what, abs(now.zoom / place.zoom - 1) <= zoom and far <= lengths and abs(turned) <= 0.01, known,
            f"zoom {now.zoom:.5f} for {place.zoom:.5f}, {far:.2f} px away, {turned:.3f}° turned")

    def fixed(self, what, before, after, point, end=None, lengths=0.1):
        """The same point of the picture is at a point before, and at `end`, or the same point, after."""
        a = Placement.of(before).point_at(*point)
        b = Placement.of(after).point_at(*(end or point))
        self.true(what, math.dist(a, b) * after["zoom"] <= lengths, None,
                  f"{math.dist(a, b) * after['zoom']:.2f} px away")

    def under(self, label, point):
        """The same point of the picture is between the fingers before and after."""
        self.fixed("the picture point stays between the fingers", self.before, self.states[label], point,
                   lengths=0.5)

    def on_screen(self, label, *points, rotated=False):
        """The pixels of the screen show the picture where the state says it is, up to 0.6 px."""
        state = self.states.get(label) or self.rest
        if "rect" not in state:
            self.true(f"screen, {label}", False, None, "no picture")
            return
        screen = Screen(os.path.join(self.shots_folder, self.shots[label]))
        place, (width, height) = Placement.of(state), state["image"]
        # The number of the picture, or twice that of a small one.
        number = int(state["path"].rsplit("/", 1)[1].split(".")[0]) * (2 if "/Many/" in state["path"] else 8)
        # Five steps of the colours across: a plane through fewer is off by up to 0.06 steps, by the places of their
        # edges.
        radius = max(20, round(2.5 * place.zoom * max(width, height) / 255))
        for x, y in points:
            at = self.turned_point(x, y, screen, state) if rotated else (x, y)
            across, down = screen.place(*at, radius)
            # The colour is that of the middle of a pixel.
            seen = (across * (width - 1) + 0.5 - width / 2, down * (height - 1) + 0.5 - height / 2)
            expected = place.point_at(x, y)
            far = math.dist(seen, expected) * place.zoom
            self.true(f"screen at {x:.0f}, {y:.0f}, {label}", far <= 0.6, None, f"{far:.2f} px away")
            self.near(f"picture on the screen, {label}", screen.blue(*at), number, 1)

    def turned_point(self, x, y, screen, state):
        """A point of the surface on the screen of an output that is turned by 90°."""
        if screen.width == state["view"][0]:
            return x, y
        # Sway counts clockwise, wlr-randr counts as the protocol does.
        return (screen.width - y, x) if self.log.name.startswith("sway") else (y, screen.height - x)

    # What came

    def arrived(self):
        """Each landing, place and lift of the timeline has reached the viewer, up to 0.1 px."""
        sent = {"down": 0, "move": 0, "up": 0}
        for event in self.result["sent"]:
            sent[event[1]] += 1
        came = {"down": sum(len(f.downs) for f in self.touches), "move": sum(len(f.moves) for f in self.touches),
                "up": sum(len(f.ups) for f in self.touches)}
        self.equal("landings that arrived", came["down"], sent["down"])
        self.equal("lifts that arrived", came["up"], sent["up"])
        # A finger that does not move sends nothing, and a compositor may leave out motions.
        self.true("motions that arrived", came["move"] > 0.5 * sent["move"] or sent["move"] < 3, None,
                  f"{came['move']} of {sent['move']}")
        places = sorted((e[3], e[4]) for e in self.result["sent"] if e[1] != "up")
        far = max((min(math.dist(p, q) for q in places)
                   for f in self.touches for p in (*f.downs.values(), *f.moves.values())), default=math.inf)
        self.true("places that arrived", far <= 0.1, None, f"at most {far:.3f} px from those that were sent")
        self.arrived_in_time()

    def arrived_in_time(self):
        """Where a frame of wl_touch has several reports, each finger was at its place at the time of the report."""
        late = [self.lateness(report, kind, point) for report in self.touches if report.shared
                for kind, points in (("down", report.downs), ("move", report.moves)) for point in points.values()]
        if late:
            self.true("times that share a frame of wl_touch", max(late) <= JITTER, None,
                      f"at most {max(late):.1f} ms from those that were sent")

    def lateness(self, report, kind, point):
        """The ms between a report and the nearest time at which a finger was sent to a place of the report."""
        return min((abs(report.time - self.log.offset - time) for time, what, _, *place in self.result["sent"]
                    if what == kind and math.dist(place, point) <= 0.1), default=math.inf)

    @property
    def most_fingers(self):
        down, most = set(), 0
        for frame in self.touches:
            down = (down | set(frame.downs))
            most = max(most, len(down))
            down -= set(frame.ups)
        return most

    def was_cancelled(self):
        return any("cancel" in f.ups for f in self.touches)

    @staticmethod
    def ends(stroke):
        """The first and the last place of the first finger of a stroke."""
        key, landing = next(iter(stroke[0].downs.items()))
        end = landing
        for frame in stroke:
            end = frame.moves.get(key, end)
        return landing, end

    @staticmethod
    def samples(stroke):
        """Samples [(ms, (x, y))] of the first finger, and when it lifted."""
        key = next(iter(stroke[0].downs))
        out = [(f.time, (f.downs | f.moves)[key]) for f in stroke if key in f.downs or key in f.moves]
        return out, next((f.time for f in stroke if key in f.ups), stroke[-1].time)

    def crossing(self, stroke):
        """The direction in which the finger left the slop, of length 1."""
        samples, _ = self.samples(stroke)
        (_, start) = samples[0]
        for _, point in samples:
            far = math.dist(point, start)
            if far > laws.SLOP:
                return ((point[0] - start[0]) / far, (point[1] - start[1]) / far)
        return (0.0, 0.0)

    velocity = staticmethod(laws.velocity)
    prediction = staticmethod(laws.prediction)

    # Laws

    @staticmethod
    def place(state):
        return Placement.of(state)

    def picture(self, state=None):
        return Picture(state or self.before)

    def hold(self, stroke=None, start=None, picture=None, armed=None, whole=True):
        """The law of a stroke. `whole` is False where its fingers do not lift."""
        picture = picture or self.picture()
        start = start or self.place(self.before)
        if armed is None:
            armed = start.zoom <= picture.fit(start.angle) * 1.001
        hold = Hold(stroke or self.strokes[0], start, picture, armed)
        if whole and hold.release is None:
            raise ValueError("the fingers did not lift")
        return hold

    def stages(self):
        return laws.stages(self.before["view"][0])

    def spread(self, stroke, scale):
        """The scale of the grid after two fingers have spread, the point between them, and where that point began."""
        fingers, base, turned, begun = {}, None, 0.0, False
        steps = self.stages()
        for frame in stroke:
            if frame.ups:
                break
            before = list(fingers.values())
            fingers.update(frame.downs | {k: p for k, p in frame.moves.items() if k in fingers})
            now = list(fingers.values())
            if frame.downs:
                base, at = laws.span(now), laws.centroid(now)
                start = at
            elif len(now) > 1 and not begun:
                turned += laws.turn(before, now)
                change = laws.span(now) - base
                moved = math.dist(laws.centroid(now), at) > laws.SLOP
                if abs(change) > laws.SPAN_SLOP or moved or abs(turned) > laws.ROTATION_LOCK:
                    begun = True
                    base += math.copysign(min(abs(change), laws.SPAN_SLOP), change)
                    middle = laws.centroid(now)
                    share = min(laws.SLOP / max(math.dist(middle, at), 1e-9), 1)
                    start = tuple(a + (b - a) * share for a, b in zip(at, middle))
        factor = laws.span(list(fingers.values())) / base if begun else 1.0
        return laws.zoom_band(scale * factor, steps[0], steps[-1]), laws.centroid(list(fingers.values())), start

    # Time

    def first_frame(self, condition, after=None):
        for frame in self.frames:
            if condition(frame) and (after is None or frame["t"] > after):
                return frame
        return None

    def first(self, condition, after=None):
        """When a frame of the trace first was so; None if it never was. The touches have the same clock."""
        frame = self.first_frame(condition, after)
        return frame and frame["t"]

    def follows(self, what, stroke):
        """The picture point stays under fingers that move: the picture is at most a frame and 5 ms behind them.

        A frame shows the fingers where they are at its own time, as far as the prediction reaches: at most one
        interval of the reports. So the picture is behind by more where a compositor shows few frames. Apart from that,
        its distance from the fingers is at most their way in half a frame. Both are root mean squares over the frames.
        A frame counts for at most 40 ms, however few frames there are.
        """
        tracks = {}
        for frame in stroke:
            for key, point in (frame.downs | frame.moves).items():
                tracks.setdefault(key, []).append((frame.time, *point))
        up = next((f.time for f in stroke if f.ups), stroke[-1].time)

        def middle(time):
            return laws.centroid([along(track, time) for track in tracks.values()])

        shown = [frame for frame in self.frames
                 if frame["phase"] == "touching" and stroke[0].time < frame["t"] < up and "rect" in frame
                 and frame["gesture"] in ("pan", "pinch")]
        # The first frames are those of the slop.
        held, least = shown[2:], self.least_frames(shown, up)
        if len(held) < least:
            self.true(what, False, None, f"{len(held)} frames, expected at least {least}")
            return
        places = [(Placement.of(frame), frame["zoom"], frame["t"]) for frame in held]
        # The point of the last frame, at rest, is the reference.
        reference = places[-1][0].point_at(*middle(places[-1][2]))

        def distance(lag):
            return math.sqrt(sum(
                (math.dist(place.point_at(*middle(time - lag)), reference) * zoom) ** 2
                for place, zoom, time in places) / len(places))

        lag = min(range(-20, 81), key=distance)
        interval = statistics.median(b["t"] - a["t"] for a, b in zip(held, held[1:]))
        allowed = min(interval, 40)
        speed = math.sqrt(sum(
            (math.dist(middle(time - 5), middle(time + 5)) / 10) ** 2 for _, _, time in places) / len(places))
        self.true(
            what, lag <= allowed + 5 and distance(lag) <= allowed / 2 * speed, None,
            f"{lag} ms behind, with frames of {interval:.0f} ms; {distance(lag):.2f} px rms, at {1000 * speed:.0f} px/s")

    @staticmethod
    def least_frames(shown, up):
        """How many frames of a moving picture are enough: ten, or those that a slow compositor shows after the slop.

        The viewer paints once the frame before is on the screen, which takes mutter 110 ms in the machine.
        """
        waits = [frame["commit_to_present_ms"] for frame in shown if frame.get("commit_to_present_ms")]
        if not waits:
            return 10
        return max(4, min(10, int((up - shown[0]["t"]) / statistics.median(waits)) - 2))

    def no_jumps(self, most=120.0, known=None):
        """The middle of the picture moves by at most `most` px from one frame to the next one.

        A surface that changes its size scales the distance from its middle with the zoom.
        """
        places = []
        for frame in self.frames:
            if "rect" in frame:
                place = Placement.of(frame)
                places.append((place.x - frame["view"][0] / 2, place.y - frame["view"][1] / 2, place.zoom,
                               frame["view"]))
        jumps = [0.0]
        for a, b in zip(places, places[1:]):
            factor = 1 if a[3] == b[3] else b[2] / a[2]
            jumps.append(math.dist((a[0] * factor, a[1] * factor), b[:2]))
        self.true("the picture does not jump", max(jumps) <= most, known, f"by {max(jumps):.0f} px at most")
