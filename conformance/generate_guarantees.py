#!/usr/bin/env python3
"""Writes guarantees.json, the reference cases of gates that stop early, deployable thresholds, sources of confidence and drift.

    python3 generate_guarantees.py               rewrite guarantees.json beside this file (same bytes every time)
    python3 generate_guarantees.py --check FILE  run the reference against another file of the same format

The functions are in guarantee_functions.py. Standard library only. It shares no code with the library under test.
"""

import random
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from guarantee_functions import INFINITE, REFERENCE  # noqa: E402
from write_cases import check_cases, write_cases  # noqa: E402

if sys.argv[1:2] == ["--check"]:
    check_cases(sys.argv[2], REFERENCE)

# ------------------------------------------------------------------------------------------------
# Cases

CASES = []


def case(metric, name, inputs, /, **params):
    expected = REFERENCE[metric](inputs, params)
    assert expected != INFINITE
    size = abs(expected) if isinstance(expected, float) and metric.endswith("e_value") else 1
    tolerance = 1e-7 if metric == "platt_fit" else 0 if isinstance(expected, int) else 1e-9 * max(1, size)
    CASES.append({"id": f"{metric}-{name}", "metric": metric, "inputs": inputs, "params": params, "expected": expected, "tolerance": tolerance})


rng = random.Random(21)

# --- proportions
for s, n, limit in [(0, 0, 0.5), (1, 1, 0.5), (0, 1, 0.5), (0, 10, 0), (7, 7, 1), (3, 10, 1), (0, 12, 1), (51, 51, 0.9), (50, 50, 0.9), (280, 300, 0.95), (1, 400, 0.01), (399, 400, 0.99), (12, 40, 0.29), (23, 40, 0.57)]:
    case("proportion_e_value", f"{s}-of-{n}-above-{limit}", {"successes": s, "n": n, "limit": limit}, side="above")
for s, n, limit in [(0, 0, 0.5), (1, 1, 0.5), (0, 1, 0.5), (10, 10, 1), (0, 7, 0), (4, 10, 0), (0, 30, 0.9), (240, 300, 0.9), (2, 50, 0.1), (12, 40, 0.29)]:
    case("proportion_e_value", f"{s}-of-{n}-below-{limit}", {"successes": s, "n": n, "limit": limit}, side="below")
for s, n, alpha in [(0, 0, 0.1), (0, 1, 0.025), (1, 1, 0.025), (1, 2, 0.025), (5, 10, 0.025), (30, 30, 0.025), (0, 30, 0.025), (27, 30, 0.5), (290, 300, 0.025), (10, 300, 0.025), (57, 100, 0.0001), (400, 500, 0.005)]:
    case("proportion_sequence", f"{s}-of-{n}-at-{alpha}", {"successes": s, "n": n}, alpha_side=alpha)

# --- means
MEANS = {
    "none": [],
    "one-half": [0.5],
    "all-zero": [0, 0, 0, 0],
    "all-one": [1, 1, 1, 1, 1, 1],
    "all-at-the-limit": [0.29] * 12,
    "binary": [1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0, 1],
    "thirds": [0.333, 0.667, 1, 0.333, 0, 1, 0.667, 1, 1, 0.667],
    "above-one": [0.5, 1.0001],
    "below-zero": [-0.1, 0.5],
    "drawn": [rng.randrange(101) / 100 for _ in range(40)],
}
for name, values in MEANS.items():
    case("mean_sequence", name, {"values": values}, alpha_side=0.025)
    case("mean_e_value", f"{name}-above", {"values": values, "limit": 0.29}, side="above")
    case("mean_e_value", f"{name}-below", {"values": values, "limit": 0.57}, side="below")
case("mean_e_value", "limit-one-above", {"values": [1, 0.5, 1], "limit": 1}, side="above")
case("mean_e_value", "limit-zero-below", {"values": [0, 0.5, 0], "limit": 0}, side="below")
case("mean_e_value", "limit-zero-and-nothing-above", {"values": [0, 0, 0], "limit": 0}, side="above")
case("mean_e_value", "limit-one-and-nothing-below", {"values": [1, 1], "limit": 1}, side="below")
case("mean_sequence", "tiny-values", {"values": [1e-7, 0, 0]}, alpha_side=0.025)
case("mean_sequence", "another-level", {"values": MEANS["drawn"]}, alpha_side=0.005)

for name, values, limit, size in [
    ("none", [], 0.5, 10),
    ("whole-suite", [1, 0, 1, 1, 0.5], 0.75, 5),
    ("rest-needs-everything", [0, 0, 0, 1, 1], 0.4, 5),
    ("rest-needs-more-than-there-is", [0, 0, 0, 0, 1, 1], 0.5, 6),
    ("rest-needs-nothing-and-has-nothing", [1, 1, 0, 0, 0], 0.4, 5),
    ("limit-one", [1, 1, 0, 1], 1, 4),
    ("shares", [0.25, 0.75, 1, 0.5, 1, 1], 0.6, 30),
    ("order-matters", [1, 1, 0.5, 1, 0.25, 0.75], 0.6, 30),
    ("sum-reaches-the-limit-in-decimals", [0.1, 0.6, 0, 0], 0.07, 10),
    ("sum-reaches-the-limit-in-other-decimals", [0.1, 0.2, 0.3, 0, 0], 0.06, 10),
    ("rest-needs-exactly-one-in-decimals", [0.7, 0.5, 0.5], 0.9, 3),
    ("all-at-the-limit", [0.1] * 10, 0.1, 10),
    ("large-suite", [1] * 12 + [0, 1, 1], 0.8, 100000),
    ("outside", [0.5, 1.5], 0.6, 30),
]:
    case("suite_e_value", f"{name}-above", {"values": values, "limit": limit, "suite_size": size}, side="above")
for name, values, limit, size in [("none", [], 0.5, 10), ("whole-suite", [0, 0, 1, 0, 0.5], 0.25, 5), ("limit-zero", [0, 0, 1, 0], 0, 4), ("shares", [0.25, 0.5, 0, 0.5, 0.125], 0.9, 30)]:
    case("suite_e_value", f"{name}-below", {"values": values, "limit": limit, "suite_size": size}, side="below")

# --- pairs
better, worse = [[1] * 30 + [0, 1], [0] * 14 + [1] * 17 + [1]], [[0] * 25 + [1] * 5, [1] * 25 + [1] * 5]
PAIRS = {
    "none": [[], []],
    "one-tie": [[1], [1]],
    "all-ties": [[1, 0] * 20, [1, 0] * 20],
    "better": better,
    "worse": worse,
    "just-not-inferior": [[1] * 60, [1] * 60],
    "shares": [[0.5, 1, 0.25, 0.75, 1, 0.5], [0.5, 0.5, 0.5, 0.25, 1, 0]],
    "outside": [[2, 1], [0, 1]],
}
for name, (a, b) in PAIRS.items():
    case("paired_sequence", name, {"scores_a": a, "scores_b": b}, alpha_side=0.025)
    case("paired_verdict", name, {"scores_a": a, "scores_b": b}, margin=0.1, alpha_side=0.025)
case("paired_sequence", "turned-round", {"scores_a": better[1], "scores_b": better[0]}, alpha_side=0.025)
case("paired_verdict", "no-margin", {"scores_a": better[1], "scores_b": better[0]}, margin=0, alpha_side=0.025)
case("paired_verdict", "wide-margin", {"scores_a": better[1], "scores_b": better[0]}, margin=0.5, alpha_side=0.025)
case("paired_verdict", "a-tenth-of-the-error", {"scores_a": better[0], "scores_b": better[1]}, margin=0.1, alpha_side=0.0000025)

# --- looks, clusters, several gates
for name, rows in [("none", []), ("all", ["right", "failed", "abstained"]), ("first-pending", ["pending", "right"]), ("only-pending", ["pending"] * 3), ("last-pending", ["right", "wrong", "pending"]), ("two-holes", ["wrong", "pending", "right", "pending", "right"])]:
    case("finished_prefix", name, {"states": rows})
for name, clusters, values in [
    ("none", [], []),
    ("one-row-each", ["b", "a"], [0, 1]),
    ("nothing-counted-is-skipped", ["a", "b", "b", "c"], [1, None, None, 0.5]),
    ("all-skipped", ["a", "b"], [None, None]),
    ("rows-apart", ["a", "b", "a", "c", "b", "a"], [1, 0, 0, 1, 1, 0.5]),
    ("names-like-properties", ["__proto__", "a", "__proto__"], [1, 0, 0]),
    ("numbers-as-names", ["10", "9", "10"], [1, 0, 0]),
]:
    case("patient_means", name, {"clusters": clusters, "values": values})
for models, gates, level, claim in [(1, 1, 0.95, "each"), (1, 4, 0.95, "each"), (3, 2, 0.9, "each"), (1, 1, 0.95, "release"), (3, 4, 0.95, "release"), (2, 5, 0.99, "release")]:
    case("sequential_alpha", f"{claim}-{models}-{gates}-{level}", {"n_models": models, "n_gates": gates}, level=level, claim=claim)


def gate(name, rows, metric="accuracy", limit=0.9, n_total=None, alpha_side=0.025, min_n=30):
    case("sequential_gate", name, {"states": rows}, metric=metric, limit=limit, n_total=len(rows) if n_total is None else n_total, alpha_side=alpha_side, min_n=min_n)


def drawn(n, right, abstained=0.0, failed=0.0, seed=1):
    draw = random.Random(seed)
    pick = lambda: "failed" if draw.random() < failed else "abstained" if draw.random() < abstained else "right" if draw.random() < right else "wrong"
    return [pick() for _ in range(n)]


gate("nothing-asked", [], n_total=200)
gate("first-row-pending", ["pending"] + ["right"] * 80, n_total=200)
gate("only-abstentions-so-far", ["abstained"] * 5, metric="selective_accuracy", n_total=200)
gate("all-right", ["right"] * 60, n_total=200)
gate("all-right-one-row-short", ["right"] * 50, n_total=200)
gate("all-right-and-all-asked-one-row-short", ["right"] * 50)
gate("all-right-suite-too-small", ["right"] * 20, n_total=40)
gate("all-right-min-n-decides", ["right"] * 70, limit=0.5, n_total=200, min_n=64)
gate("min-n-above-the-suite", ["right"] * 60, n_total=100, min_n=101)
gate("min-n-one", ["right"] * 10, limit=0.1, n_total=100, min_n=1)
gate("all-wrong", ["wrong"] * 60, n_total=1000)
gate("all-wrong-small-suite", ["wrong"] * 60, n_total=100)
gate("shown-below", drawn(300, 0.75), n_total=900)
gate("unreachable", drawn(200, 0.88), n_total=240)
gate("not-shown", ["right"] * 50 + ["wrong"])
gate("undecided-at-the-end-of-the-prefix", drawn(150, 0.93, seed=3), n_total=600)
gate("last-row-decides", ["wrong"] + ["right"] * 74)
gate("decided-before-the-hole", ["right"] * 55 + ["pending"] + ["wrong"] * 20, n_total=400)
gate("hole-before-the-decision", ["right"] * 49 + ["pending"] + ["right"] * 20, n_total=400)
gate("failed-delay-the-pass", ["failed"] + ["right"] * 90, n_total=400)
gate("failed-only", ["failed"] * 60, n_total=400)
gate("failed-decide-at-the-end", ["right"] * 50 + ["failed"])
gate("failed-do-not-matter-at-the-end", ["failed"] + ["right"] * 49 + ["wrong"])
gate("failed-right-keeps-it-open", ["wrong"] * 3 + ["failed"] * 10 + ["right"] * 30, n_total=130)
gate("failed-of-selective-accuracy-are-counted", ["abstained", "failed"] * 3 + ["right"] * 130, metric="selective_accuracy", n_total=400)
gate("abstained-counted-as-not-right", ["abstained"] * 2 + ["right"] * 98, n_total=400)
gate("abstained-left-out", ["abstained"] * 20 + ["right"] * 60, metric="selective_accuracy", n_total=400)
gate("selective-all-abstained", ["abstained"] * 60, metric="selective_accuracy")
gate("selective-too-few-answers-left", ["abstained"] * 80 + ["right"] * 10, metric="selective_accuracy", n_total=120)
gate("coverage-counts-wrong-as-answered", ["wrong", "right"] * 40, metric="coverage", limit=0.8, n_total=400)
gate("coverage-below", ["abstained", "right"] * 60, metric="coverage", limit=0.8, n_total=600)
gate("unsafe-shown-above", ["wrong", "right", "abstained"] * 40, metric="unsafe_answer_rate", limit=0.1, n_total=600)
gate("unsafe-failed-taken-as-unsafe", ["failed"] * 2 + ["abstained"] * 100, metric="unsafe_answer_rate", limit=0.1, n_total=400)
gate("unsafe-suite-too-small", ["abstained"] * 200, metric="unsafe_answer_rate", limit=0.02)
gate("unsafe-only-abstained", ["abstained"] * 60, metric="unsafe_answer_rate", limit=0.1, n_total=200)
gate("unsafe-not-shown", ["right"] * 50 + ["wrong"], metric="unsafe_answer_rate", limit=0.1)
gate("unsafe-unreachable", ["wrong"] * 6 + ["right"] * 20, metric="unsafe_answer_rate", limit=0.1, n_total=120)
gate("limit-one-is-never-shown", ["right"] * 3, limit=1, n_total=200)
gate("limit-zero", ["wrong"] * 29 + ["right"] * 3, limit=0, n_total=200)
gate("unsafe-limit-zero", ["right"] * 40, metric="unsafe_answer_rate", limit=0, n_total=200)
gate("evidence-just-reaches-the-error", ["right"] * 3, limit=0.25, n_total=10, alpha_side=0.4, min_n=1)
gate("four-gates", ["right"] * 90, n_total=400, alpha_side=0.00625)
gate("limit-at-a-binary-edge", drawn(120, 0.8, seed=8), limit=0.57, n_total=400)
for k, (p, a, f, metric, limit) in enumerate([(0.97, 0.2, 0.02, "selective_accuracy", 0.9), (0.95, 0.3, 0, "selective_accuracy", 0.8), (0.9, 0.1, 0.05, "accuracy", 0.7), (0.9, 0.25, 0.03, "coverage", 0.6), (0.95, 0.2, 0.02, "unsafe_answer_rate", 0.1), (0.7, 0.2, 0.02, "unsafe_answer_rate", 0.1)]):
    gate(f"drawn-{k + 1}", drawn(200, p, a, f, seed=100 + k), metric=metric, limit=limit, n_total=300)
for limit, alpha in [(0.8, 0.025), (0.85, 0.025), (0.95, 0.025), (0.98, 0.025), (0.9, 0.00625), (0.5, 0.025), (0.1, 0.025), (0.01, 0.5)]:
    case("rows_needed_all_right", f"{limit}-at-{alpha}", {"limit": limit}, alpha_side=alpha)
for name, right, wrong, rest, limit in [
    ("no-rows", 0, 0, 0, 0.9),
    ("nothing-asked", 0, 0, 100, 0.9),
    ("open", 50, 5, 45, 0.9),
    ("one-more-may-be-wrong", 40, 10, 50, 0.9),
    ("all-done-pass", 9, 1, 0, 0.9),
    ("all-done-fail", 89, 11, 0, 0.9),
    ("limit-zero", 0, 0, 10, 0),
    ("limit-one-open", 5, 0, 5, 1),
    ("limit-one-fail", 9, 1, 90, 1),
    ("limit-one-pass", 10, 0, 0, 1),
    ("third-at-the-edge", 1, 2, 0, 0.3333333333),
    ("third-beyond-the-edge", 1, 2, 0, 0.3333334),
    ("binary-edge", 29, 71, 0, 0.29),
    ("binary-edge-of-the-rest", 50, 43, 7, 0.57),
]:
    case("curtailed_value_gate", name, {"right": right, "wrong": wrong, "rest": rest, "limit": limit})

# --- thresholds
for errors, n, risk in [(0, 0, 0.05), (0, 1, 0.05), (1, 1, 0.05), (0, 45, 0.05), (0, 44, 0.05), (2, 105, 0.05), (20, 300, 0.1), (300, 300, 0.5), (40, 400, 0.29)]:
    case("risk_p_value", f"{errors}-of-{n}-at-{risk}", {"errors": errors, "n": n}, risk=risk)
for errors, n, alpha in [(0, 0, 0.05), (0, 1, 0.05), (1, 1, 0.05), (0, 45, 0.1), (2, 105, 0.1), (50, 50, 0.05), (49, 50, 0.05), (25, 50, 0.5), (3, 500, 0.001)]:
    case("exact_upper_bound", f"{errors}-of-{n}-at-{alpha}", {"errors": errors, "n": n}, alpha=alpha)
for errors, risk, delta in [(0, 0.01, 0.05), (0, 0.05, 0.05), (0, 0.5, 0.5), (0, 0.5, 0.25), (0, 0.9, 0.5), (1, 0.05, 0.1), (2, 0.02, 0.1), (5, 0.1, 0.05), (5, 0.9, 0.5)]:
    case("rows_for_errors", f"{errors}-at-{risk}-{delta}", {"errors": errors}, risk=risk, delta=delta)
for true, risk, delta, power in [(0.025, 0.1, 0.1, 0.8), (0.05, 0.1, 0.05, 0.8), (0.0125, 0.05, 0.05, 0.8), (0, 0.05, 0.1, 0.8), (0.0125, 0.05, 0.1, 0.95), (0.1, 0.3, 0.1, 0.5), (0.02, 0.07, 0.1, 0.8)]:
    case("rows_for_power", f"{true}-of-{risk}-{delta}-{power}", {"true_risk": true}, risk=risk, delta=delta, power=power)
for n, start, risk in [(0, 2, 0.05), (44, 2, 0.05), (307, 2, 0.05), (308, 2, 0.05), (419, 2, 0.05), (420, 2, 0.05), (5000, 2, 0.05), (5000, 0, 0.05), (5000, 1, 0.05), (5000, 3, 0.05), (88, 2, 0.1), (208, 2, 0.1)]:
    case("first_tested_rows", f"{n}-start-{start}-risk-{risk}", {"n": n}, risk=risk, delta=0.1, start_errors=start)


def threshold(name, *blocks, risk=0.05, delta=0.1, step=0.01, start_errors=2, more=()):
    """Blocks of (confidence, right, wrong)."""
    rows = [(c, z) for c, right, wrong in blocks for z in [1] * right + [0] * wrong] + list(more)
    case("deployable_threshold", name, {"confidences": [c for c, _ in rows], "correct": [z for _, z in rows]}, risk=risk, delta=delta, step=step, start_errors=start_errors)


threshold("none")
threshold("all-right-just-enough", (0.9, 45, 0))
threshold("all-right-one-short", (0.9, 44, 0))
threshold("all-wrong", (0.9, 0, 60))
threshold("one-value", (1, 200, 0))
threshold("confidence-zero", (0, 60, 0))
threshold("binary-edges", (0.29, 50, 0), (0.57, 50, 0), (0.58, 50, 0), (0.07, 60, 0))
threshold("one-cell-holds-two-values", (0.951, 30, 0), (0.959, 30, 1), (0.949, 30, 3))
threshold("step-0.05-edges", (0.95, 40, 0), (0.85, 40, 1), (0.849, 40, 0), (0.15, 40, 8), step=0.05)
threshold("step-0.1-edges", (0.3, 60, 0), (0.7, 60, 0), (0.6, 60, 0), step=0.1)
threshold("errors-in-the-strict-end", (0.99, 3, 2), (0.95, 100, 0), (0.9, 100, 1))
threshold("stops-at-the-first-failure", (0.99, 50, 0), (0.95, 20, 10), (0.9, 400, 0))
threshold("first-test-fails", (0.99, 40, 6), (0.9, 300, 0))
threshold("start-without-errors", (0.99, 45, 1), (0.95, 400, 0), start_errors=0)
threshold("start-with-two-errors", (0.99, 45, 1), (0.95, 400, 0))
threshold("last-candidate-holds", (0.9, 100, 0), (0.8, 100, 1), (0.7, 100, 2))
threshold("unusable-rows", (0.9, 50, 0), more=[(None, 0)] * 5 + [(0.9, None)] * 5)
threshold("unusable-rows-leave-too-few", (0.9, 44, 0), more=[(None, 1)] * 20)
threshold("confidence-out-of-range-is-none", (0.9, 46, 0), (1.5, 0, 10), (-0.1, 0, 3))
threshold("order-does-not-matter", (0.8, 100, 4), (0.95, 120, 0), (0.9, 120, 2))
threshold("risk-a-tenth", (0.97, 60, 1), (0.9, 60, 3), (0.8, 60, 9), risk=0.1, delta=0.05)

SIX = {"states": ["right", "wrong", "right", "abstained", "invalid", "right"], "confidences": [0.9, 0.57, 0.29, 0.99, None, None]}
for name, inputs in [
    ("none", {"states": [], "confidences": [], "threshold": 0.5}),
    ("no-threshold", {**SIX, "threshold": None}),
    ("zero", {**SIX, "threshold": 0}),
    ("binary-edge", {**SIX, "threshold": 0.57}),
    ("within-the-edge", {**SIX, "threshold": 0.5700000005}),
    ("beyond-the-edge", {**SIX, "threshold": 0.57001}),
    ("nothing-answered", {**SIX, "threshold": 1}),
    ("all-wrong", {"states": ["wrong"] * 8, "confidences": [0.9] * 8, "threshold": 0.9}),
    ("all-right", {"states": ["right"] * 8, "confidences": [0.9] * 8, "threshold": 0.9}),
    ("confidence-out-of-range-is-deferred", {"states": ["right", "wrong", "right"], "confidences": [0.9, 1.5, -0.2], "threshold": 0}),
    ("failed-and-pending-are-deferred", {"states": ["right", "failed", "pending", "wrong"], "confidences": [0.9, 0.9, 0.9, 0.95], "threshold": 0.9}),
]:
    case("threshold_report", name, inputs, alpha=0.05)
case("threshold_report", "another-level", {**SIX, "threshold": 0.29}, alpha=0.1)

# --- recalibration
FITS = {
    "none": ([], []),
    "one-row": ([0.7], [1]),
    "one-value": ([0.8] * 6, [1, 1, 0, 1, 0, 1]),
    "all-right": ([0.6, 0.7, 0.9], [1, 1, 1]),
    "all-wrong": ([0.6, 0.7, 0.9], [0, 0, 0]),
    "turned-round": ([0.5, 0.6, 0.7, 0.8, 0.9, 1], [1, 1, 1, 0, 0, 0]),
    "unsorted-with-ties": ([0.9, 0.6, 0.9, 0.7, 0.6, 0.8, 1, 0.8, 0.7, 1], [1, 0, 0, 1, 1, 0, 1, 1, 0, 1]),
    "equal-means-of-neighbours": ([0.5, 0.5, 0.6, 0.6, 0.9, 0.9, 0.95, 0.95], [0, 1, 1, 0, 1, 1, 1, 1]),
    "ends": ([0, 0.005, 0.01, 0.99, 1, 0.5, 0.5], [0, 1, 0, 1, 0, 1, 0]),
    "drawn": ([rng.choice([0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.99]) for _ in range(60)], [int(rng.random() < 0.75) for _ in range(60)]),
}
for name, (confidences, correct) in FITS.items():
    inputs = {"confidences": confidences, "correct": correct}
    case("isotonic_fit", name, inputs)
    case("platt_fit", name, inputs, eps=0.01)
for name in ("none", "one-row", "unsorted-with-ties", "drawn"):
    case("isotonic_predict", name, {"confidences": FITS[name][0], "correct": FITS[name][1], "at": [0, 0.6, 0.65, 0.7, 0.79, 0.8, 0.9, 0.999, 1]})
case("isotonic_predict", "nowhere", {"confidences": [0.6, 0.7], "correct": [0, 1], "at": []})
case("platt_fit", "another-clip", {"confidences": FITS["ends"][0], "correct": FITS["ends"][1]}, eps=0.1)
for name, a, b in [("flat", 0, 0.4), ("the-same", 1, 0), ("turned-round", -1.5, 0.2), ("steep", 4, 1)]:
    case("platt_predict", name, {"a": a, "b": b, "at": [0, 0.01, 0.29, 0.5, 0.57, 1]}, eps=0.01)
case("platt_predict", "nowhere", {"a": 1, "b": 0, "at": []}, eps=0.01)

# --- sources of confidence
for name, votes, labels in [
    ("none", [], 2),
    ("one", ["yes"], 2),
    ("one-abstention", ["abstain"], 2),
    ("unanimous", ["yes"] * 5, 2),
    ("all-abstain", ["abstain"] * 4, 2),
    ("two-labels-tie", ["yes", "no", "yes", "no", None], 2),
    ("three-labels-tie", ["a", "b", "c"], 3),
    ("tie-below-the-abstentions", ["a", "b", "abstain", "abstain", "abstain"], 3),
    ("tie-of-two-labels-and-abstentions", ["a", "b", "abstain"], 3),
    ("more-abstentions", ["yes", "abstain", "abstain", None], 2),
    ("invalid-leads", ["yes", None, None, None], 2),
    ("invalid-and-abstentions", [None, None, "abstain"], 2),
    ("order-does-not-matter", ["no", "abstain", "yes", None, "yes"], 2),
    ("more-repeats-than-kinds", ["yes"] * 6 + ["no"] * 3 + [None], 2),
    ("only-invalid", [None, None, None], 2),
    ("labels-named-like-properties", ["constructor", "__proto__", "constructor", "toString"], 3),
    ("fewer-repeats-than-kinds", ["G1", "G2", "G1"], 6),
]:
    case("confidence_from_repeats", name, {"votes": votes}, n_labels=labels)
for name, candidates, answer in [
    ("none", [], "yes"),
    ("certain", [("yes", 0.0)], "yes"),
    ("not-listed", [("yes", -0.1), ("no", -2.5)], "maybe"),
    ("mass-too-small", [("yes", -1.5), ("no", -2.0)], "yes"),
    ("not-listed-and-mass-too-small", [("yes", -3.0)], "no"),
    ("not-the-leader", [("yes", -0.3), ("no", -1.6)], "no"),
    ("three-spellings", [("yes", -1.0), ("yes", -1.5), ("no", -2.0), ("yes", -4.0)], "yes"),
]:
    case("confidence_from_logprobs", name, {"candidates": [{"label": v, "logprob": p} for v, p in candidates], "answer": answer}, min_mass=0.5)
case("confidence_from_logprobs", "another-mass", {"candidates": [{"label": "yes", "logprob": -1.5}, {"label": "no", "logprob": -2.0}], "answer": "yes"}, min_mass=0.3)
SOURCES = {
    "none": ([], [], []),
    "one-row": ([1], [0.9], [0.8]),
    "one-wrong": ([1, 1, 0], [0.9, 0.8, 0.7], [0.6, 0.9, 0.9]),
    "all-right": ([1, 1, 1], [0.9, 0.8, 0.7], [0.6, 0.9, 0.9]),
    "the-same-source": ([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.8], [0.9, 0.8, 0.7, 0.8]),
    "ties": ([1, 1, 0, 0, 1, 0], [0.9] * 6, [0.8, 0.8, 0.8, 0.7, 0.9, 0.9]),
    "drawn": ([int(rng.random() < 0.7) for _ in range(40)], [rng.choice([0.6, 0.8, 0.9, 0.95]) for _ in range(40)], [rng.choice([0.2, 0.4, 0.6, 0.8, 1]) for _ in range(40)]),
}
for name, (correct, a, b) in SOURCES.items():
    for metric in ("paired_brier_difference", "paired_auroc_difference"):
        case(metric, name, {"correct": correct, "confidence_a": a, "confidence_b": b}, level=0.95)
        if name == "drawn":
            case(metric, "turned-round", {"correct": correct, "confidence_a": b, "confidence_b": a}, level=0.9)

# --- drift
for look, alpha in [(1, 0.05), (2, 0.05), (12, 0.05), (1, 0.01), (1000, 0.05)]:
    case("drift_alpha", f"{look}-of-{alpha}", {"look": look}, alpha=alpha)
for lost, gained, look in [(0, 0, 1), (1, 0, 1), (6, 0, 1), (7, 0, 1), (0, 7, 1), (7, 0, 2), (0, 8, 2), (12, 12, 1), (40, 10, 6), (10, 40, 6), (3, 14, 1), (13, 0, 12)]:
    case("drift_test", f"{lost}-{gained}-look-{look}", {"lost": lost, "gained": gained, "look": look}, alpha=0.05)
case("drift_test", "p-equals-alpha", {"lost": 3, "gained": 0, "look": 1}, alpha=0.5)
for look, alpha in [(2, 0.05), (3, 0.05), (6, 0.05), (12, 0.05), (24, 0.05), (1, 0.01), (1, 0.5)]:
    case("fewest_flips", f"{look}-of-{alpha}", {"look": look}, alpha=alpha)


def decisions(text):
    return [{"decision": None if d == "-" else d.rstrip("+"), "right": d.endswith("+")} for d in text.split()]


for name, before, after in [
    ("none", "", ""),
    ("nothing-changed", "a+ b abstain -", "a+ b abstain -"),
    ("all-lost", "a+ a+ b+", "b abstain -"),
    ("all-gained", "b abstain -", "a+ a+ b+"),
    ("changed-without-a-flip", "a b abstain -", "b abstain - a"),
    ("both-ways", "a+ b a+ abstain b+", "b a+ a+ a+ -"),
    ("a-deferral-can-be-right", "abstain+ abstain a+", "a abstain+ abstain+"),
]:
    case("flip_table", name, {"before": decisions(before), "after": decisions(after)})
for s, n in [(0, 0), (0, 50), (50, 50), (1, 2), (25, 50), (990, 1000)]:
    case("control_limits", f"{s}-of-{n}", {"successes": s, "n": n})
for name, first, n, later in [
    ("no-rows", 0, 0, []),
    ("no-later-runs", 40, 50, []),
    ("the-same", 40, 50, [40, 40]),
    ("each-side-is-counted-by-itself", 450, 500, [470, 424, 470]),
    ("two-in-a-row", 450, 500, [424, 424]),
    ("one-between", 450, 500, [424, 450, 424]),
    ("two-between", 450, 500, [424, 450, 450, 424]),
    ("action-counts-as-beyond-the-warning", 450, 500, [400, 424, 424]),
    ("upwards", 450, 500, [470, 470, 490]),
    ("action-stays-action", 450, 500, [400, 400]),
    ("all-right-at-first", 100, 100, [100, 95, 90, 70]),
    ("none-right-at-first", 0, 100, [0, 5, 10, 30]),
]:
    case("control_chart", name, {"first_successes": first, "n": n, "later_successes": later})

RUN = {"suite_hash": "ab12", "arm": "natural", "model": "m", "prompt_hash": "p1", "schema_hash": "s1", "sampling": {"temperature": 0.7, "top_p": 1}, "batch_size": 1, "repeats": 1, "tools": ["egfr"], "parser_version": "3"}
OTHER = {"suite_hash": "cd", "arm": "missing", "model": "m2", "prompt_hash": "p2", "schema_hash": "s2", "sampling": {"temperature": 0, "top_p": 1}, "batch_size": 2, "repeats": 5, "tools": [], "parser_version": "4"}
for name, first, later in [
    ("the-same", RUN, RUN),
    ("all-differ", RUN, OTHER),
    ("keys-in-another-order", RUN, {**RUN, "sampling": {"top_p": 1, "temperature": 0.7}}),
    ("what-the-provider-reports", {**RUN, "reported_model": "m-1"}, {**RUN, "reported_model": "m-2"}),
    ("unknown-on-both-sides", {**RUN, "schema_hash": None}, {**RUN, "schema_hash": None}),
    ("absent-on-both-sides", {k: v for k, v in RUN.items() if k != "parser_version"}, {k: v for k, v in RUN.items() if k != "parser_version"}),
    ("unknown-and-different", {**RUN, "arm": None}, {**RUN, "arm": None, "model": "m2"}),
    ("nothing-known", {}, {}),
    ("known-on-one-side", RUN, {**RUN, "arm": None}),
    ("nested-order", {**RUN, "sampling": {"stop": ["a", "b"]}}, {**RUN, "sampling": {"stop": ["b", "a"]}}),
    ("zero-and-empty-are-known", {**RUN, "batch_size": 0, "arm": ""}, {**RUN, "batch_size": 0, "arm": ""}),
    *[(f"only-{key.replace('_', '-')}", RUN, {**RUN, key: OTHER[key]}) for key in ("sampling", "tools", "batch_size")],
]:
    case("comparable_runs", name, {"first": first, "later": later})

# ------------------------------------------------------------------------------------------------
# The file

META = {
    "schema_version": "1.0",
    "how_to_run": "`krisis conformance FILE`. Numbers agree within the tolerance, objects by the expected keys, null with null.",
    "how_made": "conformance/generate_guarantees.py wrote this file: evidence over whole numbers, bounds and thresholds over exact fractions, fits by formulas that the library does not use; it shares no code with the library.",
    "conventions": {
        "states": "right, wrong (also an invalid reply), abstained, failed (no reply after all tries), pending; in threshold_report invalid is a state of its own",
        "edge": "1e-9 on comparisons with a limit or a threshold",
        "infinite": "evidence that is infinite cannot be written in JSON and has no case",
    },
}


def main():
    assert {c["metric"] for c in CASES} == set(REFERENCE)
    write_cases(Path(__file__).with_name("guarantees.json"), META, CASES)


if __name__ == "__main__":
    main()
