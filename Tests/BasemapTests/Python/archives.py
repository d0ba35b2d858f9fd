"""Writes the same tile into a PMTiles and an MBTiles archive, and further MBTiles archives that must be refused.

Usage: archives.py FOLDER; the archives are made with the published packages.
"""

import gzip
import pathlib
import sqlite3
import sys

import mapbox_vector_tile
from pmtiles.tile import Compression, TileType, zxy_to_tileid
from pmtiles.writer import Writer

FOLDER = pathlib.Path(sys.argv[1])
ZOOM, X, Y = 12, 2200, 1343
ATTRIBUTION = "© OpenStreetMap contributors"
WATER = "POLYGON((-64 -64, 4160 -64, 4160 1000, -64 1000, -64 -64))"


def tile(roads, keys):
    """Encodes a tile; y grows to the north in the input of the package."""
    return gzip.compress(mapbox_vector_tile.encode([
        {"name": roads, "features": [
            {"geometry": "LINESTRING(0 0, 4096 4096)", "properties": {keys: "motorway", "name": "Ring"}},
            {"geometry": "LINESTRING(0 4096, 4096 0)", "properties": {keys: "footway"}},
        ]},
        {"name": "water", "features": [{"geometry": WATER, "properties": {"class": "river"}}]},
        {"name": "place", "features": [
            {"geometry": "POINT(2048 2048)", "properties": {"class": "town", "name": "Mitte", "rank": 4}},
        ]},
    ]))


def pmtiles(name, data, count):
    """Writes an archive with `count` tiles, so that large ones have directories below the root."""
    with open(FOLDER / name, "wb") as file:
        writer = Writer(file)
        numbers = sorted({zxy_to_tileid(ZOOM, X + 7 * index % 500, Y + index // 500) for index in range(count)})
        for index, number in enumerate(numbers):
            writer.write_tile(number, data if number == zxy_to_tileid(ZOOM, X, Y) else data + bytes([index % 251] * 3))
        writer.finalize({
            "tile_type": TileType.MVT, "tile_compression": Compression.GZIP, "min_zoom": ZOOM, "max_zoom": ZOOM,
            "min_lon_e7": 130000000, "min_lat_e7": 520000000, "max_lon_e7": 140000000, "max_lat_e7": 530000000,
            "center_zoom": ZOOM, "center_lon_e7": 135000000, "center_lat_e7": 525000000,
        }, {"attribution": ATTRIBUTION})


def mbtiles(name, data, form="pbf", tiles="table", zoom="12"):
    """Writes a database; `tiles` may be an endless view."""
    with sqlite3.connect(FOLDER / name) as database:
        database.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
        rows = {"format": form, "minzoom": zoom, "maxzoom": zoom, "bounds": "13.0,52.0, 14.0,53.0",
                "attribution": f"<a href='x'>{ATTRIBUTION}</a>"}
        database.executemany("INSERT INTO metadata VALUES (?, ?)", rows.items())
        columns = "zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB"
        if tiles == "endless":
            database.execute(
                "CREATE VIEW tiles AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
                "SELECT x AS zoom_level, x AS tile_column, x AS tile_row, NULL AS tile_data FROM n WHERE x < 0")
        else:
            database.execute(f"CREATE TABLE tiles ({columns})")
            database.execute("CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)")
            if data:
                database.execute("INSERT INTO tiles VALUES (?, ?, ?, ?)", (ZOOM, X, 2**ZOOM - 1 - Y, data))
    database.close()


protomaps, openmaptiles = tile("roads", "kind_detail"), tile("transportation", "class")
pmtiles("small.pmtiles", protomaps, 1)
pmtiles("large.pmtiles", openmaptiles, 30_000)
mbtiles("good.mbtiles", openmaptiles)
mbtiles("raster.mbtiles", b"\x89PNG", form="png")
mbtiles("empty.mbtiles", None)
mbtiles("endless.mbtiles", None, tiles="endless")
mbtiles("zoom.mbtiles", openmaptiles, zoom="-3")
mbtiles("notiles.mbtiles", b"\x00\x01\x02 not a tile")
(FOLDER / "cut.mbtiles").write_bytes((FOLDER / "good.mbtiles").read_bytes()[:5000])
