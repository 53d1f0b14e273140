#!/usr/bin/env python3
"""Writes difficulty.json, the reference cases of item difficulty.

    python3 generate_difficulty.py               rewrite difficulty.json beside this file (same bytes every time)
    python3 generate_difficulty.py --check FILE  run the reference below against another file of the same format

A case is a list of scored replies: model, record, outcome. Shares are exact fractions; discrimination is computed from sums of products rather than from
deviations. Standard library only. It shares no code with the library under test.
"""

import math
import random
import sys
from fractions import Fraction as F
from functools import cmp_to_key
from pathlib import Path

sys.dont_write_bytecode = True

from generate_review import wilson  # noqa: E402
from write_cases import check_cases, write_cases  # noqa: E402

RIGHT = {"right", "rightly_deferred"}


def judged(outcome):
    """Replies where either decision is defensible are neither right nor wrong."""
    return not outcome.endswith("_either")


def pearson(pairs):
    """From sums of products; None where one side does not vary."""
    n = len(pairs)
    sx, sy = sum(a for a, _ in pairs), sum(b for _, b in pairs)
    vx = n * sum(a * a for a, _ in pairs) - sx * sx
    vy = n * sum(b * b for _, b in pairs) - sy * sy
    if vx == 0 or vy == 0:
        return None
    return float(n * sum(a * b for a, b in pairs) - sx * sy) / math.sqrt(float(vx) * float(vy))


def item_difficulty(inputs, params):
    askings = inputs["askings"]
    models = sorted({m for m, _, _ in askings})
    found = []
    for record in dict.fromkeys(r for _, r, _ in askings):
        own = [(m, o) for m, r, o in askings if r == record]
        pairs = []
        for model in models:
            here = [o in RIGHT for m, o in own if m == model and judged(o)]
            rest = [o in RIGHT for m, r, o in askings if m == model and r != record and judged(o)]
            if here and rest:
                pairs.append((F(sum(here), len(here)), F(sum(rest), len(rest))))
        found.append({
            "id": record,
            "expected": None,
            "n": len(own),
            "n_judged": sum(judged(o) for _, o in own),
            "right": sum(o in RIGHT for _, o in own),
            "deferred": sum("deferred" in o for _, o in own),
            "commonest": None,
            "discrimination": pearson(pairs) if len(pairs) >= 3 else None,
        })
    known = [f for f in found if f["n_judged"] > 1]

    def order(a, b):
        keys = [
            F(a["right"], a["n_judged"]) - F(b["right"], b["n_judged"]),
            b["n_judged"] - a["n_judged"],
            (a["discrimination"] or 0) - (b["discrimination"] or 0),
        ]
        first = next((k for k in keys if k != 0), -1 if a["id"] < b["id"] else 1)
        return -1 if first < 0 else 1

    known.sort(key=cmp_to_key(order))
    wrong = sum(f["right"] == 0 for f in known)
    low, high = wilson(wrong, len(known), 0.95) or (None, None)
    return {
        "n_models": len(models),
        "n_records": len(known),
        "n_too_few": len(found) - len(known),
        "all_wrong": {"n": wrong, "share": wrong / len(known) if known else None, "lower": low, "upper": high},
        "all_right": sum(f["right"] == f["n_judged"] for f in known),
        "all_deferred": sum(f["deferred"] == f["n"] for f in known),
        "negative_discrimination": sum((f["discrimination"] or 0) < 0 for f in known),
        "records": known,
    }


REFERENCE = {"item_difficulty": item_difficulty}
CASES = []


def add(name, askings, note=None):
    inputs = {"askings": askings}
    case = {"id": f"item-difficulty-{name}", "metric": "item_difficulty", "bundle": "default", "inputs": inputs, "params": {}, "expected": item_difficulty(inputs, {}), "tolerance": 1e-9}
    CASES.append(case if note is None else {**case, "note": note})


def table(**answers):
    """Outcomes of records by model: r right, w wrong, d deferred without need, s rightly deferred, e and a deferred and answered where either is defensible, - failed."""
    names = {"e": "deferred_either", "a": "answered_either", "r": "right", "w": "wrong", "d": "deferred", "s": "rightly_deferred"}
    return [[m, f"q{i + 1}", names[o]] for m, row in answers.items() for i, o in enumerate(row) if o != "-"]


add("empty", [])
add("one-reply", table(a="r"), "one reply says nothing about a record")
add("one-model", table(a="rwd"))
add("two-models", table(a="rrw", b="rww"), "two models: no discrimination")
add("repeats", [["a", "q1", o] for o in ("right", "wrong", "wrong")] + [["a", "q2", "right"]] * 3, "one model asked repeatedly")
add("three-models", table(a="rrrw", b="rrww", c="rwww"))
add("negative", table(a="rrrrw", b="rrwww", c="wwwwr"), "the last record is right only where all others are wrong")
add("all-wrong", table(a="wr", b="wr", c="wr"), "no variation, so no discrimination")
add("deferred", table(a="sd", b="sd", c="sr"))
add("either", table(a="erwe", b="erre", c="rrae", d="wraa"), "the last record cannot be judged, so nothing says that it is hard")
add("failed", table(a="r-r", b="rw-", c="-rr"))
add("unbalanced", table(a="rrww", b="rw", c="wrr-", d="wwwr"))

rng = random.Random(20261118)
for k in range(12):
    n_models, n_records, repeats = rng.randint(1, 6), rng.randint(1, 9), rng.randint(1, 3)
    skill = [rng.random() for _ in range(n_models)]
    hard = [rng.random() for _ in range(n_records)]
    askings = []
    for m in range(n_models):
        for r in range(n_records):
            for _ in range(repeats):
                if rng.random() < 0.1:
                    continue
                is_right = rng.random() < (skill[m] + hard[r]) / 2
                kind = rng.random() < 0.2
                askings.append([f"m{m}", f"q{r}", ("rightly_deferred" if kind else "right") if is_right else ("deferred" if kind else "wrong")])
    add(f"random-{k + 1}", askings)

META = {
    "schema_version": "1.0",
    "how_to_run": "`krisis conformance FILE`. Numbers agree within the tolerance, objects by the expected keys, null with null.",
    "how_made": "conformance/generate_difficulty.py wrote this file, from exact fractions and sums of products; it shares no code with the library.",
}


def main():
    if sys.argv[1:2] == ["--check"]:
        check_cases(sys.argv[2], REFERENCE)
    write_cases(Path(__file__).with_name("difficulty.json"), META, CASES)


if __name__ == "__main__":
    main()
