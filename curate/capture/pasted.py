"""Tell lines that a person typed from lines that were pasted: logs, diffs, code, tables, wrappers, quotes.

Every pattern is anchored at the start of a line or has no nested repetition, so the cost grows with the text only.
"""

from __future__ import annotations

import re

_TIME = r"\d{4}-\d\d-\d\d[T ]\d\d:|\d{1,2}:\d\d:\d\d\b|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d"
_LEVEL = r"(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|CRITICAL|NOTICE)\b"
_LOG = re.compile(
    rf"""[\[(<]?(?:{_TIME})
    |[\[(]?{_LEVEL}
    |\[(?:error|warn|warning|info|debug|vite|HMR|webpack|rank\d+|[\w.-]+\d*)\]\s
    |(?:error|warning|note|help|hint|fatal|panic)(?:\[\w+\])?:\s
    |(?:npm|yarn|pnpm)\s(?:ERR!|WARN|error)
    |at\s[\w$.<>\[\] /]{{1,120}}[:(]
    |File\s"[^"\n]{{1,300}}",\sline
    |\#\d+\s+0x
    |==\d+==
    |Traceback\s\(|Caused\sby:|Stack\strace|Backtrace
    |(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning|Violation)\b[:\s(]
    |(?:Uncaught|Unhandled)\s
    |[\w./\\@-]{{1,200}}\.\w{{1,6}}[:(]\d+(?:[:,]\d+)?
    |[-]->\s|=\s(?:help|note):|\d*\s*\|\s
    |E\s{{2,}}|(?:PASS|FAIL|✓|✗|✘|❌|✅)\s
    |(?:GET|POST|PUT|DELETE|PATCH)\s/\S*\s
    |exit\s(?:code|status)\b
    """,
    re.VERBOSE,
)
_SHELL = re.compile(r"(?:\$|❯|➜|#>|PS [A-Z]:\\[^>\n]{0,200}>|[\w.-]{1,40}@[\w.-]{1,60}[:~ ][^\n$#]{0,120}[$#])\s?\S")
_DIFF = re.compile(
    r"diff --git |index [0-9a-f]{7,}|@@ |--- [ab]?/|\+\+\+ [ab]?/|[+-]\s{2,}\S|[+-]\s?[\w.]+[({=;]|Binary files "
)
_TABLE = re.compile(r"\|.*\||[│┌└├┐┘┤┬┴┼─━═║╔╚╭╰╮╯]")
_CODE = re.compile(
    r"""(?:import\s(?:[{*"']|[\w.]+(?:,\s?[\w.]+)*;?$|\w+\sfrom\b)|from\s[\w.]+\simport\s|def\s\w+\(|class\s\w+[:({]
    |(?:const|let|var)\s[\w{\[][\w, }\]:<>]{0,80}=|func\s(?:\(|\w+\()|fn\s\w+[<(]|function\s\w*\(
    |(?:public|private|protected|static|export|async)\s\w+[^.?!\n]{0,200}[({=;]|\#include\b|\#define\b|@\w+\(
    |</?[a-zA-Z][\w.-]*(?:\s[^<>\n]*)?/?>\s*$|<!--|return\b[^.?!\n]{0,200};$|if\s?\([^\n]{0,200}\)\s?\{?$|for\s?\(|while\s?\(
    |(?:SELECT|INSERT|UPDATE|CREATE|ALTER|DELETE|DROP|FROM|WHERE)\s[^\n]{0,300}[;,(*]|//|/\*|\*/
    |["'][\w$.-]+["']\s*:\s|[\[\]{}(),;]+\s*$|[\w.]+\s?[:+]?=\s?[\w"'\[{(][^\n]*|[\w.]+\([^\s][^\n]*\)[;{]?$|\}\s*\w*)""",
    re.VERBOSE,
)
_WEAK = re.compile(r"(?:-\s)?[\w.-]+:(?:\s+[\"'\[{|>]?\S*)?$")
_CODE_END = ("{", "};", ");", "},", "];", "=>", ");", "/>", "({", "(", "[")
_RULER = re.compile(r"[-=_*~#]{3,}\s*$")

_WORDS = re.compile(r"[^\W\d_]{2,}")


def kind_of_line(line: str, indent: int) -> str | None:
    """What a stripped line is, when it is not prose: log, diff, table, code, shell, ruler.

    "weak" is a `key: value` line, which counts as code only beside other pasted lines.
    """
    if _RULER.match(line):
        return "ruler"
    if _LOG.match(line):
        return "log"
    first = line[0]
    if first in "|│┌└├┐┘┤┬┴┼─━═║╔╚╭╰╮╯" and _TABLE.match(line):
        return "table"
    if first in "+-d@iB" and _DIFF.match(line):
        return "diff"
    if (first in "$❯➜#P" or "@" in line[:40]) and _SHELL.match(line):
        return "shell"
    if line.endswith(_CODE_END) or (line.endswith(";") and _symbols(line)):
        return "code"
    if _CODE.match(line) and not _prose(line):
        return "code"
    if indent >= 4 and _symbols(line) and not _prose(line):
        return "code"
    if _WEAK.match(line):
        return "weak"
    return None


def _symbols(line: str) -> bool:
    """More code punctuation than a sentence has."""
    n = sum(map(line.count, "=(){}[];<>_$"))
    return n * 12 > len(line)


def _prose(line: str) -> bool:
    """At least six plain words, and few symbols: a sentence that only begins like code."""
    return len(_WORDS.findall(line)) >= 6 and not _symbols(line)
