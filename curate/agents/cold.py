"""The hook as agents call it, as fast as Python starts: `python -I -S .../curate/agents/cold.py AGENT EVENT`.

Isolated from the environment and its packages, so it says itself where this package is.
"""

import sys

if __name__ == "__main__":
    sys.path.append(__file__.replace("\\", "/").rsplit("/", 3)[0])
    from curate.agents.hook import main

    main()
