"""The plan of the town: what lies where, in meters east and north of its centre."""

import math

from geometry import beside, box, polar, smooth

NAME = "Averholm"
# In the North Atlantic, 800 km from the next land.
CENTRE = (51.05, -30.0)
# The earth's mean radius, as in the program's own computations.
EARTH_RADIUS = 6_371_008.8

STRETCH = 1.12
BOULEVARD, MIDDLE, RING = 470, 1250, 2500

RIVER = smooth([
    (5900, 2500), (4600, 1850), (3300, 1900), (2000, 1560), (1150, 950), (720, 330), (640, -350), (700, -900),
    (480, -1650), (180, -2500), (-350, -3500), (-1500, -5200),
])
RIVER_WIDTH, QUAY = 90, 78
RAIL = smooth([(-6000, -800), (-3600, -1050), (-1500, -960), (-250, -900), (700, -915), (2200, -1150), (6000, -1700)])

# Angle in degrees, class, name, radius of the end.
RADIALS = [
    (5, "primary", "East Avenue", 4600),
    (62, "primary", "Airport Road", RING),
    (100, "secondary", "North Avenue", 4300),
    (142, "secondary", "Windmill Road", 3900),
    (182, "primary", "West Avenue", 4700),
    (225, "secondary", "Quarry Road", 3900),
    (262, "primary", "Station Road", 4300),
    (312, "secondary", "Harbour Road", 4000),
]

# Name, angle in degrees, from and to radius: the blocks between two radials.
DISTRICTS = [
    ("Eastbank", 34, 560, 1060), ("Northgate", 81, 560, 1080), ("Windmill Hill", 121, 1700, 2300),
    ("Westgate", 162, 560, 1080), ("Quarry Hill", 204, 1600, 2300), ("Southgate", 243, 560, 800),
    ("Docklands", 290, 1400, 1900), ("Oakfield", 338, 1500, 2200), ("Northfield", 81, 1600, 2300),
    ("Lakeside", 34, 1700, 2300),
]

# Name, outline, name of the street around it.
PARKS = [
    ("City Park", [polar(a, r, STRETCH) for a, r in [(152, 640), (152, 1120), (163, 1160), (172, 1120), (172, 640)]],
     "Park Lane"),
    ("Botanical Garden", box(870, -120, 150, 230, 8), "Garden Row"),
    ("Lake Park", box(1950, 640, 560, 420, 20), "Lakeside Drive"),
    ("Old Cemetery", box(-1180, 1180, 260, 330, 35), "Cypress Lane"),
    ("Zoo", box(-1750, -1650, 380, 300, -15), "Zoo Street"),
    ("South Meadow", box(-800, -2050, 420, 240, 10), "Meadow Lane"),
]
LAKE = smooth([(1760, 560), (1860, 720), (2050, 760), (2140, 680), (2030, 570), (1880, 520), (1760, 560)], 6)
STATION_SQUARE = box(-235, -822, 150, 60, 2)
MARKET_SQUARE = box(0, 0, 130, 95, 12)
AIRPORT = (2760, 4060)

# Name, point, rank: 1 for the most important ones.
PLACES = [
    ("Market Square", (0, 0), 1), ("Station", (-235, -855), 1), ("Airport", AIRPORT, 1), ("Harbour", (420, -1500), 1),
    ("Town Hall", (-95, 40), 2), ("Cathedral", (120, 150), 2), ("University", (-560, 330), 2),
    ("Hospital", (1250, 480), 2), ("Stadium", (-1900, 420), 2), ("Trade Fair", (1500, -900), 2),
    ("Old Bridge", (650, -285), 2), ("Concert Hall", (-330, -350), 3), ("Museum", (240, -190), 3),
    ("Library", (-200, 290), 3), ("Theatre", (330, 240), 3), ("Market Hall", (-250, 120), 3),
    ("Zoo Gate", (-1560, -1600), 3), ("Garden Gate", (800, -160), 3), ("Hotel Atlantic", (520, 760), 3),
    ("Hotel Terminus", (-400, -760), 3), ("Law Courts", (300, 520), 3), ("Brewery", (-900, -420), 3),
    ("Business Park", (350, 1800), 3), ("Science Park", (-1500, 1650), 3), ("Shipyard", (-130, -2250), 3),
    ("Observatory", (-2000, 1150), 3), ("Swimming Pool", (1050, -1450), 3), ("Shopping Centre", (1900, 120), 3),
    ("School of Music", (-520, -200), 4), ("Fire Station", (760, 950), 4), ("Post Office", (90, -120), 4),
    ("East Gate", (495, 30), 4), ("North Gate", (-85, 460), 4), ("West Gate", (-520, -15), 4),
    ("Lake Pavilion", (1750, 850), 4), ("Velodrome", (-1200, -1150), 4), ("Mill Museum", (-1050, 830), 4),
    ("Tram Depot", (-350, 1250), 4), ("Film Studios", (-300, 2200), 4), ("Water Tower", (950, 1750), 4),
    ("Eastmere", (44_000, -8_200), 2),
]

EASTMERE = (44_000, -8_000)
# The motorways, to the west and to the next town: the angle at which they leave the ring road, and the points after it.
MOTORWAYS = [
    (198, [(-3400, -1500), (-4600, -2100), (-6200, -2300)]),
    (336, [(3700, -1700), (6000, -3000), (11_000, -3400), (17_000, -5300), (24_000, -4700), (31_000, -6800),
           (38_000, -7300), EASTMERE]),
]

STEMS = """Alder Amber Anchor Apple Arch Arrow Ash Aspen Barley Basket Beacon Beech Bell Birch Bishop Blackbird Bramble Brick
Brook Candle Canvas Carpenter Castle Cedar Chalk Chapel Cherry Clay Clover Cloth Cobbler Compass Cooper Copper Coral Corn
Cotton Crane Crescent Crown Curlew Dairy Dove Drummer Eagle Elder Elm Falcon Fern Ferry Fiddler Field Finch Fisher Flax Forge
Foundry Fountain Fox Garnet Glass Glover Granite Grove Hatter Hawthorn Hazel Heather Heron Hill Holly Honey Hunter Iris Iron
Ivory Jasmine Juniper Kestrel Kiln Lantern Larch Lark Laurel Lavender Lime Linden Linnet Magpie Maple Marble Mason Meadow
Mercer Merchant Mill Mint Moss Myrtle Needle Oak Olive Orchard Osprey Otter Paper Pear Pearl Pebble Pepper Pine Piper Plough
Plum Poplar Potter Quince Raven Reed Robin Rope Rose Rowan Saddler Saffron Sage Sailor Salt Sawyer Silver Slate Smith Sparrow
Spinner Spring Spruce Star Stone Swan Tailor Tanner Thistle Thyme Tiller Timber Tower Vine Violet Walnut Weaver Well Willow
Wool Wren Yarrow Yew""".split()
SUFFIXES = ["Street", "Road", "Lane", "Row", "Walk", "Close"]


def circle(radius):
    """A closed curve around the centre that is not quite an ellipse, with a point every 6 degrees."""
    points = []
    for angle in range(0, 360, 6):
        wave = math.sin(math.radians(angle * 3) + radius / 400) + math.sin(math.radians(angle * 5) + radius / 900)
        points.append(polar(angle, radius * (1 + 0.02 * wave), STRETCH))
    return points + [points[0]]


def radial(angle, radii):
    """The points of a radial street, which bends a little, at some radii."""
    return [polar(angle + 3 * math.sin(r / 700 + angle % 360), r, STRETCH) for r in radii]


def quays():
    return [beside(RIVER, QUAY), beside(RIVER, -QUAY)]


def corridor(line, width):
    """The polygon on both sides of a line."""
    return beside(line, width) + beside(line, -width)[::-1]
