"""`python -m curate` is the command `curate`."""

from curate.cli.main import main

if __name__ == "__main__":
    main()
