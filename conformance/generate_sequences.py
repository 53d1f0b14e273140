#!/usr/bin/env python3
"""Writes sequences.json, the reference cases of gates that stop early.

    python3 generate_sequences.py               rewrite sequences.json beside this file (same bytes every time)
    python3 generate_sequences.py --check FILE  run the reference below against another file of the same format

The evidence on a share is computed from the binomial distribution with exact fractions, the library sums a series; bets are multiplied with exact fractions, the library adds
logarithms; gates are looked at naively, row by row, from the definitions. Standard library only. It shares no code with the library under test.
"""

import random
import sys
from fractions import Fraction as F
from math import comb
from pathlib import Path

sys.dont_write_bytecode = True

from write_cases import check_cases, write_cases  # noqa: E402

EDGE = F(1, 10**9)


def exact(value):
    return F(str(value))


# ------------------------------------------------------------------------------------------------
# Evidence


def above(s, n, m):
    """E+(m): P(Bin(n+1, m) <= s) / ((n+1) (1-m) P(Bin(n, m) = s)); None where it is infinite."""
    if m == 0:
        return F(1, n + 1) if s == 0 else None
    if m == 1:
        return F(1, n - s + 1)
    at_most = sum(comb(n + 1, k) * m**k * (1 - m) ** (n + 1 - k) for k in range(s + 1))
    return at_most / ((n + 1) * (1 - m) * comb(n, s) * m**s * (1 - m) ** (n - s))


def share_evidence(s, n, m, side):
    return above(s, n, m) if side == "above" else above(n - s, n, 1 - m)


def bets(values, needed):
    """The mean wealth of fifty fixed bets; `needed` gives the mean that each value is bet against. None where it is infinite."""
    wealth = [F(1)] * 50
    for t, x in enumerate(values):
        m = needed(t)
        if m < -EDGE or (m <= EDGE and x > 0):
            return None
        if m <= EDGE or m >= 1:
            continue
        wealth = [w * (1 - F(2 * j - 1, 100) + F(2 * j - 1, 100) * x / m) for j, w in enumerate(wealth, 1)]
    return sum(wealth) / 50


def mean_evidence(values, m):
    if m == 1:
        product = [F(1)] * 50
        for x in values:
            product = [w * (1 - F(2 * j - 1, 100) * (1 - x)) for j, w in enumerate(product, 1)]
        return sum(product) / 50
    return bets(values, lambda _: m)


def bisect(reaches):
    low, high = 0.0, 1.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        if reaches(middle):
            low = middle
        else:
            high = middle
    return low


def at_least(evidence, enough):
    return evidence is None or evidence >= enough


def float_above(s, n, m):
    """The series in floats, for bisection only: exact fractions of 50 digits would take minutes."""
    total = term = 1.0
    for i in range(s):
        term *= (s - i) * (1 - m) / ((n + 2 - s + i) * m)
        total += term
    return total / (n - s + 1)


def share_bounds(s, n, alpha):
    if n == 0:
        return None
    lower = lambda good: 0.0 if good == 0 else bisect(lambda m: float_above(good, n, m) >= 1 / alpha)
    return [lower(s), 1 - lower(n - s)]


def float_bets(values, m):
    total = 0.0
    for j in range(1, 51):
        c, w = (2 * j - 1) / 100, 1.0
        for x in values:
            w *= 1 - c + c * x / m
        total += w
    return total / 50


def mean_bounds(values, alpha):
    if not values or any(x < 0 or x > 1 for x in values):
        return None
    lower = lambda xs: 0.0 if not any(xs) else bisect(lambda m: float_bets(xs, m) >= 1 / alpha)
    return [lower(values), 1 - lower([1 - x for x in values])]


# ------------------------------------------------------------------------------------------------
# Gates

GOOD = {
    "selective_accuracy": {"right": 1, "wrong": 0},
    "accuracy": {"right": 1, "wrong": 0, "abstained": 0},
    "coverage": {"right": 1, "wrong": 1, "abstained": 0},
    "unsafe_answer_rate": {"right": 1, "wrong": 0, "abstained": 1},
}


def prefix(states):
    return states.index("pending") if "pending" in states else len(states)


def gate(states, metric, limit, n_total, alpha_side, min_n):
    turned = metric == "unsafe_answer_rate"
    m = 1 - exact(limit) if turned else exact(limit)
    enough = 1 / exact(alpha_side)
    n = good = failed = looked = 0
    ever = False
    status = "undecided"
    for state in states[: prefix(states)]:
        looked += 1
        if state == "failed":
            n, failed = n + 1, failed + 1
        elif state in GOOD[metric]:
            n, good = n + 1, good + GOOD[metric][state]
        rest = n_total - looked
        if n >= min_n and at_least(above(good, n, m), enough):
            status = "pass"
        elif n >= min_n and at_least(above(n - good - failed, n, 1 - m), enough):
            status = "fail_shown"
        elif rest > 0:
            ever = ever or (n >= min_n and at_least(above(good + failed, n, m), enough))
            best = above(good + failed + rest, n + rest, m)
            if n + rest < min_n or not at_least(best, enough):
                status = "fail_unreachable"
        else:
            ever = ever or (n >= min_n and at_least(above(good + failed, n, m), enough))
            if not ever:
                status = "fail_not_shown"
        if status != "undecided":
            break
    low, high = share_bounds(good, n, alpha_side), share_bounds(good + failed, n, alpha_side)
    lower, upper = (low and low[0]), (high and high[1])
    if turned and n:
        lower, upper = 1 - upper, 1 - lower
    return {"status": status, "rows_looked_at": looked, "n": n, "lower": lower, "upper": upper}


def pairs(a, b):
    return [(1 + exact(x) - exact(y)) / 2 for x, y in zip(a, b)]


def paired_verdict(a, b, margin, alpha):
    xs = pairs(a, b)
    if not xs:
        return None
    enough, limit = 1 / exact(alpha), (1 - exact(margin)) / 2
    status = "undecided"
    if at_least(mean_evidence(xs, F(1, 2)), enough):
        status = "superior"
    elif at_least(mean_evidence(xs, limit), enough):
        status = "non_inferior"
    elif at_least(mean_evidence([1 - x for x in xs], 1 - limit), enough):
        status = "shown_worse"
    return {"status": status, "difference": float(2 * sum(xs) / len(xs) - 1)}


def paired_bounds(a, b, alpha):
    found = mean_bounds([float(x) for x in pairs(a, b)], alpha)
    return found and [2 * found[0] - 1, 2 * found[1] - 1]


def suite_evidence(values, m, size, side):
    xs = [exact(x) if side == "above" else 1 - exact(x) for x in values]
    m = m if side == "above" else 1 - m
    return bets(xs, lambda t: (size * m - sum(xs[:t])) / (size - t))


def patient_means(clusters, values):
    own = {}
    for cluster, value in zip(clusters, values):
        own.setdefault(cluster, []).append(value)
    counted = ([v for v in vs if v is not None] for vs in own.values())
    return [sum(vs) / len(vs) for vs in counted if vs]


def curtailed(right, wrong, rest, limit):
    n = right + wrong + rest
    if n == 0:
        return None
    if F(right, n) >= exact(limit) - EDGE:
        return "pass"
    return "fail" if F(right + rest, n) < exact(limit) - EDGE else None


def rows_needed(limit, alpha):
    if limit == 1:
        return None
    n = 0
    while not at_least(above(n, n, exact(limit)), 1 / exact(alpha)):
        n += 1
    return n


def number(value):
    return None if value is None else float(value)


REFERENCE = {
    "proportion_e_value": lambda i, p: number(share_evidence(i["successes"], i["n"], exact(i["limit"]), p["side"])),
    "proportion_sequence": lambda i, p: share_bounds(i["successes"], i["n"], p["alpha_side"]),
    "mean_e_value": lambda i, p: number(
        mean_evidence([exact(x) for x in i["values"]], exact(i["limit"]))
        if p["side"] == "above"
        else mean_evidence([1 - exact(x) for x in i["values"]], 1 - exact(i["limit"]))
    ),
    "mean_sequence": lambda i, p: mean_bounds(i["values"], p["alpha_side"]),
    "paired_sequence": lambda i, p: paired_bounds(i["scores_a"], i["scores_b"], p["alpha_side"]),
    "paired_verdict": lambda i, p: paired_verdict(i["scores_a"], i["scores_b"], p["margin"], p["alpha_side"]),
    "suite_e_value": lambda i, p: number(suite_evidence(i["values"], exact(i["limit"]), i["suite_size"], p["side"])),
    "finished_prefix": lambda i, p: prefix(i["states"]),
    "patient_means": lambda i, p: patient_means(i["clusters"], i["values"]),
    "sequential_alpha": lambda i, p: float(
        (1 - exact(p["level"])) / 2 / i["n_models"] / (i["n_gates"] if p["claim"] == "each" else 1)
    ),
    "sequential_gate": lambda i, p: gate(i["states"], **p),
    "rows_needed_all_right": lambda i, p: rows_needed(i["limit"], p["alpha_side"]),
    "curtailed_value_gate": lambda i, p: curtailed(i["right"], i["wrong"], i["rest"], i["limit"]),
}

# ------------------------------------------------------------------------------------------------
# Cases

CASES = []
COUNTS = {}


def case(metric, inputs, params):
    expected = REFERENCE[metric](inputs, params)
    COUNTS[metric] = COUNTS.get(metric, 0) + 1
    tolerance = 1e-9 if not isinstance(expected, float) else 1e-9 * max(1, abs(expected))
    CASES.append(
        {"id": f"{metric}-{COUNTS[metric]}", "metric": metric, "inputs": inputs, "params": params, "expected": expected, "tolerance": tolerance}
    )


def cases():
    rng = random.Random(20261116)
    for s, n, m in [(0, 0, 0.5), (1, 1, 0.9), (0, 7, 0.9), (7, 7, 0.9), (0, 3, 0), (3, 3, 1), (2, 3, 1), (95, 100, 0.9), (400, 500, 0.85)]:
        for side in ["above", "below"]:
            # An infinite value cannot be written in JSON.
            if share_evidence(s, n, exact(m), side) is not None:
                case("proportion_e_value", {"successes": s, "n": n, "limit": m}, {"side": side})
    for s, n in [(0, 0), (0, 1), (1, 1), (30, 30), (29, 30), (0, 50), (50, 100), (970, 1000)]:
        for alpha in [0.025, 0.00625]:
            case("proportion_sequence", {"successes": s, "n": n}, {"alpha_side": alpha})
    shares = lambda n: [rng.choice([0, 0.25, 0.5, 0.75, 1, 1, 1]) for _ in range(n)]
    for k in range(8):
        values = shares(rng.choice([0, 1, 5, 20]))
        for side in ["above", "below"]:
            case("mean_e_value", {"values": values, "limit": rng.choice([0.3, 0.5, 0.8, 0.95])}, {"side": side})
            case("suite_e_value", {"values": values, "limit": rng.choice([0.85, 0.95]) if side == "above" else 0.05, "suite_size": len(values) + 9}, {"side": side})
        case("mean_sequence", {"values": values}, {"alpha_side": 0.025})
    case("mean_e_value", {"values": [0, 0], "limit": 0}, {"side": "above"})
    case("mean_e_value", {"values": [1, 0.5], "limit": 1}, {"side": "above"})
    case("mean_sequence", {"values": [0.5, 1.2]}, {"alpha_side": 0.025})
    case("mean_sequence", {"values": [1] * 12}, {"alpha_side": 0.025})
    case("mean_sequence", {"values": [0] * 12}, {"alpha_side": 0.025})
    for n, gain in [(0, 0), (5, 0.2), (40, 0.5), (40, 0), (120, 0), (60, -0.5)]:
        a = [1 if rng.random() < 0.5 + gain / 2 else 0 for _ in range(n)]
        b = [1 if rng.random() < 0.5 - gain / 2 else 0 for _ in range(n)] if gain else a
        case("paired_sequence", {"scores_a": a, "scores_b": b}, {"alpha_side": 0.025})
        case("paired_verdict", {"scores_a": a, "scores_b": b}, {"margin": 0.1, "alpha_side": 0.025})
    for k in range(5):
        case("finished_prefix", {"states": [rng.choice(["right", "wrong", "failed", "abstained", "pending"]) for _ in range(k * 2)]}, {})
        clusters = sorted(rng.choice("abc") for _ in range(k * 2))
        case("patient_means", {"clusters": clusters, "values": [rng.choice([0, 1, None]) for _ in clusters]}, {})
    for claim in ["each", "release"]:
        for models, gates in [(1, 1), (1, 4), (3, 2)]:
            case("sequential_alpha", {"n_models": models, "n_gates": gates}, {"level": rng.choice([0.9, 0.95, 0.99]), "claim": claim})
    for limit in [0.5, 0.8, 0.85, 0.9, 0.95, 0.98, 1]:
        case("rows_needed_all_right", {"limit": limit}, {"alpha_side": 0.025})
    for right, wrong, rest in [(0, 0, 0), (9, 1, 0), (8, 2, 0), (90, 0, 10), (89, 0, 11), (0, 11, 89), (0, 10, 90), (0, 0, 5)]:
        case("curtailed_value_gate", {"right": right, "wrong": wrong, "rest": rest, "limit": 0.9}, {})
    for metric in GOOD:
        for p, total in [(0.99, 90), (0.9, 90), (0.6, 90), (0.95, 60)]:
            draw = lambda: "right" if rng.random() < p else rng.choice(["wrong", "wrong", "abstained", "failed"])
            states = [draw() for _ in range(total)]
            limit = 0.2 if metric == "unsafe_answer_rate" else 0.8
            params = {"metric": metric, "limit": limit, "n_total": total, "alpha_side": 0.025, "min_n": 30}
            case("sequential_gate", {"states": states}, params)
            case("sequential_gate", {"states": states[:25] + ["pending"] + states[26:]}, params)
    all_but = ["failed"] * 4 + ["right"] * 56
    for states in [[], ["pending"], all_but, ["wrong"] * 4 + ["right"] * 56, ["right"] * 29, ["abstained"] * 40]:
        params = {"metric": "selective_accuracy", "limit": 0.9, "n_total": 60, "alpha_side": 0.025, "min_n": 30}
        case("sequential_gate", {"states": states}, params)


META = {
    "schema_version": "1.0",
    "how_to_run": "`krisis conformance FILE`. Numbers agree within the tolerance, objects by the expected keys, null with null.",
    "how_made": "conformance/generate_sequences.py wrote this file: evidence and gates with exact fractions, bounds by bisection; it shares no code with the library.",
}


def main():
    if sys.argv[1:2] == ["--check"]:
        check_cases(sys.argv[2], REFERENCE, skip=lambda case: case["metric"] not in REFERENCE)
    cases()
    write_cases(Path(__file__).with_name("sequences.json"), META, CASES)


if __name__ == "__main__":
    main()
