"""Find orders that nobody mistakes, wherever in a line they stand, and tell them from a report of one (pure).

"Ignore all previous instructions" steers a model also after a date, a name or a few words that say nothing. What stands
before it decides: a label leaves it an order, a sentence about somebody makes it a report, which may still steer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clawvault.guard import chinese_rules, english_rules
from clawvault.guard.findings import Severity
from clawvault.guard.rules import compiled

DROP = r"(?:ignore|disregard|forget(?: about)?|pay no attention to|stop following|stop obeying)"
_ORDERS = r"(?:instructions?|prompts?|directives?|guardrails|system (?:prompt|message)s?)"
# What goes on after an order; "ignore previous instructions attacks" is the name of something.
TAIL = r"(?= ?[.,:;!)\]}|<%\"']| ?$| -| (?:and|then|now|you|from now|given|immediately|completely|or|but|instead)\b)"
ENGLISH = (
    rf"(?<![a-z0-9'\-])(?:{DROP}|override|bypass) {english_rules.ALL}(?:{english_rules.BEFORE}(?:{english_rules.OWN})?"
    rf"{english_rules.ORDERS}\b|(?:system|original|initial|developer) {_ORDERS}\b){english_rules.UNCONDITIONAL}"
    rf"|(?<![a-z0-9'\-]){DROP} (?:all(?: of)?|any|every|your|all (?:of )?your)(?: the| your| my)? {_ORDERS}\b"
    rf"(?: above| before (?:this|that)| you (?:were|have been|had been) given|{TAIL})"
    rf"|(?<![a-z0-9'\-]){DROP} (?:everything|all (?:the )?text)(?: that)? (?:above(?! the\b| this\b)|before this|you "
    rf"(?:were|have been|had been|'ve been) (?:told|instructed|taught|given))"
)
_ZH_DROP = r"(?:忽略|无视|忽视|忘记|忘掉|抛弃|丢弃|别管|不要理会|不要理睬|不用管)(?:掉)?"
_ZH_BEFORE = r"(?:之前|此前|先前|以前|以上|上面|上述|前面|前文|上文|原有|原来|原本|最初)"
_ZH_ORDERS = r"(?:指令|指示|提示词|系统提示词|prompt)"
CHINESE = (
    rf"{_ZH_DROP}(?:(?=.{{0,8}}?{_ZH_BEFORE}){chinese_rules.WHICH}(?:{_ZH_ORDERS}|规则|设定|命令)"
    rf"|(?=.{{0,6}}?(?:所有|一切|全部|任何|系统)){chinese_rules.WHICH}{_ZH_ORDERS}){chinese_rules.NOT_THESE}"
    rf"|(?:把|将)(?=.{{0,8}}?(?:{_ZH_BEFORE}|所有|一切|全部)){chinese_rules.WHICH}{_ZH_ORDERS}"
    r"(?:都|全部|统统|全|完全|内容| ){0,3}(?:忽略|无视|忘记|忘掉|抛弃|丢弃|作废)"
)
STRONG = f"{ENGLISH}|{CHINESE}"
# Roles that nobody has but a model that was talked out of its own.
FREEING = (
    r"(?<![a-z0-9'\-])you(?: are|'re) now (?:officially |fully )?(?:dan|stan|jailbroken|unfiltered|uncensored|"
    r"(?:an? )?(?:unrestricted|unfiltered|uncensored|jailbroken|evil) (?:ai|assistant|model|agent|chatbot|bot)|"
    r"in (?:dan|god|jailbreak|unrestricted|evil) mode|allowed to (?:ignore|bypass|disobey) [a-z ]{1,40})"
)
FREEING_WORDS = ("you are now ", "you're now ")
# Files that nobody else is told to read and hand on.
TAKING = (
    r"(?<![a-z0-9'\-])(?:read|open|cat|print|load|copy|get|take|find|fetch|look up) [^!?;]{0,60}?"
    r"(?:\.ssh/(?!config|known|authorized)[a-z0-9 ]{0,30}(?!\.pub|[a-z0-9 ])|\bid (?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)|"
    r"\.aws/credentials|/etc/(?:passwd|shadow)\b|\.netrc\b|\.gnupg\b|\.kube/config|\.npmrc\b|\.pypirc\b|"
    r"\.git-credentials\b)[^!?;]{0,40}?\b(?:and|then) (?:then )?"
    r"(?:include|send|post|upload|append|attach|paste|put|repeat|quote|forward|e-?mail|output|reveal|share) "
    r"(?:it|them|that|this|all|everything|(?:its|the|their) (?:contents?|text|keys?|output|results?))\b"
)
TAKING_WORDS = (
    *(".ssh/", "id rsa", "id ed25519", "id ecdsa", "id dsa", ".aws/", "/etc/passwd", "/etc/shadow", ".netrc"),
    *(".gnupg", ".kube/", ".npmrc", ".pypirc", ".git-cred"),
)
# One of these is in every line with such an order.
STRONG_WORDS = (
    *("ignore ", "disregard ", "forget ", "pay no ", "stop following ", "stop obeying ", "override ", "bypass "),
    *("忽略", "无视", "忽视", "忘", "抛弃", "丢弃", "别管", "不要理", "不用管", "作废"),
)
REASON, FREED, TAKEN = "ignore-previous", "you-are-now", "take-secrets"
# What is quoted is spoken about; a quotation of one or two words may be a part of the order itself.
QUOTED = (
    r"\"[^\" ]{0,60} [^\" ]{0,60} [^\"]{1,300}\"|`[^` ]{0,60} [^` ]{0,60} [^`]{1,300}`|"
    r"(?<![a-z0-9])'[^' ]{0,60} [^' ]{0,60} [^']{1,300}'(?![a-z0-9])|"
    r"\"[\u3400-\u9fff][^\"]{3,300}\"|`[\u3400-\u9fff][^`]{3,300}`"
)
# So much may stand before an order and leave it one.
MOST_WORDS, MOST_LEAD_CHARS = 4, 120
NEGATED = (
    r"(?:\b(?:not|never|cannot|without|nor) |n't |"
    r"(?:不|别|勿|没有?|不要|不能|不可|不可以|不得|不该|不应该?|切勿|禁止|不许) ?)$"
)
ENDED = r"[a-z\u3400-\u9fff\"')\]][.!?;] ?"
# An agent that shall: nobody else is given such an order.
BOUND = (
    r"(?:(?:all|any|every|each|the|dear|this) ){0,2}(?:(?:ai|llm|language|coding) ){0,2}"
    r"(?:agents?|assistants?|models?|llms?|ais?|bots?|chatbots?|readers?|you) "
    r"(?:must|should|shall|will|have to|has to|need to|needs to|are to|is to)"
    r"(?: (?:now|always|please|first|also|just|simply|completely))?"
)
ZH_BOUND = (
    r"(?:所有|任何|各|每个)?(?:的)?(?:智能体|代理|助手|助理|模型|机器人|ai|你们?)(?:都|现在|也| ){0,2}"
    r"(?:应该|应当|必须|务必|需要|应|要|得)(?:先|立即|马上)?"
)
REPORTED = frozenset(
    "i we he she it they you who whoever which that what whatever how why when where whether if unless because "
    "somebody someone anybody nobody everybody people users students children kids attackers hackers others one "
    "model models llm llms agent agents assistant assistants bot bots chatbot chatbots ai ais gpt claude chatgpt "
    "to can could may might must should shall would will do does did is are was were be been being has have had "
    "say says said saying tell tells told telling ask asks asked asking make makes made making let lets letting "
    "help helps helped cause causes caused get gets got force forces forced see saw seen watch hear heard try tries "
    "tried read reads reading write writes wrote written means meant call called use uses used using like as such "
    "e.g. eg attack attacks injection injections jailbreak jailbreaks payload payloads prompt prompts phrase phrases "
    "example examples string strings line sentence words pattern patterns test tests testing case cases about of "
    "and or often sometimes always usually still not never than".split()
)
ZH_REPORTED = (
    r"[让使叫令说写称问是指例他她它我们人有想试曾已被者对]|要求|如何|怎[么样]|为[何什]|什么|会(?!议)|可以|可能|能够|"
    r"攻击|注入|比如|模型|用户|故意|经常|总是|企图|不"
)
CAPITAL = (
    r"(?<![a-zA-Z])(?:Ignore|IGNORE|Disregard|DISREGARD|Forget|FORGET|Pay|PAY|Stop|STOP|Override|OVERRIDE|Bypass|"
    r"BYPASS)\b"
)
CJK = r"[\u3400-\u9fff]"
_EDGES = " \t>#+-|![](){}.,:;•·=/^<\"'*_~`"


def find_strong(unit: str, end: int, line: str) -> Iterator[tuple[str, Severity]]:
    """Yield the reason and how bad it is of each order of a line that nobody mistakes.

    Args:
        unit: The folded line without quotations and inner signs, and the words that follow it.
        end: Where the line itself ends in it.
        line: As it stands in the note, where a capital begins a sentence.

    Cost: Linear; what stands before an order is looked at up to ``MOST_LEAD_CHARS``.
    Source: decisions "Guard", T03.
    """
    for found in compiled(STRONG).finditer(unit, 0):
        if found.start() >= end:
            return
        if found.start() > MOST_LEAD_CHARS:
            if not compiled(NEGATED).search(unit, found.start() - 12, found.start()):
                yield REASON, Severity.MEDIUM
                return
            continue
        lead = unit[: found.start()]
        if compiled(NEGATED).search(lead):
            continue
        yield REASON, Severity.CRITICAL if _is_order(unit, found, line) else Severity.MEDIUM


def find_freeing(unit: str, end: int, line: str) -> Iterator[tuple[str, Severity]]:
    """Yield the same of each order to be a model without bounds, behind words that say nothing; see ``find_strong``.

    Whoever reports such an order in a sentence steers nobody with it.
    """
    for found in compiled(FREEING).finditer(unit, 0):
        if found.start() >= min(end, MOST_LEAD_CHARS):
            return
        if not compiled(NEGATED).search(unit[: found.start()]) and _is_order(unit, found, line):
            yield FREED, Severity.HIGH


def find_taking(unit: str, end: int) -> Iterator[tuple[str, Severity]]:
    """Yield the same of each order to hand on what is in a file of keys; see ``find_strong``.

    A person copies such files too; only an agent does it when it answers.
    """
    for found in compiled(TAKING).finditer(unit):
        if found.start() >= end:
            return
        lead = unit[max(0, found.start() - MOST_LEAD_CHARS) : found.start()]
        if not compiled(NEGATED).search(lead):
            is_order = compiled(english_rules.WHEN_ANSWERING).search(lead)
            yield TAKEN, Severity.HIGH if is_order else Severity.MEDIUM


def _is_order(unit: str, found: re.Match[str], line: str) -> bool:
    return _leaves_order(unit[: found.start()], line) and compiled(TAIL).match(unit, found.end()) is not None


def _leaves_order(lead: str, line: str) -> bool:
    """Say whether what stands before an order is no sentence that reports it."""
    if compiled(ENDED).search(lead):
        return False
    tokens = [bare for token in lead.split() if (bare := token.strip(_EDGES))]
    words = [token for token in tokens if any(sign.isalpha() for sign in token)]
    said = " ".join(words)
    if compiled(BOUND).fullmatch(said) or compiled(ZH_BOUND).fullmatch(said):
        return True
    n_cjk = len(compiled(CJK).findall(said))
    n_words = sum(1 for word in words if not compiled(CJK).search(word)) + n_cjk // 2
    if n_words > MOST_WORDS or not REPORTED.isdisjoint(words) or (n_cjk and compiled(ZH_REPORTED).search(said)):
        return False
    # "Drivers ignore all previous instructions" is a sentence, "Meeting notes Ignore ..." is none.
    is_subject = bool(words) and words[-1] == tokens[-1] and words[-1].endswith(("s", "ly", "'ll"))
    return not is_subject or compiled(CAPITAL).search(line) is not None
