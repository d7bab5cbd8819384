"""Explicit words decide where a statement holds, then its kind, then what was changed; the launch directory never."""

from __future__ import annotations

import pytest

from curate.capture.scope import Decision, Surroundings, decide

SHOP, WEB, API, VAULT = "github.com/acme/shop", "github.com/acme/web", "github.com/acme/api", "path:/home/me/vault"
KNOWN = {"shop": SHOP, "acme/shop": SHOP, "web": WEB, "acme/web": WEB, "shop-api": API, "api": API}


def where(
    statement: str,
    *,
    intent: str = "project_convention",
    hint: str = "unclear",
    explicit: bool = False,
    turn: tuple[str, ...] = (),
    session: tuple[str, ...] = (),
    here: str | None = None,
    vault: str | None = None,
    has: dict[str, list[str]] | None = None,
    known: dict[str, str] | None = None,
) -> Decision:
    around = Surroundings(
        turn=turn,
        session=session,
        here=here,
        vault=vault,
        known=KNOWN if known is None else known,
        holds=lambda ident, path: has is None or path in has.get(ident, []),
    )
    return decide(statement, intent=intent, hint=hint, hint_is_explicit=explicit, around=around)


@pytest.mark.parametrize(
    "statement",
    [
        "In all my repos, write commits in English.",
        "for every project: no force pushes",
        "across all repositories we pin actions by hash",
        "Use pnpm everywhere.",
        "Do this globally.",
        "No matter which repo, run the tests first.",
        "in all of my projects use uv",
        "In allen meinen Projekten auf Deutsch antworten",
        "dans tous mes projets, utilise pnpm",
        "在所有项目里都用pnpm",
        "すべてのリポジトリでpnpmを使って",
    ],
)
def test_words_for_all_projects_make_it_global(statement: str):
    found = where(statement, turn=(SHOP,), here=SHOP)
    assert (found.scope.type, found.targets) == ("global", ())
    assert found.reason


@pytest.mark.parametrize(
    "statement",
    ["Never use npm in this repo.", "only here: tabs", "for this project always squash",
     "use tabs everywhere in this repo", "not everywhere, just in this project", "nur hier Tabs benutzen",
     "dans ce projet, pas de npm", "这个项目用pnpm"],
)  # fmt: skip
def test_words_for_this_repository_make_it_the_one_that_was_changed(statement: str):
    found = where(statement, intent="user_preference", hint="global", turn=(SHOP,), here=WEB)
    assert (found.scope.type, found.targets) == ("project", (SHOP,))
    assert found.scope.project == SHOP


def test_this_repository_is_the_one_worked_in_when_several_were_changed_or_none():
    assert where("in this repo use tabs", turn=(WEB, SHOP), here=SHOP).targets == (SHOP,)
    assert where("in this repo use tabs", here=SHOP).targets == (SHOP,)
    assert where("in this repo use tabs", session=(WEB,), here=None).targets == (WEB,)
    lost = where("in this repo use tabs")
    assert lost.scope.unassigned
    assert lost.targets == ()


@pytest.mark.parametrize(
    ("statement", "targets"),
    [
        ("in shop we use pnpm", (SHOP,)),
        ("in the shop repo always use pnpm", (SHOP,)),
        ("for acme/web use bun", (WEB,)),
        ("Always run make check in shop and in web", (SHOP, WEB)),
        ("in the api project no ORM", (API,)),
        ("use tabs in shop-api.", (API,)),
    ],
)
def test_named_projects_are_the_targets(statement: str, targets: tuple[str, ...]):
    assert where(statement, turn=("github.com/acme/other",)).targets == targets


@pytest.mark.parametrize(
    "statement",
    ["never call the api directly", "in api handlers return early", "do it like in shop",
     "the shop page must stay fast", "not in shop", "in web workers avoid dom access", "in src/shop/cart use decimals",
     "webshop code uses tabs"],
)  # fmt: skip
def test_a_name_that_is_no_place_decides_nothing(statement: str):
    assert where(statement, turn=("github.com/acme/other",)).targets == ("github.com/acme/other",)


def test_a_path_narrows_to_the_repository_that_has_it():
    found = where("In packages/api use SQL files, not the ORM", turn=(WEB, SHOP), has={SHOP: ["packages/api/**"]})
    assert (found.targets, found.scope.paths) == ((SHOP,), ["packages/api/**"])
    found = where("in packages/api use SQL files", here=SHOP, has={SHOP: ["packages/api/**"]})
    assert (found.targets, found.scope.paths) == ((SHOP,), ["packages/api/**"])
    assert where("in either/or cases ask", turn=(SHOP,), has={}).scope.paths == []


@pytest.mark.parametrize(
    ("statement", "globs"),
    [
        ("under src/legacy/ never reformat", ["src/legacy/**"]),
        ("in `packages/api` and in packages/web use bun", ["packages/api/**", "packages/web/**"]),
        ("in src/gen/*.ts change nothing", ["src/gen/*.ts"]),
        ("within src/app.ts keep the order", ["src/app.ts"]),
        ("dont touch the generated files under src/gen, run make gen", ["src/gen/**"]),
    ],
)
def test_paths_become_globs(statement: str, globs: list[str]):
    assert where(statement, turn=(SHOP,)).scope.paths == globs


def test_words_for_the_vault():
    assert where("In my vault always link daily notes.", turn=(SHOP,), vault=VAULT).targets == (VAULT,)
    found = where("in my obsidian vault use tags", turn=(SHOP,))
    assert (found.scope.type, found.scope.domains) == ("domain", ["vault"])
    assert where("secrets live in vault, never in tfvars", turn=(SHOP,), vault=VAULT).targets == (SHOP,)
    named = where("secrets live in vault, never in tfvars", turn=(SHOP,), vault=VAULT, known={"vault": VAULT})
    assert named.targets == (SHOP,)


def test_personal_preferences_are_global_whatever_was_changed():
    found = where("I prefer short answers.", intent="user_preference", turn=(SHOP,), here=SHOP)
    assert (found.scope.type, found.targets) == ("global", ())
    assert where("short answers", hint="global", turn=(SHOP,)).scope.type == "global"


def test_otherwise_it_holds_where_the_turn_changed_files_else_the_session():
    assert where("never use npm", turn=(SHOP, WEB), session=(API, SHOP, WEB)).targets == (SHOP, WEB)
    assert where("never use npm", turn=(SHOP, WEB)).scope.project is None
    assert where("never use npm", session=(API,)).targets == (API,)
    assert "turn" in where("never use npm", turn=(SHOP,)).reason
    assert "session" in where("never use npm", session=(SHOP,)).reason


def test_the_launch_directory_decides_nothing_by_itself():
    found = where("never use npm", here=SHOP)
    assert found.scope.unassigned
    assert found.targets == ()
    assert found.reason


def test_no_statement_takes_long():
    import time

    started = time.process_time()
    for unit in ("in ", "all my ", "in a/", "shop and ", "in this ", "not ", "a.b"):
        where((unit * 2000)[:2000])
    assert time.process_time() - started < 2


def test_a_named_project_is_not_a_path_too():
    found = where("From now on, in acme/web always use pnpm.", turn=(SHOP,), here=SHOP)
    assert (found.targets, found.scope.paths) == ((WEB,), [])
    found = where("In acme/shop always use pnpm, and in packages/api zod.", turn=(SHOP,))
    assert (found.targets, found.scope.paths) == ((SHOP,), ["packages/api/**"])


@pytest.mark.parametrize(
    "statement",
    ["In the mobile-app repo, never use class components.", "for our payments project: always squash"],
)
def test_a_repository_that_is_named_and_not_known_is_never_taken_for_the_one_at_hand(statement: str):
    found = where(statement, turn=(SHOP,), session=(SHOP, WEB), here=SHOP)
    assert (found.scope.type, found.scope.project, found.targets) == ("project", None, ())
    assert "not known yet" in found.reason


@pytest.mark.parametrize(
    "statement",
    ["In the whole repo, never use npm.", "in our python project use uv", "Use pnpm in the storefront repo."],
)
def test_words_that_describe_the_repository_at_hand_name_no_other(statement: str):
    storefront = "github.com/acme/storefront"
    assert where(statement, turn=(storefront,), here=storefront).targets == (storefront,)
