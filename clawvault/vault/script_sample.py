"""Which language a handful of notes is mostly written in, as far as a choice of model needs to know (pure)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

LATIN_WORD = re.compile(r"[A-Za-zÀ-ɏ]{1,40}")
HAN = re.compile(r"[\u4e00-\u9fff\u3400-\u4dbf]")
KANA = re.compile(r"[\u3040-\u30ff]")
HANGUL = re.compile(r"[\uac00-\ud7af]")
OTHER_WORD = re.compile(r"[^\W\d_A-Za-zÀ-ɏ\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]{1,40}")
CODE = re.compile(r"^(?:```|~~~).*?^(?:```|~~~)", re.MULTILINE | re.DOTALL)
ENGLISH = frozenset("the of and to in is that it for was on are with as be this have from or by not you we can".split())
OTHER_LATIN = frozenset(
    "der die das und ist nicht ein eine mit für auf den dem zu von le la les des et est une pour dans que qui pas du"
    " el los las por con para una como más o os um uma não com il di che per sono della het een van dat niet"
    " och att det som är på en jag och i w na się nie jest do że".split()
)


@dataclass(frozen=True, slots=True)
class Sample:
    """Counts of words; a character of Chinese or Japanese counts as one."""

    words: int = 0
    latin: int = 0
    han: int = 0
    kana: int = 0
    hangul: int = 0
    english_marks: int = 0
    other_marks: int = 0

    @property
    def is_english(self) -> bool:
        """Tell whether Latin words are the majority and their small words are English ones."""
        return self.latin * 2 >= self.words and self.english_marks >= self.other_marks

    @property
    def template_language(self) -> str:
        """Name the template the notes speak for: ``zh``, ``en``, or empty when they speak for none."""
        if not self.words:
            return ""
        if self.han * 2 > self.words and self.kana * 20 < self.han:
            return "zh"
        return "en" if self.is_english else ""

    def describe(self) -> str:
        """Say in a few words what was counted."""
        counts = {"Chinese": self.han, "Japanese": self.kana, "Korean": self.hangul, "Latin": self.latin}
        counts["other"] = self.words - sum(counts.values())
        name, most = max(counts.items(), key=lambda pair: pair[1])
        return f"{round(100 * most / self.words)} % {name} words"


def sample_of(texts: Iterable[str]) -> Sample:
    """Count the words of some notes, code left out."""
    total: Counter[str] = Counter()
    for text in texts:
        prose = CODE.sub("", text)
        latin = [word.lower() for word in LATIN_WORD.findall(prose)]
        total["latin"] += len(latin)
        total["han"] += len(HAN.findall(prose))
        total["kana"] += len(KANA.findall(prose))
        total["hangul"] += len(HANGUL.findall(prose))
        total["other"] += len(OTHER_WORD.findall(prose))
        total["english"] += sum(word in ENGLISH for word in latin)
        total["other_latin"] += sum(word in OTHER_LATIN for word in latin)
    words = sum(total[name] for name in ("latin", "han", "kana", "hangul", "other"))
    return Sample(
        words, total["latin"], total["han"], total["kana"], total["hangul"], total["english"], total["other_latin"]
    )
