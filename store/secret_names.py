"""What credentials are called in the languages that people write to agents in, as patterns for `re.IGNORECASE`."""

from __future__ import annotations

Found = tuple[int, int, str]
"""Where a secret is in the text (start, end; characters) and of what kind it is."""

NAMES_OF_PW = (
    r"pass(?:word|wd|wort|phrase|code|wört)s?|(?-i:PASS)(?![A-Za-z])|"
    r"(?<=[_-])pass(?![a-z])|(?<![A-Za-z])pw|pwd|kennwort|mot de passe|"
    r"contrase[ñn]a|senha|wachtwoord|парол[ьяем]{1,2}|密码|密碼|口令|パスワード|비밀번호|암호"
)
NAMES_OF_AK = (
    r"(?:api|access|secret|app|auth|account|service|client|consumer|subscription|signing|encryption|master|admin|deploy"
    r"|license|private|storage|maps|host)(?:[ _-]?(?:access|api|secret))?[ _-]?key(?:[ _-]?id)?|"
    r"(?-i:(?<=_)KEY|[a-z]Key)|api[ -]?schlüssel|cl[ée] (?:d['’])?api|clave (?:de )?api|ключ|密钥|キー"
)
NAMES_OF_TK = r"token|jwt|(?<![A-Za-z])pat(?![a-z])|令牌|トークン|токен"
NAMES_OF_SC = r"secret|credential|(?<![A-Za-z])creds|geheimnis"
NAMES_OF_KEY = r"(?<![A-Za-z])key"
TRAILING = ".,;:!?)]}'\"`*’”»…。，、；！？"
"""Punctuation of the sentence behind a value."""
