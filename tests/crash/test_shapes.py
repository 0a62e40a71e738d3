"""Every verb of every layout makes plans of shapes that the crash model explores (`shapes.py`), and so do their undos.

Layouts and verbs come from the program. What a verb asks for is filled in from its own questions, so that nothing here
knows a layout; a verb without a case below, and one of which no plan could be made, fails the test.
"""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import cache
from importlib import import_module
from itertools import product
from pathlib import Path

import pytest

from memdesk.core import actions, layouts
from memdesk.core.clearing import working
from memdesk.core.clock import clock
from memdesk.core.compacting import materials, planning
from memdesk.core.desk import Desk
from memdesk.core.errors import MemdeskError, UsageError
from memdesk.core.layouts.base import Ask
from memdesk.core.model import Entry
from memdesk.core.plan import Part, Plan, Request
from memdesk.core.transaction import targets
from memdesk.core.transaction.history import History
from memdesk.core.transaction.journal import Journal
from memdesk.tui.demo import copy_examples
from tests.crash.shapes import Shape, explored, projected, reduced
from tests.support.stores import snapshot

Found = dict[str, dict[Shape, Request]]
FOLDERS = ("mkdir", "rmdir", "purge")


def open_desk(root: Path) -> Desk:
    return Desk.open(str(root), clock=clock("2026-11-30T04:02:51"), user_config=None)


def filled(asks: Sequence[Ask], entry: Entry) -> Iterator[dict[str, str]]:
    """Words for the fields of a dialog: the least, all, and all with each choice of a field (but a tag's)."""

    def word(ask: Ask) -> str:
        return {"text": f"{entry.text} More.", "date": "2026-11-30"}.get(ask.field) or ask.default or f"some {ask.field}"

    def answer(ask: Ask) -> str:
        return "yes" if "yes" in ask.choices else (ask.choices or (word(ask),))[0]  # what has to be confirmed is

    least = {ask.field: answer(ask) for ask in asks if ask.required}
    most = least | {ask.field: word(ask) for ask in asks if not ask.choices}
    yield least
    yield most
    yield from ({**most, ask.field: choice} for ask in asks for choice in ask.choices if ask.field != "tag")


class Bench:
    """A store of one layout, and what can be asked of it."""

    def __init__(self, root: Path, layout: str) -> None:
        self.root = root
        self.desk = open_desk(root)
        self.layout = layouts.get(layout)
        self.paths = set(self.desk.workspace.documents)
        self.store = next(store for store in self.desk.workspace.stores if store.layout == layout)
        entries = [entry for entry in self.desk.workspace.entries() if entry.document.store is self.store]
        self.candidates = [entry for entry in entries if entry.candidate]
        of_roles = {entry.role: entry for entry in reversed(self.candidates)}
        self.first = [[entry] for entry in of_roles.values()]  # one of each kind of file
        standing = [entry for entry in entries if not entry.candidate and not entry.struck]
        self.standing = standing
        of_each = {(entry.role, entry.kind): entry for entry in reversed(standing)}
        self.some = [*self.candidates[:1], *of_each.values()]  # one of each kind, of each kind of file

    def request(self, verb: str, entries: Sequence[Entry] = (), **words: str) -> Request:
        return Request(verb, tuple(entry.id for entry in entries), words, store=self.store.path, person=True)

    def asked(self, verb: str, groups: Sequence[Sequence[Entry]]) -> Iterator[Request]:
        """Requests about each of these groups, with the fields that the verb asks for filled in."""
        for group in groups:
            if group:
                for words in filled(self.desk.asks(verb, [entry.id for entry in group]), group[0]):
                    yield self.request(verb, group, **words)

    def one_or_many(self) -> list[Sequence[Entry]]:
        lasting = [entry for entry in self.standing if entry.tier == "durable"]
        return [*([entry] for entry in self.some), self.candidates, lasting]


def _add(bench: Bench) -> Iterator[Request]:
    yield bench.request("add", text="Something new was seen")
    yield bench.request("add", text="Something new was seen", tag="observed", source="a walk", reason="it was", area="storage")


def _promote(bench: Bench) -> Iterator[Request]:
    for group in (*bench.first, bench.candidates):
        for destination in bench.desk.destinations([entry.id for entry in group]):
            for words in filled(destination.asks, group[0]):
                yield bench.request("promote", group, **{**words, "to": destination.id})


def _merge(bench: Bench) -> Iterator[Request]:
    for into in bench.some:
        for group in (*bench.first, bench.candidates[1:]):
            yield bench.request("merge", group, into=into.id, text=f"{into.text} More.")


def _forget(bench: Bench) -> Iterator[Request]:
    topics = [entry.heading.split()[-1].strip(".*`") for entry in bench.some] + ["e"]
    for topic in topics:
        for ask in bench.layout.asks(bench.store, "forget", bench.some[0]):
            yield from (bench.request("forget", topic=topic, **{ask.field: choice}) for choice in ask.choices)


def _init(bench: Bench) -> Iterator[Request]:
    """In a workspace where nothing is (see `shapes_of`)."""
    for words in ({}, {"agents": "yes"}):
        yield Request("init", words={"layout": bench.layout.name, **words}, person=True)


def _resolve(bench: Bench) -> Iterator[Request]:
    """In a workspace whose first file with an entry has conflict markers (see `marked_store`)."""
    for document in bench.desk.marked():
        for choice in ("ours", "theirs"):
            words = {str(part.number): choice for part in bench.desk.clashes(document.path)}
            yield Request("resolve", (document.path,), words, person=True)


def _dismiss(bench: Bench) -> Iterator[Request]:
    """Of each conflict that is there."""
    for conflict in bench.desk.open_conflicts():
        yield Request("dismiss", (conflict.id,), {"reason": "Both hold", "by": "Ada"}, person=True)


def _clear(bench: Bench) -> Iterator[Request]:
    """One working file, and all."""
    files = [one.document.path for one in working(bench.desk.workspace, bench.store)]
    for chosen in (files[:1], files):
        yield bench.request("clear", paths="\n".join(chosen))


def _compact(bench: Bench) -> Iterator[Request]:
    """Each feature, as it is drafted and with an entry left out."""
    for feature in materials.features(bench.desk.workspace, bench.store):
        found = materials.gather(bench.desk.workspace, bench.store, feature)
        yield planning.request(found)._replace(person=True)
        if found.entries and bench.desk.workspace.tree.kind(".memdesk") == "folder":  # the lock makes it outside of git
            yield planning.request(found, left={found.entries[0].entry.id: "too narrow"})._replace(person=True)


def _prune(bench: Bench) -> Iterator[Request]:
    """One proposal, and several in one transaction: of each verb that a layout has for what goes, and all of them together."""
    parts = _parts(bench)
    for chosen in [*([part] for part in parts), *(parts[:count] for count in range(2, len(parts) + 1))]:
        yield Request("prune", tuple(part.proposal for part in chosen), person=True, parts=tuple(chosen))


def _refuse(bench: Bench) -> Iterator[Request]:
    for part in _parts(bench):
        yield Request("refuse", (part.proposal,), {"reason": "It stays", "by": "Ada"}, person=True, parts=(part,))


def _session(bench: Bench) -> Iterator[Request]:
    """With a line for the store's changelog or log, and without one."""
    counts = {"accepted": "2", "rejected": "1", "snoozed": "0", "left": "4", "freed": "80", "by": "Ada"}
    for line in ({f"line {bench.desk.workspace.store_name(bench.store)}": "Prune session: 2 accepted."}, {}):
        yield Request("session", ("20261130T040251Z-aaaa",), counts | line, person=True)


def _parts(bench: Bench) -> list[Part]:
    """What proposals would carry out that are each about another entry."""
    found: list[Part] = []
    used: set[str] = set()
    for verb in ("archive", "reject", "strike", "merge", "edit", "correct", "reindex"):
        for request in CASES[verb](bench) if verb in bench.layout.verbs else ():
            ids = set(request.ids)
            if len(ids) < 2 and not ids & used and answered(bench.desk, request) is not None:
                used |= ids
                found.append(Part(f"{len(found):012}", "struck", True, f"{verb} it", request.ids, request))
    return found


CASES: dict[str, Callable[[Bench], Iterator[Request]]] = {
    "add": _add, "promote": _promote, "merge": _merge, "forget": _forget, "init": _init,
    "resolve": _resolve, "dismiss": _dismiss, "prune": _prune, "refuse": _refuse, "session": _session,
    "strike": lambda bench: bench.asked("strike", bench.one_or_many()),
    "reject": lambda bench: bench.asked("reject", bench.one_or_many()),
    "edit": lambda bench: bench.asked("edit", [[entry] for entry in bench.some]),
    "archive": lambda bench: bench.asked("archive", bench.one_or_many()),
    "correct": lambda bench: bench.asked("correct", [[entry] for entry in bench.some]),
    "reindex": lambda bench: iter([bench.request("reindex")]), "clear": _clear,
    "compact": _compact,
    "renumber": lambda bench: (bench.request("renumber", [entry]) for entry in (*bench.candidates, *bench.standing)),
}
BESIDE = {"undo", "snooze"}  # undo: of all the others; snooze: of personal state


def answered(desk: Desk, request: Request) -> Plan | None:
    """The plan of a request, its questions answered in the first way that lets it go on; None where it is refused."""
    try:
        plan = desk.plan(request)
    except UsageError:
        raise
    except MemdeskError:
        return None
    for question in plan.questions:
        if question.key not in request.answers:
            tried = (
                answered(desk, request._replace(answers={**request.answers, question.key: value}))
                for value, _ in question.choices
            )
            return next((one for one in tried if one is not None), None)
    return None if plan.questions or not plan.steps else plan


def shape_of(desk: Desk, plan: Plan) -> Shape:
    """The shape that a plan has on this disk, before it is carried out."""
    changes, made = targets.changes(desk.transactions.ground, plan)
    words = plan.request.words
    purges = ("x",) if plan.request.verb == "forget" and words.get("mode") == "purge" else ()
    return projected(Journal("", "", "", "", "", made=tuple(made), changes=tuple(changes), purges=purges))


def carried_out(root: Path, request: Request) -> Iterator[tuple[str, Shape]]:
    """Does it, takes it back, and does it again: the shapes of what was done, from the history."""
    desk = open_desk(root)
    history = History(desk.transactions.ground)
    seen: list[str] = []
    plan = answered(desk, request)
    assert plan is not None
    ident = desk.commit(plan, "Ada").id
    for verb in (request.verb, "undo", "redo"):
        assert ident is not None
        journal = history.journal(ident)
        if journal.purged:
            return  # nothing of it is left to look at, or to undo
        yield verb, projected(journal)
        seen.append(ident)
        ident = desk.commit(desk.undo(ident), "Ada").id


def made_store(root: Path, layout: str) -> None:
    """A new store, as `init` makes it, with a few candidates."""
    root.mkdir()
    desk = open_desk(root)
    desk.perform(Request("init", words={"layout": layout}, person=True), "Ada")
    desk = open_desk(root)
    for number in range(3):
        words = {"text": f"Gull number {number} was late", "tag": "observed"}
        if "compact" in layouts.get(layout).verbs:
            words |= {"feature": "gulls", "task_id": f"task-{number}"}
        desk.perform(Request("add", (), words), "Ada")


def marked_store(root: Path, layout: str) -> None:
    """A new store with a candidate of which git could not merge two wordings."""
    made_store(root, layout)
    entry = open_desk(root).candidates()[0]
    other = entry.raw.replace(b"late", b"early")
    marked = b"<<<<<<< HEAD\n%s=======\n%s>>>>>>> topic\n" % (entry.raw, other)
    (root / entry.path).write_bytes(entry.document.data.replace(entry.raw, marked))


def example_store(root: Path, layout: str) -> bool:
    """The layout's example, if it has one."""
    example = Path(import_module(layouts.LAYOUTS[layout]).__file__ or "").parent / "example"
    if example.is_dir():
        shutil.copytree(example, root, ignore=shutil.ignore_patterns("__pycache__"))
    return example.is_dir()


def shapes_of(tmp_path: Path, layout: str) -> Found:
    """The shapes of all plans that could be made of a layout, by verb, each with a request that has it; undos too."""
    found: Found = defaultdict(dict)
    carried: set[Shape] = set()
    for make in (made_store, example_store):
        root = tmp_path / make.__name__
        if make(root, layout) is False:
            continue
        bench = Bench(root, layout)
        new: Found = defaultdict(dict)
        for verb in sorted(bench.layout.verbs - BESIDE - {"init"}):
            for request in CASES[verb](bench):
                plan = answered(bench.desk, request)
                if plan is not None:
                    new[verb].setdefault(shape_of(bench.desk, plan), request)
        for verb, shapes in new.items():
            for number, (shape, request) in enumerate(shapes.items()):
                found[verb].setdefault(shape, request)
                if number and shape in carried:
                    continue  # another verb's, carried out and undone already
                carried.add(shape)
                copy = tmp_path / f"{make.__name__}-{verb}-{number}"
                shutil.copytree(root, copy)
                for done, real in carried_out(copy, request):
                    assert done != verb or real == shape
                    found[done].setdefault(real, request)
    for number, request in enumerate(_init(bench)):
        (empty := tmp_path / f"empty-{number}").mkdir()
        for done, shape in carried_out(empty, request):
            found[done].setdefault(shape, request)
    return found


@cache
def known() -> frozenset[Shape]:
    return frozenset(explored())


def far(shape: Shape) -> Shape:
    """The same with the state folder on another file system (the setting state.dir)."""
    return tuple(sorted(word if word in FOLDERS else f"far-{word}" for word in shape))


@pytest.mark.parametrize(
    "layout", [layouts.names()[0], *(pytest.param(name, marks=pytest.mark.slow) for name in layouts.names()[1:])]
)
def test_every_plan_is_of_a_shape_that_the_model_explores(tmp_path: Path, layout: str) -> None:
    verbs = layouts.get(layout).verbs
    missing = verbs - set(CASES) - BESIDE
    assert not missing, f"{layout}: say in CASES how plans of {sorted(missing)} are made"
    found = shapes_of(tmp_path, layout)
    plans = verbs - {"snooze"} - layouts.get(layout).apart  # the last make one file, without a transaction
    assert set(found) >= plans, f"{layout}: no plan could be made of {sorted(plans - set(found))}"
    for verb, shapes in found.items():
        for shape, request in shapes.items():
            for one in (shape, far(shape)):
                assert reduced(one) in known(), f"{layout}: shapes.py lacks {'+'.join(one)}, which {verb} makes: {request}"


@pytest.mark.parametrize("layout", layouts.names())
def test_a_resolution_is_of_a_shape_that_the_model_explores(tmp_path: Path, layout: str) -> None:
    """It is no verb of a layout: files of all may be marked."""
    marked_store(tmp_path / "w", layout)
    for number, request in enumerate(_resolve(Bench(tmp_path / "w", layout))):
        copy = tmp_path / str(number)
        shutil.copytree(tmp_path / "w", copy)
        done = list(carried_out(copy, request))
        assert [verb for verb, _ in done] == ["resolve", "undo", "redo"]
        assert all(reduced(one) in known() for _, shape in done for one in (shape, far(shape)))


def test_a_dismissal_is_of_a_shape_that_the_model_explores(tmp_path: Path) -> None:
    """The first one makes the file of judgments and its folder, the next adds to it."""
    root = tmp_path / "w"
    made_store(root, "custodian")
    decisions = next(root.rglob("decisions.md"))
    decisions.write_text("# Decisions\n" + "".join(
        f"\n## 2026-05-0{day} - {title}\n\nDecision:\n{word}.\n"
        for day, (title, word) in enumerate(product(("Roosts", "Hides"), ("North", "South")), 1)
    ))
    for left in (2, 1):
        requests = list(_dismiss(Bench(root, "custodian")))
        assert len(requests) == left
        copy = tmp_path / str(left)
        shutil.copytree(root, copy)
        done = list(carried_out(copy, requests[0]))
        assert [verb for verb, _ in done] == ["dismiss", "undo", "redo"]
        assert all(reduced(one) in known() for _, shape in done for one in (shape, far(shape)))
        open_desk(root).perform(requests[0], "Ada")


@pytest.mark.parametrize(
    "layout", [layouts.names()[0], *(pytest.param(name, marks=pytest.mark.slow) for name in layouts.names()[1:])]
)
def test_the_verdicts_of_a_prune_session_and_its_end_are_of_shapes_that_the_model_explores(tmp_path: Path, layout: str) -> None:
    """They are no verbs of a layout: a session is about all stores. What is accepted together is one transaction."""
    carried: set[Shape] = set()
    most: dict[str, int] = defaultdict(int)
    for make in (made_store, example_store):
        root = tmp_path / make.__name__
        if make(root, layout) is False:
            continue
        bench = Bench(root, layout)
        for request in (request for case in (_prune, _refuse, _session) for request in case(bench)):
            verb = request.verb
            plan = answered(bench.desk, request)
            if plan is None:
                continue
            most[verb] = max(most[verb], len(request.parts))
            shape = shape_of(bench.desk, plan)
            if shape in carried:
                continue
            carried.add(shape)
            copy = tmp_path / f"{verb}-{len(carried)}"
            shutil.copytree(root, copy)
            done = list(carried_out(copy, plan.request))
            assert [one for one, _ in done] == [verb, "undo", "redo"]
            for _, real in done:
                for one in (real, far(real)):
                    assert reduced(one) in known(), f"{layout}: shapes.py lacks {'+'.join(one)}, which {verb} makes"
    assert set(most) == {"prune", "refuse", "session"}
    assert most["prune"] > 1


@pytest.mark.slow
@pytest.mark.parametrize("layout", layouts.names())
def test_a_promotion_to_another_store_is_of_a_shape_that_the_model_explores(tmp_path: Path, layout: str) -> None:
    """From the store of this layout to each place in each other one: one transaction over both."""
    root = tmp_path / "w"
    copy_examples(str(root))
    bench = Bench(root, layout)
    own = {place.id for place in bench.layout.destinations(bench.desk.workspace, bench.store, bench.candidates[0])}
    found: dict[Shape, Request] = {}
    reached = set()
    for request in _promote(bench):
        plan = answered(bench.desk, request) if request.words["to"] not in own else None
        if plan is not None:
            found.setdefault(shape_of(bench.desk, plan), request)
            reached |= {bench.desk.workspace.documents[path].store.layout for path in plan.paths if path in bench.paths}
    assert reached == set(layouts.names())
    for number, (shape, request) in enumerate(found.items()):
        copy = tmp_path / str(number)
        shutil.copytree(root, copy)
        done = list(carried_out(copy, request))
        assert done[0] == ("promote", shape)
        assert all(reduced(one) in known() for _, real in done for one in (real, far(real))), request


def test_putting_aside_is_no_plan(tmp_path: Path) -> None:
    """`snooze` is personal state: no memory file changes, and the history has nothing of it."""
    made_store(tmp_path / "w", layouts.names()[0])
    desk = open_desk(tmp_path / "w")
    before, done = _memory(tmp_path), len(desk.history())
    desk.snooze([entry.id for entry in desk.candidates()], date(2026, 12, 24))
    assert desk.candidates() == []
    assert (_memory(tmp_path), len(desk.history())) == (before, done)


def _memory(root: Path) -> dict[str, bytes]:
    return {path: data for path, data in snapshot(root).items() if "/.memdesk/" not in path}


def test_every_action_of_the_program_has_a_case() -> None:
    assert set(actions.KNOWN) == set(CASES)


def test_what_stands_for_larger_plans() -> None:
    assert reduced(("create",) * 2 + ("replace",) * 9 + ("mkdir",) * 3) == tuple(sorted(
        ("create", "create", "mkdir", "mkdir", "replace", "replace", "replace")
    ))
    assert reduced(("delete", "rmdir", "replace")) == ("delete", "replace", "rmdir")
