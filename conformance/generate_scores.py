#!/usr/bin/env python3
"""Writes scores.json, the reference cases of rows that have a score in place of an answer.

    python3 generate_scores.py               rewrite scores.json beside this file (same bytes every time)
    python3 generate_scores.py --check FILE  run the reference below against another file of the same format

A row has a score from 0 to 1, and may have abstained or failed. Means are exact fractions. Standard library only. It shares no code with the library under test.
"""

import math
import random
import sys
from fractions import Fraction as F
from pathlib import Path

sys.dont_write_bytecode = True

from generate_review import corrected_mean  # noqa: E402
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


def corrected_items(rows):
    """Answers as judged items: checked ones are drawn alike. Silence scores 0, which nobody needs to check."""
    named = [(row.get("id", f"row {i}"), row) for i, row in enumerate(rows) if row.get("state") != "failed"]
    silent = lambda row: row.get("abstained", False) or row.get("state") in ("refused", "invalid")
    answers = [(name, row) for name, row in named if not silent(row)]
    checked = [row for _, row in answers if row.get("checked") is not None]
    exact = lambda value: F(str(value))
    items = [
        {
            "judge": exact(row["score"]),
            "human": None if row.get("checked") is None else exact(row["checked"]),
            "pi": F(len(checked), len(answers)),
            "cluster": name,
        }
        for name, row in answers
    ]
    rest = [{"judge": F(0), "human": F(0), "pi": F(1), "cluster": name} for name, row in named if silent(row)]
    return items, rest


def differ(items):
    """Two-sided p of the judge's means on checked and on other answers, clusters drawn together, around the common mean."""
    own = [i for i in items if i["human"] is not None]
    rest = [i for i in items if i["human"] is None]
    if len({i["cluster"] for i in own}) < 2 or len({i["cluster"] for i in rest}) < 2:
        return 1.0
    mean = lambda part: sum(i["judge"] for i in part) / len(part)
    centre, sums = mean(items), {}
    for i in items:
        weight = F(1, len(own)) if i["human"] is not None else F(-1, len(rest))
        sums[i["cluster"]] = sums.get(i["cluster"], 0) + (i["judge"] - centre) * weight
    squares = sum(s * s for s in sums.values()) * F(len(sums), len(sums) - 1)
    return math.erfc(abs(mean(own) - mean(rest)) / math.sqrt(squares) / math.sqrt(2)) if squares else 1.0


def corrected_score(rows, params):
    """Not corrected with fewer than 50 checked answers or 15 checked cases, nor where the checked ones differ from the others."""
    items, rest = corrected_items(rows)
    own = [i for i in items if i["human"] is not None]
    if len(own) < 50 or len({i["cluster"] for i in own}) < 15 or differ(items) < 0.001:
        return None
    return float(corrected_mean({"items": items + rest}, params)["estimate"])


def corrected_score_interval(rows, params):
    items, rest = corrected_items(rows)
    found = corrected_mean({"items": items + rest}, params)
    lower, upper = (None, None) if corrected_score(rows, params) is None else (found["lower"], found["upper"])
    return {"lower": lower, "upper": upper, "lambda": found["lambda"], "p": differ(items)}


REFERENCE = {
    "mean_score": mean_score,
    "accuracy": accuracy,
    "corrected_score": corrected_score,
    "corrected_score_interval": corrected_score_interval,
}
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


def checked_rows(seed, steps, repeats=1, n=60, biased=False, silent=0.1):
    """A judge that errs, and people who check every second answer, or mostly those that the judge calls right."""
    rng = random.Random(seed)
    rows = []
    for i in range(n):
        for _ in range(repeats):
            truth = rng.randint(0, steps) / steps
            score = truth if rng.random() < 0.8 else rng.randint(0, steps) / steps
            own = {"id": f"r{i}", "score": score}
            if rng.random() < silent:
                rows.append({**own, "score": 0, "abstained": True})
                continue
            is_drawn = rng.random() < (0.9 * score + 0.05 if biased else 0.5) if repeats == 1 else i % 2 == 0
            rows.append({**own, "checked": truth} if is_drawn else own)
    return rows


CHECKED = {
    "right-or-wrong": checked_rows(1, 1, n=150),
    "in-part": checked_rows(2, 4, n=150),
    "repeats": checked_rows(3, 1, repeats=4),
    "all-checked": [{**row, "checked": row["score"]} for row in checked_rows(4, 4, n=70, silent=0)],
    "one-in-ten-silent": checked_rows(5, 1, n=200, silent=0.3),
    "not-a-random-sample": checked_rows(6, 1, n=200, biased=True),
    "too-few": checked_rows(7, 1, n=60),
}


def cases():
    named = dict(HAND)
    for seed in range(12):
        named[f"random-{seed}"] = random_rows(seed, 1 if seed % 2 else 4)
    for name, rows in named.items():
        for metric in ("mean_score", "accuracy"):
            function = REFERENCE[metric]
            yield {
                "id": f"{metric}-{name}",
                "metric": metric,
                "rows": rows,
                "params": {},
                "expected": function(rows, {}),
                "tolerance": 1e-9,
            }
    for name, rows in CHECKED.items():
        for metric in ("corrected_score", "corrected_score_interval"):
            yield {
                "id": f"{metric}-{name}",
                "metric": metric,
                "rows": rows,
                "params": {},
                "expected": REFERENCE[metric](rows, {}),
                "tolerance": 1e-9,
            }


def main():
    if sys.argv[1:2] == ["--check"]:
        check_cases(sys.argv[2], REFERENCE)
    write_cases(Path(__file__).with_name("scores.json"), META, list(cases()))


if __name__ == "__main__":
    main()
