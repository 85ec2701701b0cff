"""Tell an order to an agent from a fact, a rule of a team or a decision (pure).

"Always answer in French" tells whoever reads it what to do, in every conversation; "Never deploy on Fridays" is a
decision. What makes the difference is the verb: answering, asking back and obeying is what an agent does.
"""

from __future__ import annotations

import re

from clawvault.guard.rules import compiled

_OPENING = (
    r"(?:please|kindly|always|never|must|only|just|also|so|and|then|but|now|still|ever|first|instead|"
    r"do\s+not|don['’]t|from\s+now\s+on|in\s+(?:the\s+)?future|going\s+forward|henceforth|"
    r"make\s+sure(?:\s+(?:to|that\s+you|you))?|be\s+sure\s+to|remember\s+(?:to|that\s+you)|remember|"
    r"you\s+(?:must|should|shall|will|have\s+to|need\s+to|are\s+to|may\s+not|can(?:no|['’])t)|"
    r"(?:(?:dear|to\s+the|note\s+to\s+(?:the|any))\s+)?(?:assistant|agent|ai|claude|chatgpt|gemini|model))"
)
_ANSWERING = r"(?:answer|respond|reply|speak|talk|write)"
_MANNER = (
    r"(?:in\s+(?:[a-z]{3,20}|plain\s+text|one\s+\w+|short\s+\w+)(?=\s*(?:[.,;!?]|$|and\b|then\b|only\b|to\b|even\b|unless\b))"
    r"|as\s+(?:an?|if|though)\b|like\s+an?\b|briefly\b|concisely\b|shortly\b|politely\b|truthfully\b"
    r"|with\s+(?:only|just|yes|no|one|emojis?)\b|to\s+(?:me|the\s+user|every\s+(?:question|message))\b)"
)
# What only an agent is told to do, after an opening.
_ADDRESSED = (
    rf"(?:{_ANSWERING}\s+(?:only\s+|always\s+|back\s+)?{_MANNER}"
    r"|ask\s+(?:me|the\s+user|(?:\w+\s+)?(?:for|about)\s+(?:confirmation|permission|approval|clarification)|"
    r"before|back|again|questions?\b|any\s+questions?\b)"
    r"|(?:seek|request|wait\s+for)\s+(?:\w+\s+)?(?:confirmation|permission|approval)"
    r"|(?:tell|inform|notify|warn|remind|greet|address|call|thank|contradict|trust|obey)\s+(?:me\b|the\s+(?:user|human|person)\b)"
    r"|obey\b|comply\b|pretend\b|role-?play\b|apologi[sz]e\b|refuse\s+(?:to\s+answer|(?:any\s+)?requests?)"
    r"|(?:act|behave)\s+(?:as|like)\b"
    r"|(?:begin|start|end|finish|sign)\s+(?:your|each|every|all|the)\s+(?:answers?|messages?|repl(?:y|ies)|responses?|conversations?)"
    r"|follow\s+(?:all\s+)?(?:my|these|the\s+following)\s+(?:instructions?|orders?|rules?)"
    r"|(?:ignore|disregard|forget|bypass|override)\s+(?:\w+\s+){0,4}(?:instructions?|prompts?|guidelines|guardrails|rules)\b)"
)
_ZH_OPENING = (
    r"(?:请你?|务必|总是要?|永远|始终|一律|每次|必须|一定要|不要再?|不许|禁止|别再?|"
    r"从(?:现在|今天|今|此)(?:起|开始|往后|以后)?|(?:以后|今后|往后|日后|将来)(?:都|也)?要?|"
    r"你(?:必须|应该|要|不能|不要|得)?|(?:记住|记得|切记|牢记|谨记|听好)了?|另外|助手|只能?|都要?|[ ,:，：、])"
)
_ZH_ADDRESSED = (
    r"(?:用.{1,8}?(?:回答|回复|答复|交流|说话|跟我说)|(?:简短|简洁|详细|直接|如实)地?(?:回答|回复)|回答我|称呼我|叫我|"
    r"(?:忽略|无视|忘记|绕过|违反).{0,8}?(?:规则|指令|指示|提示词?|限制|命令|准则)|"
    r"(?:服从|听从|遵守)(?:我|以下|这些)|(?:请求|要求|询问|征求|问)(?:我|用户|任何|的|再次)*(?:确认|许可|同意|问题)|假装|扮演)"
)
# Where a clause begins that may say something else than the one before it; what is quoted is spoken about.
_CLAUSE = re.compile(r"[.!?;:](?=\s)|,(?=\s)|[。！？；：，]|\s(?=(?:and|then|but|also)\s)", re.IGNORECASE)
_QUOTES = "\"'“”‘’«»「」『』`"
_MARKS = " \t>*_`#-+~"
# What a note begins its lines with, whatever the line says.
_LEAD = (
    r"(?:(?:[0-9][0-9:./-]{0,30}|to-?do|fixme|fyi|ps|note|memo|reminder|(?:ticket|issue|bug|task)\s#?[0-9]{1,9}|"
    r"\[\[[^\[\]]{1,120}\]\]|\[[^\[\]]{1,120}\]\([^()]{1,400}\)|`?[^`\s]{1,60}`|待办|备注|备忘)[\s,:;.!-]+){0,4}"
)
_ORDER = (
    rf"(?i){_LEAD}(?:(?:{_OPENING}[\s,:;.!-]+){{1,6}}{_ADDRESSED}"
    rf"|(?:answer|respond|reply)\s+(?:only\s+|always\s+|back\s+)?{_MANNER}"
    r"|\[(?:system|developer|assistant|admin|instructions?)\]"
    rf"|{_ZH_OPENING}{{1,8}}{_ZH_ADDRESSED})"
)
# How an order, a rule and a decision alike begin.
_COMMANDING = (
    r"(?i)(?:please\s+)?(?:always|never|you\s+(?:must|should|shall|have\s+to|need\s+to|may\s+not|can(?:no|')t)"
    r"|do\s+not|don['’]t|from\s+now\s+on|make\s+sure|be\s+sure\s+to|remember\s+to|ignore|respond|reply|answer)\b"
    r"|(?:请|务必|总是要?|永远|必须|一定要|不要|不许|禁止|你(?:必须|应该|要|不能|不要)|从现在(?:起|开始)|以后都?要)"
)


def is_order_to_agent(text: str) -> bool:
    """Say whether a clause of a text tells an agent what to do.

    Args:
        text: One line.

    Source: MN-28.
    """
    return any(compiled(_ORDER).match(clause) for clause in (text.strip(_MARKS), *split_clauses(text)))


def reads_as_command(text: str) -> bool:
    """Say whether a statement of a note begins as an order does, whomever it is for."""
    said = text.lstrip("> *_`")
    return compiled(_COMMANDING).match(said) is not None or is_order_to_agent(said)


def split_clauses(text: str) -> tuple[str, ...]:
    """Return the clauses of one line, without the words that join them; what is quoted begins none."""
    clauses = []
    for part in _CLAUSE.split(text):
        clause = part.strip(_MARKS)
        first, _, rest = clause.partition(" ")
        clause = rest.lstrip() if first.lower() in {"and", "then", "but", "also"} else clause
        if clause and clause[0] not in _QUOTES:
            clauses.append(clause)
    return tuple(clauses)
