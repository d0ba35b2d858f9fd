"""The names of a project's keys in Redis."""

#: In the order of the scripts in `scripts`.
NAMES = (
    "trips", "waiting", "followed", "removing", "ended", "workers", "published", "events", "rejected", "origin", "quota:",
)


def key(project, name):
    """Returns the key of a name; that of a part of the quota ends with the part's number."""
    return f"tripshare:{project}:{name}"


def all_keys(project):
    return [key(project, name) for name in NAMES]
