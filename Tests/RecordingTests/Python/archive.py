"""Reads a gzip-compressed tar archive with tarfile and prints its members as one JSON object.

The argument is the archive.
"""

import json
import sys
import tarfile

with tarfile.open(sys.argv[1], "r:gz") as archive:
    members = archive.getmembers()
    print(
        json.dumps(
            [
                {
                    "name": member.name,
                    "size": member.size,
                    "mode": member.mode,
                    "time": member.mtime,
                    "isFile": member.isfile(),
                    "text": archive.extractfile(member).read().decode(),
                }
                for member in members
            ]
        )
    )
