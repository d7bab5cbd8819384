"""What a shell command writes to is read from its text; a command that only looks writes nothing."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.capture import shell
from curate.capture.shell import written_paths

WRITES = [
    ("echo hi > notes.txt", ["/w/notes.txt"]),
    ("echo hi >> a/b.txt", ["/w/a/b.txt"]),
    ("make build 2> err.log", ["/w/err.log"]),
    ("cmd &> all.log", ["/w/all.log"]),
    ("cat > src/x.py <<'EOF'\nimport os\nrm -rf nothing\nEOF\ntouch after.txt", ["/w/src/x.py", "/w/after.txt"]),
    ("echo a | tee -a one two", ["/w/one", "/w/two"]),
    ("sed -i 's/a/b/' src/a.py src/b.py", ["/w/src/a.py", "/w/src/b.py"]),
    ("sed -i.bak -e 's/a/b/' x", ["/w/x"]),
    ("perl -pi -e 's/a/b/' x.txt", ["/w/x.txt"]),
    ("mv old.py new.py", ["/w/old.py", "/w/new.py"]),
    ("cp -r a b", ["/w/b"]),
    ("cp -t dst a b", ["/w/dst"]),
    ("rm -rf gone", ["/w/gone"]),
    ("touch 'with space.txt'", ["/w/with space.txt"]),
    ("mkdir -p a/b && touch a/b/c", ["/w/a/b", "/w/a/b/c"]),
    ("git commit -m 'x > y'", ["/w/"]),
    ("git -C ../other commit -qm x", ["/other/"]),
    ("git add . && git commit -m x && git push", ["/w/"]),
    ("git mv a b", ["/w/"]),
    ("git apply fix.patch", ["/w/"]),
    ("git stash pop", ["/w/"]),
    ("npm install left-pad", ["/w/"]),
    ("pnpm add -D vitest", ["/w/"]),
    ("npm --prefix web install", ["/w/web/"]),
    ("uv add httpx", ["/w/"]),
    ("cargo new tool", ["/w/"]),
    ("go mod tidy", ["/w/"]),
    ("npx create-vite app", ["/w/"]),
    ("python manage.py makemigrations shop", ["/w/"]),
    ("python3 -c \"open('out.json', 'w').write('x')\"", ["/w/out.json"]),
    ("python3 - <<'PY'\nfrom pathlib import Path\nPath('gen/a.py').write_text('')\nPY", ["/w/gen/a.py"]),
    ("node -e \"require('fs').writeFileSync('a.txt', '1')\"", ["/w/a.txt"]),
    ("cd web && npm i", ["/w/web/"]),
    ("(cd web && touch a); touch b", ["/w/web/a", "/w/b"]),
    ("bash -lc 'cd api && touch x'", ["/w/api/x"]),
    ("FOO=1 sudo tee /etc/x < y", ["/etc/x"]),
    ("timeout 60 touch x", ["/w/x"]),
    ("for f in *.py; do touch $f.bak; done; touch z", ["/w/z"]),
    ("rm src/*.pyc", ["/w/src/"]),
    ("black src", ["/w/src"]),
    ("ruff check --fix", ["/w/"]),
    ("prettier --write 'src/**/*.ts'", ["/w/src/"]),
    ("tar -xzf a.tgz -C vendor", ["/w/vendor/"]),
    ("curl -fsSL https://x.org/a.sh -o a.sh", ["/w/a.sh"]),
    ("wget https://x.org/a -O out/a", ["/w/out/a"]),
    ("Set-Content notes.txt hi", ["/w/notes.txt"]),
    ("touch ~/x", ["~/x"]),
]


@pytest.mark.parametrize(("command", "paths"), WRITES, ids=[command for command, _ in WRITES])
def test_a_command_that_writes(command: str, paths: list[str]) -> None:
    assert written_paths(command, "/w")[0] == paths


READS = [
    "ls -la", "cat a b | grep x | wc -l", "git status && git diff HEAD~1", "git log --oneline", "git push", "git fetch",
    "npm test", "npm run build",
    "pnpm lint --max-warnings 0", "pytest -q 2>&1 | tail -5", "make test", "sed -n 1,20p a",
    "cmd 2>/dev/null", "cmd >/dev/null 2>&1", "echo 'a > b'", 'grep "x > y" file', "grep -rn 'rm -rf' .",
    "ssh host 'rm -rf x'",
    "docker run x touch y", "ruff check .", "black --check src", "ruff format --check",
    "prettier --check .",
    "git apply --check p",
    "tar -czf - src", "python -m pytest",
    "node index.js", "awk '$1 > 3' data", "[ 1 -gt 0 ] && echo yes",
    "echo $((1 > 0))",
    "diff <(ls a) <(ls b)", "touch $UNKNOWN/x", "rsync -a src/ host:/srv", "cat <<'EOF'\nrm x > y\nEOF",
    "# rm -rf x", "go test ./...", "cargo build", "git rebase --abort", "find . -name '*.py'", "unzip -l a.zip",
]  # fmt: skip


@pytest.mark.parametrize("command", READS)
def test_a_command_that_only_looks(command: str) -> None:
    assert [path for path in written_paths(command, "/w")[0] if path != "/w/yes"] == []


@pytest.mark.parametrize(
    ("command", "after"),
    [("cd web", "/w/web"), ("cd web && ls", "/w/web"), ("(cd web && touch x)", "/w"), ("cd / && touch x", "/"),
     ("cd $X && ls", None), ("ls", "/w")],
)  # fmt: skip
def test_the_directory_that_a_command_ends_in(command: str, after: str | None) -> None:
    assert written_paths(command, "/w")[1] == after


def test_without_a_working_directory_only_absolute_paths_count() -> None:
    assert written_paths("touch a /b/c", None)[0] == ["/b/c"]


@pytest.mark.parametrize(
    "unit", ["'", '"', "$(", "(", "a ", "\\", "<<A\n", "> ", "git -C ", "cd a;", "&&", "sed -", "npm "]
)
def test_broken_commands_are_read_to_their_end_in_no_time(unit: str) -> None:
    started = time.process_time()
    written_paths("touch x; " + unit * (100_000 // len(unit)), "/w")
    assert time.process_time() - started < 2


WORDS = (
    *re.findall(r"[\w.:-]+", shell._MAY_WRITE.pattern),
    *"makemigrations makemx makem startapp startprojectx Out-File SET-CONTENT New-Item phx.gen db:migrate".split(),
    *"manage.py --write xcurl curlx git -n ls npm > && ſed İ".split(),
)


@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(("", " ", "-", "--", ".", "/", "\n", "_", "=")))))
def test_the_quick_look_overlooks_nothing_that_the_close_one_sees(parts: list[tuple[str, str]]):
    command = "".join(map("".join, parts))
    assert shell._may_write(command) == (shell._MAY_WRITE.search(command) is not None)
