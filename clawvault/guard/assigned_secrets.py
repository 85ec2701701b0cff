"""Secrets that are known by what stands before them: a name, a header, a user (pure)."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from clawvault.guard.long_words import long_words
from clawvault.guard.rules import compiled

# Between a name and its value: quotes, emphasis, a sign or a word that says "is".
TO = r"[\"'`*_\])]{0,4}[ \t]{0,4}(?::=|=>|->|[:=：＝|]|[ ]is[ ]|是|为)[ \t]{0,4}[*_`\"'“「]{0,4}[ \t]?"
VALUE = r"(?P<value>[^\s\"'`<>|，。；、（）“”「」\u3000-\u9fff]{4,200})"
NAMED_WORD = (
    r"(?:pass(?:word|wd|phrase|code)|pwd(?<![a-z]pwd)(?![a-z])|pw(?<![a-z]pw)(?![a-z])|pass(?<![a-z]pass)(?![a-z])|"
    r"pin(?<![a-z]pin)(?![a-z])|密码|口令|パスワード|비밀번호|contraseña|"
    r"passwort|kennwort|mot de passe)"
)
LONG_NAME = r"(?:pass(?:word|wd|phrase|code)|密码|口令|パスワード|비밀번호|contraseña|passwort|kennwort|mot de passe)"
NAMED_KEY = (
    r"(?:secret|token|credentials?|auth(?<![a-z]auth)|令牌|密钥|私钥|授权码|"
    + "|".join(
        f"{word}[_\\- ]?key"
        for word in "api access auth private secret signing signature encryption license master service shared".split()
    )
    + r")(?![a-z])"
)
# "The password for the router is ..."
OF_WHAT = r"(?:[ ](?:for|of|to|at)[ ][^\n:=|()\[\]]{1,40}?)?"
PASSWORD = rf"{NAMED_WORD}(?:[_\-][a-z0-9]{{1,20}}){{0,2}}{OF_WHAT}{TO}{VALUE}"
KEY = rf"{NAMED_KEY}(?:[_\-][a-z0-9]{{1,20}}){{0,3}}{TO}(?P<value>[a-z0-9+/=_.~\-:!@#$%^&*]{{16,512}})"
OPTION = rf"--(?:password|passwd|pass|token|secret|api-key|access-token|auth-token)[ =]{{1,2}}[\"']?{VALUE}"
BEARER = r"bearer[ \t]{1,4}(?P<value>[a-z0-9_\-.=+/~]{16,2000})"
AUTHORIZATION = (
    r"authorization[\"']?[ ]{0,4}[:=][ ]{0,4}[\"']?(?:basic|token|digest|apikey)[ ]{1,4}"
    r"(?P<value>[a-z0-9_\-.=+/~:]{8,2000})"
)
ADDRESS = r"://[^\s/:@\"'<>`]{0,128}:(?P<value>[^\s/@\"'<>`]{4,256})@(?=[a-z0-9\[])"
CURL = r"curl[^\n]{0,300}?[ ]-{1,2}u(?:ser)?[ =][\"']?[^\s:\"']{1,64}:(?P<value>[^\s\"'`]{3,128})"
NETRC = r"login\s{1,8}[^\s]{1,100}\s{1,8}password\s{1,8}(?P<value>[^\s]{3,200})"
PHRASE = (
    r"(?:seed|recovery|mnemonic|backup|助记词)(?:[ _]?(?:phrase|words))?[ ]{0,2}[:=：][ ]{0,2}"
    r"(?P<value>(?:[a-z]{3,8}[ ]){11,23}[a-z]{3,8})(?![a-z])"
)
# Forty signs of base64, as AWS makes them, have no form of their own: a word before them tells.
BASE64_40 = (
    r"(?:aws|secret|key)s?(?![a-z])[^\n]{0,40}?(?<![a-z0-9/+._@\-])(?P<value>[a-z0-9/+]{40})(?![a-z0-9/+=._@\-])"
)
# Alone on a line after its name, a password need not look like one.
ALONE = (
    rf"^[ \t>*+\-]{{0,12}}(?:[\w\-.]{{1,20}}[ ]){{0,3}}[\"'`*_]{{0,3}}{LONG_NAME}[\"'`*_]{{0,3}}[ \t]{{0,2}}[:=：]"
    rf"[*_]{{0,3}}[ \t]{{0,4}}[\"'`]?(?P<value>[^\s\"'`<>|，。；、（）“”「」\u3000-\u9fff]{{3,64}})"
    r"[\"'`]?[ \t\r]{0,8}$"
)

# Without a sign between them: what follows must look like a password by itself.
_IS = r"(?:[ ](?:is|was|ist|lautet|is now|is still|changed to|set to))?"
_WHOSE = (
    r"(?:[ ](?:for|of|to|für|der|des|vom)[ ](?:(?:the|my|our|her|his|das|die|den)[ ])?"
    r"(?!user|account|login|host|server|room|version|database|table|line)[a-z\-]{2,20})?"
)
BARE = (
    rf"{LONG_NAME}{_WHOSE}{_IS}(?:[ ]{{1,2}}|(?<=密码)|(?<=口令))[*_`\"'“「(]{{0,3}}"
    rf"(?=[^\s]{{0,60}}[0-9!@#$%^&*?+~]){VALUE}"
)
BARE_PIN = (
    r"pin(?<![a-z]pin)(?:[ ](?:code|number))?[ ](?:of|for|der|des|für)[ ](?:(?:the|my|our|her|his|die|das)[ ])?"
    r"[a-z\-]{2,20}[ ](?:is[ ]|ist[ ])?(?P<value>[0-9]{4,8})(?![\w\-/]|\.[0-9])"
)
# "The wifi password is Blue Duck 77"
SEVERAL_WORDS = (
    rf"{LONG_NAME}{OF_WHAT}{TO}(?P<value>(?:[^\W\d_]{{2,20}}[ ]){{2,4}}[0-9]{{1,6}})(?=[ \t]{{0,8}}(?:$|[.,;!)\r]))"
)

# "pw" is in "pwd", and "pass" in "passe".
PASSWORD_WORDS = tuple("pass pw pin 密码 口令 パスワード 비밀번호 contraseña kennwort".split())
# Looked for only where one of the words above is held.
LONG_WORDS = (
    *("password", "passwd", "passphrase", "passcode", "passwort", "kennwort", "mot de passe"),
    *("密码", "口令", "パスワード", "비밀번호", "contraseña"),
)
PIN_WORDS = ("pin of", "pin for", "pin der", "pin des", "pin für", "pin code ", "pin number ")
KEY_WORDS = tuple("secret token key credential auth 令牌 密钥 私钥 授权码".split())
# Without a sign between them: so long a value that is made by chance is nothing but a key.
BARE_KEY = (
    rf"{NAMED_KEY}{_WHOSE}{_IS}[ \t]{{0,4}}[*_`\"'“「(]{{0,3}}(?P<value>[a-z0-9+/=_\-]{{32,512}})(?![a-z0-9+/=_\-])"
)
SHORTEST_BARE_KEY = 32

PHRASE_WORDS = tuple("seed recovery mnemonic backup 助记词".split())

STANDS_FOR = (
    r"(?is)(?:(.)\1{3,}.*|[<$%{\[(@&:].*|\.{3}.*|x{3,}.*|your.*|my[_\-].*|.*example.*|.*placeholder.*|change[_\-]?(?:me|it).*|"
    r".*redacted.*|dummy.*|sample.*|insert.*|to-?do|tbd|none|null|nil|true|false|undefined|n/a|test|env[.:].*|"
    r"(?:process\.env|os\.environ|os\.getenv|getenv|secrets?|vars?|config|settings|self|this|params?|options?|args?|req|"
    r"request|user|credentials|env)\..*|(?:vault|op|ssm|arn|file|https?|ref|keyring|bao|sops|gopass|data):.*|~?/[a-z]+/.*|//.*|"
    r"\.{1,2}/.*|‹.*|\*{3,}.*|•+.*|…+.*|--+.*)"
)
IDENTIFIER = r"(?s)[A-Za-z_]\w{0,40}(?:\.[A-Za-z_]\w{0,40}){1,8}|[A-Za-z_][\w.]{0,60}[(\[].*"
METHOD = (
    r"(?i)(?:sha-?[0-9]+|md[45]|argon2\w{0,4}|bcrypt[0-9]{0,2}|base-?(?:32|64)|aes-?[0-9]{1,4}|oauth2?|utf-?8|ed25519|x509|"
    r"rsa-?[0-9]{1,5}|totp|2fa|mfa|1password|keepass\w{0,8}|[0-9]{1,9}[a-z]{0,9}(?:-[a-z]{1,20}){1,4}|"
    r"[0-9]{1,9}-[0-9]{1,9}|[0-9]{1,9}(?:chars|signs|days|min|max|h|d|s|ms|x|st|nd|rd|th|px|%))[.,;]{0,4}"
)
# Names of things with a number, and addresses.
NAMED_THING = r"[a-z_]+[0-9]{1,2}$|[^\s@]+@[^\s@]+\.[A-Za-z]{2,}$|[0-9]+[a-z]+$"
WORD_PART = r"[A-Za-z]{1,24}|[0-9]{1,4}|[A-Za-z]{1,3}[0-9]{1,2}|"
PART_BREAK = r"[-_./:]"
PIN = r"(?!(?:19|20)[0-9]{2}$)[0-9]{4,12}"
# What may follow a password on its line; anything else makes it the first word of a sentence.
AFTER_IT = (
    r"(?i)[ \t]{0,8}(?:$|[.!?](?:\s|$)|\r|[\"'`|,;)#\]}>*_，。；、（(/&<“”」—–-]|\\|[\u3400-\u9fff]|"
    r"(?:for|on|at|until|and|or|user|login|username|with|as|in)\b)"
)
ASCII_LOWER = {sign: sign + 32 for sign in range(ord("A"), ord("Z") + 1)}
SHORT_NAME = r"(?i)(?:pwd|pw|pass|pin)(?![a-z])"
EXAMPLES = frozenset(
    "password pass passwd pwd secret pw postgres root guest admin user mysql redis x-oauth-basic".split()
)

# What stands after "password:" and is none: what became of it, where it is, what kind it is.
ANSWERS = frozenset(
    "yes no ok done set unset fixed reset changed updated added removed missing unknown forgotten forgot lost expired "
    "required optional mandatory invalid wrong correct incorrect empty blank same new old default never always later "
    "pending hidden secret private public string str text char varchar bytes int bool boolean object field input enter "
    "confirm hash hashed encrypted encryption bcrypt scrypt argon2 keychain keepass bitwarden lastpass vault safe "
    "disabled enabled off on any some see ask below above here there why how what open closed failed passed works "
    "working rotate rotated policy manager nein nada ninguna oui non aucun keins unbekannt".split()
)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.MULTILINE)


def _lower(text: str) -> str:
    """Return the text in lower case, each sign in its place."""
    low = text.lower()
    return low if len(low) == len(text) else text.translate(ASCII_LOWER)


def find_assigned(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of each value that its name or place makes a secret."""
    low = _lower(text)
    held = frozenset([word for word in WORDS if word in low])
    if not held:
        return
    for start, end, named in _search(low, held, PASSWORD_WORDS, PASSWORD, NETRC):
        value = text[start:end].rstrip(",.;)]}\\")
        rest = _rest_of_line(text, start + len(value))
        if _is_password(value, rest, is_named=not compiled(SHORT_NAME).match(named)):
            yield "password", start, start + len(value)
    is_long = not held.isdisjoint(PASSWORD_WORDS) and any(word in low for word in LONG_WORDS)
    for start, end, _ in _search(low, held, PASSWORD_WORDS, BARE) if is_long else ():
        value = text[start:end].rstrip(",.;)]}\\?!:*_`")
        if _is_bare_password(value, _rest_of_line(text, start + len(value))):
            yield "password", start, start + len(value)
    is_bare = not held.isdisjoint(KEY_WORDS) and any(len(word) >= SHORTEST_BARE_KEY for word in long_words(text))
    for start, end, _ in _search(low, held, KEY_WORDS, KEY, *([BARE_KEY] if is_bare else [])):
        value = text[start:end].rstrip(".:")
        if is_random(value) and text[end : end + 1] not in {"(", "[", "{"}:
            yield "key", start, start + len(value)
    for placed in PLACED:
        if held.isdisjoint(placed.words) or not (placed.also == () or any(word in low for word in placed.also)):
            continue
        for start, end, _ in _search(low, held, placed.words, placed.source):
            if not _stands_for(text[start:end]) and placed.judge(text[start:end]):
                yield placed.kind, start, end


def _search(low: str, held: frozenset[str], words: tuple[str, ...], *sources: str) -> Iterator[tuple[int, int, str]]:
    """Yield start and end of each value, and the text from its name on in lower case."""
    if held.isdisjoint(words):
        return
    for source in sources:
        for found in _compiled(source).finditer(low):
            yield *found.span("value"), found[0]


def is_random(value: str) -> bool:
    """Say whether a value looks made by chance and not by a person naming something.

    Args:
        value: 16 characters or more.
    """
    if _stands_for(value) or compiled(IDENTIFIER).fullmatch(value) or not _is_mixed(value, 16):
        return False
    if all(compiled(WORD_PART).fullmatch(part) for part in compiled(PART_BREAK).split(value)):
        return False
    counts = Counter(value)
    entropy = -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())
    return entropy >= 3.0


def _is_password(value: str, rest: str, *, is_named: bool) -> bool:
    if (
        _stands_for(value)
        or compiled(METHOD).fullmatch(value)
        or compiled(IDENTIFIER).fullmatch(value)
        or not compiled(AFTER_IT).match(rest)
    ):
        return False
    return compiled(PIN).fullmatch(value) is not None or _is_mixed(value, 6) or (is_named and _has_sign(value))


def _is_bare_password(value: str, rest: str) -> bool:
    """Say whether a word looks like a password where nothing but its place says that it is one."""
    if (
        not _is_password(value, rest, is_named=True)
        or compiled(PIN).fullmatch(value)
        or compiled(NAMED_THING).match(value)
    ):
        return False
    if all(compiled(WORD_PART).fullmatch(part) for part in compiled(PART_BREAK).split(value)):
        return False
    kinds = (str.isupper, str.islower, str.isdigit)
    n_kinds = sum(any(map(kind, value)) for kind in kinds) + any(not sign.isalnum() for sign in value)
    return n_kinds >= 3 or (n_kinds == 2 and len(value) >= 8 and _is_mixed(value, 8))


def _is_words_with_number(value: str) -> bool:
    words = value.split()[:-1]
    return all(word[0].isupper() for word in words) and ANSWERS.isdisjoint(word.lower() for word in words)


def _stands_for(value: str) -> bool:
    return compiled(STANDS_FOR).fullmatch(value) is not None


def _is_uncommon(value: str) -> bool:
    """Say whether a password is not the word itself or a name, as in every example."""
    return value.lower() not in EXAMPLES


def _is_mixed_case(value: str) -> bool:
    return value.lower() != value and value.upper() != value and is_random(value)


def _is_no_answer(value: str) -> bool:
    bare = value.rstrip(".,;:!?)]}")
    if (
        len(bare) < 3
        or compiled(METHOD).fullmatch(value)
        or compiled(IDENTIFIER).fullmatch(value)
        or value.endswith(("?", ":", ")", ","))
    ):
        return False
    return _is_uncommon(bare) and bare.lower() not in ANSWERS


def _is_mixed(value: str, least: int) -> bool:
    return len(value) >= least and any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


def _has_sign(value: str) -> bool:
    letters = sum(c.isalpha() for c in value)
    return len(value) >= 8 and letters >= 4 and any(c in "!@#$%^&*?+~" for c in value[1:]) and "://" not in value


def _rest_of_line(text: str, at: int) -> str:
    end = text.find("\n", at, at + 200)
    return text[at : end if end >= 0 else at + 200]


class Placed(NamedTuple):
    """Values that their place makes a secret, where ``judge`` agrees; such a text has one of ``words`` and ``also``."""

    kind: str
    words: tuple[str, ...]
    source: str
    judge: Callable[[str], bool]
    also: tuple[str, ...] = ()


PLACED: tuple[Placed, ...] = (
    Placed("password", ("--",), OPTION, lambda value: _is_mixed(value, 6)),
    Placed("bearer token", ("bearer",), BEARER, lambda value: _is_mixed(value, 16)),
    Placed("authorization", ("authorization",), AUTHORIZATION, lambda _: True),
    Placed("password", ("://",), ADDRESS, _is_uncommon),
    Placed("password", ("curl",), CURL, _is_uncommon),
    Placed("aws secret", ("aws", "secret", "key"), BASE64_40, _is_mixed_case),
    Placed("password", PASSWORD_WORDS, ALONE, _is_no_answer),
    Placed("password", PASSWORD_WORDS, SEVERAL_WORDS, _is_words_with_number, LONG_WORDS),
    Placed("pin", ("pin",), BARE_PIN, lambda value: compiled(PIN).fullmatch(value) is not None, PIN_WORDS),
    Placed("recovery phrase", PHRASE_WORDS, PHRASE, lambda _: True),
)
# Each is looked for once, whatever it is a word of.
WORDS = tuple(
    dict.fromkeys((*PASSWORD_WORDS, *LONG_WORDS, *KEY_WORDS, *(word for placed in PLACED for word in placed.words)))
)
