"""Where files of this layout are, and what their names say. All paths here are relative to the store's folder."""

from __future__ import annotations

from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.model import Place
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from datetime import date, datetime

    from memdesk.core.model import Store

PROJECT = "MEMORY.md"
FEATURES = ".output/features"
EPHEMERAL = ".ephemeral"
FRAGMENTS = ".ephemeral/memory/fragments"
ARCHIVE = ".ephemeral/memory/archive"
LOCKS = "locks"
PROGRESS = "progress.txt"
TASKS = "jonggrang-tasks.json"
MEMORY = "MEMORY.md"


class Name(NamedTuple):
    """What a path says: the role of its file, its feature and task ("" for none), when the fragment was written, and when it
    was archived (None where the path doesn't say)."""

    role: str
    feature: str = ""
    task: str = ""
    stamp: datetime | None = None
    archived: date | None = None


def place_of(inner: str) -> Place | None:
    """Role, tier and scope of a path; None: not memory."""
    role = _role(inner)
    return None if role is None else Place(role[0], _TIERS[role[0]], scope=f"feature:{role[1]}" if role[1] else "")


def name_of(inner: str) -> Name | None:
    """All that a path says; None: not memory."""
    role = _role(inner)
    if role is None:
        return None
    kind, feature = role
    if kind not in ("fragment", "archive"):
        return Name(kind, feature)
    return Name(kind, feature, task_of(inner), stamp_of(inner), _archived(inner) if kind == "archive" else None)


def feature_of(inner: str) -> str:
    """The feature that a path belongs to, as its folder is called; "" for none."""
    role = _role(inner)
    return "" if role is None else role[1]


def task_of(inner: str) -> str:
    """The task in a fragment's name; "" for none."""
    match = _TASK_FILE.match(inner.rpartition("/")[2])
    return "" if match is None else match[1]


def stamp_of(inner: str) -> datetime | None:
    """The instant in a fragment's name, in UTC; None for none, or one that is on no calendar. Without a zone it is in UTC."""
    name = inner.rpartition("/")[2].removesuffix(".md")
    return moment(name.removeprefix(task_of(inner)))


def moment(name: str) -> datetime | None:
    """The instant that a name ends in, in UTC: ISO 8601, with `:` and `.` as they are or as `-`, whole or in short; a day
    alone; or seconds or milliseconds since 1970. None for none."""
    from datetime import UTC, datetime, timedelta, timezone  # here: whoever looks for stores has no use for it

    match = _STAMP.search(name)
    if match is not None:
        zone = match["zone"]
        offset = timedelta()
        if zone and zone != "Z":
            offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:])) * (-1 if zone[0] == "-" else 1)
        micro = int((match["fraction"] or "")[:6].ljust(6, "0"))
        year, month, day, hour, minute, second = (int(match[key] or 0) for key in _PARTS)
        try:
            return datetime(year, month, day, hour, minute, second, micro, timezone(offset)).astimezone(UTC)
        except (ValueError, OverflowError):
            return None
    match = _EPOCH.search(name)
    if match is None:
        return None
    return datetime.fromtimestamp(int(match[1]) / (1000 if len(match[1]) == 13 else 1), UTC)


def is_feature(name: str) -> bool:
    """Whether a name can be a feature's: letters, digits, `_` and `-`."""
    return _FEATURE.fullmatch(name) is not None


def is_task(name: str) -> bool:
    """Whether a name can be a task's: `task-` and digits."""
    return _TASK.fullmatch(name) is not None


def memory_path(feature: str) -> str:
    """The path of a feature's memory."""
    return f"{FEATURES}/{feature}/{MEMORY}"


def fragment_path(feature: str, task: str, stamp: datetime, number: int = 1) -> str:
    """The path of a new fragment. `number`: 2 for the second one of a task in one instant. Raises Refused for an id that is
    none."""
    from memdesk.core.errors import Refused

    if not is_feature(feature):
        raise Refused(f"{feature!r} is no feature's id.", remedy="Letters, digits, _ and - alone.", field="feature")
    if not is_task(task):
        raise Refused(f"{task!r} is no task's id.", remedy="task- and digits, as in task-001.", field="task_id")
    more = f"-{number}" if number > 1 else ""
    return f"{FRAGMENTS}/{feature}/{task}-{stamped(stamp)}{more}.md"


def archive_path(inner: str, today: date) -> str:
    """Where a fragment goes when it is archived: a folder of that day, since nothing else says later when that was."""
    folder, _, name = inner.removeprefix(FRAGMENTS + "/").rpartition("/")
    feature, _, deeper = folder.partition("/")
    return "/".join(part for part in (ARCHIVE, feature, today.isoformat(), deeper, name) if part)


def archived_on(inner: str) -> date | None:
    """The day on which a fragment was archived, by the folder that it is in; else the one that its own name gives, which is no
    later. None where nothing says."""
    found = name_of(inner)
    if found is None or found.role != "archive":
        return None
    return found.archived or (found.stamp.date() if found.stamp else None)


def stamped(stamp: datetime) -> str:
    """An instant as names have it: UTC, milliseconds, `:` and `.` as `-`."""
    from datetime import UTC

    at = stamp.astimezone(UTC)
    return f"{at:%Y-%m-%dT%H-%M-%S}-{at.microsecond // 1000:03}Z"


def features(store: Store, paths: list[str]) -> list[str]:
    """The features that workspace-relative paths tell of, in order: with a memory, notes, tasks or fragments."""
    found = set()
    for path in paths:
        inner = store.inner(path)
        if inner is None:
            continue
        for folder in (FEATURES, FRAGMENTS):
            if inner.startswith(folder + "/"):
                feature, slash, _ = inner[len(folder) + 1 :].partition("/")
                if slash:
                    found.add(feature)
    return sorted(found)


_TIERS = {"project": "durable", "feature": "durable", "progress": "log", "fragment": "working", "archive": "archive"}
_FEATURE = lazy(r"[A-Za-z0-9_-]+")
_TASK = lazy(r"task-[0-9]+")
_TASK_FILE = lazy(r"(task-[0-9]+)(?=[-_.]|\Z)")
_STAMP = lazy(
    r"(?<![0-9])(?P<year>[0-9]{4})(?P<dash>-?)(?P<month>[0-9]{2})(?P=dash)(?P<day>[0-9]{2})"
    r"(?:[T_](?P<hour>[0-9]{2})[-:]?(?P<minute>[0-9]{2})(?:[-:]?(?P<second>[0-9]{2})(?:[-.,](?P<fraction>[0-9]{1,9}))?)?"
    r"(?P<zone>Z|[+-][0-9]{2}[-:]?[0-9]{2})?)?(?:-[1-9][0-9]{0,2})?\Z"
)
_PARTS = ("year", "month", "day", "hour", "minute", "second")
_EPOCH = lazy(r"-([0-9]{13}|[0-9]{10})\Z")


def _role(inner: str) -> tuple[str, str] | None:
    """Role and feature of a path; None: not memory."""
    if inner == PROJECT:
        return "project", ""
    if inner.startswith(".output/features/"):
        feature, slash, name = inner[len(FEATURES) + 1 :].partition("/")
        if slash and feature and name in (MEMORY, PROGRESS):
            return "feature" if name == MEMORY else "progress", feature
        return None
    if not inner.startswith(".ephemeral/memory/") or not inner.endswith(".md"):
        return None
    for folder, role in ((FRAGMENTS, "fragment"), (ARCHIVE, "archive")):
        if inner.startswith(folder + "/"):
            feature, slash, _ = inner[len(folder) + 1 :].partition("/")
            return role, feature if slash else ""
    return None


def _archived(inner: str) -> date | None:
    """The day that a folder between the feature's and the file is named after."""
    for folder in inner.split("/")[4:-1]:
        at = moment(folder)
        if at is not None:
            return at.date()
    return None
