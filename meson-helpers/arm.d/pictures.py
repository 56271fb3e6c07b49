#!/usr/bin/env python3
"""Compares pictures that programs for two architectures decoded and painted, and prints a table by format.

pictures.py PICTURES ONE OTHER: PICTURES has the files; ONE and OTHER have for each file NAME
decoded/NAME.png, decoded/NAME.code with the exit code of the thumbnailer, and painted/NAME.png of the viewer.
Exits with 1 if a picture differs by more than its format may, or if a format was decoded on neither side.
"""

import collections
import pathlib
import subprocess
import sys

# Formats whose libraries compute with instructions of their own on each architecture: 1 of 255 may differ. All
# other pictures are equal.
ROUNDED = {"jpg", "webp", "avif", "heic", "jxl", "jp2", "j2k", "svg", "svgz"}
# Compressed inside by JPEG or WebP.
ROUNDED_NAMES = {"a-jpeg.tif", "a-webp.tif"}
# Suffixes of ImageMagick for versions of one format.
VERSIONS = {"bmp2": "bmp", "bmp3": "bmp"}


def pixels(path):
    """The size and the bytes of a picture, as RGBA."""
    size = subprocess.run(
        ["identify", "-format", "%wx%h", path], check=True, capture_output=True, text=True).stdout
    data = subprocess.run(
        ["convert", path, "-depth", "8", "RGBA:-"], check=True, capture_output=True).stdout
    return size, data


def premultiplied(data):
    """The colours as they are seen: a PNG divides them by alpha, which magnifies a step of 1."""
    return [
        value if place % 4 == 3 else round(value * data[place | 3] / 255)
        for place, value in enumerate(data)]


def difference(one, other):
    """The largest difference of any channel and the count of bytes that differ; 255 if the sizes differ."""
    (size, data), (other_size, other_data) = pixels(one), pixels(other)
    if size != other_size or len(data) != len(other_data):
        return 255, len(data)
    if data == other_data:
        return 0, 0
    parts = [abs(a - b) for a, b in zip(premultiplied(data), premultiplied(other_data)) if a != b]
    return max(parts, default=0), len(parts)


def main():
    pictures, one, other = map(pathlib.Path, sys.argv[1:])
    rows = collections.defaultdict(lambda: [0, 0, 0, 0])
    faults = []
    for picture in sorted(pictures.iterdir()):
        name, kind = picture.name, picture.suffix[1:]
        kind = VERSIONS.get(kind, kind)
        allowed = 1 if kind in ROUNDED or name in ROUNDED_NAMES else 0
        row = rows[kind]
        codes = [(side / "decoded" / f"{name}.code").read_text().strip() for side in (one, other)]
        if codes[0] != codes[1]:
            faults.append(f"{name}: exit codes {codes[0]} and {codes[1]}")
            continue
        if codes[0] == "0":
            row[0] += 1
        for column, part in ((2, "decoded"), (3, "painted")):
            paths = [side / part / f"{name}.png" for side in (one, other)]
            if part == "decoded" and codes[0] != "0":
                row[1] += 1
                continue
            if not all(path.exists() for path in paths):
                faults.append(f"{name}: nothing was {part}")
                continue
            largest, count = difference(*paths)
            row[column] = max(row[column], largest)
            if largest > allowed:
                faults.append(f"{name}: {part} pixels differ by up to {largest}, in {count} bytes")
    print("| format | decoded | refused on both | difference decoded | painted |")
    print("| --- | --- | --- | --- | --- |")
    for kind, row in sorted(rows.items()):
        print("| " + " | ".join(map(str, [kind, *row])) + " |")
        if not row[0]:
            faults.append(f"no picture of the format {kind} was decoded")
    total = sum(row[0] for row in rows.values())
    print(f"{total} pictures decoded on both, {len(faults)} faults")
    for fault in faults:
        print(f"FAULT {fault}")
    return 1 if faults or not total else 0


if __name__ == "__main__":
    sys.exit(main())
