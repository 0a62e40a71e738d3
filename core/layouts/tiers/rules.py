"""All rules of this layout, in the order in which `--list-rules` prints them."""

from __future__ import annotations

RULES = ()
