"""Redis: the scripts that change a project's keys, each one as a whole."""

import pathlib
from typing import NamedTuple

import redis

import keys

FOLDER = pathlib.Path(__file__).resolve().parent / "scripts"
#: The number of entries that are read at a time.
ENTRIES = 500


class StoreError(Exception):
    """Redis can't be reached, or it does not store: then it has done all of a call or nothing, and it can be repeated."""


class Call(NamedTuple):
    """A call to Redis: `read`, or the name of a script with its arguments."""

    name: str
    arguments: tuple = ()


def source(script):
    """Returns the text of a script."""
    return "\n".join((FOLDER / f"{name}.lua").read_text(encoding="utf-8") for name in ("common", script))


def connect(url, seconds):
    """Returns a client whose calls fail after so many seconds."""
    options = {"socket_timeout": seconds}
    # python3-redis of Debian 12 does not accept it for a socket of Unix, whose connections do not wait.
    if not url.startswith("unix://"):
        options["socket_connect_timeout"] = seconds
    # Entries can contain any bytes.
    return redis.Redis.from_url(url, decode_responses=True, encoding_errors="surrogateescape", **options)


class RedisStore:
    """Performs calls."""

    def __init__(self, url, project, seconds):
        self.redis = connect(url, seconds)
        self.keys = keys.all_keys(project)
        self.scripts = {name: self.redis.register_script(source(name)) for name in ("lease", "sync", "publish", "restore")}

    def perform(self, call):
        """Returns the answer; raises a StoreError."""
        try:
            if call.name == "read":
                return self.redis.xrange(self.keys[0], count=ENTRIES)
            return self.scripts[call.name](keys=self.keys, args=call.arguments)
        except redis.RedisError as error:
            raise StoreError(str(error) or type(error).__name__) from error
