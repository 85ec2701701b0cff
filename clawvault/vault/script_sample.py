"""Which languages a handful of notes is written in, as far as a choice of model needs to know (pure)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from clawvault.patterns import compiled

LATIN_WORD = r"[A-Za-zÀ-ɏ]{1,40}"
HAN = r"[\u4e00-\u9fff\u3400-\u4dbf]"
KANA = r"[\u3040-\u30ff]"
HANGUL = r"[\uac00-\ud7af]"
OTHER_WORD = r"[^\W\d_A-Za-zÀ-ɏ\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]{1,40}"
CODE = r"(?ms)^(?:```|~~~).*?^(?:```|~~~)"
ENGLISH = frozenset("the of and to in is that it for was on are with as be this have from or by not you we can".split())
OTHER_LATIN = frozenset(
    "der die das und ist nicht ein eine mit für auf den dem zu von le la les des et est une pour dans que qui pas du"
    " el los las por con para una como más o os um uma não com il di che per sono della het een van dat niet"
    " och att det som är på en jag och i w na się nie jest do że".split()
)
# From this share of words or of notes on, a model that knows English alone would lose too much.
FOREIGN_SHARE = 0.1
# One word that two languages share does not make a note foreign.
FOREIGN_MARKS = 3


@dataclass(frozen=True, slots=True)
class Sample:
    """Counts of words; a character of Chinese or Japanese counts as one.

    ``notes`` are those with any words; ``foreign_notes`` those of them that are not in English.
    """

    words: int = 0
    latin: int = 0
    han: int = 0
    kana: int = 0
    hangul: int = 0
    english_marks: int = 0
    other_marks: int = 0
    notes: int = 0
    foreign_notes: int = 0

    @property
    def is_english(self) -> bool:
        """Tell whether Latin words are the majority and their small words are English ones."""
        return self.latin * 2 >= self.words and self.english_marks >= self.other_marks

    @property
    def needs_multilingual(self) -> bool:
        """Tell whether so much is not in English that the model has to know more."""
        if not self.words:
            return False
        foreign_words = self.words - self.latin >= FOREIGN_SHARE * self.words
        foreign_notes = self.foreign_notes >= FOREIGN_SHARE * self.notes
        return foreign_words or foreign_notes or not self.is_english

    @property
    def template_language(self) -> str:
        """Name the template the notes speak for: ``zh``, ``en``, or empty when they speak for none."""
        if not self.words:
            return ""
        if self.han * 2 > self.words and self.kana * 20 < self.han:
            return "zh"
        return "en" if self.is_english else ""

    def describe(self) -> str:
        """Say in a few words what is not in English."""
        scripts = {"Chinese": self.han, "Japanese": self.kana, "Korean": self.hangul}
        scripts["other"] = self.words - self.latin - sum(scripts.values())
        name, most = max(scripts.items(), key=lambda pair: pair[1])
        if most >= FOREIGN_SHARE / 2 * self.words:
            return f"{round(100 * most / self.words)} % {name} words"
        if self.foreign_notes:
            return f"{round(100 * self.foreign_notes / self.notes)} % of the notes"
        return "by their small words"


def sample_of(texts: Iterable[str]) -> Sample:
    """Count the words of some notes, code left out."""
    total: Counter[str] = Counter()
    for text in texts:
        found = _count(compiled(CODE).sub("", text))
        total.update(found)
        total["notes"] += bool(found.total())
        total["foreign"] += _is_foreign(found)
    return Sample(
        words=_words(total),
        latin=total["latin"],
        han=total["han"],
        kana=total["kana"],
        hangul=total["hangul"],
        english_marks=total["english"],
        other_marks=total["other_latin"],
        notes=total["notes"],
        foreign_notes=total["foreign"],
    )


def _count(prose: str) -> Counter[str]:
    latin = [word.lower() for word in compiled(LATIN_WORD).findall(prose)]
    return Counter(
        latin=len(latin),
        han=len(compiled(HAN).findall(prose)),
        kana=len(compiled(KANA).findall(prose)),
        hangul=len(compiled(HANGUL).findall(prose)),
        other=len(compiled(OTHER_WORD).findall(prose)),
        english=sum(word in ENGLISH for word in latin),
        other_latin=sum(word in OTHER_LATIN for word in latin),
    )


def _words(counts: Counter[str]) -> int:
    return sum(counts[name] for name in ("latin", "han", "kana", "hangul", "other"))


def _is_foreign(counts: Counter[str]) -> bool:
    words = _words(counts)
    if counts["latin"] * 2 < words:
        return True
    return counts["other_latin"] >= FOREIGN_MARKS and counts["other_latin"] > counts["english"]
