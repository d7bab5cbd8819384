from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from store.project.naming import display_name, file_stem

RESERVED = re.compile(r"(?i)^(con|prn|aux|nul|com\d|lpt\d)$")


@given(st.text(min_size=1, max_size=400))
@example("CON")
@example("github.com/acme/nul.txt")
@example('a/b: "c"?')
@example("x" * 300)
@example("..")
@example("path:C:\\Users\\me\\com1")
def test_every_id_gives_a_name_that_every_file_system_takes(project_id):
    name = file_stem(project_id)
    assert not re.search(r'[<>:"/\\|?*\x00-\x1f\x7f]', name)
    assert name == name.strip(" .")
    assert not name.startswith(".")
    assert len(f"{name}.jsonl".encode()) <= 120
    assert not RESERVED.match(name.split(".")[0])


@given(st.text(max_size=40), st.text(max_size=40))
@example("github.com/acme/my_app", "github.com/acme/my-app")
@example("github.com/acme/Shop", "github.com/acme/shop")
@example("github.com/acme/東京", "github.com/acme/大阪")
@example("github.com/acme/caf\u00e9", "github.com/acme/cafe\u0301")
def test_two_ids_never_share_a_name_even_where_case_and_accents_are_folded(one, two):
    if one != two:
        assert file_stem(one).casefold() != file_stem(two).casefold()


def test_names_are_readable():
    assert file_stem("github.com/acme/shop").startswith("shop-")
    assert file_stem("github.com/acme/東京").startswith("東京-")
    assert file_stem("github.com/acme/shop#feat/x").startswith("shop-feat-x-")
    assert display_name("local:shop-1a2b3c4d") == "shop"
    assert display_name("path:/home/me/my notes") == "my notes"
    assert display_name("file:/srv/git/shop") == "shop"
