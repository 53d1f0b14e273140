#!/usr/bin/env python3
"""Writes rubrics.json, the reference cases of metric traits and rubrics.

    python3 generate_rubrics.py               rewrite rubrics.json beside this file (same bytes every time)
    python3 generate_rubrics.py --check FILE  run the reference below against another file of the same format

The reference counts and divides with exact fractions, and finds bounds by trying every verdict on every
unscored item. Whether a trait is valid, and what a quote finds, is stated by hand, case by case. Standard
library only. It shares no code with the library under test.
"""

import itertools
import random
import sys
from fractions import Fraction as F
from pathlib import Path

sys.dont_write_bytecode = True

from write_cases import check_cases, write_cases  # noqa: E402

BUCKETS = ["tp", "fn", "fp", "tn"]

# ------------------------------------------------------------------------------------------------
# Reference


def counts_of(lists, once):
    sizes = {}
    for bucket in BUCKETS:
        entries = [text.strip().lower() for text in lists.get(bucket, [])]
        entries = [text for text in entries if text]
        sizes[bucket] = len(set(entries)) if once else len(entries)
    return sizes


def metric(name, c):
    tp, fn, fp, tn = (F(c[bucket]) for bucket in BUCKETS)
    over, under = {
        "precision": (tp, tp + fp),
        "recall": (tp, tp + fn),
        "f1": (2 * tp, 2 * tp + fp + fn),
        "specificity": (tn, tn + fp),
        "accuracy": (tp + tn, tp + tn + fp + fn),
    }[name]
    return None if under == 0 else over / under


def number(value):
    return None if value is None else float(value)


def scores(trait, lists):
    counts = counts_of(lists, trait.get("repeated_extraction", True))
    return {name: number(metric(name, counts)) for name in trait["metrics"]}


def place(trait, forbidden, verdict, instruction, quotes, lists):
    """Puts one settled verdict into the lists."""
    pieces = quotes if not trait.get("repeated_extraction", True) else quotes[:1]
    tp_only = trait.get("evaluation_mode", "tp_only") == "tp_only"
    if forbidden:
        if verdict == "present":
            lists["fp"] += pieces
        else:
            lists["tn"].append(instruction)
    elif verdict == "present":
        lists["tp"] += pieces
    else:
        lists["fn"].append(instruction)
        if verdict == "contradicted" and tp_only:
            lists["fp"] += pieces


def from_verdicts(trait, verdicts):
    mode = trait.get("evaluation_mode", "tp_only")
    items = [(line, False) for line in trait["tp_instructions"]]
    if mode == "full_matrix":
        items += [(line, True) for line in trait["tn_instructions"]]
    said = {v["instruction"]: v for v in verdicts}
    lists = {bucket: [] for bucket in BUCKETS}
    unscored = []
    for line, forbidden in items:
        v = said.get(line)
        quotes = (v or {}).get("quotes") or []
        if v is None:
            unscored.append((line, forbidden, "no_verdict"))
        elif v["verdict"] in ("unclear", "unverified", "judge_error"):
            unscored.append((line, forbidden, v["verdict"]))
        elif v["verdict"] != "absent" and not quotes:
            unscored.append((line, forbidden, "unverified"))
        else:
            place(trait, forbidden, v["verdict"], line, quotes, lists)
    sizes = {bucket: len(lists[bucket]) for bucket in BUCKETS}
    bounds = {}
    for name in trait["metrics"]:
        if not unscored or not trait.get("repeated_extraction", True):
            bounds[name] = None
            continue
        values = []
        for outcome in itertools.product(["present", "absent", "contradicted"], repeat=len(unscored)):
            tried = {bucket: list(lists[bucket]) for bucket in BUCKETS}
            for (line, forbidden, _), verdict in zip(unscored, outcome):
                place(trait, forbidden, verdict, line, ["q"], tried)
            value = metric(name, {bucket: len(tried[bucket]) for bucket in BUCKETS})
            if value is not None:
                values.append(value)
        bounds[name] = [float(min(values)), float(max(values))] if values else None
    return {
        "scores": {name: number(metric(name, sizes)) for name in trait["metrics"]},
        "bounds": bounds,
        "confusion_lists": lists,
        "counts": sizes,
        "n_scored": len(items) - len(unscored),
        "n_items": len(items),
        "unscored": [[line, reason] for line, _, reason in unscored],
    }


# ------------------------------------------------------------------------------------------------
# Cases

CASES = []
ALL = ["precision", "recall", "f1", "specificity", "accuracy"]


def add(function, slug, inputs, expected, tolerance=0):
    CASES.append(
        {
            "id": f"{function}-{slug}",
            "metric": function,
            "inputs": inputs,
            "params": {},
            "expected": expected,
            "tolerance": tolerance,
        }
    )


def tp_only(metrics=("precision", "recall", "f1"), required=("item 1", "item 2"), **more):
    return {"name": "t", "evaluation_mode": "tp_only", "metrics": list(metrics), "tp_instructions": list(required), **more}


def full(metrics=tuple(ALL), required=("item 1", "item 2"), forbidden=("claim 1", "claim 2"), **more):
    return {
        "name": "f",
        "evaluation_mode": "full_matrix",
        "metrics": list(metrics),
        "tp_instructions": list(required),
        "tn_instructions": list(forbidden),
        **more,
    }


def lists(tp=(), fn=(), fp=(), tn=()):
    return {"tp": list(tp), "fn": list(fn), "fp": list(fp), "tn": list(tn)}


def numbered(prefix, n):
    return [f"{prefix} {i}" for i in range(1, n + 1)]


# --- scores of given lists
for slug, trait, given in [
    ("tp-only-worked-example", tp_only(), lists(["a gene", "cells survive", "cancer"], ["on chromosome 18"], ["on chromosome 1"])),
    ("full-matrix-worked-example", full(), lists(["a gene", "cells survive", "cancer"], ["on chromosome 18"], ["on chromosome 1"], ["pro-apoptotic"])),
    ("all-empty", full(), lists()),
    ("perfect", full(), lists(numbered("hit", 4), [], [], numbered("absent", 3))),
    ("all-wrong", full(), lists([], numbered("missed", 4), numbered("bad", 3), [])),
    ("only-true-negatives", full(), lists([], [], [], numbered("absent", 3))),
    ("only-false-positives", full(), lists([], [], numbered("bad", 2), [])),
    ("no-hit-but-misses-and-wrongs", tp_only(), lists([], ["m"], ["w"])),
    ("tn-list-left-out-in-tp-only", tp_only(), {"tp": ["a"], "fn": ["b"], "fp": []}),
    ("repeats-in-every-bucket", full(), lists(["A", "a"], ["B", " b "], ["C", "c\n"], ["D", "\td"])),
    ("repeats-kept", full(repeated_extraction=False), lists(["A", "a"], ["B", " b "], ["C", "c\n"], ["D", "\td"])),
    ("blanks-never-count", full(), lists(["", " ", "a"], ["\n"], ["\t", "b"], [""])),
    ("blanks-never-count-with-repeats-kept", full(repeated_extraction=False), lists(["", " ", "a", "a"], ["\n"], ["\t", "b"], [""])),
    ("one-text-in-two-buckets-counts-in-both", full(), lists(["x"], ["x"], ["x"], ["x"])),
    ("inner-white-space-is-kept", tp_only(), lists(["lung cancer", "lung  cancer"], ["m"], [])),
    ("accents-are-kept", tp_only(), lists(["Sjogren", "Sjögren", "SJÖGREN"], ["m"], [])),
    ("metrics-in-another-order", full(metrics=["accuracy", "recall"]), lists(["a"], ["b"], [], ["c", "d"])),
    ("metric-listed-twice", tp_only(metrics=["recall", "recall"]), lists(["a"], ["b", "c"], [])),
    ("long-lists", full(), lists(numbered("h", 97), numbered("m", 13), numbered("b", 7), numbered("a", 41))),
    ("thirds-and-sevenths", full(), lists(numbered("h", 2), ["m"], numbered("b", 5), numbered("a", 2))),
]:
    add("metric_trait_scores", slug, {"trait": trait, "confusion_lists": given}, scores(trait, given), 1e-12)

rng = random.Random(7)
for i in range(8):
    words = ["asthma", "Asthma", "COPD ", "copd", "", "lung  cancer", "Lung cancer", "flu", " flu", "FLU", "gout"]
    given = {bucket: [rng.choice(words) for _ in range(rng.randint(0, 9))] for bucket in BUCKETS}
    trait = full(repeated_extraction=i % 2 == 0)
    add("metric_trait_scores", f"drawn-{i + 1}", {"trait": trait, "confusion_lists": given}, scores(trait, given), 1e-12)

# --- traits that are taken, and what they then are
BASE = {"name": "t", "metrics": ["f1"], "tp_instructions": ["x"]}
for slug, trait, expected in [
    ("defaults", BASE, {"evaluation_mode": "tp_only", "repeated_extraction": True, "tn_instructions": [], "required_buckets": ["fn", "fp", "tp"], "n_warnings": 0}),
    ("metric-twice-counts-once", BASE | {"metrics": ["f1", "recall", "f1"]}, {"metrics": ["f1", "recall"]}),
    ("description-null", BASE | {"description": None}, {"description": None}),
    ("every-metric-in-full-matrix", full(), {"metrics": ALL, "required_buckets": ["fn", "fp", "tn", "tp"]}),
    ("full-matrix-with-tp-metrics-alone", full(metrics=["recall"]), {"required_buckets": ["fn", "fp", "tn", "tp"]}),
    ("forbidden-list-unused-in-tp-only-is-a-warning", BASE | {"tn_instructions": ["y"]}, {"required_buckets": ["fn", "fp", "tp"], "n_warnings": 1}),
    ("negated-forbidden-line-is-a-warning", full(forbidden=["Does not mention rest", "States that rest is not needed"]), {"n_warnings": 1}),
    ("name-with-spaces-and-signs", BASE | {"name": "BCL2: core facts (v2)"}, {"name": "BCL2: core facts (v2)"}),
    ("repeats-kept", BASE | {"repeated_extraction": False}, {"repeated_extraction": False}),
    ("instructions-differ-in-one-letter", BASE | {"tp_instructions": ["chromosome 1", "chromosome 18"]}, {"tp_instructions": ["chromosome 1", "chromosome 18"]}),
]:
    add("metric_trait", f"takes-{slug}", {"trait": trait}, {"valid": True, **expected})

# --- traits that are refused
for slug, trait in [
    ("blank-name", BASE | {"name": "  "}),
    ("no-name", {k: v for k, v in BASE.items() if k != "name"}),
    ("number-as-name", BASE | {"name": 3}),
    ("dot-in-name", BASE | {"name": "a.b"}),
    ("metrics-empty", BASE | {"metrics": []}),
    ("metrics-as-text", BASE | {"metrics": "f1"}),
    ("metric-with-blank", BASE | {"metrics": ["f1 "]}),
    ("sensitivity", BASE | {"metrics": ["sensitivity"]}),
    ("unknown-mode", BASE | {"evaluation_mode": "tn_only"}),
    ("mode-null", BASE | {"evaluation_mode": None}),
    ("specificity-in-default-mode", BASE | {"metrics": ["f1", "specificity"]}),
    ("full-matrix-without-forbidden-list", BASE | {"evaluation_mode": "full_matrix"}),
    ("full-matrix-with-empty-forbidden-list", full(forbidden=[])),
    ("forbidden-list-null", BASE | {"tn_instructions": None}),
    ("instructions-as-text", BASE | {"tp_instructions": "x"}),
    ("blank-instruction", BASE | {"tp_instructions": ["x", " \n"]}),
    ("empty-forbidden-line", full(forbidden=["y", ""])),
    ("duplicate-instruction", BASE | {"tp_instructions": ["x", "x"]}),
    ("duplicate-instruction-but-for-case", BASE | {"tp_instructions": ["Mentions X", " mentions x"]}),
    ("duplicate-forbidden-line", full(forbidden=["y", "Y "])),
    ("same-line-in-both-but-for-case", full(required=["Mentions X"], forbidden=["mentions x "])),
    ("same-line-in-both-in-tp-only", BASE | {"tn_instructions": ["x"]}),
    ("higher-is-better", BASE | {"higher_is_better": True}),
    ("misspelt-field", BASE | {"tp_instruction": ["y"]}),
    ("camel-case-field", BASE | {"evaluationMode": "tp_only"}),
    ("repeats-as-text", BASE | {"repeated_extraction": "true"}),
    ("description-as-list", BASE | {"description": ["a"]}),
]:
    add("metric_trait", f"refuses-{slug}", {"trait": trait}, {"valid": False})

# --- rubrics
M = {"name": "coverage", "metrics": ["recall"], "tp_instructions": ["x"]}
L = {"name": "clear", "kind": "boolean"}
R = {"name": "units", "pattern": "mmol"}
for slug, rubric, expected in [
    ("empty", {}, {"valid": True, "metric_trait_names": [], "required_buckets": []}),
    ("every-kind", {"metric_traits": [M], "llm_traits": [L], "regex_traits": [R], "callable_traits": [{"name": "short"}]}, {"valid": True, "metric_trait_names": ["coverage"], "trait_names": ["coverage", "clear", "units", "short"]}),
    ("two-metric-traits", {"metric_traits": [M, full()]}, {"valid": True, "metric_trait_names": ["coverage", "f"], "required_buckets": ["fn", "fp", "tn", "tp"]}),
    ("one-name-in-two-kinds", {"metric_traits": [M], "llm_traits": [L | {"name": "Coverage"}]}, {"valid": False}),
    ("one-name-in-two-other-kinds", {"regex_traits": [R], "callable_traits": [{"name": "UNITS"}]}, {"valid": False}),
    ("names-that-differ-in-outer-white-space", {"metric_traits": [M, M | {"name": " coverage "}]}, {"valid": False}),
    ("unknown-kind", {"metric_traits": [M], "metrics_traits": []}, {"valid": False}),
    ("kind-null", {"metric_traits": None}, {"valid": False}),
    ("no-object", [M], {"valid": False}),
    ("one-bad-trait-among-good-ones", {"metric_traits": [M, {"name": "bad"}]}, {"valid": False}),
    ("score-with-range", {"llm_traits": [{"name": "s", "kind": "score", "min": 0, "max": 10}]}, {"valid": True}),
    ("score-with-range-the-wrong-way-round", {"llm_traits": [{"name": "s", "kind": "score", "min": 10, "max": 0}]}, {"valid": False}),
    ("literal-with-classes", {"llm_traits": [{"name": "s", "kind": "literal", "classes": ["poor", "fair"]}]}, {"valid": True}),
    ("literal-with-one-class", {"llm_traits": [{"name": "s", "kind": "literal", "classes": ["poor"]}]}, {"valid": False}),
    ("llm-trait-without-kind", {"llm_traits": [{"name": "s"}]}, {"valid": False}),
    ("exploding-pattern-is-harmless", {"regex_traits": [{"name": "r", "pattern": "(a+)+$"}]}, {"valid": True}),
    ("lookahead", {"regex_traits": [{"name": "r", "pattern": "(?=a)b"}]}, {"valid": False}),
    ("lookbehind", {"regex_traits": [{"name": "r", "pattern": "(?<!a)b"}]}, {"valid": False}),
    ("backreference", {"regex_traits": [{"name": "r", "pattern": "(a)\\1"}]}, {"valid": False}),
    ("code-in-a-file", {"callable_traits": [{"name": "c", "callable_code": "x"}]}, {"valid": False}),
]:
    add("rubric", slug, {"rubric": rubric}, expected)

# --- from verdicts to lists, scores and bounds
def verdicts(trait, *said):
    lines = trait["tp_instructions"] + trait.get("tn_instructions", [])
    return [
        {"instruction": line, "verdict": v[0], "quotes": list(v[1:])}
        for line, v in zip(lines, said)
        if v is not None
    ]


P, A, C, U, X, E_ = ("present", "q"), ("absent",), ("contradicted", "wrong"), ("unclear",), ("unverified",), ("judge_error",)
FOUR = numbered("item", 4)
for slug, trait, said in [
    ("worked-example-tp-only", tp_only(required=FOUR), [P, P, P, C]),
    ("worked-example-full-matrix", full(required=FOUR), [P, P, P, C, P, A]),
    ("contradicted-is-no-false-positive-in-full-matrix", full(required=FOUR), [C, C, P, P, A, A]),
    ("refuted-claim-is-a-true-negative", full(), [P, P, C, A]),
    ("one-quote-serves-two", tp_only(), [P, P]),
    ("nothing-said", full(), [A, A, A, A]),
    ("nothing-scored-tp-only", tp_only(), [U, X]),
    ("nothing-scored-full-matrix", full(), [E_, U, X, None]),
    ("one-unclear", tp_only(required=FOUR), [P, A, C, U]),
    ("one-required-and-one-forbidden-unscored", full(required=FOUR), [P, P, A, X, P, E_]),
    ("only-forbidden-unscored", full(), [P, A, U, U]),
    ("precision-undefined-unless-the-open-item-is-said", full(), [A, U, A, A]),
    ("present-without-quote-is-unverified", tp_only(), [("present",), P]),
    ("occurrences-count", tp_only(repeated_extraction=False), [("present", "a", "b", "c"), A]),
    ("occurrences-of-wrong-claims-count", tp_only(repeated_extraction=False), [("contradicted", "a", "b"), P]),
    ("occurrences-have-no-bounds", tp_only(repeated_extraction=False), [("present", "a", "b"), U]),
    ("quotes-beyond-the-first-do-not-count", tp_only(), [("present", "a", "b", "c"), A]),
]:
    given = verdicts(trait, *said)
    add("metric_trait_verdicts", slug, {"trait": trait, "verdicts": given}, from_verdicts(trait, given), 1e-12)

rng = random.Random(11)
for i in range(10):
    trait = full(required=FOUR) if i % 2 else tp_only(required=FOUR)
    given = verdicts(trait, *[rng.choice([P, P, A, A, C, U, E_, None]) for _ in range(6)])
    add("metric_trait_verdicts", f"drawn-{i + 1}", {"trait": trait, "verdicts": given}, from_verdicts(trait, given), 1e-12)

# --- quotes, quantities and negations: (slug, answer, quote, quantity, found, negated)
FOUND, CUT, NEGATED = (True, False), (False, False), (True, True)
for slug, answer, quote, quantity, (found, negated) in [
    # what may not be cut
    ("per-kg", "Give 5 mg/kg at once.", "5 mg", "5 mg/kg", CUT),
    ("per-kg-in-words", "Give 5 mg per kg at once.", "5 mg", "5 mg per kg", CUT),
    ("per-kg-per-day", "Give 5 mg/kg/day.", "5 mg/kg", "5 mg/kg/day", CUT),
    ("per-kg-per-day-whole", "Give 5 mg/kg/day.", "5 mg/kg/day", "5 mg/kg/day", FOUND),
    ("per-kg-per-day-in-words", "5 mg per kg per day", "5 mg per kg", "5 mg per kg per day", CUT),
    ("per-surface", "eGFR 45 mL/min/1.73 m²", "45 mL/min", "45 ml/min/1.73 m2", CUT),
    ("per-surface-in-words", "eGFR 45 mL/min per 1.73 m²", "45 mL/min", "45 ml/min per 1.73 m2", CUT),
    ("per-surface-whole", "eGFR is 45 mL/min/1.73 m².", "eGFR is 45 ml/min/1.73 m2", "45 ml/min/1.73 m2", FOUND),
    ("times-a-day", "2/day is enough", "2", "2/day", CUT),
    ("slash-with-spaces", "Give 5 mg / kg.", "5 mg", "5 mg / kg", CUT),
    ("two-doses-of-one-tablet", "The 1/5 mg tablet", "5 mg", "1/5 mg", CUT),
    ("one-character-fraction", "Give ½ tablet", "2 tablet", "1/2 tablet", CUT),
    ("fraction-slash", "Give 1⁄2 tablet.", "1/2 tablet", "1/2 tablet", FOUND),
    ("blood-pressure", "It was 160/100 mmHg.", "100 mmHg", "160/100 mmhg", CUT),
    ("blood-pressure-whole", "It was 160/100 mmHg.", "It was 160/100 mmHg", "160/100 mmhg", FOUND),
    ("range-dash", "Give 2–5 mg.", "5 mg", "2-5 mg", CUT),
    ("range-spaced", "Give 2 - 5 mg.", "5 mg", "2 - 5 mg", CUT),
    ("range-to", "Give 2 to 5 mg.", "5 mg", "2 to 5 mg", CUT),
    ("range-to-begin", "Give 2 mg to 5 mg.", "Give 2 mg", "2 mg to 5 mg", CUT),
    ("range-whole", "Give 2 to 5 mg.", "2 to 5 mg", "2 to 5 mg", FOUND),
    ("between", "Give between 2 and 5 mg.", "5 mg", "between 2 and 5 mg", CUT),
    ("between-units", "between 2 mg and 5 mg", "2 mg", "between 2 mg and 5 mg", CUT),
    ("between-whole", "Give between 2 and 5 mg.", "Between 2 and 5 mg", "between 2 and 5 mg", FOUND),
    ("and-without-between", "Give 2 mg and 5 mg.", "5 mg", "5 mg", FOUND),
    ("between-without-and", "between 2 mg doses", "2 mg", "2 mg", FOUND),
    ("product", "Give 3 x 5 mg.", "5 mg", "3 x 5 mg", CUT),
    ("product-joined", "Give 3x5 mg.", "5 mg", "3x5 mg", CUT),
    ("product-whole", "Give 3 x 5 mg.", "3 x 5 mg", "3 x 5 mg", FOUND),
    ("or", "Give 2 mg or 5 mg.", "5 mg", "5 mg", FOUND),
    ("date", "on 2024-03-15", "15", "2024-03-15", CUT),
    # numbers
    ("group-space", "Up to 10 000 mg.", "000 mg", "10 000 mg", CUT),
    ("group-space-one-digit", "Give 2 500 mg.", "500 mg", "2 500 mg", CUT),
    ("group-no-break-space", "Give 2\u00a0500\u202f000 units.", "000 units", "2 500 000 units", CUT),
    ("group-comma", "Give 10,000 mg.", "000 mg", "10,000 mg", CUT),
    ("group-comma-whole", "Give 10,000 mg.", "Give 10,000 mg", "10,000 mg", FOUND),
    ("no-group-of-two-digits", "on day 2 50 mg", "50 mg", "50 mg", FOUND),
    ("no-group-across-lines", "Day 1\n500 mg", "500 mg", "500 mg", FOUND),
    ("no-group-across-cells", "| 1 | 500 mg |", "500 mg", "500 mg", FOUND),
    ("list-with-commas", "Give 2, 500 mg", "500 mg", "500 mg", FOUND),
    ("decimals", "Give 2.5 mg", "5 mg", "2.5 mg", CUT),
    ("decimal-comma", "Give 2,5 mg", "5 mg", "2,5 mg", CUT),
    ("decimals-cut-behind", "INR 2.5", "INR 2", "2.5", CUT),
    ("more-digits", "Give 15 mg.", "5 mg", "15 mg", CUT),
    ("digits-of-a-name", "BCL2 is a gene", "BCL2", None, FOUND),
    ("bare-number", "It is on chromosome 18.", "chromosome 18", "18", FOUND),
    # units
    ("without-unit", "potassium 5 mmol/L", "potassium 5", "5 mmol/l", CUT),
    ("without-denominator", "potassium 5 mmol/L", "potassium 5 mmol", "5 mmol/l", CUT),
    ("unit-joined", "Give 5mg.", "Give 5", "5mg", CUT),
    ("micrograms", "Give 5 µg.", "5 μg", "5 μg", FOUND),
    ("celsius", "Fever of 39 °C.", "fever of 39", "39 °c", CUT),
    ("celsius-one-character", "Fever of 39 ℃.", "39 °C", "39 °c", FOUND),
    ("fahrenheit", "102 °F", "102", "102 °f", CUT),
    ("percent", "HbA1c 7 %", "HbA1c 7", "7 %", CUT),
    ("percent-joined", "HbA1c 7%", "HbA1c 7%", "7%", FOUND),
    ("tablets", "Take 2 tablets", "Take 2", "2 tablets", CUT),
    ("puffs", "Take 4 puffs.", "4 puffs", "4 puffs", FOUND),
    ("hours", "after 24 hours", "after 24", "24 hours", CUT),
    ("months", "for 3 months", "for 3", "3 months", CUT),
    ("insulin-units", "Inject 10 units.", "inject 10", "10 units", CUT),
    ("pressure", "pO2 8 kPa", "8 kPa", "8 kpa", FOUND),
    ("no-unit-in-a-word", "5 minor bleeds", "5", "5", FOUND),
    ("other-word-after-number", "5 capsules a day", "5", "5", FOUND),
    # signs
    ("less", "Keep it <5 mg.", "5 mg", "<5 mg", CUT),
    ("less-spaced", "Keep it < 5 mg.", "5 mg", "< 5 mg", CUT),
    ("greater", "eGFR > 30", "30", "> 30", CUT),
    ("at-most", "Keep it ≤5 mg.", "5 mg", "<=5 mg", CUT),
    ("at-most-folded", "Keep it ≤ 5 mg.", "<= 5 mg", "<= 5 mg", FOUND),
    ("at-least", "Keep it ≥5 mg.", "5 mg", ">=5 mg", CUT),
    ("at-least-folded", "Keep it >= 5 mg.", "≥ 5 mg", ">= 5 mg", FOUND),
    ("equals", "K=5 mmol/L", "5 mmol/L", "=5 mmol/l", CUT),
    ("about", "Give ~5 mg.", "5 mg", "~5 mg", CUT),
    ("nearly-equal", "Give ≈5 mg.", "5 mg", "≈5 mg", CUT),
    ("plus-minus", "It varies by ±5 mg.", "5 mg", "±5 mg", CUT),
    ("minus", "BE −5 mmol/L", "5 mmol/L", "-5 mmol/l", CUT),
    ("minus-whole", "BE −5 mmol/L", "BE -5 mmol/L", "-5 mmol/l", FOUND),
    ("minus-after-a-letter", "covid-19 is viral", "19", "19", FOUND),
    ("minus-after-a-digit", "Give 2-5 mg", "-5 mg", "2-5 mg", CUT),
    ("dash-before-a-dose", "Metformin – 500 mg daily", "500 mg daily", "500 mg", FOUND),
    ("arrow", "ramipril 5 mg -> 10 mg", "10 mg", "10 mg", FOUND),
    # occurrences
    ("second-occurrence", "Not 5 mg/kg: give 5 mg once.", "5 mg", "5 mg", FOUND),
    ("all-occurrences-cut", "2-5 mg, at most 5 mg/kg", "5 mg", "2-5 mg", CUT),
    ("first-quantity-in-the-match", "Give 5 mg, then 10 mg.", "Give 5 mg, then 10 mg", "5 mg", FOUND),
    ("no-quantity-in-the-match", "Give 5 mg of ramipril.", "of ramipril", None, FOUND),
    ("not-in-the-answer", "Give 5 mg.", "10 ml", None, CUT),
    ("bullets-are-no-range", "- 5 mg\n- 10 mg", "10 mg", "10 mg", FOUND),
    # negations
    ("not", "It is not contraindicated.", "contraindicated", None, NEGATED),
    ("not-in-the-quote", "It is not contraindicated.", "not contraindicated", None, FOUND),
    ("no", "There is no contraindication.", "contraindication", None, NEGATED),
    ("never", "It is never safe.", "safe", None, NEGATED),
    ("nor", "neither useful nor safe", "safe", None, NEGATED),
    ("neither", "It is neither safe", "safe", None, NEGATED),
    ("without", "without pain", "pain", None, NEGATED),
    ("cannot", "You cannot take it", "take it", None, NEGATED),
    ("contraction", "You shouldn’t take it", "take it", None, NEGATED),
    ("contraction-plain", "It isn't safe", "safe", None, NEGATED),
    ("no-evidence-of", "no evidence of bleeding", "bleeding", None, NEGATED),
    ("no-signs-of", "There are no signs of bleeding", "bleeding", None, NEGATED),
    ("without-sign-of", "without sign of bleeding", "bleeding", None, NEGATED),
    ("no-history-of", "no history of stroke", "stroke", None, NEGATED),
    ("evidence-of", "evidence of bleeding", "bleeding", None, FOUND),
    ("absence-of", "in the absence of pain", "pain", None, NEGATED),
    ("free-of", "She is free of pain", "pain", None, NEGATED),
    ("one-filler", "It is not strictly contraindicated", "contraindicated", None, NEGATED),
    ("two-fillers", "It cannot be considered safe", "safe", None, NEGATED),
    ("two-fillers-after-phrase", "no evidence of any the bleeding", "bleeding", None, NEGATED),
    ("three-fillers", "It cannot be considered absolutely safe", "safe", None, FOUND),
    ("other-word-between", "It is not known whether safe", "safe", None, FOUND),
    ("non-hyphen", "a non-steroidal drug", "steroidal drug", None, NEGATED),
    ("un-hyphen", "It is un-safe", "safe", None, NEGATED),
    ("non-space", "a non steroidal drug", "steroidal", None, NEGATED),
    ("comma-ends-the-clause", "No, contraindicated.", "contraindicated", None, FOUND),
    ("stop-ends-the-clause", "No. Contraindicated.", "contraindicated", None, FOUND),
    ("colon-ends-the-clause", "Should you? Never: contraindicated", "contraindicated", None, FOUND),
    ("dash-ends-the-clause", "No – contraindicated", "contraindicated", None, FOUND),
    ("negation-in-bold", "It is **not** safe", "safe", None, NEGATED),
    ("negation-in-capitals", "Do NOT take ibuprofen", "take ibuprofen", None, NEGATED),
    ("negation-inside-a-word", "the knot contraindicated it", "contraindicated", None, FOUND),
    ("other-occurrence-wins", "Not safe at first, but safe later", "safe", None, FOUND),
    ("negated-quantity", "Do not give 5 mg.", "give 5 mg", "5 mg", NEGATED),
    ("negated-and-cut", "Do not give 5 mg/kg.", "give 5 mg", "5 mg/kg", CUT),
]:
    add(
        "quantity_in_text",
        slug,
        {"answer": answer, "quote": quote},
        {"found": found, "quantity": quantity, "negated_context": negated},
    )


# ------------------------------------------------------------------------------------------------
# The file

META = {
    "schema_version": "1.0",
    "how_to_run": "`krisis conformance FILE`. metric_trait_scores: make the trait, score the lists, give the metrics by name (null for a zero denominator). metric_trait and rubric: try to make it; `valid` says whether it must be accepted, other keys are properties of what was made (required_buckets sorted). metric_trait_verdicts: lists, scores and bounds from one verdict per instruction. quantity_in_text: whether the quote is in the answer without cutting a quantity, the first quantity in it or the first that it cuts (folded), and whether it stands under a negation. An expected object lists the keys that must be there; further keys are free.",
    "how_made": "conformance/generate_rubrics.py wrote this file: validity and quotes by hand, numbers by exact fractions, bounds by trying every verdict on every unscored item; it shares no code with the library.",
    "conventions": {
        "dedup": "repeated_extraction true: within one bucket, repeats after trimming and lower case count once; blank texts never count, in either setting; removing repeats concerns given lists, not lists made of verdicts",
        "undefined": "zero denominator -> null",
        "f1": "2 TP / (2 TP + FP + FN)",
        "bounds": "least and greatest value over all verdicts that unscored items could have had, where defined; null when no item is unscored or occurrences count",
    },
}


def main():
    if sys.argv[1:2] == ["--check"]:
        # Validity is stated by hand in every file; only the numbers can be computed.
        numbers = {"metric_trait_scores": lambda inputs, params: scores(inputs["trait"], inputs["confusion_lists"])}
        check_cases(sys.argv[2], numbers, skip=lambda case: case["metric"] not in numbers)
    write_cases(Path(__file__).with_name("rubrics.json"), META, CASES)


if __name__ == "__main__":
    main()
