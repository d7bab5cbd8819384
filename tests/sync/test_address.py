"""The remote's address without asking git, as long as it stands there plainly."""

from __future__ import annotations

import pytest

from curate.sync.address import address_in

PLAIN = """[core]
\trepositoryformatversion = 0
[remote "origin"]
\turl = git@example.com:me/memory store.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
\tremote = origin
\tmerge = refs/heads/main
"""


def test_it_is_read_where_it_stands() -> None:
    assert address_in(PLAIN, "origin") == "git@example.com:me/memory store.git"
    assert address_in(PLAIN.replace("\n", "\r\n"), "origin") == "git@example.com:me/memory store.git"
    assert address_in(PLAIN + '[remote "origin"]\n  URL=/srv/other.git  \n', "origin") == "/srv/other.git"


@pytest.mark.parametrize(
    "text",
    [
        "",
        PLAIN.replace("origin", "upstream"),
        PLAIN.replace("git@", '"git@'),
        PLAIN.replace("store.git", "store.git # mine"),
        PLAIN.replace("store.git", "store.git\\"),
        PLAIN + "[include]\n\tpath = more\n",
        PLAIN + "[extensions]\n\tworktreeConfig = true\n",
        PLAIN + "[remote.origin]\n\turl = elsewhere\n",
        PLAIN + '[Remote "origin"] url = elsewhere\n',
    ],
)
def test_anything_else_is_gits_to_read(text: str) -> None:
    assert address_in(text, "origin") is None
