"""Reads an SVG picture with Python's XML reader and prints what it contains as one JSON object.

The argument is the picture.
"""

import json
import sys
from xml.etree import ElementTree

root = ElementTree.parse(sys.argv[1]).getroot()
elements = list(root.iter())
sizes = root.get("viewBox", "").split()
print(
    json.dumps(
        {
            "root": root.tag,
            "width": float(sizes[2]) if sizes else float(root.get("width")),
            "height": float(sizes[3]) if sizes else float(root.get("height")),
            "elements": len(elements),
            "text": "".join(element.text or "" for element in elements),
        }
    )
)
