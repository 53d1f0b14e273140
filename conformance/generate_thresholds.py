#!/usr/bin/env python3
"""Writes thresholds.json, the reference cases of deployable thresholds, sources of confidence and drift.

    python3 generate_thresholds.py               rewrite thresholds.json beside this file (same bytes every time)
    python3 generate_thresholds.py --check FILE  run the reference below against another file of the same format

Computed in another way than in the library: binomial sums with exact fractions, bounds by bisection on them, isotonic regression by its min-max formula, Platt
scaling by nested bisection of the gradient, AUROC and its variance by counting all pairs. Standard library only. It shares no code with the library under test.
"""

import json
import math
import random
import sys
from fractions import Fraction as F
from pathlib import Path
from statistics import NormalDist

EDGE = 1e-9


def cdf(k, n, p):
    """P(Bin(n, p) <= k), exact for the decimal that p is written as."""
    if k < 0:
        return 0.0
    if k >= n:
        return 1.0
    q = F(str(p))
    num, den = q.numerator, q.denominator
    total = sum(math.comb(n, i) * num**i * (den - num) ** (n - i) for i in range(k + 1))
    return float(F(total, den**n))


def risk_p_value(i, p):
    return cdf(i["errors"], i["n"], p["risk"])


def exact_upper_bound(i, p):
    errors, n, alpha = i["errors"], i["n"], p["alpha"]
    if n == 0:
        return None
    if errors == n:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        tail = sum(math.comb(n, k) * middle**k * (1 - middle) ** (n - k) for k in range(errors + 1))
        low, high = (middle, high) if tail > alpha else (low, middle)
    return high


def rows_for(errors, risk, delta):
    n = errors + 1
    while cdf(errors, n, risk) > delta:
        n += 1
    return n


def rows_for_errors(i, p):
    return rows_for(i["errors"], p["risk"], p["delta"])


def rows_for_power(i, p):
    risk, delta, power, true = p["risk"], p["delta"], p["power"], i["true_risk"]

    def reaches(n):
        allowed = -1
        while cdf(allowed + 1, n, risk) <= delta:
            allowed += 1
        return allowed >= 0 and cdf(allowed, n, true) >= power

    need = math.ceil(2 / risk)
    n = 1
    while True:
        for offset in range(need):
            if not reaches(n + offset):
                n = n + offset + 1
                break
        else:
            return n


def first_rows(n, p):
    for k in range(p["start_errors"], 0, -1):
        if 4 * rows_for(k, p["risk"], p["delta"]) <= n:
            return rows_for(k, p["risk"], p["delta"])
    return rows_for(0, p["risk"], p["delta"])


def first_tested_rows(i, p):
    return first_rows(i["n"], p)


def deployable_threshold(i, p):
    none = {"threshold": None, "n": None, "errors": None, "p_value": None}
    rows = [(math.floor(c / p["step"] + EDGE), z) for c, z in zip(i["confidences"], i["correct"]) if c is not None and 0 <= c <= 1]
    if len(rows) < rows_for(0, p["risk"], p["delta"]):
        return {**none, "tested": 0, "reason": "too_few_rows"}
    start = first_rows(len(rows), p)
    found, tested = {**none, "reason": "risk_not_shown"}, 0
    for cell in sorted({c for c, _ in rows}, reverse=True):
        kept = [z for c, z in rows if c >= cell]
        if len(kept) < start:
            continue
        errors = sum(1 for z in kept if not z)
        value = cdf(errors, len(kept), p["risk"])
        tested += 1
        if value > p["delta"]:
            break
        found = {"threshold": round(cell * p["step"], 10), "n": len(kept), "errors": errors, "p_value": value, "reason": None}
    return {**found, "tested": tested}


def threshold_report(i, p):
    t, rows = i["threshold"], list(zip(i["states"], i["confidences"]))
    if not rows:
        return None
    kept = [s for s, c in rows if t is not None and c is not None and 0 <= c <= 1 and c >= t - EDGE and s in ("right", "wrong")]
    wrong, n = kept.count("wrong"), len(rows)
    return {
        "n": n,
        "answered": len(kept),
        "errors": wrong,
        "coverage": len(kept) / n,
        "risk": wrong / len(kept) if kept else None,
        "risk_upper": exact_upper_bound({"errors": wrong, "n": len(kept)}, p),
        "deferred_per_100": 100 * (n - len(kept)) / n,
        "errors_per_100": 100 * wrong / n,
    }


def isotonic_values(confidences, correct):
    """The min-max formula at each distinct confidence."""
    xs = sorted(set(confidences))
    counts = [(sum(1 for c in confidences if c == x), sum(1 for c, z in zip(confidences, correct) if c == x and z)) for x in xs]
    mean = lambda a, b: F(sum(r for _, r in counts[a : b + 1]), sum(n for n, _ in counts[a : b + 1]))
    return xs, counts, [max(min(mean(j, k) for k in range(m, len(xs))) for j in range(m + 1)) for m in range(len(xs))]


def isotonic_fit(i, p):
    if not i["confidences"]:
        return None
    xs, counts, values = isotonic_values(i["confidences"], i["correct"])
    blocks = []
    for x, (n, _), value in zip(xs, counts, values):
        if blocks and blocks[-1]["exact"] == value:
            blocks[-1]["to"] = x
            blocks[-1]["n"] += n
        else:
            blocks.append({"from": x, "to": x, "n": n, "exact": value})
    return [{"from": b["from"], "to": b["to"], "n": b["n"], "value": float(b["exact"])} for b in blocks]


def isotonic_predict(i, p):
    blocks = isotonic_fit(i, p)
    if blocks is None:
        return None
    return [([b for b in blocks if b["from"] <= at] or blocks[:1])[-1]["value"] for at in i["at"]]


def logit(p):
    return math.log(p / (1 - p))


def sigmoid(z):
    return 1 / (1 + math.exp(-z)) if z >= 0 else math.exp(z) / (1 + math.exp(z))


def clip(c, eps):
    return min(1 - eps, max(eps, c))


def bisect(rising, low, high):
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return (low + high) / 2


def platt_fit(i, p):
    if not i["confidences"]:
        return None
    xs = [logit(clip(c, p["eps"])) for c in i["confidences"]]
    right = sum(1 for z in i["correct"] if z)
    targets = [(right + 1) / (right + 2) if z else 1 / (len(xs) - right + 2) for z in i["correct"]]
    if len(set(xs)) == 1:
        return {"a": 0.0, "b": logit(sum(targets) / len(targets))}
    best_b = lambda a: bisect(lambda b: sum(sigmoid(a * x + b) - t for x, t in zip(xs, targets)), -400, 400)
    slope = lambda a: (lambda b: sum((sigmoid(a * x + b) - t) * x for x, t in zip(xs, targets)))(best_b(a))
    a = bisect(slope, -60, 60)
    return {"a": a, "b": best_b(a)}


def platt_predict(i, p):
    return [sigmoid(i["a"] * logit(clip(c, p["eps"])) + i["b"]) for c in i["at"]]


def confidence_from_repeats(i, p):
    votes = i["votes"]
    if not votes:
        return None
    replies = len(votes)
    labels = sorted({v for v in votes if v is not None and v != "abstain"})
    abstain, invalid = votes.count("abstain"), votes.count(None)
    entropy = -sum(c / replies * math.log(c / replies) for c in [votes.count(v) for v in set(votes)])
    shares = {
        "abstain_share": abstain / replies,
        "invalid_share": invalid / replies,
        "entropy_confidence": None if replies == 1 else 1 - entropy / math.log(min(replies, p["n_labels"] + 2)),
    }
    if invalid == replies:
        return {"decision": "invalid", "confidence": None, "tie": False, **shares}
    top = max([votes.count(v) for v in labels], default=0)
    leaders = [v for v in labels if votes.count(v) == top]
    if abstain > top:
        return {"decision": "abstain", "confidence": None, "tie": False, **shares}
    if abstain == top or len(leaders) > 1:
        return {"decision": "abstain", "confidence": None, "tie": True, **shares}
    return {"decision": leaders[0], "confidence": top / replies, "tie": False, **shares}


def confidence_from_logprobs(i, p):
    mass = sum(math.exp(c["logprob"]) for c in i["candidates"])
    own = [math.exp(c["logprob"]) for c in i["candidates"] if c["label"] == i["answer"]]
    if not own:
        return {"confidence": None, "lower": None, "mass": mass, "reason": "answer_not_among_logprobs"}
    small = mass < p["min_mass"]
    return {"confidence": None if small else sum(own) / mass, "lower": sum(own), "mass": mass, "reason": "label_mass_too_small" if small else None}


def z_of(level):
    return NormalDist().inv_cdf((1 + level) / 2)


def interval(difference, se, level):
    if se is None:
        return {"difference": difference, "se": None, "lower": None, "upper": None}
    return {"difference": difference, "se": se, "lower": difference - z_of(level) * se, "upper": difference + z_of(level) * se}


def variance(values):
    mean = sum(values) / len(values)
    return sum((v - mean) ** 2 for v in values) / (len(values) - 1)


def paired_brier_difference(i, p):
    d = [(a - z) ** 2 - (b - z) ** 2 for z, a, b in zip(i["correct"], i["confidence_a"], i["confidence_b"])]
    if not d:
        return None
    return interval(sum(d) / len(d), None if len(d) < 2 else math.sqrt(variance(d) / len(d)), p["level"])


def paired_auroc_difference(i, p):
    score = lambda x, y: 1.0 if x > y else 0.5 if x == y else 0.0
    rights = [(a, b) for z, a, b in zip(i["correct"], i["confidence_a"], i["confidence_b"]) if z]
    wrongs = [(a, b) for z, a, b in zip(i["correct"], i["confidence_a"], i["confidence_b"]) if not z]
    if not rights or not wrongs:
        return None
    area = lambda s: sum(score(r[s], w[s]) for r in rights for w in wrongs) / len(rights) / len(wrongs)
    own = [sum(score(r[0], w[0]) - score(r[1], w[1]) for w in wrongs) / len(wrongs) for r in rights]
    other = [sum(score(r[0], w[0]) - score(r[1], w[1]) for r in rights) / len(rights) for w in wrongs]
    se = None if len(rights) < 2 or len(wrongs) < 2 else math.sqrt(variance(own) / len(rights) + variance(other) / len(wrongs))
    return {"auroc_a": area(0), "auroc_b": area(1), **interval(area(0) - area(1), se, p["level"])}


def drift_alpha(i, p):
    return p["alpha"] / (i["look"] * (i["look"] + 1))


def drift_test(i, p):
    lost, gained = i["lost"], i["gained"]
    value = 1.0 if lost == gained else min(1.0, 2 * cdf(min(lost, gained), lost + gained, 0.5))
    alpha = drift_alpha(i, p)
    signal = value <= alpha
    return {"p": value, "alpha": alpha, "signal": signal, "direction": ("worse" if lost > gained else "better") if signal else None}


def fewest_flips(i, p):
    return next(n for n in range(1, 1000) if drift_test({"lost": n, "gained": 0, "look": i["look"]}, p)["signal"])


def flip_table(i, p):
    pairs = list(zip(i["before"], i["after"]))
    if not pairs:
        return None
    changed = sum(1 for x, y in pairs if x["decision"] != y["decision"])
    lost = sum(1 for x, y in pairs if x["right"] and not y["right"])
    gained = sum(1 for x, y in pairs if y["right"] and not x["right"])
    return {"n": len(pairs), "lost": lost, "gained": gained, "changed": changed, "churn": changed / len(pairs)}


def wilson(x, n, z):
    """The roots of (x/n - p)^2 = z^2 p (1 - p) / n."""
    a, b, c = 1 + z * z / n, -(2 * x / n + z * z / n), (x / n) ** 2
    root = math.sqrt(b * b - 4 * a * c)
    return [0.0 if x == 0 else (-b - root) / (2 * a), 1.0 if x == n else (-b + root) / (2 * a)]


def control_limits(i, p):
    if i["n"] == 0:
        return None
    limits = lambda z: wilson(i["successes"], i["n"], z * math.sqrt(2))
    return {"centre": i["successes"] / i["n"], "warning": limits(z_of(0.95)), "action": limits(3)}


def control_chart(i, p):
    limits = control_limits({"successes": i["first_successes"], "n": i["n"]}, p)
    if limits is None:
        return None
    side = lambda x, key: -1 if x / i["n"] < limits[key][0] else 1 if x / i["n"] > limits[key][1] else 0
    later, states = i["later_successes"], []
    for k, x in enumerate(later):
        own = side(x, "warning")
        if side(x, "action"):
            states.append("action")
        elif own == 0:
            states.append("in")
        else:
            states.append("two_of_three" if any(side(y, "warning") == own for y in later[max(0, k - 2) : k]) else "warning")
    return states


FIELDS = ["suite_hash", "arm", "model", "prompt_hash", "schema_hash", "sampling", "batch_size", "repeats", "tools", "parser_version"]


def comparable_runs(i, p):
    first, later = i["first"], i["later"]
    differs = [f for f in FIELDS if first.get(f) != later.get(f)]
    unknown = [f for f in FIELDS if first.get(f) is None and later.get(f) is None]
    return {"comparable": not differs and not unknown, "differs": differs, "unknown": unknown}


REFERENCE = {f.__name__: f for f in [
    risk_p_value, exact_upper_bound, rows_for_errors, rows_for_power, first_tested_rows, deployable_threshold, threshold_report, isotonic_fit,
    isotonic_predict, platt_fit, platt_predict, confidence_from_repeats, confidence_from_logprobs, paired_brier_difference, paired_auroc_difference,
    drift_alpha, drift_test, fewest_flips, flip_table, control_limits, control_chart, comparable_runs,
]}


def inputs():
    r = random.Random(20261)
    promise = lambda: {"risk": r.choice([0.05, 0.1, 0.2]), "delta": r.choice([0.05, 0.1])}
    conf = lambda: round(r.choice([r.uniform(0, 1), r.choice([0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0])]), 3)

    def rows(n, error):
        c = [conf() for _ in range(n)]
        return c, [1 if r.random() > error * (1.2 - x) else 0 for x in c]

    for n in [1, 20, 90, 300]:
        for e in [0, n // 9, n]:
            yield "risk_p_value", {"errors": e, "n": n}, {"risk": r.choice([0.01, 0.05, 0.3])}
            yield "exact_upper_bound", {"errors": e, "n": n}, {"alpha": r.choice([0.05, 0.1])}
    yield "exact_upper_bound", {"errors": 0, "n": 0}, {"alpha": 0.05}
    for e in [0, 1, 2, 5, 9]:
        yield "rows_for_errors", {"errors": e}, promise()
    for share in [0, 0.25, 0.4]:
        p = {"risk": r.choice([0.1, 0.2]), "delta": 0.1, "power": 0.8}
        yield "rows_for_power", {"true_risk": round(p["risk"] * share, 6)}, p
    for n in [10, 307, 308, 420, 5000]:
        yield "first_tested_rows", {"n": n}, {**promise(), "start_errors": r.choice([0, 1, 2])}
    for n, error in [(0, 0), (12, 0), (60, 0), (150, 0.02), (200, 0.1), (240, 0.1), (240, 0.3), (300, 0.05), (300, 0.2), (90, 0.6)]:
        c, z = rows(n, error)
        yield "deployable_threshold", {"confidences": c, "correct": z}, {**promise(), "step": r.choice([0.01, 0.01, 0.05]), "start_errors": 2}
    for n in [0, 1, 30, 80]:
        states = [r.choice(["right", "right", "right", "wrong", "abstained", "invalid"]) for _ in range(n)]
        c = [r.choice([conf(), conf(), None]) for _ in range(n)]
        yield "threshold_report", {"states": states, "confidences": c, "threshold": r.choice([0.5, 0.8])}, {"alpha": 0.05}
    yield "threshold_report", {"states": ["right"], "confidences": [1], "threshold": None}, {"alpha": 0.05}
    for n in [0, 1, 2, 12, 40]:
        c, z = rows(n, 0.6)
        yield "isotonic_fit", {"confidences": c, "correct": z}, {}
        yield "isotonic_predict", {"confidences": c, "correct": z, "at": [0, 0.3, 0.65, 0.8, 1]}, {}
        yield "platt_fit", {"confidences": c, "correct": z}, {"eps": 0.01}
    yield "platt_fit", {"confidences": [0.8, 0.8, 0.8], "correct": [1, 0, 0]}, {"eps": 0.01}
    yield "platt_fit", {"confidences": [0.6, 0.9, 0.95, 0.7], "correct": [1, 1, 1, 1]}, {"eps": 0.01}
    yield "platt_predict", {"a": -0.4, "b": 1.1, "at": [0, 0.2, 0.77, 1]}, {"eps": 0.05}
    for n in [0, 1, 1, 2, 3, 4, 5, 5, 5, 6, 7, 9]:
        yield "confidence_from_repeats", {"votes": [r.choice(["a", "a", "b", "abstain", None]) for _ in range(n)]}, {"n_labels": r.choice([2, 3, 6])}
    for n in [0, 2, 3, 5]:
        candidates = [{"label": r.choice("ab"), "logprob": -round(r.uniform(0.1, 4), 3)} for _ in range(n)]
        yield "confidence_from_logprobs", {"candidates": candidates, "answer": "a"}, {"min_mass": r.choice([0.1, 0.5])}
    for n in [0, 1, 2, 5, 20, 60]:
        z = [r.choice([0, 1, 1]) for _ in range(n)]
        pair = {"correct": z, "confidence_a": [conf() for _ in z], "confidence_b": [conf() for _ in z]}
        yield "paired_brier_difference", pair, {"level": r.choice([0.9, 0.95])}
        yield "paired_auroc_difference", pair, {"level": r.choice([0.9, 0.95])}
    for look in [1, 2, 7, 30]:
        yield "drift_alpha", {"look": look}, {"alpha": 0.05}
        yield "fewest_flips", {"look": look}, {"alpha": r.choice([0.01, 0.05])}
        for lost, gained in [(0, 0), (9, 1), (3, 20), (30, 12)]:
            yield "drift_test", {"lost": lost, "gained": gained, "look": look}, {"alpha": 0.05}
    for n in [0, 1, 15]:
        side = lambda: [{"decision": d, "right": d == "a"} for d in (r.choice(["a", "b", "abstain"]) for _ in range(n))]
        yield "flip_table", {"before": side(), "after": side()}, {}
    for x, n in [(0, 0), (0, 20), (20, 20), (71, 90), (452, 500)]:
        yield "control_limits", {"successes": x, "n": n}, {}
        spread = max(1, round(3 * math.sqrt(n) / 3))
        later = [min(n, max(0, x + r.randint(-2 * spread, spread))) for _ in range(8)]
        yield "control_chart", {"first_successes": x, "n": n, "later_successes": later if n else []}, {}
    known = {"suite_hash": "a", "arm": "natural", "model": "m", "prompt_hash": "p", "schema_hash": "s", "sampling": {"temperature": 0, "top_p": 1}, "batch_size": 1, "repeats": 1, "tools": [], "parser_version": "3"}
    for change in [{}, {"sampling": {"top_p": 1, "temperature": 0}}, {"sampling": {"temperature": 1, "top_p": 1}}, {"model": None}, {"tools": ["search"], "repeats": 5}]:
        yield "comparable_runs", {"first": known, "later": {**known, **change}}, {}
    yield "comparable_runs", {"first": {**known, "arm": None}, "later": {**known, "arm": None}}, {}


TOLERANCE = {"platt_fit": 1e-6, "platt_predict": 1e-9}


def agrees(got, expected, tolerance):
    if expected is None or isinstance(expected, (str, bool)):
        return got == expected
    if isinstance(expected, (int, float)):
        return isinstance(got, (int, float)) and abs(got - expected) <= tolerance
    if isinstance(expected, list):
        return isinstance(got, list) and len(got) == len(expected) and all(agrees(g, e, tolerance) for g, e in zip(got, expected))
    return isinstance(got, dict) and all(k in got and agrees(got[k], e, tolerance) for k, e in expected.items())


def main():
    if sys.argv[1:2] == ["--check"]:
        cases = [c for c in json.loads(Path(sys.argv[2]).read_text())["cases"] if c["metric"] in REFERENCE]
        bad = [c["id"] for c in cases if not agrees(REFERENCE[c["metric"]](c["inputs"], c["params"]), c["expected"], c.get("tolerance", 1e-9))]
        print(f"{len(cases) - len(bad)} agree, {len(bad)} do not: {bad}")
        sys.exit(1 if bad else 0)
    cases = []
    for k, (name, given, params) in enumerate(inputs()):
        cases.append({
            "id": f"{name}-{k}",
            "metric": name,
            "inputs": given,
            "params": params,
            "expected": REFERENCE[name](given, params),
            "tolerance": TOLERANCE.get(name, 1e-9),
        })
    note = "Written by generate_thresholds.py: an independent reference, standard library only."
    lines = ",\n".join("  " + json.dumps(c) for c in cases)
    text = '{"meta": {"schema_version": "1.0", "note": ' + json.dumps(note) + '}, "cases": [\n' + lines + "\n]}\n"
    Path(__file__).with_name("thresholds.json").write_text(text)


main()
