"""The built-in memory suite as data: what a memory must find, in which lanes, and how well.

A case names the lanes it must hold in. A lane that cannot hold it, such as words alone across languages, is measured
and shown but not required.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from clawvault.evaluate.datasets import Question
from clawvault.evaluate.metrics import Span

ALL_LANES = ("fts", "vector", "hybrid")
WEDNESDAY = 2

KEYWORDS = {
    "facts/ssh.md": "SSH on the build server listens on port 2222.",
    "facts/postgres.md": "Production runs PostgreSQL 16 with streaming replication.",
    "facts/invoice.md": "Invoice INV-4471 was paid by bank transfer.",
    "facts/grafana.md": "The Grafana dashboard for latency is called blue-whale.",
    "facts/redis.md": "Redis keeps sessions for 300 seconds.",
    "facts/wifi.md": "The guest wifi is named Kingfisher.",
    "facts/dentist.md": "The dentist is Doctor Okafor in Mill Road.",
    "facts/passport.md": "The passport expires in October.",
    "facts/bicycle.md": "The bicycle lock has the combination of the old house number.",
    "facts/terraform.md": "Terraform state lives in the bucket named atlas.",
}
KEYWORD_QUESTIONS = {
    "facts/ssh.md": "SSH port",
    "facts/postgres.md": "PostgreSQL replication",
    "facts/invoice.md": "INV-4471",
    "facts/grafana.md": "Grafana latency dashboard",
    "facts/redis.md": "Redis sessions",
    "facts/wifi.md": "guest wifi",
    "facts/dentist.md": "dentist",
    "facts/passport.md": "passport expires",
    "facts/bicycle.md": "bicycle lock combination",
    "facts/terraform.md": "Terraform bucket",
}
CHINESE = {
    "facts/界面.md": "用户喜欢深色界面，晚上看屏幕不刺眼。",
    "facts/咖啡.md": "早上喝一杯不加糖的咖啡。",
    "facts/项目.md": "项目的截止日期是下个月底。",
    "facts/数据库.md": "数据库每天凌晨三点备份。",
    "facts/旅行.md": "计划十月去云南旅行。",
    "facts/运动.md": "每周三晚上去游泳。",
    "facts/音乐.md": "写代码的时候听古典音乐。",
    "facts/会议.md": "周一上午十点开团队会议。",
}
THEME = {**CHINESE, "facts/界面.md": "用户偏好深色主题。"}
BACKUPS = {
    "facts/backup.md": "The database backup runs every night at two.",
    "facts/restore.md": "Restoring copies of our tables takes about an hour.",
    "facts/garden.md": "Tomatoes need water in the morning.",
    "facts/guitar.md": "New strings for the guitar are in the drawer.",
    "facts/train.md": "The train to Leeds leaves from platform four.",
    "facts/soup.md": "Leek soup tastes better on the second day.",
    "facts/lease.md": "The lease of the flat ends in spring.",
    "facts/cat.md": "The cat is allergic to chicken.",
    "facts/paint.md": "The hall is painted in pale green.",
    "facts/films.md": "On Thursdays we watch an old film.",
}
PEOPLE = ("Nora", "Emil", "Ada", "Tomas", "Ines")
DOINGS = (
    "planted tomatoes behind the shed",
    "lost a glove on the tram",
    "learned a waltz on the accordion",
    "baked a plum cake for the neighbours",
    "repaired the leaking kitchen tap",
    "read a novel about a lighthouse",
    "walked to the lake before breakfast",
    "bought a second-hand raincoat",
    "photographed herons near the bridge",
    "painted the garden fence green",
)
TEAMS = {
    "facts/alice.md": "Alice is in Team Alpha.",
    "facts/alpha.md": "Team Alpha owns payments.",
    "facts/bob.md": "Bob is in Team Beta.",
    "facts/beta.md": "Team Beta owns shipping.",
    "facts/carol.md": "Carol is in Team Gamma.",
    "facts/gamma.md": "Team Gamma owns search.",
    "facts/lunch.md": "Lunch is at noon on the third floor.",
    "facts/parking.md": "Parking is free after six.",
}
PORTS = {
    "facts/ssh.md": "SSH port is 2222.",
    "facts/http.md": "HTTP port is 8080.",
    "facts/smtp.md": "SMTP port is 2525.",
    "facts/keys.md": "SSH keys are renewed every year.",
    "facts/harbour.md": "The harbour of Porto is busy in May.",
    "facts/wine.md": "A bottle of port is in the cellar.",
}


@dataclass(frozen=True, slots=True)
class Threshold:
    """The least a figure must be; ``strict`` asks for more than that."""

    figure: str
    least: float
    strict: bool = False

    def holds(self, scores: Mapping[str, float]) -> bool:
        """Say whether mean figures reach it."""
        value = scores[self.figure]
        return value > self.least if self.strict else value >= self.least

    def __str__(self) -> str:
        return f"{self.figure} {'>' if self.strict else '>='} {self.least:g}"


@dataclass(frozen=True, slots=True)
class Case:
    """One case of the suite.

    Args:
        source: The id of the requirement.
        name: What is tested.
        notes: Text by vault path.
        questions: With the lines that answer them.
        required: Names of the lanes it must hold in.
        thresholds: What the mean figures must reach.
        k: The cut of the recall and precision that are shown.
        judgement: ``figures`` (the thresholds alone), ``both lanes first`` (a passage that both lanes found outscores
            those of one lane), ``newest first`` (the evidence comes before the notes in ``older``) or ``nothing`` (no
            hits at all); the last three besides the thresholds.
        older: Paths of notes that the evidence supersedes.
        lanes: Names of the lanes that are asked.
        fusion: How the hybrid lane joins; ``None`` takes the setting.
        has_model: Whether there is a model; TC-17 has none.
    """

    source: str
    name: str
    notes: Mapping[str, str]
    questions: tuple[Question, ...]
    required: tuple[str, ...]
    thresholds: tuple[Threshold, ...] = ()
    k: int = 5
    judgement: str = "figures"
    older: tuple[str, ...] = ()
    lanes: tuple[str, ...] = ALL_LANES
    fusion: str | None = None
    has_model: bool = True


def make_cases(today: date) -> tuple[Case, ...]:
    """Return all cases, with dated notes that lie just before a day.

    Args:
        today: The day on which the questions are asked.

    Source: TC-14..TC-21, IW-101..IW-104.
    """
    return (*_keyword_cases(), *_noise_cases(today), *_dated_cases(today), *_kinds(), *_moves(today))


def _keyword_cases() -> tuple[Case, ...]:
    asked = tuple(_ask(question, path) for path, question in KEYWORD_QUESTIONS.items())
    return (
        Case("TC-14", "exact keywords", KEYWORDS, asked, ("fts", "hybrid"), (Threshold("recall@5", 0.8),)),
        Case(
            "TC-15",
            "another language",
            CHINESE,
            (_ask("dark theme preference", "facts/界面.md"),),
            ("vector", "hybrid"),
            (Threshold("recall@3", 0.5),),
            k=3,
        ),
        Case(
            "TC-16",
            "both lanes first (rrf)",
            BACKUPS,
            (_ask("database backup", "facts/backup.md"),),
            ("hybrid",),
            (Threshold("recall@5", 1.0),),
            judgement="both lanes first",
            fusion="rrf",
        ),
        Case(
            "TC-17",
            "no model",
            KEYWORDS,
            asked,
            ("fts", "hybrid"),
            (Threshold("recall@5", 0.0, strict=True),),
            lanes=("fts", "hybrid"),
            has_model=False,
        ),
    )


def _noise_cases(today: date) -> tuple[Case, ...]:
    yesterday = _daily(today - timedelta(days=1))
    noise = {f"noise/{n:02}.md": f"{PEOPLE[n % 5]} {DOINGS[n // 5]}." for n in range(50)}
    together = {
        "MEMORY.md": "# Projects\n\nThe payments project is led by Priya.\n\n# Home\n\nBins go out on Tuesday.",
        yesterday: "Priya says that the payments project moves to Friday.",
        **dict(list(noise.items())[:8]),
    }
    both = (Span("MEMORY.md", 3, 3), Span(yesterday, 1, 1))
    return (
        Case(
            "TC-18",
            "long-term and daily note",
            together,
            (Question("payments project", "payments project", both),),
            ALL_LANES,
            (Threshold("recall@5", 1.0),),
        ),
        Case(
            "TC-19",
            "one note among fifty others",
            {**noise, "facts/staging.md": "The staging password is renewed every Sunday at three."},
            (_ask("When is the staging password renewed?", "facts/staging.md"),),
            ALL_LANES,
            (Threshold("recall@5", 1.0), Threshold("precision@5", 0.2)),
        ),
    )


def _dated_cases(today: date) -> tuple[Case, ...]:
    before, after = _daily(today - timedelta(days=40)), _daily(today - timedelta(days=2))
    return (
        Case(
            "TC-20",
            "the newer value first",
            {
                before: "The user's home city is Beijing.",
                after: "The user's home city is Shanghai.",
                _daily(today - timedelta(days=20)): "The user planted basil on the balcony.",
                "facts/tea.md": "Green tea is kept in the tin.",
            },
            (_ask("the user's home city", after),),
            ALL_LANES,
            (Threshold("mrr", 1.0),),
            judgement="newest first",
            older=(before,),
        ),
        Case("TC-21", "an empty vault", {}, (_ask("anything at all", ""),), ALL_LANES, judgement="nothing"),
    )


def _kinds() -> tuple[Case, ...]:
    alice = (Span("facts/alice.md", 1, 1), Span("facts/alpha.md", 1, 1))
    return (
        Case(
            "IW-101", "exact", PORTS, (_ask("SSH port", "facts/ssh.md"),), ("fts", "hybrid"), (Threshold("mrr", 1.0),)
        ),
        Case(
            "IW-102",
            "semantic",
            THEME,
            (_ask("dark mode preference", "facts/界面.md"),),
            ("vector", "hybrid"),
            (Threshold("hit@1", 1.0),),
        ),
        Case(
            "IW-103",
            "multi-hop",
            TEAMS,
            (Question("responsible", "What is Alice responsible for?", alice),),
            ALL_LANES,
            (Threshold("hit@5", 1.0),),
        ),
    )


def _moves(today: date) -> tuple[Case, ...]:
    wednesday = today - timedelta(days=(today.weekday() - WEDNESDAY) % 7 or 7)
    monday = wednesday - timedelta(days=2)
    moved = {
        _daily(monday): "Alex lives in Beijing.",
        _daily(wednesday): "Alex moved to Shanghai.",
        _daily(monday - timedelta(days=3)): "Alex bought a red kettle.",
        "facts/flowers.md": "The tulips need new soil.",
    }
    return (
        Case(
            "IW-104",
            "temporal",
            moved,
            (_ask("Alex's current home", _daily(wednesday)),),
            ("hybrid",),
            (Threshold("mrr", 1.0),),
            judgement="newest first",
            older=(_daily(monday),),
        ),
        # The words of the question are those of the old note: both lanes would put it first.
        Case(
            "IW-104",
            "temporal, in the old words",
            moved,
            (_ask("Where does Alex live now?", _daily(wednesday)),),
            ("hybrid",),
            (Threshold("mrr", 1.0),),
            judgement="newest first",
            older=(_daily(monday),),
        ),
    )


def _ask(query: str, path: str) -> Question:
    return Question(query, query, (Span(path, 1, 1),))


def _daily(day: date) -> str:
    return f"memory/{day.isoformat()}.md"
