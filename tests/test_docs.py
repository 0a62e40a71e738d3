"""What the documentation says of the program is what the program says of itself, and its links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memdesk.tui.keymaps import documentation

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "adr").glob("*.md"), ROOT / "tests" / "FIELD.md"]
)
KEYS = """# Keys

Every action a person can take in the workbench, from its registry. `?` shows those of the pane in front of you, `^p` all of
them by name. Keys can be changed in the user's own settings file, by the action's id:

```toml
[keymap]
promote = "p"
palette = "ctrl+p,f2"
```

"""


def test_the_page_of_keys_is_the_registry() -> None:
    assert (ROOT / "docs" / "keys.md").read_text(encoding="utf-8") == KEYS + documentation()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target and not target.startswith("#")]
    assert [target for target in targets if not (page.parent / target.partition("#")[0]).exists()] == []


def test_the_modules_that_the_page_on_the_architecture_names_are_there() -> None:
    named = set(re.findall(r"\b(?:core|tui)/[\w/.]*\w", (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")))
    assert len(named) > 40
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
