"""Invent notes with the shape of real ones: daily logs and topics, words as frequent as in a language, some Chinese.

The same seed gives the same notes on every machine. Each note holds one name that no other note holds, so that a
question about it has one right answer.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate
from pathlib import Path

SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
FIRST_DAY = date(2019, 1, 1)
# The commonest first: the place in this list is the rank in Zipf's law.
ENGLISH = """
the of to and a in is for on that with it as was at by from are be this we or an not have which has but they can
one all will when time more if new how note work need use first after call team week report data project change
plan server user day code line test page number list issue build find version order file system read write old
make set check meeting customer release database query index review key store cache worker queue budget draft
table branch deploy error port password token schedule backup restore disk memory network latency timeout retry
limit default setting option format script function module package library compiler thread process socket
request response header payload schema migration rollback replica shard cluster region zone bucket object record
field column value type string integer float boolean date hour minute second month year quarter invoice payment
contract vendor price discount tax account ledger balance refund order shipment warehouse stock supplier kitchen
garden window paint floor repair bicycle train flight hotel ticket passport visa weather rain snow river
mountain forest bridge museum concert guitar piano novel chapter poem recipe flour butter onion garlic lentil
coffee tea breakfast dinner doctor dentist vaccine allergy sleep exercise shoulder knee marathon tempo interval
school teacher homework exam lecture thesis citation proof theorem lemma estimate sample variance median
regression gradient kernel tensor matrix vector embedding threshold recall precision interview candidate offer
salary vacation handover incident outage alert dashboard metric trace log sampling rotation certificate domain
mirror proxy firewall tunnel router antenna battery sensor motor gear valve pump solder resistor
""".split()
CHINESE = """
我们 可以 这个 需要 项目 时间 问题 数据 系统 今天 会议 计划 用户 版本 检查 文件 服务 更新 记录 完成 测试 报告
讨论 决定 客户 设计 数据库 配置 备份 网络 延迟 端口 密码 预算 合同 发票 旅行 火车 咖啡 早餐 医生 睡眠 学校 老师
论文 证明 森林 河流 音乐 钢琴 小说 厨房 花园 自行车
""".split()
VERBS = (
    "runs on",
    "waits for",
    "was moved to",
    "depends on",
    "belongs to",
    "is cheaper than",
    "replaces",
    "reads from",
)
CHINESE_SHARE = 0.1
DAILY_SHARE = 0.3


@dataclass(frozen=True)
class InventedNote:
    """One note, the name only it holds, and a question whose answer it is."""

    path: str
    text: str
    name: str
    question: str


def name_of(number: int) -> str:
    """Return the name of the note of a number: four syllables, different for each number below 24 million."""
    parts = []
    # Neighbours would share three syllables; a step that has no factor in common with the count spreads them.
    value = number * 7_654_321 % len(SYLLABLES) ** 4
    for _ in range(4):
        value, place = divmod(value, len(SYLLABLES))
        parts.append(SYLLABLES[place])
    return "".join(parts).capitalize()


def _weights(words: list[str]) -> list[float]:
    return list(accumulate(1 / (rank + 2) for rank in range(len(words))))


_ENGLISH_WEIGHTS, _CHINESE_WEIGHTS = _weights(ENGLISH), _weights(CHINESE)


def invent_line(chance: random.Random, *, chinese: bool = False) -> str:
    """Return one sentence."""
    if chinese:
        return "".join(chance.choices(CHINESE, cum_weights=_CHINESE_WEIGHTS, k=chance.randint(5, 12))) + "。"
    words = chance.choices(ENGLISH, cum_weights=_ENGLISH_WEIGHTS, k=chance.randint(7, 18))
    if chance.random() < 0.2:
        words.insert(chance.randrange(len(words)), f"{chance.randint(2, 9999)}")
    return " ".join(words).capitalize() + "."


def invent_text(chance: random.Random, name: str, *, title: str, chinese: bool) -> tuple[str, str]:
    """Return the text of a note and a question it answers."""

    def sentence() -> str:
        return invent_line(chance, chinese=chinese)

    thing, place = chance.choice(ENGLISH[80:]), chance.choice(ENGLISH[80:])
    fact = f"The {thing} of {name} {chance.choice(VERBS)} the {place}."
    blocks = [f"# {title}", " ".join(sentence() for _ in range(chance.randint(3, 7)))]
    for _ in range(min(8, int(chance.expovariate(0.5)))):
        heading = "".join(chance.choices(CHINESE, k=2)) if chinese else " ".join(chance.choices(ENGLISH[40:], k=3))
        body = "\n".join(f"- {sentence()}" for _ in range(chance.randint(2, 5)))
        if chance.random() < 0.5:
            body = body.replace("- ", "").replace("\n", " ")
        blocks += [f"## {heading.capitalize()}", body]
    blocks.insert(chance.randrange(2, len(blocks) + 1), fact)
    return "\n\n".join(blocks) + "\n", f"what about the {thing} of {name}"


def invent_notes(seed: int, count: int) -> Iterator[InventedNote]:
    """Return so many notes; those of a greater count begin with those of a smaller one."""
    for number in range(count):
        chance = random.Random(f"{seed}:{number}")
        chinese, name = chance.random() < CHINESE_SHARE, name_of(number)
        if chance.random() < DAILY_SHARE:
            day = FIRST_DAY + timedelta(days=number % 2500)
            path, title = f"memory/{number // 2500}/{day}.md", f"{day}"
        else:
            topic = chance.choice(ENGLISH[60:])
            path, title = f"topics/{topic}/{name.lower()}.md", f"{topic.capitalize()} of {invent_line(chance)[:30]}"
        text, question = invent_text(chance, name, title=title, chinese=chinese)
        yield InventedNote(path, text, name, question)


def write_notes(root: Path, seed: int, count: int) -> list[InventedNote]:
    """Write the notes that are missing below a folder; return all."""
    notes = list(invent_notes(seed, count))
    for folder in {(root / note.path).parent for note in notes}:
        folder.mkdir(parents=True, exist_ok=True)
    for note in notes:
        file = root / note.path
        if not file.exists():
            file.write_bytes(note.text.encode())
    return notes
