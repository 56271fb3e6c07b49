"""The laws of Sources/Documentation/motion.md that the gestures are judged by. Lengths are logical pixels, times ms
where the name says so and seconds elsewhere, angles radians, clockwise."""
import math
from dataclasses import dataclass, replace

SLOP = 10.0
SPAN_SLOP = 16.0
ROTATION_LOCK = math.radians(15)
MINIMUM_SPAN = 40.0
NORMAL = -1000 * math.log(0.998)
FAST = -1000 * math.log(0.99)
# ln(zoom) and rotation of a pinch that is released in motion.
HORIZON = 0.1


def clamp(value, low, high):
    return max(low, min(high, value))


# Rubber band


def rubber(x, extent):
    pull = 0.55 * abs(x)
    return math.copysign(extent * pull / (extent + pull), x)


def rubber_inverse(shown, extent):
    part = min(abs(shown), 0.98 * extent)
    return math.copysign(part / (0.55 * (1 - part / extent)), shown)


def zoom_band(raw, low, high, law=rubber):
    """The displayed zoom; with `law` rubber_inverse, the raw zoom of a displayed one."""
    for limit, outside in ((high, raw > high), (low, raw < low)):
        if outside:
            return limit * math.exp(law(math.log(raw / limit), math.log(2)))
    return raw


# Velocity at a release


def velocity(samples, up, most=8000.0):
    """Per second, of samples [(ms, value)]: the slope of a parabola through the last 100 ms, at the newest one."""
    newest = []
    for time, value in samples:
        if newest and time <= newest[-1][0]:
            newest[-1] = (newest[-1][0], value)
        else:
            newest.append((time, value))
    if not newest or up - newest[-1][0] > 40:
        return 0.0
    end = newest[-1][0]
    used = [newest[-1]]
    for sample in reversed(newest[:-1]):
        if end - sample[0] > 100 or used[0][0] - sample[0] > 40:
            break
        used.insert(0, sample)
    if len(used) < 2:
        return 0.0
    slope = polynomial_slope([((t - end) / 1000, v - used[-1][1]) for t, v in used], 2 if len(used) > 3 else 1)
    if slope * (used[-1][1] - used[0][1]) <= 0:
        return 0.0
    return clamp(slope, -most, most)


def polynomial_slope(points, degree):
    """The slope at 0 of the least-squares polynomial, by the normal equations."""
    rows = [
        [sum(t ** (i + j) for t, _ in points) for j in range(degree + 1)] + [sum(v * t**i for t, v in points)]
        for i in range(degree + 1)
    ]
    for i in range(degree + 1):
        pivot = max(range(i, degree + 1), key=lambda row: abs(rows[row][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for row in range(degree + 1):
            if row != i:
                factor = rows[row][i] / rows[i][i]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[i])]
    return rows[1][-1] / rows[1][1]


def prediction(samples, moment):
    """How far past its last sample a value [(ms, value)] is drawn at `moment`: by at most one interval, and back."""
    (t0, v0), (t1, v1) = samples[-2:]
    interval, step = t1 - t0, v1 - v0
    if not 2 <= interval <= 40 or abs(step) < 2:
        return 0.0
    reach, age = min(17.0, interval), moment - t1
    share = age if age <= reach else max(reach - (age - reach) / 2, 0.0)
    return step / interval * share


# Placement of a picture on the surface


@dataclass(frozen=True)
class Placement:
    zoom: float
    x: float
    y: float
    angle: float = 0.0

    @staticmethod
    def of(state):
        """From a state or a line of the trace."""
        x, y, width, height = state["rect"]
        return Placement(state["zoom"], x + width / 2, y + height / 2, math.radians(state["rotation"]))

    def point_at(self, x, y):
        """The point of the picture at a point of the surface, in picture pixels from its centre."""
        dx, dy = x - self.x, y - self.y
        c, s = math.cos(-self.angle), math.sin(-self.angle)
        return ((dx * c - dy * s) / self.zoom, (dx * s + dy * c) / self.zoom)


class Picture:
    """A picture of w × h pixels on a surface."""

    def __init__(self, state):
        self.size = state["image"]
        self.view = state["view"][:2]
        self.scale = state["view"][2]

    def turned(self, angle):
        quarter = round(angle / (math.pi / 2)) % 2
        return (self.size[1], self.size[0]) if quarter else tuple(self.size)

    def fit(self, angle=0.0):
        w, h = self.turned(angle)
        return min(self.view[0] / w, self.view[1] / h, 1 / self.scale)

    def fill(self, angle=0.0):
        w, h = self.turned(angle)
        return max(self.view[0] / w, self.view[1] / h)

    def most(self, angle=0.0):
        return max(2 * self.fit(angle), 4 / self.scale, min(self.fill(angle), 16 / self.scale))

    def ladder(self):
        steps = [self.fit(), min(max(self.fill(), 2 * self.fit()), self.most())]
        if 1 / self.scale > steps[1] * 1.01:
            steps.append(1 / self.scale)
        return steps

    def range(self, zoom, angle=0.0):
        """The resting range of the picture's centre: ((low, high), (low, high))."""
        out = []
        for axis, size in enumerate(self.turned(angle)):
            shown, view = size * zoom, self.view[axis]
            if shown > view:
                out.append((view - shown / 2, shown / 2))
            else:
                shift = min(0.02 * view, 0.1 * (view - shown)) if axis else 0
                out.append((view / 2 - shift,) * 2)
        return out

    def rest(self, placement):
        """The resting placement nearest to a placement, whose zoom and angle are kept."""
        (x0, x1), (y0, y1) = self.range(placement.zoom, placement.angle)
        return replace(placement, x=clamp(placement.x, x0, x1), y=clamp(placement.y, y0, y1))

    def at_fit(self, angle=0.0):
        return self.rest(Placement(self.fit(angle), 0, 0, angle))

    def zoomed(self, placement, zoom, point):
        """A change of the zoom about a point of the surface, at rest."""
        factor = zoom / placement.zoom
        return self.rest(replace(
            placement, zoom=zoom, x=point[0] + (placement.x - point[0]) * factor,
            y=point[1] + (placement.y - point[1]) * factor))


# Fingers


def centroid(fingers):
    return tuple(sum(p[axis] for p in fingers) / len(fingers) for axis in (0, 1))


def span(fingers):
    cx, cy = centroid(fingers)
    return 2 * math.sqrt(sum((x - cx) ** 2 + (y - cy) ** 2 for x, y in fingers) / len(fingers))


def turn(before, now):
    (bx, by), (nx, ny) = centroid(before), centroid(now)
    total = sum(
        complex(b[0] - bx, b[1] - by).conjugate() * complex(n[0] - nx, n[1] - ny) for b, n in zip(before, now))
    return math.atan2(total.imag, total.real)


@dataclass
class Frame:
    """What the fingers did at a time in ms; `shared` if one frame of wl_touch brought several such reports."""

    time: float
    moves: dict
    downs: dict
    ups: list
    shared: bool = False


@dataclass
class Release:
    time: float
    vx: float = 0.0
    vy: float = 0.0
    zoom_rate: float = 0.0
    turn_rate: float = 0.0


class Hold:
    """A zoomed picture, or one that is pinched, in fingers: their placement of the picture after each frame.

    `track` has (ms, placement), `release` the speeds before the first finger lifted, and `held` the placement then.
    The fingers that are left when others have lifted must lift within 100 ms.
    """

    def __init__(self, frames, start, picture, armed=False):
        self.picture, self.armed, self.origin = picture, armed, start
        self.start = self.placement = start
        self.raw_start = self.raw_zoom(start)
        self.fingers = {}
        self.active = self.rotates = False
        self.turned = self.locked = 0.0
        self.base, self.base_span = (0.0, 0.0), 0.0
        self.over = (0.0, 0.0)
        self.track = []
        self.release = self.held = None
        for frame in frames:
            self.take(frame)
            if self.release:
                break

    def raw_zoom(self, placement):
        if self.armed:
            return placement.zoom
        return zoom_band(
            placement.zoom, self.picture.fit(placement.angle), self.picture.most(placement.angle), rubber_inverse)

    def positions(self):
        return list(self.fingers.values())

    def take(self, frame):
        moved = {key: p for key, p in frame.moves.items() if key in self.fingers}
        if moved:
            before = self.positions()
            self.fingers.update(moved)
            if len(self.fingers) > 1:
                self.turned += turn(before, self.positions())
                if not self.rotates and abs(self.turned) > ROTATION_LOCK:
                    self.rotates, self.locked = True, math.copysign(ROTATION_LOCK, self.turned)
            self.sample(frame.time)
            self.move()
        if frame.downs:
            self.fingers.update(frame.downs)
            self.rebase()
            self.samples = {"x": [], "y": [], "span": [], "turn": []}
            self.sample(frame.time)
        if frame.ups:
            self.depart(frame.time)
        self.track.append((frame.time, self.placement))

    def rebase(self):
        now = self.positions()
        self.base, self.base_span = centroid(now), span(now)
        if self.active:
            self.turned = self.locked = 0.0
            self.start = self.placement
            self.raw_start = self.raw_zoom(self.start)

    def sample(self, time):
        now = self.positions()
        cx, cy = centroid(now)
        self.samples["x"].append((time, cx))
        self.samples["y"].append((time, cy))
        if len(now) > 1:
            self.samples["span"].append((time, math.log(max(span(now), MINIMUM_SPAN))))
            self.samples["turn"].append((time, self.turned))

    def move(self):
        now = self.positions()
        (cx, cy), wide = centroid(now), span(now)
        dx, dy, change = cx - self.base[0], cy - self.base[1], wide - self.base_span
        far = math.hypot(dx, dy)
        if not self.active:
            pinched = len(now) > 1 and (abs(change) > SPAN_SLOP or abs(self.turned) > ROTATION_LOCK)
            if far <= SLOP and not pinched:
                return
            self.active = True
            share = SLOP / far if far > SLOP else 1
            self.base = (self.base[0] + dx * share, self.base[1] + dy * share)
            self.base_span += math.copysign(min(abs(change), SPAN_SLOP), change)
        if len(now) > 1:
            self.pinch((cx, cy), wide)
        else:
            self.pan(cx - self.base[0], cy - self.base[1])

    def pinch(self, at, wide):
        raw = self.raw_start * max(wide, MINIMUM_SPAN) / max(self.base_span, MINIMUM_SPAN)
        low, high = self.picture.fit(self.start.angle), self.picture.most(self.start.angle)
        if raw > low * (1 + 1 / 15):
            self.armed = False
        self.raw = raw
        zoom = zoom_band(raw, min(raw, low) if self.armed else low, high)
        angle = self.turned - self.locked if self.rotates else 0.0
        factor = zoom / self.start.zoom
        x, y = self.start.x - self.base[0], self.start.y - self.base[1]
        c, s = math.cos(angle) * factor, math.sin(angle) * factor
        self.placement = Placement(zoom, at[0] + x * c - y * s, at[1] + x * s + y * c, self.start.angle + angle)

    def pan(self, dx, dy):
        ranges = self.picture.range(self.start.zoom, self.start.angle)
        centre, over = [], []
        for value, (low, high), extent in zip((self.start.x + dx, self.start.y + dy), ranges, self.picture.view):
            inside = clamp(value, low, high)
            over.append(value - inside)
            centre.append(inside + rubber(value - inside, extent))
        self.over = tuple(over)
        self.placement = replace(self.start, x=centre[0], y=centre[1])

    def depart(self, up):
        values = {key: velocity(self.samples[key], up, 20.0 if key in ("span", "turn") else 8000.0)
                  for key in self.samples}
        release = Release(up, values["x"], values["y"], values["span"], values["turn"] if self.rotates else 0.0)
        now = self.positions()
        speed = math.hypot(release.vx, release.vy)
        if len(now) > 1 and span(now) / 2 * math.hypot(release.zoom_rate, release.turn_rate) > speed or speed < 50:
            release.vx = release.vy = 0.0
        self.release, self.held = release, self.placement
        self.focal = centroid(now)

    def at(self, ms):
        """The placement so many ms after the first finger has landed."""
        return [place for time, place in self.track if time <= self.track[0][0] + ms][-1]

    def settled(self):
        """Where the picture comes to rest by springs: after anything but the fling of one finger."""
        held, release, picture = self.held, self.release, self.picture
        angle = round((held.angle + HORIZON * release.turn_rate) / (math.pi / 2)) * math.pi / 2
        zoom = held.zoom * math.exp(HORIZON * release.zoom_rate)
        fit, old = picture.fit(angle), picture.fit(self.origin.angle)
        if any(limit / 1.03 <= zoom <= limit * 1.03 for limit in (fit, old)):
            zoom = fit
        zoom = clamp(zoom, fit, picture.most(angle))
        turned, factor = angle - held.angle, zoom / held.zoom
        x, y = held.x - self.focal[0], held.y - self.focal[1]
        c, s = math.cos(turned) * factor, math.sin(turned) * factor
        return picture.rest(Placement(
            zoom, self.focal[0] + x * c - y * s + release.vx / FAST,
            self.focal[1] + x * s + y * c + release.vy / FAST, angle))

    def flung(self):
        """Where the picture comes to rest after one finger at a zoom within the limits."""
        held, release = self.held, self.release
        return self.picture.rest(replace(
            held, x=held.x + release.vx / NORMAL, y=held.y + release.vy / NORMAL))


# The grid


def stages(width, columns=5, spacing=5.0):
    """The scales of the grid from `columns` columns down to the feed, ascending."""
    widths = [(width - (count - 1) * spacing) / count for count in range(columns, 1, -1)] + [width - 20.0]
    return [value / widths[0] for value in widths]
