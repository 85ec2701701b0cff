"""Find text that tries to steer the model that reads it (pure).

What is looked at is where an order can stand: the start of a line after list marks, quote marks and emphasis, and the
start of a comment or of text that a person does not see. A date, a time, a number, a link, code or a label before it
leaves an order one. In the middle of a line only the plainest orders count, and only as a warning, so that a note may
speak about such texts. The properties in front matter are read as lines of the note are. A block of code is flagged for
the plainest orders and refused for none, since it quotes what somebody else wrote.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from clawvault.guard import chinese_rules, english_rules
from clawvault.guard.chinese_rules import CHINESE_RULES
from clawvault.guard.encoded_text import RUN, SHORTEST, WRAPPED_RUN, decode, find_runs, is_long, is_wrapped
from clawvault.guard.english_rules import ENGLISH_RULES
from clawvault.guard.findings import Finding, Severity
from clawvault.guard.folding import fold_text
from clawvault.guard.foreign_gates import gate_words
from clawvault.guard.hidden_text import find_hidden_signs, is_hiding
from clawvault.guard.line_forms import (
    INNER_SIGN,
    LEAD_SIGNS,
    NEXT_CHARS,
    after_marks,
    behind_leads,
    end_of_marks,
    joined_unit,
    plain_line,
    without_signs,
)
from clawvault.guard.long_words import long_words
from clawvault.guard.prose import read_lines
from clawvault.guard.rules import CHAT_MARK, compiled
from clawvault.guard.strong_orders import (
    FREEING_WORDS,
    REASON,
    STRONG,
    STRONG_WORDS,
    TAKING_WORDS,
    find_freeing,
    find_strong,
    find_taking,
)
from clawvault.guard.strong_orders import QUOTED as SPOKEN_ABOUT

RULES = (*ENGLISH_RULES, *CHINESE_RULES)
OPENING = f"{english_rules.OPENING}|{chinese_rules.OPENING}"
ENGLISH_INLINE = (*english_rules.INLINE_WORDS, *FREEING_WORDS, *TAKING_WORDS)
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
ROLE_MARK = "role-token"
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
    lines, code = read_lines(text)
    folded = [fold_text(line) for _, _, line in lines]
    yield from _hidden_signs(text)
    joined = " ".join(folded)
    is_ascii = joined.isascii()
    words_inside = (*(ENGLISH_INLINE if is_ascii else INLINE_WORDS), *gate_words(is_ascii=is_ascii))
    inline_words = _words_in(without_signs(joined), words_inside)
    suspects = dict(_suspects(lines, folded, joined, inline_words))
    words = "" if is_decoded else " ".join([word for word in long_words(text) if len(word) >= SHORTEST])
    encoded = dict(_encoded_lines(lines, code)) if words and compiled(RUN).search(words) else {}
    for at in sorted({*suspects, *encoded}):
        number, start, line = lines[at]
        worst = encoded.get(at, {})
        if at in suspects:
            found = _read_line(line, folded[at], suspects[at], inline_words)
            for reason, severity in _plainest(found) if number in code else found:
                worst[reason] = max(severity, worst.get(reason, Severity.LOW))
        end = start + len(line)
        if folded[at].strip() in BARE_OPENINGS and at + 1 < len(lines):
            # What the comment says stands in the line below.
            end = lines[at + 1][1] + len(lines[at + 1][2])
        for reason, severity in worst.items():
            yield Finding(number, start, end, severity, reason)
    if words and compiled(WRAPPED_RUN).search(words):
        yield from _wrapped_base64([line for line in lines if line[0] not in code])


def _plainest(found: Iterable[tuple[str, Severity]]) -> Iterator[tuple[str, Severity]]:
    """Yield what a block of code is flagged with: whoever shows code may show such a text too."""
    for reason, severity in found:
        if (severity >= Severity.HIGH and reason != ROLE_MARK) or (severity == Severity.MEDIUM and reason == REASON):
            yield reason, Severity.MEDIUM


def _words_in(text: str, words: Sequence[str]) -> list[str]:
    return [word for word in words if word in text]


def _opens_anywhere(joined: str) -> bool:
    """Say whether a text has any word that an order opens with."""
    bare = without_signs(joined)
    return any(word in bare for word in (ENGLISH_OPENING if joined.isascii() else OPENING_WORDS))


def _suspects(
    lines: Sequence[tuple[int, int, str]], folded: Sequence[str], joined: str, inline_words: Sequence[str]
) -> Iterator[tuple[int, str]]:
    """Yield the place of each line in which ``_read_line`` may find anything, with the line that follows it.

    Nearly every line holds nothing that a finding needs, which one pattern at its start and a few words tell.
    """
    plain = [plain_line(line) for line in folded] if INNER_SIGN.search(joined) else folded
    begins = [end_of_marks(line) for line in plain]
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
                after = after_marks(plain_line(following))
            if following:
                unit = f"{unit} {after}"
        before = lines[at][0]
        if (
            (may_open and (may_open(unit, begins[at]) or (leads and _may_open_behind(folded[at], following))))
            or (odd and _words_in(folded[at], odd))
            or (inline_words and _words_in(unit, inline_words))
        ):
            yield at, following


def _encoded_lines(
    lines: Sequence[tuple[int, int, str]], code: Collection[int]
) -> Iterator[tuple[int, dict[str, Severity]]]:
    """Yield the place of each line that hides orders in base64, or much of what nobody can read, with what it hides."""
    for at, (number, _, line) in enumerate(lines):
        if len(line) >= SHORTEST and number not in code:
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
        yield from _orders_in_tags(folded)
        if HIDDEN in shown:
            yield "hidden-markup", Severity.MEDIUM
    yield from _orders_at_start(shown, following)
    unit, n_plain = joined_unit(shown, following), len(plain_line(shown))
    if HIDDEN in unit or "<!--" in unit or "%%" in unit:
        for opening in compiled(COMMENT).finditer(unit, 0, n_plain):
            if compiled(SPOKEN_COMMENT).match(unit, opening.start()):
                yield "hidden-order", Severity.MEDIUM
            yield from _match_rules(unit, opening.end())
    if any(word in unit for word in inline_words):
        yield from _orders_inside(shown, following, line)


def _orders_inside(shown: str, following: str, line: str) -> Iterator[tuple[str, Severity]]:
    unit = joined_unit(shown, following)
    for boundary in compiled(SENTENCE).finditer(unit, end_of_marks(unit), len(plain_line(shown))):
        for reason, _ in _match_rules(unit, boundary.end(), inline=True):
            yield reason, Severity.MEDIUM
    said = compiled(SPOKEN_ABOUT).sub(" ", shown)
    said_unit, end = joined_unit(said, following), len(plain_line(said))
    if any(word in unit for word in (*STRONG_WORDS, *FREEING_WORDS)):
        yield from find_strong(said_unit, end, line)
        yield from find_freeing(said_unit, end, line)
    if any(word in unit for word in TAKING_WORDS):
        yield from find_taking(said_unit, end)
    if any(word in unit for word in gate_words(is_ascii=unit.isascii())):
        # Imported here: its words take longer to load than nearly every text to look through.
        from clawvault.guard.foreign_orders import find_foreign

        yield from find_foreign(said_unit, end)


def _orders_in_tags(folded: str) -> Iterator[tuple[str, Severity]]:
    # Nobody sees them there, so nobody speaks about them either.
    if any(word in folded for word in STRONG_WORDS):
        for tag in compiled(TAG).finditer(folded):
            if compiled(STRONG).search(plain_line(tag[0])):
                yield REASON, Severity.CRITICAL


def _orders_at_start(shown: str, following: str) -> Iterator[tuple[str, Severity]]:
    # The place of an order counts in this line; its words may go on in the next.
    for begun in (shown, behind_leads(shown)):
        unit = joined_unit(begun, following) if begun else ""
        begin = end_of_marks(unit)
        # A line of nothing but marks says nothing itself.
        found = list(_match_rules(unit, begin)) if begin < len(plain_line(begun)) else []
        is_mention = bool(found) and _is_mention(begun)
        for reason, severity in found:
            yield reason, Severity.LOW if is_mention else severity


def _may_open_behind(folded: str, following: str) -> bool:
    behind = behind_leads(folded)
    unit = joined_unit(behind, following) if behind else ""
    return bool(unit) and compiled(PLACE).match(unit, end_of_marks(unit)) is not None


def _match_rules(unit: str, at: int, *, inline: bool = False) -> Iterator[tuple[str, Severity]]:
    rules = ENGLISH_RULES if unit.isascii() else RULES
    for place in _after_addresses(unit, at):
        if compiled(OPENING).match(unit, place):
            for rule in rules:
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
    begin = end_of_marks(shown)
    quote = shown[max(0, begin - 1) : begin + LONGEST_QUOTE]
    return (
        compiled(QUOTED).match(quote) is not None
        or compiled(QUOTED).match(shown[begin : begin + LONGEST_QUOTE]) is not None
    )


def _find_tokens(folded: str) -> Iterator[tuple[str, Severity]]:
    begin = end_of_marks(folded)
    # The marks may have eaten the opening bracket of a token.
    if any(compiled(CHAT_MARK).match(folded, at) for at in range(max(0, begin - 3), begin + 1)):
        yield ROLE_MARK, Severity.CRITICAL
    elif compiled(CHAT_MARK).search(compiled(INLINE_CODE).sub("` `", folded) if "`" in folded else folded):
        yield ROLE_MARK, Severity.MEDIUM


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
