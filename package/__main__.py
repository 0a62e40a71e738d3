"""`python -m memdesk` is the console script `memdesk`."""

import sys

from memdesk.tui.cli import main

if __name__ == "__main__":
    sys.exit(main())
