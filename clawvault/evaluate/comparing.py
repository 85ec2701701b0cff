"""Compare two measurements question by question: is the difference more than luck?"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clawvault.errors import NotFoundError, UsageError
from clawvault.evaluate.reporting import FORMAT, SHOWN

SEED = 20260309
RESAMPLES = 10_000
BATCH = 250
HINT = "Make reports with: clawvault eval DATASET --out FILE"

Matrix = npt.NDArray[np.float64]


def read_report(path: Path) -> dict[str, Any]:
    """Read a report that was saved.

    Raises:
        NotFoundError: There is no such file.
        UsageError: It is not a report.
    """
    try:
        report = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
        raise NotFoundError(f'There is no report "{path}".', HINT) from error
    except PermissionError as error:
        raise UsageError(f'Cannot open "{path}": {error.strerror}.', "Check its permissions.") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f'"{path}" is not a report: it is not JSON.', HINT) from error
    if not isinstance(report, dict) or report.get("format") != FORMAT:
        raise UsageError(f'"{path}" is not a report of this version.', HINT)
    return report


def compare_reports(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Compare two reports on the same data by a paired bootstrap over questions.

    Args:
        first: The report to start from.
        second: The report of the change.

    Returns:
        ``questions``, and ``lanes``: for each lane that both have and each figure the means ``first`` and ``second``,
        their ``difference``, the 95 % interval ``low`` to ``high`` of it, and ``shown``: the interval leaves 0 out.

    Raises:
        UsageError: The reports are of different data or questions, have no lane in common, or are damaged.
    """
    try:
        return _compare(first, second)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UsageError(f"A report is damaged: {error}.", HINT) from error


def _compare(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    if first["pinned"]["data_sha256"] != second["pinned"]["data_sha256"]:
        raise UsageError(
            "The reports are of different data: notes or questions differ.", "Measure both on the same folder."
        )
    rows = [{row["id"]: row["lanes"] for row in report["per_question"]} for report in (first, second)]
    if not rows[0] or rows[0].keys() != rows[1].keys():
        raise UsageError("The reports are of different questions.", "Measure both with the same --most.")
    lanes = [name for name in first["lanes"] if name in second["lanes"]]
    if not lanes:
        raise UsageError("The reports have no lane in common.", "Measure both with the same --fusion.")
    ids = sorted(rows[0])
    compared = {}
    for lane in lanes:
        before, after = (_matrix([row[name][lane] for name in ids]) for row in rows)
        compared[lane] = _compare_lane(before, after)
    return {"questions": len(ids), "resamples": RESAMPLES, "lanes": compared}


def _matrix(rows: Sequence[Mapping[str, float]]) -> Matrix:
    return np.array([[float(row[name]) for name in SHOWN] for row in rows], dtype=np.float64)


def _compare_lane(before: Matrix, after: Matrix) -> dict[str, dict[str, Any]]:
    low, high = paired_interval(after - before)
    result = {}
    for column, name in enumerate(SHOWN):
        bounds = round(float(low[column]), 6), round(float(high[column]), 6)
        result[name] = {
            "first": round(float(before[:, column].mean()), 6),
            "second": round(float(after[:, column].mean()), 6),
            "difference": round(float((after - before)[:, column].mean()), 6),
            "low": bounds[0],
            "high": bounds[1],
            "shown": bounds[0] > 0 or bounds[1] < 0,
        }
    return result


def paired_interval(differences: Matrix) -> tuple[Matrix, Matrix]:
    """Return the 95 % percentile interval of each column's mean over resampled questions.

    Args:
        differences: float64 of shape (questions, figures), each question's value after less the one before.

    Returns:
        The lower and upper bounds, each of shape (figures,); the same every time.
    """
    chance = np.random.default_rng(SEED)
    count = len(differences)
    means = np.concatenate(
        [differences[chance.integers(0, count, size=(BATCH, count))].mean(axis=1) for _ in range(RESAMPLES // BATCH)]
    )
    low, high = np.quantile(means, (0.025, 0.975), axis=0)
    return low, high
