"""Joins lines at their crossings and keeps what can be reached by driving."""

from geometry import crossing, between, distance

CELL = 150.0


class Line:
    """A street: points in meters, a class, a name, and whether it may be driven in its direction only."""

    def __init__(self, kind, points, name, oneway=False):
        self.kind, self.points, self.name, self.oneway = kind, list(points), name, oneway
        self.may_have_gaps = False


class Joints:
    """Points that are within a meter of each other become one."""

    def __init__(self):
        self.cells = {}

    def at(self, point):
        x, y = int(point[0] // 2), int(point[1] // 2)
        for near in [(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]:
            for known in self.cells.get(near, []):
                if distance(known, point) < 1.5:
                    return known
        point = (round(point[0], 3), round(point[1], 3))
        self.cells.setdefault((x, y), []).append(point)
        return point


def joined(lines):
    """The lines with a common point at each crossing."""
    joints = Joints()
    for line in lines:
        line.points = deduplicated([joints.at(point) for point in line.points])
    cells = {}
    segments = []
    for number, line in enumerate(lines):
        for index, (a, b) in enumerate(zip(line.points, line.points[1:])):
            segments.append((number, index, a, b))
            for cell in covered(a, b):
                cells.setdefault(cell, []).append(len(segments) - 1)
    extra = {}
    seen = set()
    for cell in cells.values():
        for i, first in enumerate(cell):
            for second in cell[i + 1:]:
                if (first, second) not in seen:
                    seen.add((first, second))
                    meet(segments[first], segments[second], joints, extra)
    for number, line in enumerate(lines):
        points = []
        for index, point in enumerate(line.points):
            points.append(point)
            if (number, index) in extra:
                points += [place for _, place in sorted(extra[(number, index)])]
        line.points = deduplicated(points)
    return lines


def covered(a, b):
    low = (min(a[0], b[0]) - 2, min(a[1], b[1]) - 2)
    high = (max(a[0], b[0]) + 2, max(a[1], b[1]) + 2)
    for x in range(int(low[0] // CELL), int(high[0] // CELL) + 1):
        for y in range(int(low[1] // CELL), int(high[1] // CELL) + 1):
            yield (x, y)


def meet(first, second, joints, extra):
    if first[0] == second[0]:
        return
    found = crossing(first[2], first[3], second[2], second[3], slack=1.5)
    if not found:
        return
    place = joints.at(between(first[2], first[3], min(1.0, max(0.0, found[0]))))
    for segment, share in zip((first, second), found):
        if place not in (segment[2], segment[3]):
            extra.setdefault((segment[0], segment[1]), []).append((share, place))


def deduplicated(points):
    return [point for index, point in enumerate(points) if index == 0 or point != points[index - 1]]


def neighbours(lines):
    """The lines that meet at each point, as a number of ends."""
    degree = {}
    for line in lines:
        for a, b in zip(line.points, line.points[1:]):
            degree[a] = degree.get(a, 0) + 1
            degree[b] = degree.get(b, 0) + 1
    return degree


def without(line, dropped):
    """The parts of a line that remain without some of its segments."""
    parts, points = [], [line.points[0]]
    for index, point in enumerate(line.points[1:]):
        if dropped(index, line.points[index], point):
            parts.append(points)
            points = [point]
        else:
            points.append(point)
    parts.append(points)
    return [Line(line.kind, part, line.name, line.oneway) for part in parts if len(part) > 1]


def trimmed(lines, shortest):
    """The lines without dead ends that are shorter than some meters."""
    degree = neighbours(lines)
    result = []
    for line in lines:
        points = line.points
        while len(points) > 1 and degree[points[0]] == 1 and distance(points[0], points[1]) < shortest:
            degree[points[1]] -= 1
            points = points[1:]
        while len(points) > 1 and degree[points[-1]] == 1 and distance(points[-1], points[-2]) < shortest:
            degree[points[-2]] -= 1
            points = points[:-1]
        line.points = points
        if len(points) > 1:
            result.append(line)
    return result


def reachable(lines, start):
    """The lines between the points that can be reached from a point and from which it can be reached."""
    forward, backward = {}, {}
    for line in lines:
        for a, b in zip(line.points, line.points[1:]):
            for tail, head in [(a, b)] if line.oneway else [(a, b), (b, a)]:
                forward.setdefault(tail, []).append(head)
                backward.setdefault(head, []).append(tail)
    kept = spread(start, forward) & spread(start, backward)
    result = []
    for line in lines:
        result += without(line, lambda _, a, b: a not in kept or b not in kept)
    return result


def spread(start, edges):
    seen, open_points = {start}, [start]
    while open_points:
        for point in edges.get(open_points.pop(), []):
            if point not in seen:
                seen.add(point)
                open_points.append(point)
    return seen
