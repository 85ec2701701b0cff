"""The English words that try to steer a model, as patterns over folded text (pure).

Each pattern is tried at a few places only and each of its repetitions is bounded, so one try takes bounded time (T14).
"""

from __future__ import annotations

from clawvault.guard.findings import Severity
from clawvault.guard.rules import Rule

# When only an agent is told to do something.
WHEN_ANSWERING = (
    r"(?:before|whenever|when|each time|every time|after) you (?:answer|reply|respond)(?: (?:to )?(?:me|anything|"
    r"anyone|anybody|questions?|(?:any|each|every|the|this|my|an?) [a-z]{1,12}))?"
)
# One word or phrase that an order may be addressed with.
ADDRESS = (
    r"(?:please|kindly|now|ok|okay|hey|hi|hello|so|and|then|but|first|instead|also|just|simply|immediately|"
    r"important|urgent|attention|warning|note|notice|critical|update|reminder|stop|"
    r"system(?: (?:message|prompt|note|override|instruction))?|assistant|user|human|developer|admin|"
    r"ai(?: (?:assistant|agent|model))?s?|as an? (?:ai|assistant|llm|language model)|llm|model|agent|bot|chatgpt|"
    r"gpt|gpt-?[0-9]{1,2}|claude|gemini|copilot|llama|"
    r"(?:dear |to )(?:the |any |all )?(?:ai|assistant|agent|model|llm|claude|chatgpt)s?|"
    r"(?:a )?(?:note|message|instruction|instructions) (?:to|for) (?:the |any |all )?(?:ai|assistant|model|llm|"
    r"agent|language model)s?|"
    r"if you are an? (?:ai|llm|language model|large language model|assistant|agent|bot)|"
    r"i (?:want|need|order|command|ask) you to|you (?:must|should|shall|will|have to|need to|are to)|"
    r"it is (?:very )?important (?:that you|to)|your (?:new |only |real )?(?:task|job|goal) is to|completely|"
    r"from (?:now|this (?:point|moment|day)) on(?:wards?)?|henceforth|going forward|in (?:the )?future|"
    r"remember(?: (?:to|that))?|"
    rf"{WHEN_ANSWERING}|"
    # What notes begin their lines with.
    r"[0-9][0-9:./\-]{0,30}(?: ?(?:am|pm|h|uhr))?|#?(?:ticket|issue|bug|case|item|entry|task) (?:no\.? )?#?[0-9]{1,9}|"
    r"to[ \-]?do|fixme|done|doing|task|ticket|issue|item|entry|log|memo|fact|tip|hint|p\.?s\.?|fyi|nb|re|fwd|subject|"
    r"topic|summary|decision|action|next|today|yesterday|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"(?:(?:meeting|daily|my|our) )?(?:notes|minutes|log|memory|diary))"
    r"[ ,:;.!\-]{1,3}"
)
ALL = r"(?:(?:all|any|every|everything|each|of|the|these|those|this|that|your|my|our|completely|entirely) ){0,5}"
BEFORE = (
    r"(?:(?:previous(?:ly)?|prior|preceding|above|earlier|former|foregoing|past|given|received|mentioned|stated)"
    r"(?:,| and| or)? ){1,3}"
)
OWN = (
    r"(?:(?:system|original|initial|existing|current|safety|developer|built-in|default|own|core|internal)(?:,| and|"
    r" or)? ){1,3}"
)
ORDERS = (
    r"(?:instructions?|prompts?|directives?|directions|commands?|orders?|guidelines?|rules?|constraints|restrictions|"
    r"programming|training|guardrails|safeguards|persona)"
)
SAID = (
    r"(?:texts?|messages?|context|conversations?|content|inputs?|dialogue|requests?|statements|information|tasks?|"
    r"assignments?)"
)
DROP = (
    r"(?:ignore|disregard|forget(?: about)?|do not follow|don't follow|do not obey|stop following|stop obeying|"
    r"pay no attention to)"
)
# Words that also drop what is not an order to a model.
DROP_WEAKLY = r"(?:override|overrule|bypass|skip|discard|neglect|overlook|delete|erase|clear|drop|abandon)"
# "Ignore the above instructions if you installed from a package" is what manuals say.
UNCONDITIONAL = r"(?!s? (?:if|when|unless|for|where|about|in the|on the|from the)\b)"

ROLES = (
    r"(?:ai|a\.i\.|assistant|chatbot|bot|llm|language model|model|agent|expert|hacker|attacker|persona|character|"
    r"pirate|"
    r"terminal|console|interpreter|shell|administrator|admin|root user|superuser|developer mode|translator|lawyer|"
    r"doctor|"
    r"therapist|teacher|girlfriend|boyfriend|villain|criminal|spy|god|oracle|human|person|dan|machine|jailbreak)"
)
A_ROLE = rf"(?:an?|the|my|our|another) (?:[a-z0-9'\-]{{1,20}} ){{0,5}}?{ROLES}\b"
FREED = (
    r"(?:dan\b|stan\b|aim\b|jailbroken|unrestricted|unfiltered|uncensored|unbound|evil|root\b(?! of| dir)|"
    r"no longer (?:bound|restricted|limited|constrained|subject|required|obliged|an?\b)|"
    r"(?:free|freed|released) (?:of|from) (?:all |any |your |every )|"
    r"(?:in|entering) (?:[a-z\-]{1,20} ){0,2}(?:developer|dev|god|debug|admin|dan|jailbreak|unrestricted|sudo|"
    r"unsafe|maintenance|evil) mode|"
    r"(?:acting|operating|playing|pretending|serving|speaking) as\b|going to (?:act|pretend|ignore|obey|play)|"
    r"(?:called|named) [a-z]|under my control|my (?:slave|servant)|allowed to (?:ignore|break|bypass|disobey))"
)

FROM_NOW_ON = r"(?:from (?:now|this (?:point|moment|day)) on(?:wards?)?|henceforth),? "
BOUND = (
    r"(?:you|the (?:assistant|agent|ai|model)) (?:must|shall|should|will|have to|need to|are to|is to)"
    r"(?: (?:always|only|also|first|never))?"
)
PLACE_ON_THE_WEB = r"(?:https?:|[a-z0-9.\-_]{1,40}@|(?:[a-z0-9\-]{1,40}\.){1,4}[a-z]{2,10}\b)"

# What runs whatever it is given, as agents name it; underscores are folded to spaces.
SHELL_TOOL = (
    r"(?:(?:shell|bash|terminal|command|system|process|subprocess|code|python|powershell|cmd) "
    r"(?:exec|execute|run|call|command|popen|interpreter|tool|runner)|execute (?:command|code|bash|shell)|"
    r"run (?:command|shell|bash|terminal cmd)|run in terminal)\b(?= with\b| on\b| to run\b| and\b|[\"']? ?[:(])"
)

ENGLISH_RULES: tuple[Rule, ...] = (
    Rule(
        "ignore-previous",
        Severity.CRITICAL,
        rf"{DROP} {ALL}(?:(?:{BEFORE}(?:{OWN})?|{OWN}(?:{BEFORE})?)(?:{ORDERS}|{SAID})\b{UNCONDITIONAL}"
        rf"|(?:{ORDERS}|{SAID}) (?:above|before (?:this|that)|given (?:above|before|so far)|you (?:were|have been|"
        rf"had been) given))",
        inline=True,
    ),
    Rule(
        "ignore-previous",
        Severity.CRITICAL,
        rf"{DROP} (?:all(?: of)?|any|your|all (?:of )?your|every(?: single)?)(?: of)?(?: the| your| my)? "
        rf"{ORDERS}\b(?= and\b| you\b| that\b| from now| completely| ?[.,:;!]| ?$){UNCONDITIONAL}",
        inline=True,
    ),
    Rule(
        "ignore-previous",
        Severity.CRITICAL,
        rf"{DROP} (?:everything|anything|all|whatever|all the text|all text|what)(?: that)?(?: was| is| came| has "
        rf"been)?(?: said| written| stated)? "
        r"(?:above(?! the\b| this\b)|before (?:this|that|now)|previously|prior to this|up to (?:now|this point|here)|"
        r"you (?:were|have been|had been|'ve been) (?:told|instructed|taught|given))",
        inline=True,
    ),
    Rule(
        "ignore-previous",
        Severity.CRITICAL,
        rf"{DROP_WEAKLY} {ALL}(?:{BEFORE}(?:{OWN})?|(?:system|safety|developer|your original|your initial) "
        rf"){ORDERS}\b{UNCONDITIONAL}",
        inline=True,
    ),
    Rule(
        "ignore-previous",
        Severity.CRITICAL,
        rf"{DROP} (?:all of |all )?the above,? (?:and |but )?instead\b",
        inline=True,
    ),
    Rule(
        "ignore-above",
        Severity.MEDIUM,
        rf"{DROP} (?:all of |all )?the above\b(?! {ORDERS}| {SAID}){UNCONDITIONAL}",
    ),
    Rule(
        "forget-everything",
        Severity.HIGH,
        r"forget (?:about )?(?:everything|all (?:of )?(?:this|that|the (?:above|previous)|your memor(?:y|ies))|all "
        r"you|anything you|what you (?:were|have been) told)"
        r"(?! you (?:know|knew|learned|were taught) about)(?= you\b| i\b| we\b| that\b| above| before| and\b| "
        r"else\b| so far| from| in your| ?[.,:;!]| ?$| (?:were|have|know|learned))",
        inline=True,
    ),
    Rule(
        "forget-everything",
        Severity.HIGH,
        r"(?:erase|wipe|clear|delete|reset) (?:all (?:of )?)?your (?:entire |whole )?(?:memory|memories|context|"
        r"instructions)\b",
        inline=True,
    ),
    Rule(
        "you-are-now",
        Severity.HIGH,
        rf"(?:from (?:now|this (?:point|moment)) on(?:wards?)?,? |henceforth,? )?you(?: are|'re) (?:now|no longer "
        rf"an?\b.{{0,40}}?you are)(?: officially)? (?:{A_ROLE}|{FREED})",
    ),
    Rule(
        "you-are-now",
        Severity.HIGH,
        rf"(?:from (?:now|this (?:point|moment)) on(?:wards?)?,? |henceforth,? )you (?:(?:are|'re|become) "
        rf"(?:{A_ROLE}|{FREED})|"
        r"(?:will|must|shall|should|have to|need to)? ?(?:only |always |never )?(?:act|behave|obey|ignore|pretend|"
        r"reply|respond|answer|speak|comply|follow (?:my|these|only))\b)",
    ),
    Rule(
        "you-are-now",
        Severity.HIGH,
        r"(?:enter|enable|activate|switch (?:in)?to) (?:developer|dan|god|jailbreak|unrestricted|evil) mode\b",
    ),
    Rule(
        "new-instructions",
        Severity.HIGH,
        r"(?:here (?:are|is) |these are |below are |follow |obey |read |execute )?(?:your |the |my |these |some "
        r")?(?:new|updated|revised|real|actual|true|secret) "
        r"(?:(?:system|operating|core|hidden|user) )?(?:instructions?|directives?|system prompt|orders|objective)"
        r"(?: (?:for you|to follow|for the (?:ai|assistant|model|agent)|from (?:the |your )(?:user|developer|"
        r"system|admin|owner|boss)|follow\b)|(?= ?:))",
    ),
    Rule(
        "new-instructions",
        Severity.HIGH,
        r"(?:here (?:are|is) |these are |below are |follow |obey |execute )?your (?:(?:new|updated|revised|real|"
        r"actual|true|secret|only) )"
        r"(?:(?:system|operating|core|hidden) )?(?:instructions?|directives?|system prompt|prompt|orders|rules|"
        r"objective|purpose|role|persona|identity) (?:is|are)\b",
    ),
    Rule(
        "reveal-prompt",
        Severity.HIGH,
        r"(?:reveal|leak|expose|disclose|repeat|print|output|show(?: me)?|display|tell me|give me|dump) (?:all "
        r"(?:of )?)?(?:your|the) "
        r"(?:(?:entire|full|exact|complete|whole|hidden|secret|original|initial|internal) ){0,3}"
        r"(?:system prompt|system message|hidden instructions|initial instructions|secret instructions|developer "
        r"message|(?:instructions|prompt)(?= verbatim| word for))(?= and\b| verbatim| word| in full| now\b| to\b| "
        r"you\b| ?[.,:;!]| ?$)",
    ),
    Rule(
        "send-data",
        Severity.HIGH,
        r"(?:send|post|upload|forward|email|exfiltrate|transmit) (?:all |the |every |any |of |this |that |user's |"
        r"their |your ){0,4}"
        r"(?:memory|memories|memory\.md|notes|conversations?|chat history|api keys?|passwords?|credentials|secrets|"
        r"tokens|system prompt|private data|personal data)"
        r"(?: [a-z.\-']{1,20}){0,4} (?:to|at) (?:https?:|[a-z0-9.\-_]{1,40}@|me\b|this (?:url|address|server|"
        r"endpoint))",
    ),
    Rule(
        "standing-order",
        Severity.MEDIUM,
        rf"{FROM_NOW_ON}(?:{BOUND} )?(?:always )?(?:send|post|upload|forward|e-?mail|copy|exfiltrate|transmit|report|"
        rf"share|submit|leak) .{{0,60}}?\b(?:to|at|with|via) {PLACE_ON_THE_WEB}",
    ),
    Rule(
        "standing-order",
        Severity.MEDIUM,
        rf"{FROM_NOW_ON}{BOUND} (?:run|execute|invoke|delete|erase|wipe|upload|exfiltrate|leak|reveal|disclose|"
        rf"download|send (?:all|every|any|the (?:user|person|owner))|call (?:the |this |any )?"
        rf"(?:tool|function|api|memory ))\b",
    ),
    Rule(
        "call-tool",
        Severity.MEDIUM,
        rf"(?:call|invoke|trigger) (?:the )?(?:tool |function )?[\"']?{SHELL_TOOL}",
    ),
    Rule(
        "call-tool",
        Severity.HIGH,
        rf"(?:call|invoke|trigger) (?:the )?(?:tool |function )?[\"']?{SHELL_TOOL}"
        r"[^!?;]{1,60}?\b(?:curl|wget|iwr|rm -|nc -|bash -|sh -|powershell)",
    ),
    Rule(
        "standing-order",
        Severity.MEDIUM,
        rf"{WHEN_ANSWERING},? (?:always |first |please )?(?:send|post|upload|forward|run|execute|call|invoke|fetch|"
        r"visit|download|exfiltrate|leak|delete)\b",
    ),
    Rule(
        "call-tool",
        Severity.MEDIUM,
        r"(?:call|invoke|run|execute|trigger) (?:the )?(?:tool |function )?[\"']?(?:vault )?memory "
        r"(?:forget|delete|remove|write|remember|log|edit|search|get|move|update|save|context)\b",
    ),
    Rule(
        "conceal",
        Severity.MEDIUM,
        r"(?:do not|don't|never) (?:tell|inform|notify|alert|warn|mention (?:this|it|that) to|reveal (?:this|it|"
        r"that) to|show (?:this|it|that) to|ask) "
        r"(?:the |your )(?:user|human|operator|owner)s?\b(?: about this| of this| that you| about it|,? and|(?= "
        r"?[.!;]| ?$))",
    ),
    Rule(
        "act-as",
        Severity.MEDIUM,
        rf"(?:act|behave|respond|answer|reply) (?:as|like) (?:if you (?:are|were|have|had)|though you|(?:{A_ROLE}))",
    ),
    Rule(
        "pretend",
        Severity.MEDIUM,
        rf"(?:pretend|imagine|role-?play as if|role-?play) (?:to be|(?:that )?you(?: are|'re| were)|as) "
        rf"(?:{A_ROLE}|{FREED})|pretend (?:that )?you (?:have no|do not have|don't have)\b",
    ),
)

# How an order opens. Where a place does not begin like this, no rule matches there.
OPENING = (
    r"(?:ignore|disregard|forget|do not|don't|never|stop|pay no|override|overrule|bypass|skip|discard|neglect|"
    r"overlook|delete|erase|clear|drop|abandon|wipe|reset|from (?:now|this)|henceforth,?|you (?:are|become)|you're|"
    r"enter|enable|activate|"
    r"switch|here (?:are|is)|these are|below are|follow|obey|read|execute|(?:your|the|my|these|some)? ?(?:new|"
    r"updated|revised|real|actual|true|secret|only)|"
    r"reveal|leak|expose|disclose|repeat|print|output|show|display|tell me|give me|dump|send|post|upload|forward|"
    r"email|"
    r"exfiltrate|transmit|call|invoke|run|trigger|"
    r"(?:before|whenever|when|each time|every time|after) you|act|behave|respond|answer|reply|pretend|imagine|"
    r"role-?play) "
)

# One of these is in every text in which an order opens.
OPENING_WORDS = tuple(
    "not n't never you from ignore disregard forget stop pay overr bypass skip discard neglect overlook delete erase "
    "clear drop abandon wipe reset henceforth enter enable activate switch here these below follow obey read execute "
    "new updated revised real actual true secret only reveal leak expose disclose repeat print output show display "
    "tell give dump send post upload forward email exfiltrate transmit call invoke run trigger act behave respond "
    "answer reply pretend imagine role".split()
)

# One of these is in every line in which a rule is met inside.
INLINE_WORDS = (
    *(
        "ignore ",
        "disregard ",
        "forget ",
        "not follow",
        "n't follow",
        "not obey",
        "stop ",
        "pay no ",
        "overr",
        "bypass ",
    ),
    *(
        "skip ",
        "discard ",
        "neglect ",
        "overlook ",
        "delete ",
        "erase ",
        "clear ",
        "drop ",
        "abandon ",
        "wipe ",
        "reset ",
    ),
)
