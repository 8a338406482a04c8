"""The command line: with --json nothing but JSON on stdout; every failure is one clear line on stderr.

Exit 0 on success, 1 on failure, 2 on bad usage.
"""

from __future__ import annotations

import sys

from core.cli.app import main

if __name__ == "__main__":
    sys.exit(main())
