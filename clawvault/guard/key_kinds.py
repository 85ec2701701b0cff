"""Keys and tokens that are known by their own form (pure).

Written here rather than taken from detect-secrets: that library gives values without their places, sees only the
first line of a private key, knows a third of these kinds, and loads an HTTP client to do it.

A word that each key of a kind holds is looked for first, so a text without keys costs little.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

BEFORE = r"(?<![A-Za-z0-9_\-])"
AFTER = r"(?![A-Za-z0-9_\-])"


class KeyKind(NamedTuple):
    """One form of key: group 1 of ``source`` is what is secret, else all of it.

    One of ``words`` is in every such key, and so is ``shape`` where the words are in most texts.
    """

    name: str
    words: tuple[str, ...]
    source: str
    shape: str = ""

    @property
    def pattern(self) -> re.Pattern[str]:
        """Return the compiled form."""
        return _compiled(self.source)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source)


def _prefixed(name: str, prefixes: str, rest: str) -> KeyKind:
    words = tuple(prefixes.split())
    heads = "|".join(re.escape(word) for word in words)
    return KeyKind(name, words, rf"{BEFORE}(?:{heads}){rest}{AFTER}")


W = r"[A-Za-z0-9_\-]"
A = r"[A-Za-z0-9]"
HEX = r"[a-f0-9]"

KEY_KINDS: tuple[KeyKind, ...] = (
    _prefixed("aws key", "AKIA ASIA ABIA ACCA", r"[A-Z0-9]{16}"),
    _prefixed("github token", "ghp_ gho_ ghu_ ghs_ ghr_", rf"{A}{{36,255}}"),
    _prefixed("github token", "github_pat_", r"[A-Za-z0-9_]{22,255}"),
    _prefixed(
        "gitlab token", "glpat- gldt- glrt- glptt- glcbt- glsoat- glft- glimt- glagent-", r"[A-Za-z0-9_\-.]{20,300}"
    ),
    _prefixed("slack token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxo- xapp- xoxe.xoxp-", r"[A-Za-z0-9\-]{20,255}"),
    KeyKind(
        "slack webhook",
        ("hooks.slack.com/",),
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/]{20,120})",
    ),
    _prefixed("stripe key", "sk_live_ sk_test_ rk_live_ rk_test_ whsec_", rf"{A}{{16,255}}"),
    _prefixed("anthropic key", "sk-ant-", rf"{W}{{20,255}}"),
    _prefixed("openrouter key", "sk-or-v1-", rf"{HEX}{{32,128}}"),
    _prefixed("openai key", "sk-proj- sk-svcacct- sk-admin- sk-None-", rf"{W}{{20,255}}"),
    _prefixed("api key", "sk-", rf"{A}{{32,255}}"),
    _prefixed("google key", "AIza", rf"{W}{{35}}"),
    _prefixed("google secret", "GOCSPX-", rf"{W}{{24,40}}"),
    _prefixed("google token", "ya29.", rf"{W}{{20,300}}"),
    _prefixed("npm token", "npm_", rf"{A}{{36}}"),
    _prefixed("pypi token", "pypi-", rf"{W}{{50,400}}"),
    _prefixed("sendgrid key", "SG.", rf"{W}{{16,32}}\.{W}{{32,64}}"),
    KeyKind("twilio key", ("SK",), rf"{BEFORE}SK{HEX}{{32}}{AFTER}"),
    KeyKind("telegram token", (":AA",), rf"(?<![A-Za-z0-9])[0-9]{{8,10}}:AA{W}{{32,34}}{AFTER}"),
    KeyKind(
        "discord token",
        (".",),
        rf"{BEFORE}[MNO][A-Za-z0-9]{W}{{21,26}}\.{W}{{6}}\.{W}{{27,40}}{AFTER}",
        rf"\.{W}{{6}}\.{W}{{27}}",
    ),
    KeyKind("discord webhook", ("/api/webhooks/",), rf"/api/webhooks/([0-9]{{15,22}}/{W}{{50,90}})"),
    _prefixed("hugging face token", "hf_ api_org_", rf"{A}{{34,64}}"),
    _prefixed("digitalocean token", "dop_v1_ doo_v1_ dor_v1_", rf"{HEX}{{64}}"),
    KeyKind("json web token", ("eyJ",), rf"{BEFORE}eyJ{W}{{8,2000}}\.eyJ{W}{{8,4000}}\.{W}{{8,2000}}"),
    _prefixed("shopify token", "shpat_ shpca_ shppa_ shpss_", r"[a-fA-F0-9]{32}"),
    _prefixed("square token", "sq0atp- sq0csp- sq0idp-", rf"{W}{{22,43}}"),
    _prefixed("mailgun key", "key-", rf"{HEX}{{32}}"),
    KeyKind("mailchimp key", ("-us",), rf"{BEFORE}{HEX}{{32}}-us[0-9]{{1,2}}{AFTER}"),
    _prefixed("linear key", "lin_api_ lin_oauth_", rf"{A}{{32,64}}"),
    _prefixed("notion token", "ntn_ secret_", rf"{A}{{40,50}}"),
    _prefixed("figma token", "figd_ figo_", rf"{W}{{30,64}}"),
    KeyKind("airtable token", ("pat",), rf"{BEFORE}pat{A}{{14}}\.{HEX}{{64}}{AFTER}"),
    _prefixed("grafana token", "glsa_ glc_", r"[A-Za-z0-9_=+/]{30,400}"),
    _prefixed("vault token", "hvs. hvb. hvr.", rf"{W}{{24,300}}"),
    _prefixed("databricks token", "dapi", rf"{HEX}{{32}}(?:-[0-9])?"),
    _prefixed("doppler token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", r"[A-Za-z0-9_.\-]{40,64}"),
    _prefixed("postman key", "PMAK-", rf"{HEX}{{24}}-{HEX}{{34}}"),
    _prefixed("new relic key", "NRAK- NRJS- NRII- NRAA-", r"[A-Za-z0-9\-]{19,64}"),
    _prefixed("atlassian token", "ATATT3x ATCTT3x", r"[A-Za-z0-9_\-=]{40,400}"),
    _prefixed("dropbox token", "sl.", rf"{W}{{100,300}}"),
    _prefixed("age key", "AGE-SECRET-KEY-1", r"[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
    KeyKind(
        "azure key", ("AccountKey", "SharedAccessKey"), r"(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,100}={0,2})"
    ),
    KeyKind("azure signature", ("sig=",), r"[?&]sig=([A-Za-z0-9%+/]{40,120}={0,2})"),
    _prefixed("groq key", "gsk_", rf"{A}{{40,64}}"),
    _prefixed("xai key", "xai-", rf"{A}{{60,100}}"),
    _prefixed("replicate token", "r8_", rf"{A}{{37}}"),
    _prefixed("perplexity key", "pplx-", rf"{A}{{40,64}}"),
    _prefixed("supabase key", "sbp_ sb_secret_", rf"{W}{{30,64}}"),
    _prefixed("planetscale token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[A-Za-z0-9_\-.=]{32,64}"),
    _prefixed("netlify token", "nfp_ nfc_ nfo_ nfb_", rf"{A}{{36,64}}"),
    _prefixed("fly token", "fm1_ fm2_ fo1_", r"[A-Za-z0-9_\-+/=,]{40,2000}"),
    _prefixed("heroku token", "HRKU-", rf"{W}{{36,100}}"),
    _prefixed("rubygems key", "rubygems_", rf"{HEX}{{48}}"),
    _prefixed("crates token", "cio", rf"{A}{{32}}"),
    _prefixed("docker token", "dckr_pat_ dckr_oat_", rf"{W}{{27,64}}"),
    KeyKind("terraform token", (".atlasv1.",), rf"{BEFORE}{A}{{14}}\.atlasv1\.[A-Za-z0-9_=\-]{{60,70}}"),
    _prefixed("sentry token", "sntrys_ sntryu_", r"[A-Za-z0-9_+/=]{40,400}"),
    _prefixed("pulumi token", "pul-", rf"{HEX}{{40}}"),
    _prefixed("facebook token", "EAAC EAAB EAAG EAAD EAAJ", rf"{A}{{60,400}}"),
    _prefixed("dynatrace token", "dt0c01.", r"[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    _prefixed("easypost key", "EZAK EZTK", rf"{A}{{54}}"),
    _prefixed("tailscale key", "tskey-auth- tskey-api- tskey-client- tskey-webhook-", rf"{W}{{16,100}}"),
    _prefixed("brevo key", "xkeysib- xsmtpsib-", rf"{HEX}{{64}}-{A}{{16}}"),
    _prefixed("onepassword token", "ops_eyJ", r"[A-Za-z0-9+/=_\-]{100,2000}"),
)


def kinds_in(text: str) -> list[KeyKind]:
    """Return the kinds of which a text holds what each such key holds, in the order of ``KEY_KINDS``."""
    places = {place for word, places in _places() if word in text for place in places}
    kinds = [KEY_KINDS[place] for place in sorted(places)]
    return [kind for kind in kinds if not kind.shape or _compiled(kind.shape).search(text)]


@cache
def _places() -> list[tuple[str, list[int]]]:
    """Return each word with the places in ``KEY_KINDS`` of the kinds that have it."""
    return [
        (word, [place for place, kind in enumerate(KEY_KINDS) if word in kind.words])
        for word in dict.fromkeys(word for kind in KEY_KINDS for word in kind.words)
    ]
