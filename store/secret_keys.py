"""Keys that show by their own form what they are: formats of vendors, those of the detect-secrets library (loaded only
when a word looks like one of them), and random words near the name of a credential.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from store.secret_names import NAMES_OF_AK, NAMES_OF_KEY, NAMES_OF_PW, NAMES_OF_SC, NAMES_OF_TK, TRAILING
from store.secret_shape import is_hash, is_random, is_reference, is_token

if TYPE_CHECKING:
    from collections.abc import Iterator

    from store.secret_names import Found

_VENDOR = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"(?:sk|pk|rk)[-_](?:[a-z]{1,12}[-_.]){0,4}|github_pat_|gh[pousr]_|gl(?:pat|dt|rt|soat|ptt|sa)[-_]|xox[a-z]-|xapp-|AIza|ya29\.|1//0|"
    r"hf_|gsk_|xai-|pplx-|r8_|npm_|pypi-|dckr_pat_|dop_v1_|doo_v1_|shp(?:at|ca|pa|ss)_|whsec_|sq0[a-z]{3}-|SG\.|"
    r"hv[sb]\.|s\.(?=[A-Za-z0-9]{24})|ATATT3|NRAK-|lin_api_|figd_|ntn_|secret_|sntrys_|phx_|tskey-|sbp_|rnd_|dapi|LTAI|AKID|key-|"
    r"eyJ(?=[\w-]{8,1000}\.[\w-]{8})|AGE-SECRET-KEY-1|EAACEdEose0cBA|CFPAT-|PMAK-|rubygems_|vercel_|glsa_|api[-_]|token[-_]|tok_|vk\.)"
    r"(?P<body>[A-Za-z0-9][A-Za-z0-9_.~+/=-]{11,2048})"
)
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.~+/=:-]{15,}")
_KNOWN_START = re.compile(
    r"A3T|ABIA|ACCA|AKIA|ASIA|xox[a-z]-|hooks\.slack|gh[pousr]_|gl[a-z]{2,6}-|GR13|[rs]k_live|SG\.|sq0csp|pypi-|AccountKey|"
    r"-us\d|T3Blbk|(?:AC|SK)[a-z0-9]{32}|\d{8,10}:|[MNO][\w-]{23,25}\."
)
"""What the library's key formats begin with: only then is it loaded."""
_CREDENTIAL = re.compile(
    rf"{NAMES_OF_PW}|{NAMES_OF_AK}|{NAMES_OF_TK}|{NAMES_OF_SC}|{NAMES_OF_KEY}|auth|login", re.IGNORECASE
)
_NAMED_BESIDE = re.compile(
    rf"(?:{NAMES_OF_PW}|{NAMES_OF_AK}|{NAMES_OF_TK}|{NAMES_OF_SC})\w{{0,8}}[^\w\n]{{1,4}}(?:\w{{1,6}}[^\w\n]{{1,3}}){{0,2}}$",
    re.IGNORECASE,
)
_DIGEST_WORD = re.compile(
    r"commit|sha|hash|digest|revision|checksum|\brev\b|md5|etag|integrity|uuid|guid|\bid\b|fingerprint|branch|cherry|"
    r"revert|rebase|merge|build|image|layer|trace|request",
    re.IGNORECASE,
)


def keys(text: str) -> Iterator[Found]:
    """Keys that show by their own form what they are, and random words on a line that speaks of credentials."""
    for match in _VENDOR.finditer(text):
        body = match["body"].rstrip(TRAILING)
        if (
            is_random(body, shortest=12)
            and not is_hash(match[0])
            or is_token(body, shortest=24)
            and not is_hash(match[0])
        ):
            yield match.start(), match.start("body") + len(body), "api key"
    for match in _WORD.finditer(text):
        word = match[0].rstrip(TRAILING)
        if not any(char.isdigit() for char in word) or is_hash(word) and not _beside_name(text, match.start()):
            continue
        if is_hash(word):
            yield match.start(), match.start() + len(word), "key"
            continue
        if len(word) <= 4096 and _KNOWN_START.search(word):
            yield from _known(word, match.start())
        beside = _CREDENTIAL.search(text, max(0, match.start() - 60), match.start())
        if beside and is_random(word) and not is_reference(word):
            yield match.start(), match.start() + len(word), "key"


def _beside_name(text: str, at: int) -> bool:
    """A bare digest counts only right after a credential's name, and not where a commit or a checksum is named."""
    start = max(0, at - 28)
    return bool(_NAMED_BESIDE.search(text, start, at)) and not _DIGEST_WORD.search(text, start, at)


def _known(word: str, offset: int) -> Iterator[Found]:
    for pattern in _library_patterns():
        for match in pattern.finditer(word):
            before, after = word[: match.start()][-1:], word[match.end() :][:1]
            if not before.isalnum() and not after.isalnum():
                yield offset + match.start(), offset + match.end(), "api key"


@cache
def _library_patterns() -> list[re.Pattern[str]]:
    """The library's key formats that need no context. Its own scanning is made for files, so only these are used."""
    from detect_secrets.plugins import (
        aws,
        azure_storage_key,
        discord,
        github_token,
        gitlab_token,
        mailchimp,
        openai,
        pypi_token,
        sendgrid,
        slack,
        square_oauth,
        stripe,
        telegram_token,
        twilio,
    )

    detectors: list[Any] = [
        azure_storage_key.AzureStorageKeyDetector,
        discord.DiscordBotTokenDetector,
        github_token.GitHubTokenDetector,
        gitlab_token.GitLabTokenDetector,
        mailchimp.MailchimpDetector,
        openai.OpenAIDetector,
        pypi_token.PypiTokenDetector,
        sendgrid.SendGridDetector,
        slack.SlackDetector,
        square_oauth.SquareOAuthDetector,
        stripe.StripeDetector,
        telegram_token.TelegramBotTokenDetector,
        twilio.TwilioKeyDetector,
    ]
    return [aws.AWSKeyDetector.denylist[0], *(pattern for one in detectors for pattern in one.denylist)]
