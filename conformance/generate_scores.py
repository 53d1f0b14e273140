#!/usr/bin/env python3
"""Writes scores.json, the reference cases of rows that have a score in place of an answer.

    python3 generate_scores.py               rewrite scores.json beside this file (same bytes every time)
    python3 generate_scores.py --check FILE  run the reference below against another file of the same format

A row has a score from 0 to 1, and may have abstained or failed. Means are exact fractions. Standard library only. It shares no code with the library under test.
"""

import random
import sys
from fractions import Fraction as F
from pathlib import Path

sys.dont_write_bytecode = True

from write_cases import check_cases, write_cases  # noqa: E402


def counted(rows):
    """The score that each row counts with. A failed call says nothing about the model; silence scores nothing."""
    found = []
    for row in rows:
        if row.get("state") == "failed":
            continue
        silent = row.get("abstained", False) or row.get("state") in ("refused", "invalid")
        found.append(F(0) if silent else F(str(row["score"])))
    return found


def has_scores(rows):
    return any(row.get("score") is not None for row in rows if row.get("state") != "failed")


def mean_score(rows, _params):
    values = counted(rows)
    return float(sum(values) / len(values)) if values and has_scores(rows) else None


def accuracy(rows, params):
    """Right means a score of 1, so a score in between leaves accuracy without a value."""
    values = counted(rows)
    return mean_score(rows, params) if all(v in (0, 1) for v in values) else None


REFERENCE = {"mean_score": mean_score, "accuracy": accuracy}
META = {
    "about": "Rows with a score from 0 to 1 in place of prediction and truth.",
    "generated_by": "generate_scores.py",
}


def row(i, score, **more):
    return {"id": f"r{i}", "score": score, **more}


def random_rows(seed, steps):
    rng = random.Random(seed)
    rows = []
    for i in range(rng.randint(5, 40)):
        kind = rng.random()
        score = rng.randint(0, steps) / steps
        if kind < 0.1:
            rows.append({"id": f"r{i}", "score": None, "state": "failed", "state_reason": "timeout"})
        elif kind < 0.25:
            rows.append(row(i, 0, abstained=True))
        elif kind < 0.3:
            rows.append(row(i, 0, state="invalid"))
        else:
            rows.append(row(i, score))
    return rows


HAND = {
    "empty": [],
    "one": [row(0, 0.25)],
    "right-and-wrong": [row(0, 1), row(1, 0), row(2, 1)],
    "in-part": [row(0, 1), row(1, 0.5), row(2, 0)],
    "abstained-is-zero": [row(0, 1), row(1, 0, abstained=True)],
    "abstained-with-a-score": [row(0, 1), row(1, 1, abstained=True), row(2, 1)],
    "failed-is-left-out": [row(0, 1), {"id": "r1", "score": None, "state": "failed", "state_reason": "timeout"}],
    "invalid-is-zero": [row(0, 1), row(1, 0, state="invalid"), row(2, 1)],
    "repeats": [{"id": "a", "score": s} for s in (1, 0, 1)] + [{"id": "b", "score": 1}],
}


def cases():
    named = dict(HAND)
    for seed in range(12):
        named[f"random-{seed}"] = random_rows(seed, 1 if seed % 2 else 4)
    for name, rows in named.items():
        for metric, function in REFERENCE.items():
            yield {
                "id": f"{metric}-{name}",
                "metric": metric,
                "rows": rows,
                "params": {},
                "expected": function(rows, {}),
                "tolerance": 1e-9,
            }


def main():
    if sys.argv[1:2] == ["--check"]:
        check_cases(sys.argv[2], REFERENCE)
    write_cases(Path(__file__).with_name("scores.json"), META, list(cases()))


if __name__ == "__main__":
    main()
