"""Reads an exported file with programs that are not this project's, and prints what they found as JSON.

The arguments are the format and the file.
"""

import json
import sys


def markdown(path):
    from markdown_it import MarkdownIt

    with open(path, encoding="utf-8") as file:
        tokens = MarkdownIt("commonmark").enable("table").parse(file.read())
    headings, tables, row = [], [], None
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            headings.append(text(tokens[index + 1]))
            row = None
        elif token.type == "table_open":
            tables.append({"heading": headings[-1], "rows": []})
        elif token.type == "tr_open":
            tables[-1]["rows"].append([])
        elif token.type in ("th_open", "td_open"):
            tables[-1]["rows"][-1].append(text(tokens[index + 1]))
    return {"headings": headings, "tables": tables, "html": sum(token.type == "html_block" for token in tokens)}


def text(token):
    return "".join(child.content for child in token.children if child.type in ("text", "text_special"))


def asciicast(path):
    import pyte
    from asciinema import asciicast as reader

    with reader.open_from_url(path) as cast:
        header = cast.v2_header
        screen = pyte.Screen(header["width"], header["height"])
        stream = pyte.Stream(screen)
        times, sizes = [], []
        for time, kind, data in cast.events():
            times.append(time)
            if kind == "r":
                columns, rows = map(int, data.split("x"))
                sizes.append([columns, rows])
                screen.resize(rows, columns)
            else:
                stream.feed(data)
    return {
        "version": header["version"],
        "width": header["width"],
        "height": header["height"],
        "frames": len(times),
        "seconds": times[-1],
        "areTimesInOrder": times == sorted(times),
        "sizes": sizes,
        "rows": [row.rstrip() for row in screen.display],
    }


READERS = {"markdown": markdown, "asciicast": asciicast}
print(json.dumps(READERS[sys.argv[1]](sys.argv[2])))
