"""Look for what deserves to stay, and keep it when asked to: everything put together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any

from clawvault.dream.machines.machine import ID_FILE, Election, ask_to_write, elect, machine_id
from clawvault.dream.promotion.ledger import Ledger, read_ledger, write_ledger
from clawvault.dream.promotion.memory_block import Entry, known_claims
from clawvault.dream.recall.recall_log import RecallLog
from clawvault.dream.recall.recalls import Trace, trace_recalls
from clawvault.dream.scoring.candidates import Candidate, Known, KnownNotes, choose, weigh
from clawvault.dream.scoring.score import Gates, failed_gates, score_trace
from clawvault.dream.scoring.sources import Sources
from clawvault.dream.telling.outcome import Dream
from clawvault.errors import ClawvaultError, LockedError, NotFoundError
from clawvault.keeping.known_notes import read_known_notes, read_memory_note
from clawvault.keeping.means import Means

if TYPE_CHECKING:
    from clawvault.dream.promotion.promoting import Written
    from clawvault.dream.promotion.promotion_records import PromotionRecord

# Beyond these nobody reads a list, and each costs a look at its note.
MOST_LOCATED = 200


class Dreamer:
    """Promotion of one vault; what writes is imported when something is written.

    Args:
        means: What to work with; its clock says which local day it is.
    """

    def __init__(self, means: Means) -> None:
        self.means = means
        self.root = means.root
        self.state = means.writer.state
        self.settings = means.config.dream
        self.log = RecallLog(self.state, means.config.recall, self.today)

    def today(self) -> date:
        """Return the local day."""
        return self.means.now().date()

    @property
    def gates(self) -> Gates:
        """Return the thresholds of the settings."""
        chosen = self.settings
        return Gates(chosen.min_score, chosen.min_recalls, chosen.min_queries, chosen.min_days)

    def look(self, *, accept: Collection[str] = (), most_failing: int | None = None) -> Dream:
        """Weigh what was recalled, and write nothing.

        Args:
            accept: Keys of candidates that a person wants to be kept whatever their numbers are.
            most_failing: Of those that fail a gate, return only so many of the best; ``None`` is all of them.
        """
        history = self.log.read()
        traces = trace_recalls(history.recalls)
        ledger = read_ledger(self.root)
        known = self._known(ledger)
        locate = self._locating()
        worth = {trace.claim: trace for trace in self._worth_a_look(traces)}
        items = weigh(worth, locate, known, self.today(), self.gates, frozenset(accept), most_failing)
        n_more = len(worth) - len(items)
        items = choose(
            items,
            max_entries=self.settings.max_entries,
            max_bytes=self.settings.max_bytes,
            size_of=lambda item: len(_entry(item, self.today()).render().encode("utf-8", "surrogatepass")) + 1,
        )
        return Dream(self.today(), tuple(items), warnings=history.damaged, n_statements=len(traces), n_more=n_more)

    def apply(self, *, accept: Collection[str] = (), by_person: bool = True) -> Dream:
        """Weigh what was recalled, and write what deserves to stay.

        Args:
            accept: As for ``look``.
            by_person: A person asked for it; what asks by itself waits until all machines know of each other.

        Returns:
            What was done. Where the note is being written by somebody, nothing is, ``waiting`` says so, and what would
            be promoted is left in ``memory/.dreams/proposal.json``.

        Raises:
            LockedError: Another process promotes just now, or another machine writes this vault.
            UsageError: The long-term memory note is one that tools do not write.
            ClawvaultError: The disk refused.

        Source: I35..I39, L23, L24, B145, F25, F26.
        """
        if objection := self.find_objection(by_person=by_person):
            raise LockedError(objection, self._way_out())
        from clawvault.dream.machines.dream_lock import DreamLock
        from clawvault.dream.promotion.promoting import promote
        from clawvault.dream.promotion.promotion_records import read_promotions
        from clawvault.dream.telling.publishing import write_proposal

        with DreamLock(self.root, self.state, lambda: self.means.now().timestamp()):
            dream = self.look(accept=accept)
            records = read_promotions(self.state)
            unrest = self._find_unrest(records) if dream.passing else ""
            if unrest:
                write_proposal(self.root, dream.passing)
                return self._publish(replace(dream, waiting=unrest), written=False)
            # The notes are read anew: planning may have taken long.
            sources = self._sources()
            locate = lambda trace: sources.locate(trace, everywhere=True)  # noqa: E731 - a name for an argument
            written = promote(self.means, dream.passing, locate, frozenset(accept))
            self._record(written, records)
            done = _joined(dream, written)
            write_proposal(self.root, ())
            return self._publish(done, written=True)

    def preview(self, *, accept: Collection[str] = (), most_failing: int | None = None) -> Dream:
        """Weigh what was recalled; of the vault, write only what people read of it.

        Args:
            accept: As for ``look``.
            most_failing: As for ``look``; where something is written, all are returned, since all are told of.

        That is the view of the recalls, the proposal and the diary, and only on the one machine that writes, from the
        day after it asked: two that write the same file before they hear of each other make conflict copies (F26).
        """
        # A machine without an id has never asked to write, and gets none where nothing was ever found.
        writes = (self.state / ID_FILE).exists() and self._writes()
        dream = self.look(accept=accept, most_failing=None if writes else most_failing)
        if not dream.n_statements:
            return dream
        ask_to_write(self.root, self.state, self.today())
        if not self._writes():
            return dream
        if dream.n_more:
            dream = self.look(accept=accept)
        from clawvault.dream.telling.publishing import write_proposal

        write_proposal(self.root, dream.passing)
        return self._publish(dream, written=False)

    def undo(self) -> PromotionRecord:
        """Take the last promotion of this machine back, to the byte where its notes are as it left them.

        Raises:
            NotFoundError: There is none.
            ClawvaultError: The disk refused.

        Source: L15.
        """
        from clawvault.dream.machines.dream_lock import DreamLock
        from clawvault.dream.promotion.promoting import take_back
        from clawvault.dream.promotion.promotion_records import read_promotions, write_promotions

        with DreamLock(self.root, self.state, lambda: self.means.now().timestamp()):
            records = read_promotions(self.state)
            at = next((place for place in reversed(range(len(records))) if not records[place].undone), None)
            if at is None:
                raise NotFoundError("There is no promotion to take back.", 'See "clawvault undo" for other changes.')
            notes = take_back(self.means, records[at])
            done = replace(records[at], undone=True)
            write_promotions(self.state, [*records[:at], done, *records[at + 1 :]])
            write_ledger(self.root, read_ledger(self.root).with_taken_back(done.claims))
            return replace(done, notes=notes)

    def recalls_of(self, path: str) -> list[tuple[Trace, str]]:
        """Return what was recalled of one note, the most recalled first, each with its text as it is now."""
        source = self._sources().read(path)
        traces = [trace for trace in trace_recalls(self.log.read().recalls).values() if trace.path == path]
        traces.sort(key=lambda trace: (-trace.recalls, trace.line, trace.claim))
        said = source.statements if source else {}
        return [(trace, said[trace.claim].text if trace.claim in said else "") for trace in traces]

    def traces(self) -> dict[str, Trace]:
        """Return all recalls by statement; see ``trace_recalls``."""
        return trace_recalls(self.log.read().recalls)

    def _election(self) -> Election:
        return elect(self.root, self.state, self.today(), self.settings.writer)

    def _writes(self) -> bool:
        election = self._election()
        return election.is_mine and election.is_settled

    def find_objection(self, *, by_person: bool = False) -> str:
        """Ask to write, and say why this machine does not; empty when it may (B145).

        Args:
            by_person: See ``apply``.
        """
        ask_to_write(self.root, self.state, self.today())
        election = self._election()
        if election.is_mine and (election.is_settled or by_person):
            return ""
        if election.writer is None or election.is_mine:
            return "This machine promotes from tomorrow on, when every other one that shares the vault knows of it."
        return f'"{election.writer.host}" promotes for this vault, and two writers would make conflict copies.'

    def _way_out(self) -> str:
        if self._election().is_mine:
            return 'Run "clawvault dream --apply" to begin now.'
        mine = machine_id(self.state)
        return f'To let this machine do it, set dream.writer = "{mine}" in .clawvault/config.toml.'

    def _find_unrest(self, records: Sequence[PromotionRecord]) -> str:
        from clawvault.dream.promotion.promoting import find_unrest

        memory = self.means.config.memory_file
        ours = [note.sha256 for record in records for note in record.notes if note.path == memory]
        return find_unrest(self.means, ours[-1] if ours else "", was_written=bool(ours))

    def _sources(self) -> Sources:
        return Sources(self.root, self.means.config, self.means.ignore_rules())

    def _could_pass(self, trace: Trace) -> bool:
        best = score_trace(trace, self.today(), n_tags=100)
        return not failed_gates(trace, best, self.today(), self.gates)

    def _locating(self) -> Callable[[Trace], Any]:
        sources = self._sources()
        return lambda trace: sources.locate(trace, everywhere=self._could_pass(trace))

    def _worth_a_look(self, traces: dict[str, Trace]) -> list[Trace]:
        def best(trace: Trace) -> float:
            return -score_trace(trace, self.today(), n_tags=0).best

        ordered = sorted(traces.values(), key=lambda trace: (best(trace), trace.claim))
        return [trace for at, trace in enumerate(ordered) if at < MOST_LOCATED or self._could_pass(trace)]

    def _known(self, ledger: Ledger) -> Known:
        memory = self.means.config.memory_file
        claims = frozenset(ledger.entries).union(known_claims(read_memory_note(self.means, memory) or ""))
        return Known(claims, ledger.taken_back, cache(lambda: self._known_notes(memory)))

    def _known_notes(self, memory: str) -> KnownNotes:
        texts = dict(read_known_notes(self.means, memory))
        return KnownNotes(frozenset(claim for text in texts.values() for claim in known_claims(text)), texts)

    def _record(self, written: Written, records: Sequence[PromotionRecord]) -> None:
        if not written.notes:
            return
        from clawvault.dream.promotion.promotion_records import PromotionRecord, write_promotions

        claims = tuple(entry.claim for entry, _, _ in written.promoted)
        at = self.means.now().isoformat(timespec="seconds")
        write_promotions(self.state, [*records, PromotionRecord(at, claims, written.notes)])
        write_ledger(self.root, read_ledger(self.root).with_entries(written.promoted))

    def _publish(self, dream: Dream, *, written: bool) -> Dream:
        """Write the readable view of the recalls and the diary; neither may cost what was promoted."""
        from clawvault.dream.telling.publishing import write_diary, write_view

        try:
            write_view(self.root, self.traces().values(), dream.candidates)
            write_diary(self.means, dream, written=written)
        except (ClawvaultError, OSError) as error:
            said = error.message if isinstance(error, ClawvaultError) else str(error)
            return replace(dream, warnings=(*dream.warnings, f"The diary was not written: {said}"))
        return dream


def _entry(item: Candidate, day: date) -> Entry:
    return Entry(item.key, item.text, item.path, item.line_start, item.line_end, day)


def _joined(dream: Dream, written: Written) -> Dream:
    later = {item.key: item for item in written.rejected}
    return replace(
        dream,
        candidates=tuple(later.get(item.key, item) for item in dream.candidates),
        promoted=tuple((entry, into) for entry, _, into in written.promoted),
        applied=True,
        warnings=(*dream.warnings, *written.warnings),
    )
