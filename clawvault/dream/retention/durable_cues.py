"""Words that tell a lasting rule from the events of a day, in English and Chinese: pure (L2d)."""

from __future__ import annotations

import re
from dataclasses import dataclass

LASTING, USUAL = 2, 1
_TIMES = r"quarter|half[- ]year|year|month|week|weekday|release|deploy(?:ment)?"
# What names a rule or a way to do something. Whole words; a plural counts.
_LASTING = (
    rf"(?:every|each|once\s+a|per)\s+(?:other\s+)?(?:{_TIMES}|(?:mon|tues|wednes|thurs|fri|satur|sun)day)",
    r"quarterly|annually|yearly|monthly|weekly|biweekly",
    r"run-?books?|playbooks?|check-?lists?|procedures?|protocols?|how[- ]tos?|step[- ]by[- ]step|instructions",
    r"(?:password|security|retention|backup|leave|refund|privacy|access|naming|travel|expense)\s+polic(?:y|ies)",
    r"polic(?:y|ies)|guidelines?|conventions?|standing\s+orders?",
    r"in\s+case\s+of|emergency|disaster\s+recovery|roll-?back|restore\s+from|rotat(?:e|ion)\s+of\s+keys?",
    r"expires?\s+on|valid\s+until|renew(?:al|ed)?\s+(?:on|by|every)|due\s+(?:on|by)\s+the",
)
_USUAL = (
    r"always|never|must(?:\s+not)?|required\s+to|remember\s+to|make\s+sure|do\s+not\s+forget|don['’]t\s+forget",
    r"decision|decided|agreed|rule|from\s+now\s+on|going\s+forward|by\s+default|whenever",
)
_LASTING_ZH = (
    r"每(?:个|一)?(?:季度?|半年|年|个?月|周|星期|礼拜|次发布|次部署|次上线)|定期|按季|按月|季度例行",
    r"流程|步骤|操作手册|运维手册|手册|规程|规范|规定|制度|政策|策略|检查清单|清单|密码策略",
    r"应急|预案|灾备|灾难恢复|回滚|从备份恢复|有效期|到期|续期|续费",
)
_USUAL_ZH = (r"务必|总是|永远|必须|切记|千万|不要忘记|别忘了|一定要|禁止|决定|约定|规则|默认|以后都|从今以后|今后",)
_BY_STRENGTH = (
    (LASTING, re.compile(rf"\b(?:{'|'.join(_LASTING)})\b|{'|'.join(_LASTING_ZH)}", re.IGNORECASE)),
    (USUAL, re.compile(rf"\b(?:{'|'.join(_USUAL)})\b|{'|'.join(_USUAL_ZH)}", re.IGNORECASE)),
)
_COMMAND = re.compile(
    r"^\s*(?:\$|PS>|#|>)\s+[a-z][\w.-]{1,30}(?:\s|$)|^\s*(?:sudo|docker|kubectl|git|make|ssh|curl)\s+\S"
)


@dataclass(frozen=True, slots=True)
class Cue:
    """What speaks for keeping a line: ``strength`` is 2 for what names a rule, 1 for what often goes with one."""

    text: str
    strength: int


def find_cue(text: str) -> Cue | None:
    """Return the strongest cue of a line; ``None`` when it has none.

    Args:
        text: One line, without the mark of its list.
    """
    for strength, pattern in _BY_STRENGTH:
        if found := pattern.search(text):
            return Cue(" ".join(found[0].lower().split()), strength)
    return None


def is_command(line: str) -> bool:
    """Say whether a line of code is one to be typed into a shell."""
    return _COMMAND.match(line) is not None
