#!/usr/bin/env python3
"""Writes ranks.json, the reference cases of rank intervals and of the variance split.

    python3 generate_ranks.py               rewrite ranks.json beside this file (same bytes every time)
    python3 generate_ranks.py --check FILE  run the reference below against another file of the same format

A case has, for each model, the scores of the replies to each record, and lists of drawn units in place of random numbers. Resamples are made by copying records, rates and
components are exact fractions, and the variance components solve the expected mean squares as a system of equations. Standard library only. It shares no code with the library
under test.
"""

import random
import sys
from fractions import Fraction as F
from pathlib import Path

sys.dont_write_bytecode = True

from write_cases import check_cases, write_cases  # noqa: E402

MIN_UNITS = 10


def units_of(inputs):
    """The records of each unit; without units each record is one."""
    n = len(next(iter(inputs["models"].values())))
    labels = inputs.get("units") or list(range(n))
    return [[r for r in range(n) if labels[r] == u] for u in range(max(labels) + 1)]


def resample(records, units, draw):
    return [records[r] for u in draw for r in units[u]]


# ------------------------------------------------------------------------------------------------
# Ranks


def rate(records):
    rows = [F(y) for record in records for y in record]
    return sum(rows) / len(rows) if rows else None


def midranks(values, better):
    """Place each value in the sorted list; equal values share the mean of their places."""
    ordered = sorted(values, reverse=better == "higher")
    places = {v: [i + 1 for i, w in enumerate(ordered) if w == v] for v in values}
    return [F(sum(places[v]), len(places[v])) for v in values]


def rank_intervals(inputs, params):
    better, level = params["better"], params["level"]
    names = list(inputs["models"])
    records = [inputs["models"][name] for name in names]
    units = units_of(inputs)
    values = [rate(r) for r in records]
    ranks = midranks(values, better)
    draws = inputs["resamples"] if len(units) >= MIN_UNITS else []
    found = []
    for draw in draws:
        drawn = [rate(resample(r, units, draw)) for r in records]
        if None not in drawn:
            found.append(midranks(drawn, better))
    if len(units) < MIN_UNITS:
        reason = "too_few_units"
    elif not draws:
        reason = "resampling_off"
    elif 100 * len(found) < 95 * len(draws):
        reason = "too_many_undefined"
    else:
        reason = None
    models = []
    for m, name in enumerate(names):
        lower = upper = best = None
        if reason is None:
            own = sorted(ranks_[m] for ranks_ in found)
            # The number of resamples that may lie beyond each end.
            tail = int((1 - F(str(level))) / 2 * len(own))
            lower, upper = own[tail], own[-1 - tail]
            firsts = [[k for k, r in enumerate(ranks_) if r == min(ranks_)] for ranks_ in found]
            best = sum(F(1, len(f)) for f in firsts if m in f) / len(found)
        models.append({
            "name": name,
            "value": float(values[m]),
            "n": sum(len(r) for r in records[m]),
            "rank": float(ranks[m]),
            "lower": None if lower is None else float(lower),
            "upper": None if upper is None else float(upper),
            "best": None if best is None else float(best),
            "n_failed": 0,
        })
    return {"better": better, "n_records": len(records[0]), "n_units": len(units), "n_resamples": len(draws), "reason": reason, "models": models}


# ------------------------------------------------------------------------------------------------
# Variance components


def solve(matrix, right):
    """Gaussian elimination over fractions."""
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    for i in range(len(rows)):
        pivot = next(j for j in range(i, len(rows)) if rows[j][i] != 0)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for j in range(len(rows)):
            if j != i:
                rows[j] = [a - rows[j][i] * b for a, b in zip(rows[j], rows[i])]
    return [row[-1] for row in rows]


def mean(values):
    values = list(values)
    return sum(values, F(0)) / len(values)


def components(models):
    """Estimates by name, or None. `models`: for each model the list of records, each a list of scores."""
    n_models, n_records = len(models), len(models[0])
    cells = [[[F(y) for y in record] for record in records] for records in models]
    freedom = sum(len(cell) - 1 for records in cells for cell in records)
    if n_records < 2 or (n_models < 2 and freedom == 0):
        return None
    within = sum((y - mean(cell)) ** 2 for records in cells for cell in records for y in cell)
    repeats = None if freedom == 0 else within / freedom
    noise_per_cell = mean(F(1, len(cell)) for records in cells for cell in records) * (repeats or 0)
    table = [[mean(cell) for cell in records] for records in cells]
    grand = mean(v for records in table for v in records)
    of_record = [mean(records[r] for records in table) for r in range(n_records)]
    of_model = [mean(records) for records in table]
    ms_cases = n_models * sum((v - grand) ** 2 for v in of_record) / (n_records - 1)
    if n_models == 1:
        return {"cases": ms_cases - noise_per_cell, "repeats": repeats, "reasons": {"models": "one_model", "cases_by_models": "one_model"}}
    ms_models = n_records * sum((v - grand) ** 2 for v in of_model) / (n_models - 1)
    ms_both = sum((table[m][r] - of_model[m] - of_record[r] + grand) ** 2 for m in range(n_models) for r in range(n_records)) / ((n_models - 1) * (n_records - 1))
    # Expected mean squares: cases, models, both as sums of the components cases, models, cases by models.
    cases, of_models, both = solve(
        [[n_models, 0, 1], [0, n_records, 1], [0, 0, 1]],
        [ms_cases - noise_per_cell, ms_models - noise_per_cell, ms_both - noise_per_cell],
    )
    found = {"cases": cases, "models": of_models, "cases_by_models": both, "reasons": {}}
    if repeats is not None:
        found["repeats"] = repeats
    else:
        found["reasons"]["repeats"] = "no_repeats"
    return found


PARTS = ["cases", "models", "cases_by_models", "repeats"]


def shares(found):
    values = {p: max(F(0), found[p]) if p in found else F(0) for p in PARTS}
    total = sum(values.values())
    return None if total == 0 else {p: v / total for p, v in values.items()}


def quantile7(values, p):
    values = sorted(values)
    if not values:
        return None
    place = (len(values) - 1) * p
    k = int(place)
    return float(values[k]) if k + 1 >= len(values) else float(values[k]) + (place - k) * float(values[k + 1] - values[k])


def variance_split(inputs, params):
    level = params["level"]
    records = list(inputs["models"].values())
    units = units_of(inputs)
    found = components(records)
    if found is None:
        return None
    draws = inputs["resamples"] if len(units) >= MIN_UNITS else []
    again = []
    for draw in draws:
        drawn = components([resample(r, units, draw) for r in records])
        again.append(None if drawn is None else shares(drawn))
    own = shares(found)
    why_not = "too_few_units" if len(units) < MIN_UNITS else None if draws else "resampling_off"
    result = {"n_models": len(records), "n_records": len(records[0]), "n_units": len(units), "n": sum(len(c) for r in records for c in r), "n_resamples": len(draws)}
    for part in PARTS:
        none = {"variance": None, "share": None, "lower": None, "upper": None, "is_truncated": False}
        if part not in found:
            result[part] = {**none, "reason": found["reasons"][part]}
            continue
        drawn = [s[part] for s in again if s is not None] if own is not None else []
        result[part] = {
            "variance": float(max(F(0), found[part])),
            "share": None if own is None else float(own[part]),
            "lower": quantile7(drawn, (1 - level) / 2),
            "upper": quantile7(drawn, (1 + level) / 2),
            "is_truncated": found[part] < 0,
            "reason": "no_variation" if own is None else why_not,
        }
    return result


# ------------------------------------------------------------------------------------------------
# Cases

REFERENCE = {"rank_intervals": rank_intervals, "variance_split": variance_split}
CASES = []


def add(name, inputs, better="higher", level=0.95, note=None):
    for metric, params in (("rank_intervals", {"better": better, "level": level}), ("variance_split", {"level": level})):
        case = {"id": f"{metric.replace('_', '-')}-{name}", "metric": metric, "bundle": "default", "inputs": inputs, "params": params, "expected": REFERENCE[metric](inputs, params), "tolerance": 1e-9}
        CASES.append(case if note is None else {**case, "note": note})


rng = random.Random(20261119)


def draws(n_units, times):
    return [[rng.randrange(n_units) for _ in range(n_units)] for _ in range(times)]


def answers(n_models, n_records, repeats, ragged=False):
    hard = [rng.random() for _ in range(n_records)]
    models = {}
    for m in range(n_models):
        skill = rng.random()
        models[f"m{m}"] = [[int(rng.random() < (skill + h) / 2) for _ in range(rng.randint(1, repeats) if ragged else repeats)] for h in hard]
    return models


same = [[1], [0]] * 6
add("equal-models", {"models": {"a": same, "b": same, "c": same}, "resamples": draws(12, 20)}, note="equal models share the mean of their ranks, and the first place")
add("nothing-varies", {"models": {"a": [[1, 1]] * 11, "b": [[1, 1]] * 11}, "resamples": draws(11, 10)}, note="no variation: no shares")
add("too-few-units", {"models": {"a": [[1], [0], [1]], "b": [[0], [0], [1]]}, "resamples": draws(3, 10)})
add("no-resamples", {"models": answers(3, 12, 1), "resamples": []})
add("no-repeats", {"models": answers(4, 15, 1), "resamples": draws(15, 60)}, note="repeats cannot be told from cases by models")
add("one-model", {"models": answers(1, 14, 3), "resamples": draws(14, 40)})
add("one-model-once", {"models": answers(1, 14, 1), "resamples": draws(14, 10)}, note="nothing to split")
add("opposite-models", {"models": {"a": [[1, 1], [0, 0]] * 6, "b": [[0, 0], [1, 1]] * 6}, "resamples": draws(12, 40)}, note="negative estimates are read as 0")
add("only-repeats", {"models": {"a": [[1, 0]] * 12, "b": [[0, 1]] * 12}, "resamples": draws(12, 40)})
add("parts", {"models": {"a": [[0.5], [1], [0.25]] * 4, "b": [[0.5], [0.75], [0]] * 4}, "resamples": draws(12, 40)}, note="scores that are right in part")
add("clusters", {"models": answers(3, 24, 2), "units": [i // 2 for i in range(24)], "resamples": draws(12, 60)}, note="two records a cluster")
add("clusters-of-different-sizes", {"models": answers(3, 18, 1), "units": [0, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 10, 11, 11], "resamples": draws(12, 60)}, better="lower")
add("level", {"models": answers(3, 16, 2), "resamples": draws(16, 50)}, better="lower", level=0.8)
for k in range(8):
    n_models, n_records, repeats = rng.randint(2, 6), rng.randint(10, 30), rng.randint(1, 4)
    add(f"random-{k + 1}", {"models": answers(n_models, n_records, repeats, ragged=k % 2 == 1), "resamples": draws(n_records, 80)}, better=rng.choice(["lower", "higher"]))

META = {
    "schema_version": "1.0",
    "how_to_run": "`krisis conformance FILE`. Numbers agree within the tolerance, objects by the expected keys, null with null.",
    "how_made": "conformance/generate_ranks.py wrote this file, from copied records and exact fractions; it shares no code with the library.",
}


def main():
    if sys.argv[1:2] == ["--check"]:
        check_cases(sys.argv[2], REFERENCE)
    write_cases(Path(__file__).with_name("ranks.json"), META, CASES)


if __name__ == "__main__":
    main()
