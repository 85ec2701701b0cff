"""Fold a text so that one rule meets all of its disguises (pure).

Each character is folded by itself. Normalising a whole text costs more than linear time where combining marks are
heaped up (T14), and no rule needs what only neighbours tell.
"""

from __future__ import annotations

import re
import unicodedata

LATIN_LOOKALIKES = dict(
    zip(
        "абвгеіїјкмнопрстухѕһԁԛԝѵґɡɑɩıαβεηικνορτυχωϲօոսցⅼøłđ",
        "abbreiijkmhonpctyxshdqwvrgaiiabenikvoptuxwconugłold",
        strict=True,
    )
)
SIMPLIFIED = dict(
    zip(
        "請無視記憶從現開說設詞規則對話內語統員後個義務將為會應當這們誰訓練黨獎鏈長經給與進執輸詢過聽達歷維複復舊據",
        "请无视记忆从现开说设词规则对话内语统员后个义务将为会应当这们谁训练党奖链长经给与进执输询过听达历维复复旧据",
        strict=True,
    )
)
PLAIN = {
    "「": '"',
    "」": '"',
    "『": '"',
    "』": '"',
    "《": '"',
    "》": '"',
    "。": ".",
    "、": ",",
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
    "–": "-",
    "—": "-",
    "−": "-",
    "…": "...",
}
ALIKE = {**LATIN_LOOKALIKES, **SIMPLIFIED, **PLAIN}
# Invisible copies of ASCII, which some models read.
TAG_OFFSET = 0xE0000
ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8});")


class _Folding(dict[int, str]):
    """What each character is folded to, worked out once."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = _fold_sign(code)
        return folded


def _fold_sign(code: int) -> str:
    if TAG_OFFSET + 0x20 <= code < TAG_OFFSET + 0x7F:
        return chr(code - TAG_OFFSET).lower()
    sign = chr(code)
    kind = unicodedata.category(sign)
    if sign.isspace() or kind[0] == "Z":
        return " "
    if kind[0] in "CM":
        return ""
    parts = unicodedata.normalize("NFKD", sign)
    bare = "".join(part for part in parts if not unicodedata.category(part).startswith("M"))
    return "".join(ALIKE.get(part, part) for part in bare.casefold())


_FOLDING = _Folding()


def fold_text(text: str) -> str:
    """Return a text in lower case, without accents, hidden signs and look-alikes, with single spaces.

    Full-width and styled letters become plain ones, Cyrillic and Greek letters that look Latin become Latin, and the
    traditional Chinese signs that rules are made of become simplified.

    Cost: Linear.
    Source: T03, T20.
    """
    if "&" in text:
        # Imported here: its table of names takes as long to load as a short text to look at.
        from html import unescape

        text = ENTITY.sub(lambda found: unescape(found[0]), text)
    if text.isascii() and text.isprintable():
        return " ".join(text.lower().split())
    return " ".join(text.translate(_FOLDING).split())
