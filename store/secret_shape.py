"""Whether a word is a secret or only stands beside the word "password": pure judgement on one value.

Used by `store.secrets`, which finds the places. Nothing here looks further than the value it is given.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise

_REFERENCE = re.compile(
    r"""^(?:
        [$%@#&*~^]?[{<(\[].*            # ${VAR}, <your-key>, [masked ...], {{ secrets.X }}
      | \$[A-Za-z_(].*  | %\w+%$        # $VAR, %VAR%
      | (?:process\.|import\.meta\.)?env(?:iron)?[.\[(:].*
      | (?:os|sys|self|this|cls|ctx|app|settings?|config|conf|cfg|secrets?|vault|vars?|args|opts?|options|params?
          |props|state|data|user|request|req|res|response|form|body|input|values?|model|schema|z|t|yup|joi)[.\[(?].*
      | (?:env|vault|secret|file|op|ref|ssm|arn|kms):.*
      | [A-Za-z_][\w.]*[(\[].*          # call() or index[]
      | [A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$  # THE_NAME_OF_A_VARIABLE
      | (?:your|my|the|some|any|a|an|insert|enter|replace|example|sample|dummy|fake|test|demo|placeholder)
          (?:[-_](?:[a-z]+[-_]?){1,5})$
      | (.)\1*$                         # xxxxx, ****, .....
      | [x*.•#-]{3,}$ | 0x$
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_PATH = re.compile(
    r"^(?:~|\.{0,2}/|[A-Za-z]:\\|https?:|file:|www\.)|"
    r"\.(?:py|js|ts|tsx|jsx|mjs|json|jsonl|ya?ml|toml|md|txt|env|pem|key|crt|sh|go|rs|java|kt|rb|php|cs|c|h|cpp|sql|"
    r"css|scss|html?|xml|ini|cfg|conf|lock|log|csv|png|svg|local|com|org|net|io|dev|app)(?:[:#].*)?$",
    re.IGNORECASE,
)
_TECHNICAL = re.compile(
    r"base(?:16|32|58|64)|sha-?(?:1|2|3|224|256|384|512)|md5|utf-?(?:8|16)|(?:hs|rs|es|ps)(?:256|384|512)|ed25519|x509|"
    r"oauth-?[12]|argon2(?:id?)?|pbkdf2|bcrypt|scrypt|aes-?(?:128|192|256)|rsa-?\d{4}|http[23]|ipv[46]|p(?:256|384)|"
    r"k8s|i18n|l10n|s3|ec2|web3|1password|auth0|oidc1|log4j|h264|iso8601|rfc\d+|v\d+",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"[0-9]")
_CAMEL_CASE = re.compile(r"(?:[A-Z]?[a-z]{2,20}+|[A-Z]{2,6}(?=[A-Z][a-z]|\d|$)){1,8}\d{0,4}$")
_SEPARATORS = re.compile(r"[-_./:+=~@|]+")
_AWS_SHAPE = re.compile(r"[A-Za-z0-9+/]{40,}={0,2}$")
_HEX = re.compile(r"(?:0x)?[0-9a-fA-F]{24,}$")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$", re.IGNORECASE)
_SYMBOL = re.compile(r"[!#$%^&@]")
_ADDRESS = re.compile(r"@[\w-]+\.|@\d|^@")
_HYPHENATED = re.compile(r"[A-Za-z]+(?:[-_'’][A-Za-z]+)+$")

_NOT_VALUES = frozenset(
    """
    a an and any are as at be been being but by can cannot could do does done for from had has have here how if in
    into is it its just may me might mine must my need needs never no none not nothing now of off on one only or our
    out over per should since so some still than that the their them then there these they this those through to too
    under unless until up us use used user username users using via was way we well were what when where whether which
    while who will with within without would yes yet you your yours also always again already all both each either every
    absent active admin bad blank broken case changed changeme char chars characters clear correct different digits
    email empty enough expired fake false field fields file fine free global good gone hash hex hidden hint
    incorrect insecure int invalid jwt key keys label length letters login logic long mandatory masked max min
    minimum missing name nil null nullable number object okay ok old optional opaque pass passphrase passwd password
    passwords plain plaintext policy present private prompt public pw pwd reset safe same secret secrets secure
    security sensitive session short simple stale str string strong text token tokens true type undefined unique
    unknown unsafe unset valid value values varchar visible weak wrong new next other first last auth oauth sso bool
    boolean bytes binary bcrypt scrypt argon scheme header headers manager managers vault env environment plus once
    everywhere somewhere elsewhere anywhere too read write add ask keep put get set see check make let try run
    ist sind nicht falsch richtig leer im in der die das ein eine kein
    est pas dans le la les un une vide faux es no en el los una vacia vacía é não em o vazia è non nel il
    """.split()
)
_INFLECTED = re.compile(r"(?:ed|ing|able|ible|ally|less|ful|ous|tion|ment|ness|ity)$", re.IGNORECASE)


def is_reference(value: str) -> bool:
    """True for a variable, call, placeholder, path or file name: it tells where a secret is, not what it is."""
    if _UUID.match(value) or _AWS_SHAPE.match(value):
        return False
    return bool(_REFERENCE.match(value) or _PATH.search(value))


def is_password(value: str, *, quoted: bool = False, ends_clause: bool = True) -> bool:
    """Judge a word that follows "password is", "pwd:" or the like; plain words only when nothing else follows them."""
    if len(value) < 3 or is_reference(value):
        return False
    if value.isdigit():
        return len(value) >= 4
    if not any(char.isalpha() for char in value):
        return len(value) >= 8
    if value.lower() in _NOT_VALUES or _TECHNICAL.match(value):
        return False
    if value.isalpha():
        return (quoted or ends_clause) and not _INFLECTED.search(value)
    if _HYPHENATED.match(value):
        return len(_SEPARATORS.split(value)) > 3
    return not _measure(value)


def is_token(value: str, *, shortest: int = 8) -> bool:
    """Judge a word that follows "api key is", "token:" or the like."""
    if len(value) < shortest or is_reference(value) or _measure(value):
        return False
    if _HEX.match(value) or _UUID.match(value) or is_random(value):
        return True
    if not _DIGIT.search(value):
        return False
    plain = _without_technical(value)
    return any(
        len(part) >= shortest and any(c.isdigit() for c in part) and any(c.isalpha() for c in part)
        for part in _SEPARATORS.split(plain)
    )


def is_random(value: str, *, shortest: int = 16) -> bool:
    """True for a word that nobody would write as a name: letters and digits (or cases) mixed without pattern."""
    if len(value) < shortest or len(value) > 4096 or _HYPHENATED.match(value) or value.startswith(("0x", "0X")):
        return False
    if _AWS_SHAPE.match(value) and _classes(value) == 3 and _entropy(value) >= 3.7:
        return True
    if value.islower() and not _DIGIT.search(value):
        return False
    plain = _without_technical(value)
    mixed = sum(len(part) for part in _SEPARATORS.split(plain) if _is_mixed(part))
    return mixed >= min(12, shortest) and mixed * 2 >= len(value) and _entropy(value) >= 2.8


def is_scrambled(value: str) -> bool:
    """True for a word of both cases, digits and symbols, as generators of passwords make them."""
    return (
        len(value) >= 8
        and _classes(value) == 3
        and bool(_SYMBOL.search(value))
        and not is_reference(value)
        and not _ADDRESS.search(value)
    )


def is_hash(value: str) -> bool:
    """True for a bare hex digest or a UUID, which are secrets in a credential's place only."""
    return bool(_HEX.match(value) or _UUID.match(value))


def _without_technical(value: str) -> str:
    return _TECHNICAL.sub("", value) if len(value) < 200 else value


def _measure(value: str) -> bool:
    """`12+`, `8-64`, `90days`, `2.0.1`, `16px`: a number with a unit or a range, not a secret."""
    return bool(re.fullmatch(r"[<>=~]*[\d.,:+/-]+\s*[A-Za-z%]{0,6}\+?", value)) and not value.isdigit()


def _is_mixed(part: str) -> bool:
    if len(part) < 6 or _CAMEL_CASE.match(part):
        return False
    switches = sum(_kind(a) != _kind(b) for a, b in pairwise(part))
    digits = sum(char.isdigit() for char in part)
    if digits and digits < len(part):
        return switches >= 3 or (switches >= 2 and digits >= 2 and len(part) >= 12)
    return len(part) >= 20 and switches * 5 >= len(part) * 2


def _kind(char: str) -> int:
    return 0 if char.isdigit() else 1 if char.isupper() else 2


def _classes(value: str) -> int:
    return any(c.isdigit() for c in value) + any(c.isupper() for c in value) + any(c.islower() for c in value)


def _entropy(value: str) -> float:
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values())
