"""Where a fact of each category belongs: pure. One table, so that a person can foresee it."""

from __future__ import annotations

import re
from typing import NamedTuple

from clawvault.errors import UsageError
from clawvault.guard.identity import is_prompt_file
from clawvault.search.asking.query import guess_language
from clawvault.vault.heading_names import fold_heading

TOPICS_FOLDER = "topics"
DEFAULT = "facts"
MAX_NAME_CHARS = 40
_SLUG = re.compile(r"[^\w]+|_+")


class Category(NamedTuple):
    """A kind of fact.

    Attributes:
        name: Also the name of its topic note.
        english: The heading it stands under in the long-term memory note.
        chinese: The same in a note in Chinese.
        aliases: Other names it is called by, and headings that are meant for it.
        in_memory: It stands in the long-term memory note as long as there is room; else in a topic note at once.
    """

    name: str
    english: str
    chinese: str
    aliases: tuple[str, ...] = ()
    in_memory: bool = True

    @property
    def note(self) -> str:
        """Return the path of its topic note."""
        return f"{TOPICS_FOLDER}/{self.name}.md"

    @property
    def headings(self) -> frozenset[str]:
        """Return every heading it may stand under, folded."""
        return frozenset(map(fold_heading, (self.name, self.english, self.chinese, *self.aliases)))

    def title(self, text: str) -> str:
        """Return its heading in the language of a note."""
        return self.chinese if guess_language(text) == "zh" else self.english


CATEGORIES = (
    Category("preferences", "Preferences and decisions", "偏好与决定", ("preference", "偏好")),
    Category("decisions", "Preferences and decisions", "偏好与决定", ("decision", "决定")),
    Category("people", "Key contacts", "重要联系人", ("person", "contact", "contacts", "人物", "联系人")),
    Category("projects", "Active projects", "进行中的项目", ("project", "项目")),
    Category("infrastructure", "Infrastructure", "基础设施", ("system", "systems")),
    Category(DEFAULT, "Facts", "事实", ("fact",)),
)
POINTERS = Category("topics", "Topics", "主题")
MEMORY = Category("memory", "Memory", "长期记忆")


def find_category(name: str | None) -> Category:
    """Return the category of a name.

    Args:
        name: One of the table in the singular or plural, in English or Chinese; any other short name has a topic note
            of its own; ``None`` is ``facts``.

    Raises:
        UsageError: The name is empty, too long, or has no letter.
    """
    if name is None:
        name = DEFAULT
    folded = fold_heading(name)
    for category in CATEGORIES:
        if folded in {category.name, *category.aliases}:
            return category
    slug = _SLUG.sub("-", folded).strip("-")
    if not slug or len(slug) > MAX_NAME_CHARS:
        known = ", ".join(category.name for category in CATEGORIES)
        raise UsageError(f'"{name[:MAX_NAME_CHARS]}" is no name of a category.', f"Use one of: {known}.")
    title = slug.replace("-", " ").capitalize()
    # A topic named after an agent must not become the file this agent takes orders from.
    name = f"{slug}-notes" if is_prompt_file(f"{slug}.md") else slug
    return Category(name, title, title, in_memory=False)
