"""Put together what an agent is given at the start of a conversation (IW-76, TC-32, L5, L8)."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

from clawvault.config import Config
from clawvault.context.cutting import size_of
from clawvault.context.fetching import Ask, fetch_hits
from clawvault.context.given import Context, Part
from clawvault.context.naming import is_nameable, left_out, quote
from clawvault.context.passages import MOST_PASSAGES, Passage, choose_passages
from clawvault.context.rendering import (
    BY_THE_PERSON,
    Block,
    ReadOn,
    Rendered,
    full_size,
    render_block,
    render_preamble,
    room_of_lines,
)
from clawvault.context.sharing import share_out, shares_of
from clawvault.context.sources import PASSAGES, SHARES, Source, open_shelf, read_sources
from clawvault.embed.token_estimate import estimate_tokens
from clawvault.guard.identity import fold_name
from clawvault.guard.presenting import clean_line
from clawvault.guard.screening import NOTE, OWNER
from clawvault.vault.archived import original_path
from clawvault.vault.dating import DAILY_FOLDERS, note_date
from clawvault.vault.prompt_files import list_prompt_files, note_first_sights

# What MEMORY.md has no room for goes to the last of these, so it is as private.
PRIVATE_FOLDERS = frozenset({*DAILY_FOLDERS, "topics", "threads"})
MAX_NAMES = 5
UNTIL_ACCEPTED = "What changed so is data to an agent, and not the person's word, until the person accepts it."
# A day's share is divided by up to eight notes without a rest.
_DIVISIBLE = 840


def read_on_by_command(path: str, line: int) -> str:
    """Say how to read a note on from a line, on the command line."""
    return f"clawvault read {shlex.quote(path)} --lines {line}:"


def assemble(
    root: Path,
    config: Config,
    state: Path,
    *,
    day: date,
    ask: Ask,
    query: str = "",
    budget_bytes: int | None = None,
    group: bool = False,
    read_on: ReadOn = read_on_by_command,
) -> Context:
    """Put together what an agent is given at the start of a conversation.

    Args:
        root: The vault.
        config: Its settings.
        state: Its state folder.
        day: Today, where the person is.
        ask: Answers a search; asked only where there is a question.
        query: What the conversation is about; empty leaves passages out.
        budget_bytes: The most bytes of it; ``None`` takes ``context.budget_bytes``.
        group: Others read along: leave out what is private.
        read_on: Says how to read on where a note is cut.

    Returns:
        The notes of IW-76 in their order, then at most 8 passages. A missing note is normal, and so is a search that
        fails: ``degraded`` says so.

    Source: IW-76, MN-42..46, CS-06, CS-08, I44, L5, L8, T06, TC-32, TC-33.
    """
    budget = config.context.budget_bytes if budget_bytes is None else max(0, budget_bytes)
    shelf = open_shelf(root, config, state, most_chars=2 * budget)
    sources, notes = read_sources(shelf, day, group=group)
    hits, degraded = fetch_hits(ask, {"query": query}, MOST_PASSAGES)
    planted = note_first_sights(state, list_prompt_files(root, config), day)
    if planted:
        notes.append(_not_given(planted))
    plan = _Plan(sources, hits, config, budget, group, read_on, day)
    return plan.carry_out(notes, degraded)


@dataclass(slots=True)
class _Given:
    """Notes in their room: what became of each, the lines shown by path, those without room, and what is left."""

    share_left: int
    left: int = 0
    parts: list[Part] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    shown: dict[str, set[int]] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)


class _Plan:
    """One context: first what each part may have, then what is in it."""

    def __init__(
        self,
        sources: Sequence[Source],
        hits: Sequence[Mapping[str, Any]],
        config: Config,
        budget: int,
        group: bool,
        read_on: ReadOn,
        day: date,
    ) -> None:
        self.found = sources
        self.sources = [source for source in sources if source.lines]
        self.hits = hits
        self.config, self.budget, self.group, self.read_on, self.day = config, budget, group, read_on, day
        self.blocks = [_block_of(source) for source in self.sources]
        self.preamble = render_preamble(f"{day:%A}, {day.isoformat()}", is_empty=not self.blocks and not hits)
        self.room = budget - size_of(self.preamble)

    def carry_out(self, notes: Sequence[str], degraded: tuple[str, ...]) -> Context:
        # Those that say nothing new are among them: how much room they take at the most.
        candidates, _ = choose_passages(self.hits, is_wanted=self.is_wanted)
        needs = [*map(full_size, self.blocks), sum(full_size(_passage_block(passage)) for passage in candidates)]
        given, reserved = self.give(needs, 0), 0
        # Saying what has no room takes room itself, which may be that of one more note.
        while given.missing and reserved < (size := size_of(_no_room_for(given.missing))) <= self.room:
            given, reserved = self.give(needs, size), size
        parts, texts, shown = given.parts, given.texts, given.shown
        if given.missing and size_of(_no_room_for(given.missing)) <= reserved:
            texts.append(_no_room_for(given.missing))
        given_texts = {
            text.strip() for source in self.sources for number, text in source.lines if number in shown[source.path]
        }
        passages, n_flagged = choose_passages(self.hits, is_wanted=self.is_wanted, shown=shown, shown_lines=given_texts)
        placed = self.place_passages(passages, given.left)
        texts += [done.text for _, done in placed]
        if self.hits:
            parts.append(_passages_part([done for _, done in placed], len(passages), given.share_left, n_flagged))
        text = self.preamble + "".join(texts) if self.room >= 0 else ""
        return Context(
            text=text,
            budget_bytes=self.budget,
            parts=tuple(parts),
            passages=tuple((passage.path, done.line_start, done.line_end) for passage, done in placed),
            notes=(*notes, *self.remarks(n_flagged)),
            degraded=degraded,
            group=self.group,
            day=self.day.isoformat(),
            changed_outside=tuple(source.path for source in self.found if source.outside_edit),
        )

    def give(self, needs: Sequence[int], reserved: int) -> _Given:
        """Render each note in its share of the room, less some bytes, and what others leave."""
        room = self.room - reserved
        shares = shares_of(needs, self.weights(), room)
        *allowed, left = share_out(needs, self.weights(), room)
        given = _Given(share_left=shares[-1])
        spare = 0
        for source, block, share, most in zip(self.sources, self.blocks, shares[:-1], allowed, strict=True):
            done = render_block(block, most + spare, self.read_on)
            spare += most - size_of(done.text)
            given.texts.append(done.text)
            given.parts.append(_part_of(source, done, share))
            given.shown.setdefault(source.path, set()).update(number for number, _ in source.lines[: done.n_whole])
            if not done.text:
                given.missing.append(source.path)
        given.left = left + spare
        return given

    def weights(self) -> list[int]:
        """Return what each part weighs; notes of one day share what the day has."""
        counts = Counter(source.part for source in self.sources)
        each = [SHARES[source.part] * _DIVISIBLE // counts[source.part] for source in self.sources]
        return [*each, SHARES[PASSAGES] * _DIVISIBLE]

    def place_passages(self, passages: Sequence[Passage], room: int) -> list[tuple[Passage, Rendered]]:
        placed = []
        for passage in passages:
            near = passage.within(room_of_lines(_passage_block(passage), room, self.read_on))
            done = render_block(_passage_block(near), room, self.read_on)
            if done.text:
                is_cut = done.truncated or len(near.lines) < len(passage.lines)
                placed.append((passage, replace(done, truncated=is_cut)))
                room -= size_of(done.text)
        return placed

    def is_wanted(self, path: str) -> bool:
        """Say whether a passage may be given to those who read along."""
        if not self.group:
            return True
        # What was put away is as private as it was where it came from.
        path = original_path(path) or path
        top = fold_name(path.partition("/")[0])
        is_private = path == self.config.memory_file or top in PRIVATE_FOLDERS or note_date(path) is not None
        return not is_private

    def remarks(self, n_passages: int) -> list[str]:
        said = [f"{quote(source.path)} {_changed(source)}." for source in self.found if source.outside_edit]
        said += [UNTIL_ACCEPTED] if said else []
        said += [
            f"{quote(source.path)}: {left_out(source.n_flagged, 'line')}" for source in self.found if source.n_flagged
        ]
        return [*said, *([left_out(n_passages, "passage")] if n_passages else [])]


def _block_of(source: Source) -> Block:
    kind = {"memory": "long-term memory"}.get(source.part, source.part)
    said = BY_THE_PERSON if source.trust == OWNER else kind
    if source.outside_edit:
        said = _changed(source)
    remark = left_out(source.n_flagged, "line") if source.n_flagged else ""
    return Block(clean_line(source.path), said[:1].upper() + said[1:], source.lines, source.n_lines, remark)


def _changed(source: Source) -> str:
    return f"{source.outside_edit} outside clawvault since the person last looked at it"


def _passage_block(passage: Passage) -> Block:
    lines = f"lines {passage.line_start} to {passage.line_end}"
    said = ["Passage", lines, *([passage.date] if passage.date else []), *passage.remarks]
    return Block(clean_line(passage.path), ", ".join(said), passage.lines, passage.line_end, under=passage.heading)


def _not_given(planted: Sequence[str]) -> str:
    named = list(filter(is_nameable, planted))[:MAX_NAMES]
    if not named:
        return "New, and not given to agents: what has a name that a model may take for an order."
    return f"New, and not given to agents: {', '.join(map(quote, named))}" + (
        " and more." if len(planted) > len(named) else "."
    )


def _no_room_for(paths: Sequence[str]) -> str:
    named = ", ".join(map(quote, paths[:MAX_NAMES]))
    more = f" and {len(paths) - MAX_NAMES} more" if len(paths) > MAX_NAMES else ""
    return f"\nCut: there was no room for {named}{more}; read them by their paths.\n"


def _part_of(source: Source, done: Rendered, share: int) -> Part:
    return Part(
        name=source.part,
        path=source.path,
        trust=source.trust,
        line_start=done.line_start,
        line_end=done.line_end,
        n_lines=source.n_lines,
        n_bytes=size_of(done.text),
        n_tokens=estimate_tokens(done.text) if done.text else 0,
        share_bytes=share,
        truncated=done.truncated,
        n_flagged=source.n_flagged,
        n_secrets=source.n_secrets,
        outside_edit=source.outside_edit,
    )


def _passages_part(placed: Sequence[Rendered], n_chosen: int, share: int, n_flagged: int) -> Part:
    text = "".join(done.text for done in placed)
    return Part(
        name=PASSAGES,
        path="",
        trust=NOTE,
        line_start=0,
        line_end=0,
        n_lines=sum(done.n_whole for done in placed),
        n_bytes=size_of(text),
        n_tokens=estimate_tokens(text) if text else 0,
        share_bytes=share,
        truncated=len(placed) < n_chosen or any(done.truncated for done in placed),
        n_flagged=n_flagged,
    )
