"""The registry of layouts."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memdesk.core import layouts
from memdesk.core.errors import UsageError
from memdesk.core.layouts.base import Layout


def test_every_layout_is_found_by_its_name() -> None:
    assert layouts.names() == ("custodian", "agent-memory", "records")
    for name in layouts.names():
        layout: Layout = layouts.get(name)
        assert layout.name == name
        assert layouts.get(name) is layout


def test_an_unknown_layout_is_named_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"There is no layout 'custodain'\. Did you mean custodian\?"):
        layouts.get("custodain")
    with pytest.raises(UsageError, match=r"Known: custodian, agent-memory, records\."):
        layouts.get("")


def test_names_cost_no_import() -> None:
    code = "import sys; from memdesk.core import layouts as l; l.names(); print(l.LAYOUTS['custodian'] in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "False"), done.stderr
