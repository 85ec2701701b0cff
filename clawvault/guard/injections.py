"""Find text that tries to steer the model that reads it (pure).

What is looked at is where an order can stand: the start of a line after list marks, quote marks and emphasis, and the
start of a comment or of text that a person does not see. A date, a time, a number, a link, code or a label before it
leaves an order one. In the middle of a line only the plainest orders count, and only as a warning, so that a note may
speak about such texts. Code blocks and front matter are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from clawvault.guard import chinese_rules, english_rules
from clawvault.guard.chinese_rules import CHINESE_RULES
from clawvault.guard.encoded_text import RUN, SHORTEST, WRAPPED_RUN, decode, find_runs, is_long, is_wrapped
from clawvault.guard.english_rules import ENGLISH_RULES
from clawvault.guard.findings import Finding, Severity
from clawvault.guard.folding import fold_text
from clawvault.guard.hidden_text import find_hidden_signs, is_hiding
from clawvault.guard.long_words import long_words
from clawvault.guard.prose import prose_lines
from clawvault.guard.rules import CHAT_MARK, compiled
from clawvault.guard.strong_orders import FREEING_WORDS, STRONG_WORDS, find_freeing, find_strong
from clawvault.guard.strong_orders import QUOTED as SPOKEN_ABOUT

RULES = (*ENGLISH_RULES, *CHINESE_RULES)
OPENING = f"{english_rules.OPENING}|{chinese_rules.OPENING}"
ENGLISH_INLINE = (*english_rules.INLINE_WORDS, *FREEING_WORDS)
INLINE_WORDS = (*ENGLISH_INLINE, *chinese_rules.INLINE_WORDS)
ENGLISH_OPENING = english_rules.OPENING_WORDS
OPENING_WORDS = (*english_rules.OPENING_WORDS, *chinese_rules.OPENING_WORDS)
# Up to so many words of address stand before an order.
MOST_ADDRESSES = 5
ADDRESS = f"{english_rules.ADDRESS}|{chinese_rules.ADDRESS}"
# The place of an order, found as ``_match_rules`` finds it.
PLACE = rf"(?:(?>{ADDRESS})){{0,{MOST_ADDRESSES}}}?(?:{OPENING})"
# One of these is in every line with a token, a tag or a comment.
ODD_SIGNS = ("<", "%", "inst]", "role")
# Enough of the following line to hold the rest of an order that was wrapped.
NEXT_CHARS = 200
MARKS = re.compile(r"(?:[ >#+\-|!\[\](){}.,:;•·=/^<\"'*_~]|[0-9]{1,9}[.)] ?|\[[ x]\] ?)*+")
# Links and code that a line begins with, after its marks, a date or a time.
LEADS = (
    r"(?:[ >#+\-|*_~]|[0-9]{1,9}[.)] ?|\[[ x]\] ?|[0-9][0-9:./\-]{0,30} )*+"
    r"(?:(?:\[\[[^\[\]]{1,120}+\]\]|\[[^\[\]]{1,120}+\](?:\([^()]{1,400}+\))?|`[^`]{1,200}+`|https?:[^ ]{1,400}+)"
    r"[ ,:;.!\-|]{1,4}+){1,4}+"
)
LEAD_SIGNS = ("[", "`", "http")
# Enough of a line to hold the first of these signs.
LEAD_HEAD = 32
INNER_REMOVED = ("*", "`", "~", "\\")
INNER_SIGN = re.compile(r"[*`~\\_]")
TAG = r"</?[a-z][^<>]{0,400}>"
HIDDEN = "\x02"
# Where an order may stand inside a line, hidden from a person and not.
COMMENT = rf"<!-- ?|%% ?|{HIDDEN} ?"
BARE_OPENINGS = frozenset({"<!--", "%%"})
# A person does not see it, and only a model takes it for the word of its system.
SPOKEN_COMMENT = (
    rf"(?:<!-- ?|%% ?|{HIDDEN} ?)[\[(]?(?:"
    r"(?:system|assistant|developer|llm|ai (?:assistant|agent|model))"
    r"(?: (?:prompt|message|instruction|note|override))?s?[\])]? ?:[\])]? ?[^\s:<>]{1,40}[ ,][^\s<>-]|"
    r"(?:系统|助手|助理|人工智能|开发者)(?:提示|消息|指令|说明)?[\])]? ?:[\])]? ?[\u3400-\u9fff]{3})"
)
SENTENCE = r"(?:[.!?;:=|>][\"')]{0,2} ?|,(?=[\u3400-\u9fff]))"
QUOTED = r"[\"'`](.{1,300}?)[\"'`] ?[a-z0-9(,\-\u3400-\u9fff]"
INLINE_CODE = r"`[^`]{1,400}`"
LONGEST_QUOTE = 302
TOKEN_SIGNS = frozenset("<[{")


def scan(text: str) -> tuple[Finding, ...]:
    """Find what may steer a model.

    Args:
        text: A note, or a piece of one.

    Returns:
        Findings in order of place, each reason once a line. ``refusals`` says which refuse a write, ``flags_within``
        what a passage is flagged with; of severity low are texts that only mention an order.

    Cost: Linear in the length of the text, whatever is in it (T14).
    Source: decisions "Guard", MN-23, MN-24, L8, T03.
    """
    return tuple(sorted(_scan(text, is_decoded=False)))


def _scan(text: str, *, is_decoded: bool) -> Iterator[Finding]:
    nul = text.find("\0")
    if nul >= 0:
        yield Finding(text.count("\n", 0, nul) + 1, nul, nul + 1, Severity.CRITICAL, "nul")
    lines = list(prose_lines(text))
    folded = [fold_text(line) for _, _, line in lines]
    yield from _hidden_signs(text)
    joined = " ".join(folded)
    inline_words = _words_in(_bare(joined), ENGLISH_INLINE if joined.isascii() else INLINE_WORDS)
    suspects = dict(_suspects(lines, folded, joined, inline_words))
    words = "" if is_decoded else " ".join([word for word in long_words(text) if len(word) >= SHORTEST])
    encoded = dict(_encoded_lines(lines)) if words and compiled(RUN).search(words) else {}
    for at in sorted({*suspects, *encoded}):
        number, start, line = lines[at]
        worst = encoded.get(at, {})
        if at in suspects:
            for reason, severity in _read_line(line, folded[at], suspects[at], inline_words):
                worst[reason] = max(severity, worst.get(reason, Severity.LOW))
        end = start + len(line)
        if folded[at].strip() in BARE_OPENINGS and at + 1 < len(lines):
            # What the comment says stands in the line below.
            end = lines[at + 1][1] + len(lines[at + 1][2])
        for reason, severity in worst.items():
            yield Finding(number, start, end, severity, reason)
    if words and compiled(WRAPPED_RUN).search(words):
        yield from _wrapped_base64(lines)


def _words_in(text: str, words: Sequence[str]) -> list[str]:
    return [word for word in words if word in text]


def _opens_anywhere(joined: str) -> bool:
    """Say whether a text has any word that an order opens with."""
    bare = _bare(joined)
    return any(word in bare for word in (ENGLISH_OPENING if joined.isascii() else OPENING_WORDS))


def _suspects(
    lines: Sequence[tuple[int, int, str]], folded: Sequence[str], joined: str, inline_words: Sequence[str]
) -> Iterator[tuple[int, str]]:
    """Yield the place of each line in which ``_read_line`` may find anything, with the line that follows it.

    Nearly every line holds nothing that a finding needs, which one pattern at its start and a few words tell.
    """
    plain = [_plain(line) for line in folded] if INNER_SIGN.search(joined) else folded
    begins = [_end_of_marks(line) for line in plain]
    odd, leads = _words_in(joined, ODD_SIGNS), _words_in(joined, LEAD_SIGNS)
    # The pattern of places takes longer to make than a short text to look through.
    may_open = compiled(PLACE).match if _opens_anywhere(joined) else None
    n_lines, before = len(lines), -1
    for at in range(n_lines - 1, -1, -1):
        following, unit = "", plain[at]
        if lines[at][0] + 1 == before:
            following = folded[at + 1]
            after = plain[at + 1][begins[at + 1] :]
            if len(following) > NEXT_CHARS:
                following = following[:NEXT_CHARS]
                after = _after_marks(_plain(following))
            if following:
                unit = f"{unit} {after}"
        before = lines[at][0]
        if (
            (may_open and (may_open(unit, begins[at]) or (leads and _may_open_behind(folded[at], following))))
            or (odd and _words_in(folded[at], odd))
            or (inline_words and _words_in(unit, inline_words))
        ):
            yield at, following


def _encoded_lines(lines: Sequence[tuple[int, int, str]]) -> Iterator[tuple[int, dict[str, Severity]]]:
    """Yield the place of each line that hides orders in base64, or much of what nobody can read, with what it hides."""
    for at, (_, _, line) in enumerate(lines):
        if len(line) >= SHORTEST:
            found = list(_read_encoded(line))
            if found:
                yield at, {reason: max(worst for other, worst in found if other == reason) for reason, _ in found}


def _hidden_signs(text: str) -> Iterator[Finding]:
    if text.isascii():
        return
    start = 0
    # In code as well: that a line is shown as code hides nothing of what cannot be seen.
    for number, line in enumerate(text.split("\n"), 1):
        for reason, severity in find_hidden_signs(line):
            yield Finding(number, start, start + len(line), severity, reason)
        start += len(line) + 1


def _read_line(line: str, folded: str, following: str, inline_words: Sequence[str]) -> Iterator[tuple[str, Severity]]:
    if not folded:
        return
    if not TOKEN_SIGNS.isdisjoint(folded):
        yield from _find_tokens(folded)
    shown = folded
    if "<" in folded and ">" in folded:
        shown = compiled(TAG).sub(lambda tag: HIDDEN if is_hiding(tag[0]) else " ", folded)
        if HIDDEN in shown:
            yield "hidden-markup", Severity.MEDIUM
    yield from _orders_at_start(shown, following)
    unit, n_plain = _unit(shown, following), len(_plain(shown))
    if HIDDEN in unit or "<!--" in unit or "%%" in unit:
        for opening in compiled(COMMENT).finditer(unit, 0, n_plain):
            if compiled(SPOKEN_COMMENT).match(unit, opening.start()):
                yield "hidden-order", Severity.MEDIUM
            yield from _match_rules(unit, opening.end())
    if any(word in unit for word in inline_words):
        for boundary in compiled(SENTENCE).finditer(unit, _end_of_marks(unit), n_plain):
            for reason, _ in _match_rules(unit, boundary.end(), inline=True):
                yield reason, Severity.MEDIUM
        if any(word in unit for word in (*STRONG_WORDS, *FREEING_WORDS)):
            said = compiled(SPOKEN_ABOUT).sub(" ", shown)
            place = _unit(said, following), len(_plain(said)), line
            yield from find_strong(*place)
            yield from find_freeing(*place)


def _orders_at_start(shown: str, following: str) -> Iterator[tuple[str, Severity]]:
    # The place of an order counts in this line; its words may go on in the next.
    for begun in (shown, _behind_leads(shown)):
        unit = _unit(begun, following) if begun else ""
        begin = _end_of_marks(unit)
        # A line of nothing but marks says nothing itself.
        found = list(_match_rules(unit, begin)) if begin < len(_plain(begun)) else []
        is_mention = bool(found) and _is_mention(begun)
        for reason, severity in found:
            yield reason, Severity.LOW if is_mention else severity


def _end_of_marks(text: str) -> int:
    marks = MARKS.match(text)
    return marks.end() if marks else 0


def _plain(folded: str) -> str:
    if not INNER_SIGN.search(folded):
        return folded
    return " ".join(_bare(folded).split())


def _bare(folded: str) -> str:
    for sign in INNER_REMOVED:
        folded = folded.replace(sign, "")
    return folded.replace("_", " ")


def _unit(folded: str, following: str) -> str:
    """Return a line as rules read it, with the words of the line that follows."""
    plain = _plain(folded)
    return f"{plain} {_after_marks(_plain(following))}" if following else plain


def _behind_leads(folded: str) -> str:
    """Return what follows the links and the code that a line begins with; empty where it begins with none."""
    head = folded[:LEAD_HEAD]
    if not ("[" in head or "`" in head or "http" in head):
        return ""
    leads = compiled(LEADS).match(folded)
    return folded[leads.end() :] if leads else ""


def _may_open_behind(folded: str, following: str) -> bool:
    behind = _behind_leads(folded)
    unit = _unit(behind, following) if behind else ""
    return bool(unit) and compiled(PLACE).match(unit, _end_of_marks(unit)) is not None


def _after_marks(plain: str) -> str:
    return plain[_end_of_marks(plain) :]


def _match_rules(unit: str, at: int, *, inline: bool = False) -> Iterator[tuple[str, Severity]]:
    for place in _after_addresses(unit, at):
        if compiled(OPENING).match(unit, place):
            for rule in RULES:
                if (rule.inline or not inline) and rule.matches(unit, place):
                    yield rule.reason, rule.severity


def _after_addresses(unit: str, at: int) -> Iterator[int]:
    """Yield where an order may begin: at the place, and after each word that may go before it."""
    yield at
    for _ in range(MOST_ADDRESSES):
        address = compiled(ADDRESS).match(unit, at)
        if address is None:
            return
        at = address.end()
        yield at


def _is_mention(shown: str) -> bool:
    """Say whether a line begins with a quotation and goes on to speak about it."""
    begin = _end_of_marks(shown)
    quote = shown[max(0, begin - 1) : begin + LONGEST_QUOTE]
    return (
        compiled(QUOTED).match(quote) is not None
        or compiled(QUOTED).match(shown[begin : begin + LONGEST_QUOTE]) is not None
    )


def _find_tokens(folded: str) -> Iterator[tuple[str, Severity]]:
    begin = _end_of_marks(folded)
    # The marks may have eaten the opening bracket of a token.
    if any(compiled(CHAT_MARK).match(folded, at) for at in range(max(0, begin - 3), begin + 1)):
        yield "role-token", Severity.CRITICAL
    elif compiled(CHAT_MARK).search(compiled(INLINE_CODE).sub("` `", folded) if "`" in folded else folded):
        yield "role-token", Severity.MEDIUM


def _read_encoded(line: str) -> Iterator[tuple[str, Severity]]:
    for run, is_address in find_runs(line):
        said = decode(run)
        inner = (
            max((finding.severity for finding in _scan(said, is_decoded=True)), default=Severity.LOW)
            if said
            else Severity.LOW
        )
        if inner >= Severity.MEDIUM:
            yield "encoded-instructions", min(inner, Severity.HIGH)
        elif is_long(run) and not is_address:
            yield "long-base64", Severity.MEDIUM


def _wrapped_base64(lines: list[tuple[int, int, str]]) -> Iterator[Finding]:
    run: list[tuple[int, int, str]] = []
    for item in [*lines, (0, 0, "")]:
        if is_wrapped(item[2]) and (not run or item[0] == run[-1][0] + 1):
            run.append(item)
            continue
        joined = "".join(line.strip() for _, _, line in run)
        if len(run) > 1 and is_long(joined):
            (number, start, _), (_, last, line) = run[0], run[-1]
            yield Finding(number, start, last + len(line), Severity.MEDIUM, "long-base64")
        run = [item] if is_wrapped(item[2]) else []
