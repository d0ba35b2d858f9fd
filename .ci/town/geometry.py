"""Plane geometry in meters: clipping of lines, smooth curves, offsets."""

import math


def distance(a, b):
    return math.hypot(b[0] - a[0], b[1] - a[1])


def between(a, b, share):
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)


def polar(angle, radius, stretch=1.0):
    """A point at an angle in degrees, counterclockwise from east; `stretch` widens circles to ellipses."""
    turn = math.radians(angle)
    return (radius * math.cos(turn) * stretch, radius * math.sin(turn))


def box(x, y, width, height, angle=0.0):
    """A rectangle around a point."""
    turn = math.radians(angle)
    corners = [(-width, -height), (width, -height), (width, height), (-width, height)]
    return [
        (x + (p * math.cos(turn) - q * math.sin(turn)) / 2, y + (p * math.sin(turn) + q * math.cos(turn)) / 2)
        for p, q in corners
    ]


def closed(ring):
    return ring + [ring[0]]


def smooth(points, parts=8):
    """A Catmull-Rom curve through points."""
    ends = [points[0]] + list(points) + [points[-1]]
    result = []
    for index in range(1, len(ends) - 2):
        a, b, c, d = ends[index - 1:index + 3]
        for part in range(parts):
            t = part / parts
            result.append(tuple(
                0.5 * (2 * b[i] + (c[i] - a[i]) * t + (2 * a[i] - 5 * b[i] + 4 * c[i] - d[i]) * t * t
                       + (3 * b[i] - a[i] - 3 * c[i] + d[i]) * t ** 3)
                for i in (0, 1)
            ))
    return result + [points[-1]]


def beside(line, offset):
    """The line at an offset to the left of another."""
    result = []
    for index, point in enumerate(line):
        a, b = line[max(0, index - 1)], line[min(len(line) - 1, index + 1)]
        length = distance(a, b)
        result.append((point[0] - (b[1] - a[1]) / length * offset, point[1] + (b[0] - a[0]) / length * offset))
    return result


def crossing(a, b, c, d, slack=0.0):
    """Where two segments cross, as fractions of both; `slack` lengthens them at each end, in meters."""
    ux, uy, vx, vy = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
    cross = ux * vy - uy * vx
    if abs(cross) < 1e-9 * max(1.0, distance(a, b) * distance(c, d)):
        return None
    wx, wy = c[0] - a[0], c[1] - a[1]
    t, u = (wx * vy - wy * vx) / cross, (wx * uy - wy * ux) / cross
    s, r = slack / distance(a, b), slack / distance(c, d)
    return (t, u) if -s <= t <= 1 + s and -r <= u <= 1 + r else None


def inside(point, ring):
    x, y = point
    result = False
    for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1]):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            result = not result
    return result


def clip(a, b, ring, keeps_inside):
    """The parts of a segment that lie inside or outside of a polygon."""
    cuts = [0.0, 1.0]
    for c, d in zip(ring, ring[1:] + ring[:1]):
        found = crossing(a, b, c, d)
        if found:
            cuts.append(min(1.0, max(0.0, found[0])))
    cuts.sort()
    parts = []
    for low, high in zip(cuts, cuts[1:]):
        if high - low > 1e-9 and inside(between(a, b, (low + high) / 2), ring) == keeps_inside:
            if parts and abs(parts[-1][1] - low) < 1e-9:
                parts[-1] = (parts[-1][0], high)
            else:
                parts.append((low, high))
    return [(between(a, b, low), between(a, b, high)) for low, high in parts]


def hatch(ring, bound, angle, spacing, obstacles, shortest):
    """Parallel segments that fill what two polygons have in common without the obstacles, by their number."""
    turn = math.radians(angle)
    ux, uy = math.cos(turn), math.sin(turn)
    across = [-p[0] * uy + p[1] * ux for p in ring]
    along = [p[0] * ux + p[1] * uy for p in ring]
    result = []
    number, height = 0, min(across) + spacing * 0.6
    while height < max(across) - spacing * 0.35:
        ends = [(t * ux - height * uy, t * uy + height * ux) for t in (min(along) - 1, max(along) + 1)]
        parts = [piece for part in clip(*ends, ring, True) for piece in clip(*part, bound, True)]
        for obstacle in obstacles:
            parts = [piece for part in parts for piece in clip(*part, obstacle, False)]
        result += [(number, part) for part in parts if distance(*part) >= shortest]
        number, height = number + 1, height + spacing
    return result


def simplified(line, tolerance, kept):
    """A line without the points that lie within a tolerance of it (Douglas-Peucker); `kept` says which must stay."""
    result = [line[0]]
    start = 0
    for index in range(1, len(line)):
        if kept(line[index]) or index == len(line) - 1:
            result += reduced(line[start:index + 1], tolerance)[1:]
            start = index
    return result


def reduced(line, tolerance):
    if len(line) < 3:
        return line
    a, b = line[0], line[-1]
    length = distance(a, b)
    far, place = 0.0, 0
    for index in range(1, len(line) - 1):
        p = line[index]
        # The ends of a ring are one point.
        off = abs((b[0] - a[0]) * (a[1] - p[1]) - (a[0] - p[0]) * (b[1] - a[1])) / length if length else distance(a, p)
        if off > far:
            far, place = off, index
    if far <= tolerance:
        return [a, b]
    return reduced(line[:place + 1], tolerance)[:-1] + reduced(line[place:], tolerance)
