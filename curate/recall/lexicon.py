"""Words that tell what a prompt is about, as stems (`configur` for `configure`): they are compared with the stems of
what was said, and stemming them at every start would cost the hook more than looking them up.
"""

from __future__ import annotations

ACTIVITIES: dict[str, tuple[str, str]] = {
    "writing": (
        (
            "copy copywriting doc docs document documentation documenting documents prose text texts write "
            "writing written"
        ),
        (
            "abstract adr announc articl blog brochur caption changelog compos copywrit doc docstr document draft "
            "email essai faq grammar guid handbook headlin letter manual newslett paragraph present press "
            "proofread prose readm release-notes rephras reword slide spell summar summari summaris translat "
            "tutori tweet typo whitepap word"
        ),
    ),
    "testing": (
        "spec specs test testing tests",
        "assert coverag cypress fixtur jest mock playwright pytest spec tdd test unittest vitest",
    ),
    "releasing": (
        "publishing release releases releasing shipping",
        "bump changelog publish releas ship version",
    ),
    "deploying": (
        "deploy deploying deployment deployments",
        "deploi helm kubernet product rollout stage",
    ),
    "committing": (
        "commit commits committing git vcs",
        "amend cherry-pick commit push rebas squash stash",
    ),
    "reviewing": (
        "review reviewing reviews",
        "approv mr pr pull-request review",
    ),
    "debugging": (
        "bug bugs debug debugging",
        "broken bug crash debug error except fail failur leak race traceback",
    ),
    "database": (
        "database databases db queries sql",
        "column databas index migrat mysql orm postgr queri schema sql sqlite tabl",
    ),
    "frontend": (
        "css design frontend interface styling ui",
        "button compon css form layout modal page respons style theme ui",
    ),
    "coding": (
        ("code coding developing development edit editing edits implementation implementing programming refactoring"),
        (
            "add api bug build chang class code compon crash debug delet edit endpoint error extract fix function "
            "handler implement method migrat modul move parser queri race refactor remov renam script servic test "
            "updat"
        ),
    ),
}
"""Kinds of work: what phrases call them (as words), and the stems in a prompt that tell them."""

WORK = frozenset((
    "action add alert algorithm ansibl api architectur argument arrai async auth aw await azur backend backlog "
    "benchmark branch buffer bug build bump bun bundl button cach callback cargo cd chang changelog checker ci class "
    "cleanup cli client cluster code codebas column command comment commit compil compon config configur conflict "
    "constant contain convert cooki coverag crash cron css csv dashboard databas debug delet depend deploi deploy "
    "dict diff directori disabl django doc docker docstr document downgrad download draft edit enabl endpoint enum "
    "env environ error eslint event except export extract fail failur fastapi featur file fix fixtur flag flask "
    "folder form format formatt framework frontend function gcp gener git github gitlab golang gradl graphql grpc "
    "handl handler header helm hook hotfix html http imag implement import index inlin instal integr interfac "
    "interpret issu java javascript jest jira job json kafka kotlin kubernet latenc layout leak librari lint linter "
    "list listen lockfil log logger login loop makefil markdown maven merg method metric migrat mock modal modul "
    "mongo monitor mypi mysql namespac nginx node note npm object optim optimis option packag page pagin paramet pars "
    "parser patch payload perform permiss pip pipelin pnpm poetri postgr pr prettier prod product profil promis "
    "protobuf publish push pytest python queri queue race rail rate react readm rebas recurs redi refactor regex "
    "regress releas remov renam replac repo repositori request respons rest retri return revert review rewrit "
    "rollback rollout rout ruff run runtim rust s3 scaffold schema scrape script secret server servic session set "
    "ship snapshot socket split sprint sql sqlite stage stream string struct stub style stylesheet support svelt "
    "swift syntax tabl tag target templat terraform test thread throttl ticket timeout todo token toml trace type "
    "typescript ui updat upgrad upload uri url uv ux valid variabl version vitest vue webhook wire worker workflow "
    "xml yaml yarn"
).split())  # fmt: skip
"""Of people who work on software. A prompt without any, in English, is about something else."""

CODE_OBJECTS = frozenset((
    "api class code command compon endpoint file fixtur function handler helper hook job loop method migrat mock "
    "modul parser queri regex rule schema script servic sql test unit valid wrapper"
).split())  # fmt: skip
"""What is written when code is written."""

STYLE = frozenset((
    "adject adverb articl blog buzzword clich comma copywrit dash emoji exclam grammar head headlin hype jargon "
    "market oxford paragraph passiv promot prose sentenc spell tone voic word"
).split())  # fmt: skip
"""Of statements on how to write prose, which do not concern those who write code."""

OF_CODE = frozenset((
    "branch cli code comment commit docstr file identifi output test variabl"
).split())  # fmt: skip
"""Where style is about code all the same."""
