"""Reads a page as XML and as HTML, with Python's readers, and prints what they found as one JSON object.

The argument is the page.
"""

import json
import sys
from html.parser import HTMLParser
from xml.etree import ElementTree

# Elements of HTML that have no end.
VOID = {"meta", "br", "path", "circle"}


class Reader(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.wrong, self.names, self.attributes, self.words = [], 0, [], [], []

    def handle_starttag(self, tag, attributes):
        self.names.append(tag)
        self.attributes += [name for name, _ in attributes]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.wrong += 1

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("style", "title"):
            self.words.append(data.strip())


with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
root = ElementTree.fromstring(text)
reader = Reader()
reader.feed(text)
reader.close()
print(
    json.dumps(
        {
            "lang": root.get("lang"),
            "wrong": reader.wrong + len(reader.open),
            "elements": sorted(set(reader.names)),
            "attributes": sorted(set(reader.attributes)),
            "text": " ".join(word for word in reader.words if word),
        }
    )
)
