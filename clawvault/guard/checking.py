"""What is wrong with a text that a tool wants to write where a model reads it (pure)."""

from __future__ import annotations

from clawvault.guard.findings import Finding, Severity
from clawvault.guard.injections import scan
from clawvault.guard.secret_text import find_secrets


def find_flaws(text: str) -> tuple[Finding, ...]:
    """Find what steers a model and what is secret.

    Args:
        text: What is to be written.

    Returns:
        Findings in order of place. Those of ``HIGH`` and above refuse the write, every secret among them; those of
        ``MEDIUM`` warn. Reasons never hold a word of the text.

    Source: MN-23, MN-24, MN-31, L31.
    """
    steering = [finding for finding in scan(text) if finding.severity >= Severity.MEDIUM]
    secrets = [
        Finding(secret.line, secret.start, secret.end, Severity.HIGH, f"secret ({secret.kind})")
        for secret in find_secrets(text)
    ]
    return tuple(sorted([*steering, *secrets]))
