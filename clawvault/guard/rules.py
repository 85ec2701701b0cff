"""What a rule of the guard is, and the marks that chat formats give an author with (pure)."""

from __future__ import annotations

from typing import NamedTuple

from clawvault.guard.findings import Severity
from clawvault.patterns import compiled

__all__ = ["CHAT_MARK", "Rule", "compiled"]


class Rule(NamedTuple):
    """One pattern and what it means when it is met at a place where an order can stand.

    ``inline`` says whether it is also looked for at the start of any sentence, where it flags and never refuses.
    """

    reason: str
    severity: Severity
    source: str
    inline: bool = False

    def matches(self, unit: str, at: int) -> bool:
        """Say whether the rule is met at one place of a folded text."""
        return compiled(self.source).match(unit, at) is not None


CHAT_MARK = (
    r"<\|[a-z][a-z0-9_\u2581\-]{0,40}\|>|\[/?inst\]|<</?sys>>|<s>\[inst|"
    r"</?(?:start_of_turn|end_of_turn|system|system_prompt|system-prompt|system-reminder|system_message|sysprompt|"
    r"im_start|im_end|function_calls|function_results|tool_response|tool_call)>|"
    r"\{ ?[\"']role[\"'] ?: ?[\"'](?:system|developer|assistant|tool)[\"']"
)
