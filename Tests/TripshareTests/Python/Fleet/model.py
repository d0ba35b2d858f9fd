"""A model of Redis in virtual time that runs the scripts of the worker with Lua 5.1, as Redis does.

A script runs as a whole. Before its first write it can be refused as Redis refuses writes; afterwards it goes on. A key ends when
its time is over. `history` has the states that a replica can have.
"""

import copy
import pathlib
import sys

import lupa.lua51 as lua

FLEET = pathlib.Path(__file__).resolve().parents[4] / "Assets/Fleet"
sys.dont_write_bytecode = True
sys.path.insert(0, str(FLEET))

import keys  # noqa: E402
import store  # noqa: E402

#: Writes that Redis allows when its memory is full.
FREEING = ("DEL", "HDEL", "ZREM", "ZPOPMIN", "ZREMRANGEBYSCORE", "SREM", "XDEL", "PEXPIRE")
#: How many states of the past a replica can have.
LAG = 25


class Model:
    def __init__(self, project):
        self.keys = keys.all_keys(project)
        self.now = 1_700_000_000.0
        self.data, self.expiry, self.counter = {}, {}, 0
        self.history = []
        #: Why writes are refused; `OOM` refuses only those that need memory.
        self.refusal = None
        self.is_dirty = False
        self.runtime = lua.LuaRuntime(unpack_returned_tuples=True)
        self.runtime.globals().redis = self.runtime.table_from({"call": self.call})
        self.scripts = {
            name: self.runtime.execute(f"return function(KEYS, ARGV)\n{store.source(name)}\nend")
            for name in ("lease", "sync", "publish", "restore")
        }

    # The answers to a worker.

    def perform(self, call):
        if call.name == "read":
            return list(self.value(self.keys[0], {}).items())[: store.ENTRIES]
        self.history = [*self.history[-LAG:], (copy.deepcopy(self.data), dict(self.expiry))]
        self.is_dirty = False
        arguments = [str(argument) for argument in call.arguments]
        answer = self.scripts[call.name](self.runtime.table_from(self.keys), self.runtime.table_from(arguments))
        return self.plain(answer)

    def plain(self, value):
        if lua.lua_type(value) == "table":
            return [self.plain(item) for item in value.values()]
        return None if value is False else value

    # What happens to it.

    def add(self, fields):
        """What a backend does: adds an entry; returns its ID."""
        self.is_dirty = True
        return self.command("XADD", self.keys[0], "*", *[item for pair in fields.items() for item in pair])

    def flush(self):
        self.data, self.expiry, self.history = {}, {}, []

    def fall_back(self, steps):
        """Continues with the data of a replica that lags by so many scripts; returns whether there is such a state."""
        if steps > len(self.history):
            return False
        self.data, self.expiry = self.history[-steps]
        self.history = []
        return True

    def stream(self, name):
        return self.value(keys.key(self.keys[0].split(":")[1], name), {})

    # The commands.

    def call(self, *words):
        return self.command(*[word if isinstance(word, str) else str(word) for word in words])

    def command(self, name, *words):
        if name == "TIME":
            return self.runtime.table_from([str(int(self.now)), str(int(self.now * 1e6) % 1_000_000)])
        handler = getattr(self, name.lower())
        if name not in ("GET", "EXISTS", "HGET", "HEXISTS", "HGETALL", "HKEYS", "ZSCORE", "SMEMBERS", "SISMEMBER"):
            if self.refusal and not self.is_dirty and not (self.refusal == "OOM" and name in FREEING):
                raise store.StoreError(self.refusal)
            self.is_dirty = True
        return handler(*words)

    def value(self, name, empty):
        if name in self.expiry and self.now > self.expiry[name]:
            del self.expiry[name]
            self.data.pop(name, None)
        return self.data.get(name, empty)

    def made(self, name, empty):
        self.value(name, None)
        return self.data.setdefault(name, empty)

    def table(self, items):
        return self.runtime.table_from(list(items))

    def get(self, name):
        return self.value(name, False)

    def set(self, name, text, *options):
        if "NX" in options and self.value(name, None) is not None:
            return False
        self.data[name] = text
        self.expiry.pop(name, None)
        if "PX" in options:
            self.expiry[name] = self.now + int(options[options.index("PX") + 1]) / 1000
        return "OK"

    def pexpire(self, name, milliseconds):
        if self.value(name, None) is None:
            return 0
        self.expiry[name] = self.now + int(milliseconds) / 1000
        return 1

    def delete(self, name):
        self.expiry.pop(name, None)
        return int(self.data.pop(name, None) is not None)

    def __getattr__(self, name):
        if name == "del":
            return self.delete
        raise AttributeError(name)

    def hset(self, name, field, text):
        self.made(name, {})[field] = text
        return 1

    def hget(self, name, field):
        return self.value(name, {}).get(field, False)

    def hdel(self, name, field):
        return int(self.value(name, {}).pop(field, None) is not None)

    def hexists(self, name, field):
        return int(field in self.value(name, {}))

    def hgetall(self, name):
        return self.table(item for pair in self.value(name, {}).items() for item in pair)

    def hkeys(self, name):
        return self.table(self.value(name, {}))

    def zadd(self, name, *words):
        score, member = words[-2:]
        members = self.made(name, {})
        is_new = member not in members
        if is_new or "NX" not in words:
            members[member] = float(score)
        return int(is_new)

    def zscore(self, name, member):
        return str(self.value(name, {})[member]) if member in self.value(name, {}) else False

    def zrem(self, name, member):
        return int(self.value(name, {}).pop(member, None) is not None)

    def zpopmin(self, name, count):
        members = self.value(name, {})
        first = sorted(members, key=lambda member: (members[member], member))[: int(count)]
        return self.table(item for member in first for item in (member, str(members.pop(member))))

    def zremrangebyscore(self, name, low, high):
        members = self.value(name, {})
        old = [member for member, score in members.items() if float(low) <= score <= float(high)]
        for member in old:
            del members[member]
        return len(old)

    def sadd(self, name, member):
        members = self.made(name, {})
        is_new = member not in members
        members[member] = True
        return int(is_new)

    def srem(self, name, member):
        return int(self.value(name, {}).pop(member, None) is not None)

    def smembers(self, name):
        return self.table(self.value(name, {}))

    def sismember(self, name, member):
        return int(member in self.value(name, {}))

    def xadd(self, name, *words):
        fields = words[words.index("*") + 1:]
        self.counter += 1
        entry = f"{int(self.now * 1000)}-{self.counter}"
        self.made(name, {})[entry] = dict(zip(fields[::2], fields[1::2]))
        return entry

    def xdel(self, name, entry):
        return int(self.value(name, {}).pop(entry, None) is not None)
