"""Where the texts of new vaults are."""

from __future__ import annotations

from pathlib import Path

LANGUAGES = ("en", "zh")


def template_folder() -> Path:
    """Get the folder of template texts: inside the package when installed, else at the top of the checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "vault_template"
    return inside if inside.is_dir() else package.parent / "vault_template"
