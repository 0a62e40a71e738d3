"""memdesk: a terminal workbench for the project memory that coding agents load."""

__version__ = "0.1.0"
