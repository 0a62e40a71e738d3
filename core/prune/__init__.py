"""Prune sessions: what has rotted is proposed, kind by kind, and nothing is done before a person says so (docs/prune.md)."""
