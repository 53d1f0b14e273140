#!/usr/bin/env python3
"""Writes review.json, the reference cases of quotes, human review, corrected scores, juries, weighted rubrics and probes.

    python3 generate_review.py               rewrite review.json beside this file (same bytes every time)
    python3 generate_review.py --check FILE  run the reference below against another file of the same format

Quotes and histories of labels are stated by hand. Everything else is computed here in another way than in the library where there is one: counting with exact
fractions, standard errors of agreement by differentiating the coefficient numerically, Student's t from its finite series, exact tests by enumeration.
Standard library only. It shares no code with the library under test.
"""

import itertools
import math
import random
import sys
from fractions import Fraction as F
from pathlib import Path
from statistics import NormalDist

sys.dont_write_bytecode = True

from write_cases import check_cases, write_cases  # noqa: E402

VERDICTS = ["present", "absent", "contradicted", "unclear"]

# ------------------------------------------------------------------------------------------------
# Distributions


def z_of(level):
    return NormalDist().inv_cdf((1 + level) / 2)


def t_inside(t, df):
    """P(|T| <= t), by the finite series for whole degrees."""
    theta = math.atan(t / math.sqrt(df))
    s, c = math.sin(theta), math.cos(theta)
    total, term = 0.0, 1.0
    if df % 2 == 0:
        for k in range(0, df // 2):
            total += term
            term *= (2 * k + 1) / (2 * k + 2) * c * c
        return s * total
    term = c
    for k in range(1, (df - 1) // 2 + 1):
        total += term
        term *= 2 * k / (2 * k + 1) * c * c
    return 2 / math.pi * (theta + s * total)


def t_of(level, df):
    low, high = 0.0, 1.0
    while t_inside(high, df) < level:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if t_inside(middle, df) < level else (low, middle)
    return (low + high) / 2


def t_tail(t, df):
    outer = (1 - t_inside(abs(t), df)) / 2
    return outer if t >= 0 else 1 - outer


def mcnemar(b, c):
    m, n = min(b, c), b + c
    return float(min(F(1), 2 * sum(F(math.comb(n, k), 2**n) for k in range(m + 1))))


def wilson(x, n, level):
    if n == 0:
        return None
    z = z_of(level)
    p = x / n
    centre, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low, high = (centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n)
    return [0.0 if x == 0 else max(0.0, low), 1.0 if x == n else min(1.0, high)]


def interval(value, se, level, df=None, low=-math.inf, high=math.inf):
    if se is None or se < 1e-13 or (df is not None and df < 1):
        return None, None
    half = se * (z_of(level) if df is None else t_of(level, df))
    return max(low, value - half), min(high, value + half)


def share(part, whole):
    return None if whole == 0 else float(F(part) / F(whole))


# ------------------------------------------------------------------------------------------------
# Agreement: every coefficient is a function of weights on the items, and its influence is a derivative


def coefficient(kind, items, weights, categories):
    total = sum(weights)
    k = len(categories)
    po = sum(w for (a, b), w in zip(items, weights) if a == b) / total
    row = {c: sum(w for (a, _), w in zip(items, weights) if a == c) / total for c in categories}
    col = {c: sum(w for (_, b), w in zip(items, weights) if b == c) / total for c in categories}
    if kind == "kappa":
        pe = sum(row[c] * col[c] for c in categories)
    else:
        pe = sum((row[c] + col[c]) / 2 * (1 - (row[c] + col[c]) / 2) for c in categories) / (k - 1)
    return po, pe, (None if pe == 1 else (po - pe) / (1 - pe))


def agreement(kind, inputs, params):
    level = params.get("level", 0.95)
    if "confusion" in inputs:
        table = inputs["confusion"]
        items = [(i, j) for i, line in enumerate(table) for j, n in enumerate(line) for _ in range(n)]
        clusters, categories = None, list(range(len(table)))
    else:
        kept = [i for i, (a, b) in enumerate(zip(inputs["a"], inputs["b"])) if a is not None and b is not None]
        items = [(inputs["a"][i], inputs["b"][i]) for i in kept]
        clusters = [inputs["clusters"][i] for i in kept] if inputs.get("clusters") else None
        categories = list(inputs.get("categories") or dict.fromkeys(v for pair in items for v in pair))
    n = len(items)
    if n == 0 or (kind == "ac1" and len(categories) < 2):
        return None
    ones = [F(1)] * n
    po, pe, value = coefficient(kind, items, ones, categories)
    out = {kind: None if value is None else float(value), "observed": float(po), "expected": float(pe), "se": None, "lower": None, "upper": None, "n": n}
    if value is None:
        return out
    groups = clusters if clusters else (list(range(n)) if kind == "ac1" else None)
    step = F(1, 10**7)
    slopes = []
    for i in range(n):
        up, down = list(ones), list(ones)
        up[i] += step
        down[i] -= step
        slopes.append(n * (coefficient(kind, items, up, categories)[2] - coefficient(kind, items, down, categories)[2]) / (2 * step))
    if groups is None:
        se, df = math.sqrt(sum(u * u for u in slopes)) / n, None
    else:
        sums = {}
        for u, g in zip(slopes, groups):
            sums[g] = sums.get(g, 0) + u
        G, df = len(sums), len(sums) - 1
        if G < 2:
            return out
        se = math.sqrt(F(G, G - 1) * sum(s * s for s in sums.values())) / n
    out["se"] = 0.0 if se < 1e-13 else se
    out["lower"], out["upper"] = interval(float(value), se, level, df, -1, 1)
    return out


def alpha_of(units):
    """From all ordered pairs of values, one by one."""
    units = [u for u in units if len(u) > 1]
    values = [v for u in units for v in u]
    n = len(values)
    observed = sum(F(1, len(u) - 1) for u in units for i, a in enumerate(u) for j, b in enumerate(u) if i != j and a != b)
    expected = sum(1 for a, b in itertools.permutations(values, 2) if a != b)
    return None if expected == 0 else 1 - (n - 1) * observed / expected


def krippendorff_alpha(inputs, params):
    names = inputs.get("clusters") or list(range(len(inputs["units"])))
    kept = [([v for v in u if v is not None], g) for u, g in zip(inputs["units"], names)]
    kept = [(u, g) for u, g in kept if len(u) > 1]
    value = alpha_of([u for u, _ in kept])
    out = {"alpha": None if value is None else float(value), "n_values": sum(len(u) for u, _ in kept), "n_units": len(kept), "se": None, "lower": None, "upper": None}
    if value is None:
        return out
    left = [alpha_of([u for u, g in kept if g != one]) for one in dict.fromkeys(g for _, g in kept)]
    G = len(left)
    if G < 2 or any(v is None for v in left):
        return out
    centre = sum(left) / G
    se = math.sqrt(F(G - 1, G) * sum((v - centre) ** 2 for v in left))
    out["se"] = 0.0 if se < 1e-13 else se
    out["lower"], out["upper"] = interval(float(value), se, params.get("level", 0.95), G - 1, -1, 1)
    return out


# ------------------------------------------------------------------------------------------------
# Shares of clustered rows


def cluster_parts(values, clusters):
    sums = {}
    for v, g in zip(values, clusters):
        have = sums.setdefault(g, [F(0), 0])
        have[0] += v
        have[1] += 1
    return list(sums.values())


def design_effect(inputs, params):
    values, n = [F(v) for v in inputs["values"]], len(inputs["values"])
    if n == 0:
        return None
    mean = sum(values) / n
    parts = cluster_parts(values, inputs["clusters"])
    G = len(parts)
    plain = sum((v - mean) ** 2 for v in values) / n**2
    if G < 2 or plain == 0:
        return None
    square = F(G, G - 1) * sum((total - mean * size) ** 2 for total, size in parts) / n**2
    deff = square / plain
    return {"design_effect": float(deff), "n_effective": None if deff == 0 else float(n / deff), "se": math.sqrt(square), "n_clusters": G}


def wilson_clustered(inputs, params):
    values, n = inputs["values"], len(inputs["values"])
    if n == 0:
        return None
    G, p = len(set(inputs["clusters"])), sum(values) / n
    found = design_effect(inputs, params)
    if p in (0, 1):
        size = G
    elif found is None:
        return None
    else:
        size = n / found["design_effect"] if found["design_effect"] > 1 else n
    low, high = wilson(p * size, size, params.get("level", 0.95))
    return {"value": p, "n": n, "n_clusters": G, "n_effective": size, "lower": 0.0 if p == 0 else low, "upper": 1.0 if p == 1 else high}


# ------------------------------------------------------------------------------------------------
# Corrected mean: theta is fitted anew on every set of items


def theta_of(items, lam):
    labelled = [i for i in items if i["human"] is not None]
    if not labelled:
        return None
    w = [1 / F(str(i["pi"])) for i in labelled]
    W, N = sum(w), len(items)
    fbar = F(sum(i["judge"] for i in items), N)
    ybar = sum(x * i["human"] for x, i in zip(w, labelled)) / W
    flab = sum(x * i["judge"] for x, i in zip(w, labelled)) / W
    if lam == "tuned":
        if all(i["judge"] == i["human"] for i in labelled):
            lam = F(1)
        else:
            wbar, ab, bb = W / N, F(0), F(0)
            for g in dict.fromkeys(i["cluster"] for i in items):
                A = sum(x * (i["human"] - ybar) for x, i in zip(w, labelled) if i["cluster"] == g) / wbar
                B = sum(i["judge"] - fbar for i in items if i["cluster"] == g) - sum(x * (i["judge"] - flab) for x, i in zip(w, labelled) if i["cluster"] == g) / wbar
                ab, bb = ab + A * B, bb + B * B
            lam = F(0) if bb == 0 else min(F(1), max(F(0), -ab / bb))
    else:
        lam = F(str(lam))
    return {"theta": lam * fbar + ybar - lam * flab, "lambda": lam, "raw": fbar, "human_only": ybar}


def jackknife(replicates):
    G = len(replicates)
    centre = sum(replicates) / G
    return math.sqrt(F(G - 1, G) * sum((r - centre) ** 2 for r in replicates))


def corrected_mean(inputs, params):
    items, level, lam = inputs["items"], params.get("level", 0.95), params.get("lambda", "tuned")
    names = {i["cluster"] for i in items if i["human"] is not None}
    labelled = [i for i in items if i["human"] is not None]
    out = {"n_items": len(items), "n_labelled": len(labelled), "n_labelled_clusters": len(names)}
    if len(names) < 2:
        return {**out, "estimate": None, "se": None, "lower": None, "upper": None, "reason": "too_few_labelled_questions"}
    fit = theta_of(items, lam)
    left = [theta_of([i for i in items if i["cluster"] != g], lam)["theta"] for g in dict.fromkeys(i["cluster"] for i in items)]
    se, theta = jackknife(left), float(fit["theta"])
    agrees = all(i["judge"] == i["human"] for i in labelled) and lam in ("tuned", 1)
    if 0 < theta < 1 and lam != 1 and params.get("interval", "logit") == "logit" and se >= 1e-13:
        half = t_of(level, len(names) - 1) * se / (theta * (1 - theta))
        centre = math.log(theta / (1 - theta))
        ends = [1 / (1 + math.exp(half - centre)), 1 / (1 + math.exp(-half - centre))]
    else:
        ends = list(interval(theta, se, level, len(names) - 1))
    if agrees and ends[0] is not None:
        more = 1 - ((1 - level) / 2) ** (1 / len(names))
        ends = [ends[0] - more, ends[1] + more]
    clip = lambda v: None if v is None else min(1.0, max(0.0, v))
    return {**out, "raw": float(fit["raw"]), "human_only": float(fit["human_only"]), "lambda": float(fit["lambda"]), "estimate": theta, "se": 0.0 if se < 1e-13 else se, "lower": clip(ends[0]), "upper": clip(ends[1]), "reason": "no_disagreement_in_labels" if agrees else None}


# ------------------------------------------------------------------------------------------------
# Juries


def most(votes):
    for verdict in VERDICTS:
        if 2 * votes.count(verdict) > len(votes):
            return verdict
    return None


def jury_verdicts(inputs, params):
    judges, out = inputs["judges"], []
    for item in inputs["items"]:
        votes = []
        for judge in judges:
            usable = [v for v in item.get(judge, []) if v in VERDICTS]
            if usable:
                votes.append(most(usable) or "unclear")
        if len(votes) < params.get("quorum", len(judges) // 2 + 1):
            out.append({"verdict": None, "support": None, "n_judges": len(votes), "reason": "no_quorum"})
            continue
        winner = most(votes)
        verdict = winner or "unclear"
        out.append({"verdict": verdict, "support": share(votes.count(verdict), len(votes)), "n_judges": len(votes), "reason": None if winner else "no_majority"})
    return out


def jury_dissent(inputs, params):
    judges, items = inputs["judges"], inputs["items"]
    jury = jury_verdicts({"judges": judges, "items": [{j: [i.get(j)] for j in judges} for i in items]}, {})
    by_judge = {}
    for judge in judges:
        own = [(i, r) for i, r in zip(items, jury) if i.get(judge) in VERDICTS]
        others = [(i[judge], most([i[o] for o in judges if o != judge and i.get(o) in VERDICTS])) for i, _ in own]
        compared = [(mine, theirs) for mine, theirs in others if theirs]
        ruled = [(i[judge], r["verdict"]) for i, r in own if r["verdict"]]
        by_judge[judge] = {"n": len(compared), "dissent_rate": share(sum(a != b for a, b in compared), len(compared)), "changed_by_jury": share(sum(a != b for a, b in ruled), len(ruled))}
    pairwise = {}
    for a, b in itertools.combinations(judges, 2):
        both = [i for i in items if i.get(a) in VERDICTS and i.get(b) in VERDICTS]
        pairwise[f"{a}|{b}"] = share(sum(i[a] == i[b] for i in both), len(both))
    alpha = alpha_of([[i[j] for j in judges if i.get(j) in VERDICTS] for i in items])
    rates = [v["dissent_rate"] for v in by_judge.values() if v["dissent_rate"] is not None]
    top = [j for j, v in by_judge.items() if rates and v["dissent_rate"] == max(rates)]
    return {"by_judge": by_judge, "pairwise": pairwise, "alpha": None if alpha is None else float(alpha), "most_different": top[0] if len(top) == 1 else None}


# ------------------------------------------------------------------------------------------------
# Weighted rubrics

SETTLED = ("present", "absent", "contradicted")


def clip01(value):
    return min(F(1), max(F(0), value))


def mean_of(values):
    return sum(values) / len(values) if values else None


def points_score(items):
    settled = [i for i in items if i["verdict"] in SETTLED]
    whole = sum(F(i["points"]) for i in settled if i["points"] > 0)
    return None if whole == 0 else sum(F(i["points"]) for i in settled if i["verdict"] == "present") / whole


def failed(items):
    return any(i.get("critical") and (i["verdict"] in ("absent", "contradicted") if i["points"] > 0 else i["verdict"] == "present") for i in items)


def weighted_rubric_score(inputs, params):
    zero = params.get("critical") == "zero"
    scores, ranges, n_open = [], [], 0
    for question in inputs["questions"]:
        items = question["items"]
        score = points_score(items)
        scores.append(F(0) if zero and score is not None and failed(items) else score)
        opened = [i for i in items if i["verdict"] not in SETTLED]
        n_open += len(opened)
        # Every way in which the open items could be settled: their extremes are at the ends.
        settle = lambda best: [i if i["verdict"] in SETTLED else {**i, "verdict": "present" if (i["points"] > 0) == best else "absent"} for i in items]
        if any(i["points"] > 0 for i in items):
            low, high = points_score(settle(False)), points_score(settle(True))
            if zero and failed(items):
                low = high = F(0)
            elif zero and any(i.get("critical") for i in opened):
                low = min(low, F(0))
            ranges.append((low, high))
    known = [s for s in scores if s is not None]
    total, split = mean_of(known), mean_of([clip01(s) for s in known])
    number = lambda v: None if v is None else float(v)
    return {
        "scores": [number(s) for s in scores],
        "unclipped": number(total),
        "clipped_overall": number(None if total is None else clip01(total)),
        "clipped_by_question": number(split),
        "n_questions": len(known),
        "n_undefined": len(scores) - len(known),
        "n_open": n_open,
        "bounds": None if not ranges else [float(clip01(mean_of([r[e] for r in ranges]))) for e in (0, 1)],
    }


def critical_failure_rate(inputs, params):
    bad = good = opened = 0
    for question in inputs["questions"]:
        items = [i for i in question["items"] if i.get("critical")]
        if not items:
            continue
        if failed(items):
            bad += 1
        elif all(i["verdict"] in SETTLED for i in items):
            good += 1
        else:
            opened += 1
    n, every = bad + good, bad + good + opened
    return {"rate": share(bad, n), "n": n, "n_open": opened, "interval": wilson(bad, n, params.get("level", 0.95)), "bounds": None if every == 0 else [share(bad, every), share(bad + opened, every)]}


def harm_rates(inputs, params):
    settled = [[i for i in q["items"] if i["verdict"] in SETTLED] for q in inputs["questions"]]
    settled = [items for items in settled if items]
    every = [i for items in settled for i in items]
    committed = lambda i: i["verdict"] == ("contradicted" if i["required"] else "present")
    omitted = lambda i: i["required"] and i["verdict"] == "absent"
    weight = lambda test: sum(i["severity"] for i in every if test(i))
    harmed = sum(any((omitted(i) or committed(i)) and i["severity"] >= params.get("threshold", 1) for i in items) for items in settled)
    return {"omission": share(weight(omitted), weight(lambda i: i["required"])), "commission": share(weight(committed), weight(lambda i: True)), "any_harm": share(harmed, len(settled)), "any_harm_interval": wilson(harmed, len(settled), params.get("level", 0.95)), "n_questions": len(settled)}


def contradiction_rate(inputs, params):
    rows = [(int(i["verdict"] == "contradicted"), q["id"]) for q in inputs["questions"] for i in q["items"] if i["required"] and i["verdict"] in SETTLED]
    return wilson_clustered({"values": [v for v, _ in rows], "clusters": [c for _, c in rows]}, params)


def claim_precision(inputs, params):
    answers = [[c for c in a["claims"] if c != "not_checkable"] for a in inputs["answers"]]
    kept = [a for a in answers if a]
    claims = [c for a in kept for c in a]
    means = [F(a.count("supported"), len(a)) for a in kept]
    return {"pooled": share(claims.count("supported"), len(claims)), "mean_of_answers": share(sum(means), len(means)), "answers_with_unsupported": share(sum(any(c != "supported" for c in a) for a in kept), len(kept)), "contradicted_share": share(claims.count("contradicted"), len(claims)), "n_claims": len(claims), "n_answers": len(kept), "n_without_claims": len(answers) - len(kept)}


# ------------------------------------------------------------------------------------------------
# Probes


def flip_excess(inputs, params):
    rows = [t for t in inputs["triples"] if None not in t]
    n = len(rows)
    if n == 0:
        return None
    b = sum(x != v and x == r for x, r, v in rows)
    c = sum(x == v and x != r for x, r, v in rows)
    z = z_of(params.get("level", 0.95))
    half = z * math.sqrt(b + c + 1 - (b - c) ** 2 / (n + 2)) / (n + 2)
    centre = (b - c) / (n + 2)
    return {"n": n, "flip_rate": share(sum(x != v for x, _, v in rows), n), "noise_rate": share(sum(x != r for x, r, _ in rows), n), "excess": share(b - c, n), "lower": max(-1, centre - half), "upper": min(1, centre + half), "p": mcnemar(b, c), "b": b, "c": c}


def permutation_test(inputs, params):
    a, b = [F(str(v)) for v in inputs["a"]], [F(str(v)) for v in inputs["b"]]
    if not a or not b:
        return None
    both = a + b
    gap = lambda first: sum(first) / len(a) - (sum(both) - sum(first)) / len(b)
    splits = [gap(s) for s in itertools.combinations(both, len(a))]
    found = gap(a)
    two = params.get("alternative") == "two_sided"
    extreme = sum(abs(s) >= abs(found) if two else s >= found for s in splits)
    return {"difference": float(found), "p": share(extreme, len(splits)), "n_splits": len(splits)}


def tost_paired(inputs, params):
    d = [F(str(v)) - F(str(b)) for b, v in zip(inputs["base"], inputs["variant"]) if b is not None and v is not None]
    n, margin, level = len(d), params["margin"], params.get("alpha", 0.05)
    if n < 2:
        return None
    mean = sum(d) / n
    se = math.sqrt(sum((x - mean) ** 2 for x in d) / (n - 1) / n)
    if se == 0:
        bound = 1 - level ** (1 / n) if mean == 0 else None
        return {"difference": float(mean), "se": 0.0, "lower": None, "upper": None, "p": None, "equivalent": bound is not None and bound < margin, "bound": bound}
    low, high = interval(float(mean), se, 1 - 2 * level, n - 1)
    p = max(t_tail((float(mean) + margin) / se, n - 1), t_tail((margin - float(mean)) / se, n - 1))
    return {"difference": float(mean), "se": se, "lower": low, "upper": high, "p": p, "equivalent": low > -margin and high < margin, "bound": None}


REFERENCE = {
    "cohen_kappa": lambda i, p: agreement("kappa", i, p),
    "gwet_ac1": lambda i, p: agreement("ac1", i, p),
    "krippendorff_alpha": krippendorff_alpha,
    "design_effect": design_effect,
    "wilson_clustered": wilson_clustered,
    "corrected_mean": corrected_mean,
    "jury_verdicts": jury_verdicts,
    "jury_dissent": jury_dissent,
    "jury_weight": lambda i, p: max(0.0, math.log(((i["right"] + 1) * (p.get("n_verdicts", 4) - 1)) / (i["n"] + p.get("n_verdicts", 4) - i["right"] - 1))),
    "weighted_rubric_score": weighted_rubric_score,
    "critical_failure_rate": critical_failure_rate,
    "harm_rates": harm_rates,
    "contradiction_rate": contradiction_rate,
    "claim_precision": claim_precision,
    "flip_excess": flip_excess,
    "permutation_test": permutation_test,
    "tost_paired": tost_paired,
}

# ------------------------------------------------------------------------------------------------
# Cases

CASES = []


def add(metric, name, inputs, expected, params=None, tolerance=1e-9):
    CASES.append({"id": f"{metric}-{name}", "metric": metric, "inputs": inputs, "params": params or {}, "expected": expected, "tolerance": tolerance})


def computed(metric, name, inputs, params=None):
    add(metric, name, inputs, REFERENCE[metric](inputs, params or {}), params)


# Quotes: answer, quote, and the piece of the answer that it matches, by hand.
QUOTES = [
    ("A dose of 2.5 mg is safe.", "2.5 MG is safe", "2.5 mg is safe"),
    ("INR 2.5 today", "INR 2", None),
    ("INR 2, then stop", "INR 2", "INR 2"),
    ("Give .5 mg", "5 mg", None),
    ("Give 1,000 mg", "000 mg", None),
    ("unsafe, then safe", "safe", "safe"),
    ("Don’t stop “early”.", "don't stop \"early\"", "Don’t stop “early"),
    ("You can’t take it", "You can", None),
    ("a −5 change", "a -5 change", "a −5 change"),
    ("severe hyper-\nkalaemia", "severe hyperkalaemia", "severe hyper-\nkalaemia"),
    ("a long-\nterm plan", "long-term plan", "long-\nterm plan"),
    ("in 1-\n2 weeks", "12 weeks", None),
    ("## Plan\n1. Stop NSAIDs\n2. Check ACR", "stop nsaids check acr", "Stop NSAIDs\n2. Check ACR"),
    ("| drug | dose |\n|---|---|\n| A | 5 mg |", "a 5 mg", "A | 5 mg"),
    ("**1**5 mg", "5 mg", None),
    ("`eGFR` below *30*", "eGFR below 30", "eGFR` below *30"),
    ("zero\u200bwidth", "zerowidth", "zero\u200bwidth"),
    ("eGFR > 30", "< 30", None),
    ("?!", "?!", None),
    ("", "x", None),
]
for k, (answer, quote, expected) in enumerate(QUOTES):
    add("verify_quote", str(k + 1), {"answer": answer, "quote": quote}, expected, None, 0)

rng = random.Random(17)
WORDS = VERDICTS + ["unverified", "judge_error", None]
for k in range(8):
    n, few = rng.choice([0, 1, 6, 12, 20]), VERDICTS[: rng.choice([1, 2, 4])]
    a = [rng.choice(few + [None]) for _ in range(n)]
    b = [x if rng.random() < 0.6 else rng.choice(few + [None]) for x in a]
    pairs = {"a": a, "b": b, "categories": VERDICTS}
    clustered = {**pairs, "clusters": [f"q{rng.randrange(4)}" for _ in range(n)]}
    for metric in ("cohen_kappa", "gwet_ac1"):
        computed(metric, f"rows-{k + 1}", pairs, {"level": 0.95})
        computed(metric, f"questions-{k + 1}", clustered, {"level": 0.9})
    units = [[rng.choice(few + [None]) for _ in range(rng.choice([2, 3, 4]))] for _ in range(rng.choice([0, 1, 5, 9]))]
    computed("krippendorff_alpha", str(k + 1), {"units": units, "clusters": [rng.randrange(3) for _ in units]}, {"level": 0.95})
    values = [rng.choice([[0, 1], [1], [0]][k % 3]) for _ in range(rng.choice([1, 5, 12]))]
    rows = {"values": values, "clusters": [f"q{rng.randrange(4)}" for _ in values]}
    computed("design_effect", str(k + 1), rows)
    computed("wilson_clustered", str(k + 1), rows, {"level": 0.95})
    items = []
    for q in range(rng.choice([1, 3, 6])):
        for _ in range(4):
            pi, judge = rng.choice([0.25, 0.5, 1]), rng.randrange(2)
            human = None if rng.random() > pi else (judge if rng.random() < 0.8 else 1 - judge)
            items.append({"judge": judge, "human": human, "pi": pi, "cluster": f"q{q}"})
    for lam in ("tuned", 0, 1):
        case = corrected_mean({"items": items}, {"lambda": lam})
        if not (case["reason"] == "no_disagreement_in_labels" and case["se"] == 0):
            computed("corrected_mean", f"{k + 1}-{lam}", {"items": items}, {"lambda": lam})
    judges = ["a", "b", "c", "d"][: rng.choice([1, 2, 3, 4])]
    passes = [{j: [rng.choice(WORDS) for _ in range(rng.choice([0, 1, 2, 3]))] for j in judges} for _ in range(6)]
    computed("jury_verdicts", str(k + 1), {"judges": judges, "items": passes})
    computed("jury_dissent", str(k + 1), {"judges": judges, "items": [{j: rng.choice(WORDS) for j in judges} for _ in range(8)]})
    computed("jury_weight", str(k + 1), {"right": 100 - 12 * k, "n": 100 + k}, {"n_verdicts": 4})
    questions = [
        {"id": f"q{q}", "items": [{"points": rng.choice([-8, -3, 1, 2, 5]), "verdict": rng.choice(WORDS + list(SETTLED) * 2), "critical": rng.random() < 0.4} for _ in range(rng.choice([0, 2, 5]))]}
        for q in range(rng.choice([0, 2, 5]))
    ]
    computed("weighted_rubric_score", f"{k + 1}", {"questions": questions})
    computed("weighted_rubric_score", f"{k + 1}-zero", {"questions": questions}, {"critical": "zero"})
    computed("critical_failure_rate", str(k + 1), {"questions": questions}, {"level": 0.95})
    harms = [{"id": f"q{q}", "items": [{"required": rng.random() < 0.6, "severity": rng.choice([1, 2, 5]), "verdict": rng.choice(WORDS + list(SETTLED) * 2)} for _ in range(rng.choice([0, 2, 5]))]} for q in range(rng.choice([0, 3, 6]))]
    computed("harm_rates", str(k + 1), {"questions": harms}, {"level": 0.95, "threshold": rng.choice([1, 2, 5])})
    computed("contradiction_rate", str(k + 1), {"questions": harms}, {"level": 0.95})
    claims = ["supported", "unsupported", "contradicted", "not_checkable"]
    computed("claim_precision", str(k + 1), {"answers": [{"claims": [rng.choice(claims) for _ in range(rng.choice([0, 1, 4]))]} for _ in range(rng.choice([0, 2, 5]))]})
    decisions = ["0", "1", "abstain", None]
    computed("flip_excess", str(k + 1), {"triples": [[rng.choice(decisions) for _ in range(3)] for _ in range(rng.choice([0, 5, 30]))]}, {"level": 0.95})
    numbers = lambda: [rng.choice([0, 0.25, 0.5, 1]) for _ in range(rng.choice([0, 1, 4, 6]))]
    computed("permutation_test", str(k + 1), {"a": numbers(), "b": numbers()}, {"alternative": rng.choice(["greater", "two_sided"])})
    base = [rng.choice([0, 1, 1, None]) for _ in range(rng.choice([1, 8, 40]))]
    changed = [v if v is None or rng.random() < [1, 0.9][k % 2] else 1 - v for v in base]
    computed("tost_paired", str(k + 1), {"base": base, "variant": changed}, {"margin": rng.choice([0.05, 0.1, 0.4]), "alpha": 0.05})

# ------------------------------------------------------------------------------------------------
# The file

META = {
    "schema_version": "1.0",
    "how_to_run": "`krisis conformance FILE`. Numbers agree within the tolerance, objects by the expected keys, null with null.",
    "how_made": "conformance/generate_review.py wrote this file: quotes by hand, everything else by exact fractions, numerical derivatives and enumeration; it shares no code with the library.",
}


def main():
    if sys.argv[1:2] == ["--check"]:
        check_cases(sys.argv[2], REFERENCE, skip=lambda case: case["metric"] not in REFERENCE or case["params"].get("weights"))
    write_cases(Path(__file__).with_name("review.json"), META, CASES)


if __name__ == "__main__":
    main()
