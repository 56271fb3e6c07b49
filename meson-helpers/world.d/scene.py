"""The pictures of meson-helpers/world, and the expected screens: scene.py FOLDER writes the pictures.

A picture has four quadrants of different colours, so that a turned or mirrored picture is noticed, and in
its middle the number of its page as six squares, so that the page can be read off the screen.
"""

import os
import sys

import numpy
from PIL import Image

SCREEN = (1280, 800)
PICTURE = (1500, 1000)
PAGES = 60

# Red, green, blue and yellow, none of them pure: every channel shows an error.
QUADRANTS = numpy.array([[(200, 40, 50), (40, 150, 70)], [(50, 80, 190), (230, 190, 40)]], dtype=numpy.int16)
DIGITS = 6
DIGIT = 100
CLEAR, SET = (30, 30, 40), (240, 235, 225)
BACKGROUND = (0, 0, 0)

# Values of a channel. The pictures are sRGB without a profile, as are the screens: what remains is a rounding in the
# viewer and one in the compositor.
COLOUR_TOLERANCE = 2
# Pixels on each side of an edge that are not compared, but see `moved_edge`: the kernel of an enlargement by 1.6, the
# largest one here, reaches 2 pixels of the picture.
EDGE = 4
# Pixels on each side of an edge from which its place is computed.
REACH = 8
# Pixels. A picture at rest may be moved to whole pixels.
EDGE_TOLERANCE = 0.5
# Windows with the viewer's own decorations have round corners with this radius.
CORNER = 12


def colours(x, y, page):
    """The colours of picture points; `x` is a row and `y` a column of coordinates in picture pixels."""
    width, height = PICTURE
    x, y = numpy.broadcast_arrays(x, y)
    found = QUADRANTS[(y >= height / 2).astype(int), (x >= width / 2).astype(int)]
    left, top = (width - DIGITS * DIGIT) / 2, (height - DIGIT) / 2
    digit = numpy.floor((x - left) / DIGIT).astype(int)
    inside = (digit >= 0) & (digit < DIGITS) & (y >= top) & (y < top + DIGIT)
    lit = (page >> numpy.clip(DIGITS - 1 - digit, 0, DIGITS - 1)) & 1 == 1
    found = numpy.where((inside & lit)[..., None], numpy.array(SET), found)
    found = numpy.where((inside & ~lit)[..., None], numpy.array(CLEAR), found)
    outside = (x < 0) | (x >= width) | (y < 0) | (y >= height)
    return numpy.where(outside[..., None], numpy.array(BACKGROUND), found).astype(numpy.int16)


def write_pictures(folder):
    """Writes the pages, by names in their order."""
    os.makedirs(folder)
    x, y = numpy.arange(PICTURE[0])[None, :] + 0.5, numpy.arange(PICTURE[1])[:, None] + 0.5
    pixels = colours(x, y, 0).astype(numpy.uint8)
    middle = numpy.s_[(PICTURE[1] - DIGIT) // 2:(PICTURE[1] + DIGIT) // 2]
    for page in range(PAGES):
        pixels[middle] = colours(x, y[middle], page)
        Image.fromarray(pixels).save(os.path.join(folder, f"page-{page:02}.png"), compress_level=1)


def fit(view):
    """The rectangle of a picture at fit in a view of this size, by the laws of motion.md, at scale 1."""
    (width, height), (view_width, view_height) = PICTURE, view
    zoom = min(view_width / width, view_height / height, 1)
    free = view_height - height * zoom
    return [(view_width - width * zoom) / 2, free / 2 - min(0.02 * view_height, 0.1 * free),
            width * zoom, height * zoom]


def zoomed(rect, factor, centre):
    """A rectangle that was enlarged by a factor about a point."""
    x, y, width, height = rect
    return [centre[0] + (x - centre[0]) * factor, centre[1] + (y - centre[1]) * factor,
            width * factor, height * factor]


def expected(view, rect, page):
    """The pixels of a view with the picture in a rectangle."""
    zoom = rect[2] / PICTURE[0]
    return colours((numpy.arange(view[0])[None, :] + 0.5 - rect[0]) / zoom,
                   (numpy.arange(view[1])[:, None] + 0.5 - rect[1]) / zoom, page)


def compared(pixels):
    """Which pixels of an expected view are farther than EDGE from an edge of colours."""
    near = numpy.zeros(pixels.shape[:2], dtype=bool)
    for axis in (0, 1):
        step = numpy.nonzero((numpy.diff(pixels, axis=axis) != 0).any(axis=2))
        near[step] = True
        step[axis][:] += 1
        near[step] = True
    for axis in (0, 1):
        # In turns along both axes, so that the corners are squares.
        line = near if axis == 1 else near.T
        grown = line.copy()
        for shift in range(1, EDGE):
            grown[:, shift:] |= line[:, :-shift]
            grown[:, :-shift] |= line[:, shift:]
        near = grown if axis == 1 else grown.T
    return ~near


def moved_edge(pixels, seen, rect, page):
    """How an edge of colours is elsewhere than expected where `seen` is true; None if none is."""
    for part in (0.25, 0.47, 0.75):
        for axis, name in ((0, "row"), (1, "column")):
            # A row of the picture is an axis along x.
            start, length = rect[axis], rect[axis + 2]
            across = int(rect[1 - axis] + rect[3 - axis] * part)
            if not 0 <= across < pixels.shape[axis]:
                continue
            line, free = (array[across] if axis == 0 else array[:, across] for array in (pixels, seen))
            for place, before, after in edges(start, length, axis, part, page):
                first, last = int(place) - REACH, int(place) + REACH
                if first < 0 or last > len(line) or not free[first:last].all():
                    continue
                found = edge(line, int(place), before, after)
                if abs(found - place) > EDGE_TOLERANCE:
                    return f"an edge of the {name} {across} is at {found:.2f}, expected at {place:.2f}"
    return None


def edge(line, near, before, after):
    """Where a line of pixels goes from one colour to the other; a soft edge is where the sum of its pixels says."""
    step = (after - before).astype(float)
    covered = (line[near - REACH:near + REACH] - before) @ step / (step @ step)
    return near + REACH - covered.sum()


def edges(start, length, axis, part, page):
    """The edges along a row (axis 0) or column of the picture: place on the screen, colour before and after."""
    size, other = PICTURE[axis], PICTURE[1 - axis] * part
    along = numpy.arange(-1, size + 1) + 0.5
    line = colours(along, other, page) if axis == 0 else colours(other, along, page)
    for at in numpy.nonzero((numpy.diff(line, axis=0) != 0).any(axis=1))[0]:
        # The edge is between `at` and the next, and `along` begins a pixel before the picture.
        yield start + at * length / size, line[at], line[at + 1]


def visible(size, hidden):
    """Which pixels of a view are outside of rectangles, each x, y, width and height."""
    seen = numpy.ones((size[1], size[0]), dtype=bool)
    for left, top, width, height in hidden:
        seen[max(top, 0):max(top + height, 0), max(left, 0):max(left + width, 0)] = False
    return seen


def difference(pixels, seen, rect, page):
    """How the pixels of a view differ from the expected ones where `seen` is true; None if they do not."""
    wanted = expected(pixels.shape[1::-1], rect, page)
    even = compared(wanted) & seen
    wrong = (numpy.abs(pixels - wanted).max(axis=2) > COLOUR_TOLERANCE) & even
    if not wrong.any():
        return moved_edge(pixels, seen, rect, page)
    rows, columns = numpy.nonzero(wrong)
    row, column = rows[len(rows) // 2], columns[len(rows) // 2]
    return (f"{wrong.sum()} of {even.sum()} pixels differ, in {columns.min()}…{columns.max()} × "
            f"{rows.min()}…{rows.max()}, such as {tuple(map(int, pixels[row, column]))} instead of "
            f"{tuple(map(int, wanted[row, column]))} at {column},{row}")


def bars(view):
    """The parts of a view that the bars may cover: the top and the bottom, then the sides, which have arrows."""
    width, height = view
    return [(0, 0, width, height // 4), (0, height * 6 // 10, width, height), (0, 0, width // 10, height),
            (width - width // 10, 0, width, height)]


def corners(view):
    """The squares of the corners of a window."""
    return [(x, y, CORNER, CORNER) for x in (0, view[0] - CORNER) for y in (0, view[1] - CORNER)]


def read(path):
    return numpy.asarray(Image.open(path).convert("RGB")).astype(numpy.int16)


def place(shot, rect):
    """The offset of a window whose picture has this rectangle, from the edges of the red quadrant; None without one."""
    red = numpy.abs(shot - QUADRANTS[0, 0]).max(axis=2) < 50
    # What belongs to the quadrant has many pixels of this colour in a column or row, other things have few.
    columns = numpy.nonzero(red.sum(axis=0) > rect[3] / 4)[0]
    rows = numpy.nonzero(red.sum(axis=1) > rect[2] / 4)[0]
    if not len(columns) or not len(rows):
        return None
    right, bottom = int(columns[-1]) + 1, int(rows[-1]) + 1
    # Through the middle of the quadrant, beside the number.
    x = edge(shot[bottom - int(rect[3] / 4)], right, *QUADRANTS[0])
    y = edge(shot[:, right - int(rect[2] / 4)], bottom, *QUADRANTS[:, 0])
    return round(x - rect[0] - rect[2] / 2), round(y - rect[1] - rect[3] / 2)


if __name__ == "__main__":
    write_pictures(sys.argv[1])
