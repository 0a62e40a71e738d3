"""The library below the workbench: no user interface, no printing.

Data flows one way: bytes -> documents -> findings, packs, conflicts, proposals -> verb -> plan -> transaction -> bytes.
"""
