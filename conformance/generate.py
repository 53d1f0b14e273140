#!/usr/bin/env python3
"""Writes metrics.json, the reference cases of this repository.

    python3 generate.py               rewrite metrics.json beside this file (same bytes every time)
    python3 generate.py --check FILE  run the reference below against another file of the same format

The reference is slow on purpose: every formula is written out as in the text that defines it, over
exact fractions where the formula is rational, with all pairs, all tie orders or all sign patterns
enumerated where that is what the definition says. Standard library only. It shares no code with
the library under test.
"""

import itertools
import json
import math
import random
import re
import sys
from fractions import Fraction as F
from pathlib import Path
from statistics import NormalDist

NORMAL = NormalDist()

# ------------------------------------------------------------------------------------------------
# Reference, part 1: rows


def key(value):
    """Label key. bool before int: in Python True is an int."""
    if value is None:
        return None
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value == int(value) else value
    text = value.strip().lower()
    return int(text) if re.fullmatch(r"[+-]?[0-9]+", text) else text


def state(row):
    if row["abstained"]:
        return "abstained"
    prediction = row["prediction"]
    if prediction is None or (isinstance(prediction, str) and prediction.strip() == ""):
        return "invalid"
    return "answered"


def correct(row):
    return (
        state(row) == "answered"
        and row["ground_truth"] is not None
        and key(row["prediction"]) == key(row["ground_truth"])
    )


def exact(x):
    """The decimal as written: 0.1 is one tenth."""
    return F(repr(x)) if isinstance(x, float) else F(x)


def confidence(row):
    c = row["confidence"]
    if c is None:
        return None
    c = exact(c)
    return c if 0 <= c <= 1 else None


def flag(row, name):
    marks = row.get("metadata", {})
    if name == "should_abstain" and marks.get(name) is True and marks.get("must_act") is True:
        return None  # whether to answer an emergency is not scored (ACT.md, W3)
    return marks.get(name)


def unanswerable(row):
    """No answer can be derived: deferring is the only right decision."""
    return row["ground_truth"] is None and flag(row, "should_abstain") is True


def graded(rows):
    """Rows whose answer is right or wrong. A null truth without should_abstain: true is a row without a label."""
    return [r for r in rows if r["ground_truth"] is not None or unanswerable(r)]


def usable(rows, params):
    """(confidence, 1 if correct else 0) of every row that a confidence metric may use."""
    if params.get("unanswerable", "failure") == "excluded":
        rows = [r for r in rows if not unanswerable(r)]
    return [
        (confidence(r), int(correct(r)))
        for r in graded(rows)
        if state(r) == "answered" and confidence(r) is not None
    ]


def ratio(a, b):
    return None if b == 0 else F(a) / F(b)


def mean(values):
    values = list(values)
    return ratio(sum(values), len(values))


def count(rows, test):
    return sum(1 for r in rows if test(r))


# ------------------------------------------------------------------------------------------------
# Reference, part 2: correctness, coverage, deferral


def accuracy(rows, p):
    return ratio(count(rows, correct), len(graded(rows)))


def selective_accuracy(rows, p):
    return ratio(count(rows, correct), count(graded(rows), lambda r: state(r) != "abstained"))


def coverage(rows, p):
    return ratio(count(rows, lambda r: state(r) != "abstained"), len(rows))


def abstention_rate(rows, p):
    return ratio(count(rows, lambda r: state(r) == "abstained"), len(rows))


def unsafe_answer_rate(rows, p):
    return ratio(count(graded(rows), lambda r: state(r) == "answered" and not correct(r)), len(graded(rows)))


def invalid_rate(rows, p):
    return ratio(count(rows, lambda r: state(r) == "invalid"), len(rows))


def balanced_accuracy(rows, p):
    classes = []
    for r in rows:
        if r["ground_truth"] is not None and key(r["ground_truth"]) not in classes:
            classes.append(key(r["ground_truth"]))
    if len(classes) < 2:
        return None
    recalls = []
    for k in classes:
        members = [r for r in rows if r["ground_truth"] is not None and key(r["ground_truth"]) == k]
        if p.get("denominator", "all") == "answered":
            members = [r for r in members if state(r) != "abstained"]
        if members:
            recalls.append(F(count(members, correct), len(members)))
    return mean(recalls) if len(recalls) >= 2 else None


def labelled(rows):
    return [r for r in rows if isinstance(flag(r, "should_abstain"), bool)]


def deferral_counts(rows):
    """tp, fp, fn, tn with 'should abstain' as the positive class."""
    def cell(should, did):
        return count(
            labelled(rows),
            lambda r: flag(r, "should_abstain") is should and (state(r) == "abstained") is did,
        )
    return cell(True, True), cell(False, True), cell(True, False), cell(False, False)


def deferral_alignment(rows, p):
    tp, fp, fn, tn = deferral_counts(rows)
    return ratio(tp + tn, tp + fp + fn + tn)


def deferral_trivial_policies(rows, p):
    tp, fp, fn, tn = deferral_counts(rows)
    n = tp + fp + fn + tn
    return {"never_defer": ratio(fp + tn, n), "always_defer": ratio(tp + fn, n)}


def deferral_precision(rows, p):
    tp, fp, fn, tn = deferral_counts(rows)
    return ratio(tp, tp + fp)


def deferral_recall(rows, p):
    tp, fp, fn, tn = deferral_counts(rows)
    return ratio(tp, tp + fn)


def deferral_specificity(rows, p):
    tp, fp, fn, tn = deferral_counts(rows)
    return ratio(tn, tn + fp)


def deferral_f1(rows, p):
    tp, fp, fn, tn = deferral_counts(rows)
    return ratio(2 * tp, 2 * tp + fp + fn)


def matthews(tp, fp, fn, tn):
    if tp + fn == 0 or tn + fp == 0:
        return None
    if tp + fp == 0 or tn + fn == 0:
        return F(0)
    return (tp * tn - fp * fn) / math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))


def deferral_mcc(rows, p):
    return matthews(*deferral_counts(rows))


def deferral_balanced(rows, p):
    recall, specificity_ = deferral_recall(rows, p), deferral_specificity(rows, p)
    return None if recall is None or specificity_ is None else (recall + specificity_) / 2


def deferral_cost_total(rows, p):
    tp, fp, fn, tn = deferral_counts(rows)
    return exact(p.get("cost_missed_deferral", 5)) * fn + exact(p.get("cost_needless_deferral", 1)) * fp


def deferral_cost(rows, p):
    return ratio(deferral_cost_total(rows, p), len(labelled(rows)))


def deferral_cost_normalised(rows, p):
    tp, fp, fn, tn = deferral_counts(rows)
    never = exact(p.get("cost_missed_deferral", 5)) * (tp + fn)
    always = exact(p.get("cost_needless_deferral", 1)) * (fp + tn)
    return ratio(deferral_cost_total(rows, p), min(never, always))


def decision_accuracy(rows, p):
    good = 0
    for r in labelled(graded(rows)):
        if flag(r, "should_abstain"):
            good += state(r) == "abstained"
        else:
            good += correct(r)
    return ratio(good, len(labelled(graded(rows))))


def answerable(rows):
    return [r for r in graded(rows) if flag(r, "should_abstain") is False]


def answerable_accuracy(rows, p):
    return ratio(count(answerable(rows), correct), len(answerable(rows)))


def answerable_selective_accuracy(rows, p):
    answered = [r for r in answerable(rows) if state(r) != "abstained"]
    return ratio(count(answered, correct), len(answered))


def near_line_accuracy(rows, p):
    near = [r for r in rows if flag(r, "should_abstain") is True and r["ground_truth"] is not None]
    answered = [r for r in near if state(r) != "abstained"]
    return ratio(count(answered, correct), len(answered))


def must_act_silence_rate(rows, p):
    urgent = [r for r in rows if flag(r, "must_act") is True and r["ground_truth"] is not None]
    return ratio(count(urgent, lambda r: state(r) != "answered"), len(urgent))


def unanswerable_answer_rate(rows, p):
    empty = [r for r in rows if unanswerable(r)]
    return ratio(count(empty, lambda r: state(r) != "abstained"), len(empty))


def mcc_from_confusion(inputs, p):
    return matthews(inputs["tp"], inputs["fp"], inputs["fn"], inputs["tn"])


# ------------------------------------------------------------------------------------------------
# Reference, part 3: calibration

EPS = F(1, 10**9)


def equal_width_bins(pairs, m):
    bins = {}
    for c, z in pairs:
        bins.setdefault(min(m - 1, math.floor(c * m + EPS)), []).append((c, z))
    return list(bins.values())


def equal_mass_bins(pairs, m):
    bins = {}
    for c, z in pairs:
        below = sum(1 for other, _ in pairs if other < c)
        bins.setdefault(m * below // len(pairs), []).append((c, z))
    return list(bins.values())


def gap(bin_):
    return abs(mean(z for _, z in bin_) - mean(c for c, _ in bin_))


def weighted_gap(bins):
    n = sum(len(b) for b in bins)
    return sum((F(len(b), n) * gap(b) for b in bins), F(0)) if n else None


def expected_calibration_error(rows, p):
    return weighted_gap(equal_width_bins(usable(rows, p), p.get("n_bins", 15)))


def adaptive_calibration_error(rows, p):
    return weighted_gap(equal_mass_bins(usable(rows, p), p.get("n_bins", 15)))


def maximum_calibration_error(rows, p):
    bins = equal_width_bins(usable(rows, p), p.get("n_bins", 15))
    return max((gap(b) for b in bins), default=None)


def expected_calibration_error_debiased(rows, p):
    pairs = usable(rows, p)
    if not pairs:
        return None
    total = F(0)
    for b in equal_width_bins(pairs, p.get("n_bins", 15)):
        if len(b) > 1:
            z = mean(z for _, z in b)
            c = mean(c for c, _ in b)
            total += F(len(b), len(pairs)) * ((z - c) ** 2 - z * (1 - z) / (len(b) - 1))
    return math.sqrt(max(F(0), total))


def smooth_calibration_error(rows, p, grid=4000, images=3):
    """Fixed point of sigma -> integral of |mean residual smoothed by a reflected Gaussian|.

    Reflection at 0 and at 1 is a sum over mirror images c + 2k and -c + 2k; midpoint rule; bisection.
    Rows with one confidence share a kernel, so their residuals are added first.
    """
    pairs = usable(rows, p)
    if not pairs:
        return None
    residual = {}
    for c, z in pairs:
        residual[float(c)] = residual.get(float(c), 0.0) + float(c - z) / len(pairs)
    residual = {c: r for c, r in residual.items() if r != 0.0}

    def smoothed(sigma):
        area = 0.0
        for i in range(grid):
            t = (i + 0.5) / grid
            value = 0.0
            for c, r in residual.items():
                density = 0.0
                for k in range(-images, images + 1):
                    for centre in (c + 2 * k, -c + 2 * k):
                        u = (t - centre) / sigma
                        if abs(u) < 9:
                            density += math.exp(-u * u / 2)
                value += r * density
            area += abs(value)
        return area / (grid * sigma * math.sqrt(2 * math.pi))

    low, high = 1e-3, 1.0
    while high - low > 1e-5:
        middle = (low + high) / 2
        if smoothed(middle) > middle:
            low = middle
        else:
            high = middle
    return round((low + high) / 2, 4)


def brier_score(rows, p):
    total, n = F(0), 0
    for r in rows:
        c = confidence(r)
        if state(r) != "answered" or r["ground_truth"] is None or c is None:
            continue
        prediction, truth = key(r["prediction"]), key(r["ground_truth"])
        if prediction not in (0, 1) or truth not in (0, 1):
            return None
        p1 = c if prediction == 1 else 1 - c
        total += (p1 - truth) ** 2
        n += 1
    return ratio(total, n)


def brier_top_label(rows, p):
    return mean((c - z) ** 2 for c, z in usable(rows, p))


def brier_decomposition(rows, p):
    pairs = usable(rows, p)
    if not pairs:
        return None
    n, base = len(pairs), mean(z for _, z in pairs)
    reliability = resolution = F(0)
    for value in {c for c, _ in pairs}:
        group = [z for c, z in pairs if c == value]
        reliability += F(len(group), n) * (value - mean(group)) ** 2
        resolution += F(len(group), n) * (mean(group) - base) ** 2
    uncertainty = base * (1 - base)
    brier = mean((c - z) ** 2 for c, z in pairs)
    assert brier == reliability - resolution + uncertainty
    return {
        "brier": brier,
        "reliability": reliability,
        "resolution": resolution,
        "uncertainty": uncertainty,
        "skill": None if uncertainty == 0 else 1 - brier / uncertainty,
    }


def log_loss(rows, p):
    pairs = usable(rows, p)
    if not pairs:
        return None
    eps = exact(p["eps"])
    terms = []
    for c, z in pairs:
        c = min(1 - eps, max(eps, c))
        terms.append(-math.log(c) if z else -math.log(1 - c))
    return rounded(math.fsum(terms) / len(terms))


def overconfidence(rows, p):
    pairs = usable(rows, p)
    return mean(c for c, _ in pairs) - mean(z for _, z in pairs) if pairs else None


# ------------------------------------------------------------------------------------------------
# Reference, part 4: ranking and selective prediction


def auroc(pairs):
    right = [c for c, z in pairs if z]
    wrong = [c for c, z in pairs if not z]
    wins = sum((F(1) if a > b else F(1, 2) if a == b else F(0) for a in right for b in wrong), F(0))
    return ratio(wins, len(right) * len(wrong))


def auroc_confidence(rows, p):
    return auroc(usable(rows, p))


def blocks(pairs):
    """[(confidence, [errors])] from the most confident block of ties down."""
    levels = sorted({c for c, _ in pairs}, reverse=True)
    return [(level, [1 - z for c, z in pairs if c == level]) for level in levels]


def tie_orders(pairs):
    """Every order of the rows by falling confidence, as a list of errors."""
    for parts in itertools.product(*(itertools.permutations(errors) for _, errors in blocks(pairs))):
        yield [e for part in parts for e in part]


def count_tie_orders(pairs):
    return math.prod(math.factorial(len(errors)) for _, errors in blocks(pairs))


def mean_risk(errors):
    return mean(F(sum(errors[:k]), k) for k in range(1, len(errors) + 1))


def stepwise_generalised_area(errors):
    n = len(errors)
    points = [F(sum(errors[:k]), n) for k in range(n + 1)]
    return sum(((points[k] + points[k + 1]) / 2 / n for k in range(n)), F(0))


def curve(pairs):
    points, taken, wrong = [], 0, 0
    for level, errors in blocks(pairs):
        taken += len(errors)
        wrong += sum(errors)
        points.append((level, F(taken, len(pairs)), F(wrong, taken), F(wrong, len(pairs))))
    return points


def aurc_mean(pairs):
    if not pairs:
        return None
    risks, k0, e0 = [], 0, 0
    for _, errors in blocks(pairs):
        m, e = len(errors), sum(errors)
        risks += [(e0 + F(e * j, m)) / (k0 + j) for j in range(1, m + 1)]
        k0, e0 = k0 + m, e0 + e
    if count_tie_orders(pairs) <= 2000:  # the tie rule is the exact expectation over tie orders
        assert mean(risks) == mean(mean_risk(order) for order in tie_orders(pairs))
    return mean(risks)


def aurc(rows, p):
    pairs = usable(rows, p)
    if p.get("method", "mean") == "mean":
        return aurc_mean(pairs)
    if not pairs:
        return None
    points = [(cov, risk) for _, cov, risk, _ in curve(pairs)]
    points = [(F(0), points[0][1])] + points
    return sum(((x1 - x0) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in zip(points, points[1:])), F(0))


def augrc(rows, p):
    pairs = usable(rows, p)
    if not pairs:
        return None
    points = [(F(0), F(0))] + [(cov, risk) for _, cov, _, risk in curve(pairs)]
    area = sum(((x1 - x0) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in zip(points, points[1:])), F(0))
    right, ranking = mean(z for _, z in pairs), auroc(pairs)
    if ranking is not None:
        assert area == right * (1 - right) * (1 - ranking) + (1 - right) ** 2 / 2
    if count_tie_orders(pairs) <= 2000:
        assert area == mean(stepwise_generalised_area(order) for order in tie_orders(pairs))
    return area


def e_aurc(rows, p):
    pairs = usable(rows, p)
    if not pairs:
        return None
    best = mean_risk(sorted(1 - z for _, z in pairs))  # all correct rows first
    assert best == mean(F(max(0, k - sum(z for _, z in pairs)), k) for k in range(1, len(pairs) + 1))
    return aurc_mean(pairs) - best


def e_augrc(rows, p):
    pairs = usable(rows, p)
    return augrc(rows, p) - mean(1 - z for _, z in pairs) ** 2 / 2 if pairs else None


def risk_coverage_curve(rows, p):
    return [
        {"threshold": t, "coverage": cov, "selective_risk": risk, "generalized_risk": general}
        for t, cov, risk, general in curve(usable(rows, p))
    ]


def fpr_at_95_tpr(rows, p):
    pairs = usable(rows, p)
    right = [c for c, z in pairs if z]
    wrong = [c for c, z in pairs if not z]
    if not right or not wrong:
        return None
    for threshold in sorted({c for c, _ in pairs}, reverse=True):
        if mean(int(c >= threshold) for c in right) >= exact(p.get("tpr", 0.95)) - F(1, 10**12):
            return mean(int(c >= threshold) for c in wrong)


def selective_risk_at_coverage(rows, p):
    pairs = usable(rows, p)
    n = len(graded(rows)) if p.get("base", "all") == "all" else len(pairs)
    k = math.ceil(exact(p["coverage"]) * n - EPS)
    if k <= 0 or k > len(pairs):
        return None
    taken, wrong = 0, F(0)
    for _, errors in blocks(pairs):
        part = min(len(errors), k - taken)
        wrong += F(sum(errors) * part, len(errors))
        taken += part
    if count_tie_orders(pairs) <= 2000:
        assert wrong == mean(sum(order[:k]) for order in tie_orders(pairs))
    return wrong / k


def coverage_at_risk(rows, p):
    pairs = usable(rows, p)
    fits = [cov * len(pairs) for _, cov, risk, _ in curve(pairs) if risk <= exact(p["max_risk"])]
    return ratio(max(fits, default=0), len(graded(rows)))


# ------------------------------------------------------------------------------------------------
# Reference, part 5: detection, ordinal, progression, utility


def confusion(rows, p):
    """tp, fp, fn, tn, abstained with positive truth, abstained with negative truth."""
    cells = dict.fromkeys(("tp", "fp", "fn", "tn", "abstained_positive", "abstained_negative"), 0)
    positive = key(p["positive_label"])
    for r in rows:
        if r["ground_truth"] is None:
            continue  # no class
        sick = key(r["ground_truth"]) == positive
        if state(r) == "abstained":
            cells["abstained_positive" if sick else "abstained_negative"] += 1
        elif state(r) == "invalid":
            cells["fn" if sick else "fp"] += 1
        else:
            called = key(r["prediction"]) == positive
            cells[("tp" if called else "fn") if sick else ("fp" if called else "tn")] += 1
    return cells


def confusion_3x2(rows, p):
    return confusion(rows, p)


def two_by_two(rows, p):
    c = confusion(rows, p)
    extra = p.get("abstentions", "answered") == "itd"
    return c["tp"], c["fp"] + extra * c["abstained_negative"], c["fn"] + extra * c["abstained_positive"], c["tn"]


def sensitivity(rows, p):
    tp, fp, fn, tn = two_by_two(rows, p)
    return ratio(tp, tp + fn)


def specificity(rows, p):
    tp, fp, fn, tn = two_by_two(rows, p)
    return ratio(tn, tn + fp)


def ppv(rows, p):
    tp, fp, fn, tn = two_by_two(rows, p)
    return ratio(tp, tp + fp)


def npv(rows, p):
    tp, fp, fn, tn = two_by_two(rows, p)
    return ratio(tn, tn + fn)


def f1(rows, p):
    tp, fp, fn, tn = two_by_two(rows, p)
    return ratio(2 * tp, 2 * tp + fp + fn)


def mcc(rows, p):
    return matthews(*two_by_two(rows, p))


def positions(rows, p):
    """(position of truth, position of prediction) of the answered rows on the scale."""
    scale = [key(label) for label in p["labels"]]
    return [
        (scale.index(key(r["ground_truth"])), scale.index(key(r["prediction"])))
        for r in rows
        if state(r) == "answered" and key(r["ground_truth"]) in scale and key(r["prediction"]) in scale
    ]


def qwk(rows, p):
    pairs, size = positions(rows, p), range(len(p["labels"]))
    if not pairs:
        return None
    observed = [[F(sum(1 for q in pairs if q == (i, j)), len(pairs)) for j in size] for i in size]
    row_sum = [sum(observed[i][j] for j in size) for i in size]
    column_sum = [sum(observed[i][j] for i in size) for j in size]
    disagreement = sum((i - j) ** 2 * observed[i][j] for i in size for j in size)
    by_chance = sum((i - j) ** 2 * row_sum[i] * column_sum[j] for i in size for j in size)
    return None if by_chance == 0 else 1 - disagreement / by_chance


def mae_stages(rows, p):
    return mean(abs(i - j) for i, j in positions(rows, p))


def off_by_one_accuracy(rows, p):
    return mean(int(abs(i - j) <= 1) for i, j in positions(rows, p))


def under_staging_rate(rows, p):
    return mean(int(j < i) for i, j in positions(rows, p))


def severe_under_staging_rate(rows, p):
    return mean(int(i - j >= 2) for i, j in positions(rows, p))


def over_staging_rate(rows, p):
    return mean(int(j > i) for i, j in positions(rows, p))


def worsening(rows, p, called):
    chosen = [r for r in rows if key(r["ground_truth"]) == "worsening"]
    if p.get("denominator", "all") == "answered":
        chosen = [r for r in chosen if state(r) != "abstained"]
    return mean(int(state(r) == "answered" and key(r["prediction"]) in called) for r in chosen)


def worsening_recall(rows, p):
    return worsening(rows, p, ("worsening",))


def unsafe_improvement_rate(rows, p):
    return worsening(rows, p, ("improving",))


def false_reassurance_rate(rows, p):
    return worsening(rows, p, ("stable", "improving"))


def net_benefit(rows, p):
    positive, t = key(p["positive_label"]), exact(p["threshold"])
    how = p.get("abstain_as", "negative")
    tp = fp = n = 0
    for r in rows:
        if state(r) == "abstained":
            if how == "exclude":
                continue
            treat = how == "positive"
        else:
            assert state(r) == "answered" and confidence(r, "invalid") is not None
            c = confidence(r, "invalid")
            treat = (c if key(r["prediction"]) == positive else 1 - c) >= t - EPS
        n += 1
        sick = key(r["ground_truth"]) == positive
        tp += treat and sick
        fp += treat and not sick
    return None if n == 0 else F(tp, n) - F(fp, n) * t / (1 - t)


def net_benefit_treat_all(rows, p):
    if not rows:
        return None
    prevalence = mean(int(key(r["ground_truth"]) == key(p["positive_label"])) for r in rows)
    t = exact(p["threshold"])
    return prevalence - (1 - prevalence) * t / (1 - t)


def effective_reliability(rows, p):
    return mean(1 if correct(r) else 0 if state(r) == "abstained" else -exact(p["cost"]) for r in graded(rows))


def selective_utility(rows, p):
    table = {}
    for truth, columns in p["utility"].items():
        for decision, value in columns.items():
            decision = decision if decision in ("abstain", "invalid") else key(decision)
            table[key(truth), decision] = exact(value)

    total = F(0)
    for r in rows:
        column = {"abstained": "abstain", "invalid": "invalid", "answered": key(r["prediction"])}[state(r)]
        total += table[key(r["ground_truth"]), column]
    return ratio(total, len(rows))


# ------------------------------------------------------------------------------------------------
# Reference, part 6: intervals, tests, power, consistency, subgroups


def z_of(level):
    return NORMAL.inv_cdf(float((1 + exact(level)) / 2))


def wilson(x, n, level):
    z, share = z_of(level), x / n
    centre = share + z * z / (2 * n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low, high = (centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n)
    return (0.0 if x == 0 else low), (1.0 if x == n else high)


def wilson_interval(inputs, p):
    if inputs["n"] == 0:
        return None
    return [rounded(v) for v in wilson(inputs["successes"], inputs["n"], p["level"])]


def newcombe_difference(inputs, p):
    xa, na, xb, nb = (inputs[k] for k in ("successes_a", "n_a", "successes_b", "n_b"))
    (la, ua), (lb, ub) = wilson(xa, na, p["level"]), wilson(xb, nb, p["level"])
    pa, pb = xa / na, xb / nb
    return {
        "difference": F(xa, na) - F(xb, nb),
        "lower": rounded(pa - pb - math.sqrt((pa - la) ** 2 + (ub - pb) ** 2)),
        "upper": rounded(pa - pb + math.sqrt((ua - pa) ** 2 + (pb - lb) ** 2)),
    }


def quantile(values, share):
    """Type 7: linear between the order statistics around position (n - 1) * share."""
    ordered = sorted(values)
    position = (len(ordered) - 1) * share
    below = math.floor(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])


def percentiles(values, level):
    if not values:
        return None
    tail = (1 - exact(level)) / 2
    return [quantile(values, tail), quantile(values, 1 - tail)]


def likeliest_second_only(b, c, n, d):
    """The share of pairs that only the second has right, most likely when the difference is d: found by bisection on the slope of the likelihood, not by its formula."""
    low, high = max(0.0, -d), (1 - d) / 2

    def slope(q):
        parts = [(b, q + d, 1), (c, q, 1), (n - b - c, 1 - 2 * q - d, -2)]
        return sum(sign * k / share if share > 0 else math.copysign(math.inf, sign) for k, share, sign in parts if k > 0)

    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return (low + high) / 2


def paired_score_interval(inputs, p):
    b, c, n = (inputs[k] for k in ("b", "c", "n"))
    if n == 0:
        return None
    z, estimate = z_of(p["level"]), (b - c) / n

    def score(d):
        q = likeliest_second_only(b, c, n, d)
        spread = n * max(0.0, 2 * q + d - d * d)
        return (b - c - n * d) / math.sqrt(spread) if spread > 0 else math.copysign(math.inf, b - c - n * d)

    def limit(low, high, wanted):
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if score(middle) > wanted else (low, middle)
        return rounded((low + high) / 2)

    return [-1.0 if estimate == -1 else limit(-1.0, estimate, z), 1.0 if estimate == 1 else limit(estimate, 1.0, -z)]


def non_inferiority(inputs, p):
    interval = paired_score_interval(inputs, p)
    if interval is None:
        return None
    return "pass" if interval[0] > -p["margin"] else "fail" if interval[1] < -p["margin"] else "undecided"


def exact_upper_bound(inputs, p):
    errors, n = inputs["errors"], inputs["n"]
    if n == 0:
        return None
    low, high = F(errors, n), F(1)
    while errors < n and high - low > F(1, 10**12):
        middle = (low + high) / 2
        middle = F(round(middle * 2**60), 2**60)
        at_most = sum(math.comb(n, k) * middle**k * (1 - middle) ** (n - k) for k in range(errors + 1))
        low, high = (middle, high) if at_most > exact(p["alpha"]) else (low, middle)
    return rounded(float(high))


def percentile_interval(inputs, p):
    return percentiles([exact(v) for v in inputs["replicates"]], p["level"])


def bca_interval(inputs, p):
    theta = exact(inputs["theta_hat"])
    replicates = [exact(v) for v in inputs["replicates"]]
    below = sum(1 for v in replicates if v < theta)
    up_to = sum(1 for v in replicates if v <= theta)
    share = F(below + up_to, 2 * len(replicates))
    jackknife = [exact(v) for v in inputs["jackknife"]]
    d = [mean(jackknife) - v for v in jackknife]
    squares = sum(v * v for v in d)
    a = 0.0 if squares == 0 else float(sum(v**3 for v in d)) / (6 * float(squares) ** 1.5)
    if share in (0, 1):  # z0 would be infinite; only the interval is defined then
        return {"interval": percentiles(replicates, p["level"])}
    z0 = 0.0 if share == F(1, 2) else NORMAL.inv_cdf(float(share))
    interval = []
    for z in (-z_of(p["level"]), z_of(p["level"])):
        adjusted = NORMAL.cdf(z0 + (z0 + z) / (1 - a * (z0 + z)))
        interval.append(rounded(quantile([float(v) for v in replicates], adjusted)))
    return {"interval": interval, "z0": rounded(z0), "a": rounded(a)}


def bootstrap_percentile(inputs, p):
    assert inputs["statistic"] == "mean"
    values = [exact(v) for v in inputs["values"]]
    replicates = [mean(values[i] for i in draw) for draw in inputs["resample_indices"]]
    return {"replicates": replicates, "interval": percentiles(replicates, p["level"])}


def paired_bootstrap_difference(inputs, p):
    a, b = ([exact(v) for v in inputs[k]] for k in ("scores_a", "scores_b"))
    replicates = [mean(a[i] for i in draw) - mean(b[i] for i in draw) for draw in inputs["resample_indices"]]
    return {"difference": mean(a) - mean(b), "interval": percentiles(replicates, p["level"])}


def cluster_bootstrap_replicates(inputs, p):
    assert inputs["statistic"] == "mean"
    members = list(zip(inputs["clusters"], inputs["values"]))
    return [
        mean(exact(v) for name in draw for cluster, v in members if cluster == name)
        for draw in inputs["resampled_clusters"]
    ]


def clustered_standard_error(inputs, p):
    values = [exact(v) for v in inputs["values"]]
    centre, total = mean(values), F(0)
    for name in set(inputs["clusters"]):
        total += sum(v - centre for v, g in zip(values, inputs["clusters"]) if g == name) ** 2
    return rounded(math.sqrt(total) / len(values))


def mcnemar_exact(inputs, p):
    if "b" in inputs:
        b, c = inputs["b"], inputs["c"]
    else:
        pairs = list(zip(inputs["correct_a"], inputs["correct_b"]))
        b = sum(1 for x, y in pairs if x and not y)
        c = sum(1 for x, y in pairs if y and not x)
    n, k = b + c, min(b, c)
    tail = F(sum(math.comb(n, i) for i in range(k + 1)), 2**n)
    point = F(math.comb(n, k), 2**n)
    return {"b": b, "c": c, "p_exact": min(F(1), 2 * tail), "p_mid": 2 * tail - point}


def paired_permutation_exact(inputs, p):
    d = [exact(a) - exact(b) for a, b in zip(inputs["scores_a"], inputs["scores_b"])]
    scale = math.lcm(*(v.denominator for v in d))
    d = [int(v * scale) for v in d]  # integers: ties are exact
    observed = abs(sum(d))
    extreme = sum(1 for signed in itertools.product(*((v, -v) for v in d)) if abs(sum(signed)) >= observed)
    return F(extreme, 2 ** len(d))


def monte_carlo_p_value(inputs, p):
    return F(1 + inputs["n_as_extreme"], 1 + inputs["n_resamples"])


def holm_adjust(inputs, p):
    values = [exact(v) for v in inputs["p_values"]]
    order = sorted(range(len(values)), key=lambda i: values[i])
    adjusted = [None] * len(values)
    for rank, i in enumerate(order):  # the largest step so far, never above 1
        steps = [(len(values) - r) * values[order[r]] for r in range(rank + 1)]
        adjusted[i] = min(F(1), max(steps))
    return adjusted


def n_for(difference, psi, p):
    z_a, z_b = NORMAL.inv_cdf(1 - p["alpha"] / 2), NORMAL.inv_cdf(p["power"])
    return ((z_a * math.sqrt(psi) + z_b * math.sqrt(psi - difference**2)) / difference) ** 2


def minimum_detectable_difference_paired(inputs, p):
    n, psi = inputs["n"], inputs["discordant_proportion"]
    if n_for(psi, psi, p) > n:  # a difference cannot exceed the share of discordant pairs
        return None
    low, high = 0.0, psi
    for _ in range(200):
        middle = (low + high) / 2
        if middle > 0 and n_for(middle, psi, p) <= n:
            high = middle
        else:
            low = middle
    return rounded(high)


def required_n_paired(inputs, p):
    return math.ceil(n_for(inputs["difference"], inputs["discordant_proportion"], p))


def run_consistency(inputs, p):
    records = inputs["decisions_by_record"]
    runs = len(records[0])
    categories = sorted({d for record in records for d in record})
    agree = []
    for record in records:
        pairs = [(i, j) for i in range(runs) for j in range(i + 1, runs)]
        agree.append(F(sum(1 for i, j in pairs if record[i] == record[j]), len(pairs)))
    shares = [F(sum(record.count(k) for record in records), runs * len(records)) for k in categories]
    chance = sum(s * s for s in shares)
    return {
        "total_agreement_rate": mean(int(len(set(record)) == 1) for record in records),
        "mean_modal_agreement": mean(F(max(record.count(k) for k in categories), runs) for record in records),
        "pairwise_agreement": mean(agree),
        "fleiss_kappa": None if chance == 1 else (mean(agree) - chance) / (1 - chance),
    }


def subgroup_gap(rows, p):
    groups = {}
    for r in rows:
        name = r.get("metadata", {}).get(p["by"])
        if name is not None:
            groups.setdefault(name, []).append(r)
    rests_on = {  # the denominator of the metric decides whether a group is large enough
        "accuracy": graded,
        "selective_accuracy": lambda g: [r for r in graded(g) if state(r) != "abstained"],
        "abstention_rate": list,
    }[p["metric"]]
    large = {name: g for name, g in sorted(groups.items()) if len(rests_on(g)) >= p["min_n"]}
    values = {name: REFERENCE[p["metric"]](g, {}) for name, g in large.items()}
    return {
        "groups": values,
        "gap": max(values.values()) - min(values.values()),
        "worst_group": min(values, key=values.get),
    }


# ------------------------------------------------------------------------------------------------
# The list of functions, in the order of the file

EXTENDED = """maximum_calibration_error expected_calibration_error_debiased smooth_calibration_error log_loss
e_augrc risk_coverage_curve fpr_at_95_tpr coverage_at_risk net_benefit net_benefit_treat_all
effective_reliability selective_utility run_consistency subgroup_gap unsafe_answer_rate""".split()

REFERENCE = {
    f.__name__: f
    for f in (
        accuracy, selective_accuracy, coverage, abstention_rate, balanced_accuracy, unsafe_answer_rate,
        invalid_rate, decision_accuracy, answerable_accuracy, answerable_selective_accuracy, near_line_accuracy,
        must_act_silence_rate, unanswerable_answer_rate, deferral_alignment, deferral_trivial_policies, deferral_precision,
        deferral_recall, deferral_specificity, deferral_f1, deferral_mcc, deferral_balanced, deferral_cost,
        deferral_cost_normalised, mcc_from_confusion, expected_calibration_error, maximum_calibration_error,
        adaptive_calibration_error, expected_calibration_error_debiased, smooth_calibration_error, brier_score,
        brier_top_label, brier_decomposition, log_loss, overconfidence, auroc_confidence, aurc, augrc, e_aurc,
        e_augrc, risk_coverage_curve, fpr_at_95_tpr, selective_risk_at_coverage, coverage_at_risk, sensitivity,
        specificity, ppv, npv, f1, mcc, confusion_3x2, qwk, mae_stages, off_by_one_accuracy, under_staging_rate,
        severe_under_staging_rate, over_staging_rate, worsening_recall, unsafe_improvement_rate,
        false_reassurance_rate, net_benefit, net_benefit_treat_all, effective_reliability, selective_utility,
        wilson_interval, newcombe_difference, paired_score_interval, non_inferiority, exact_upper_bound, percentile_interval, bca_interval, bootstrap_percentile,
        paired_bootstrap_difference, cluster_bootstrap_replicates, clustered_standard_error, mcnemar_exact,
        paired_permutation_exact, monte_carlo_p_value, holm_adjust, minimum_detectable_difference_paired,
        required_n_paired, run_consistency, subgroup_gap,
    )
}


def rounded(x):
    """Twelve significant digits: logs and quantiles may differ in the last bits between machines."""
    return float(f"{x:.12g}")


def plain(value):
    """Fractions to floats, everywhere inside."""
    if isinstance(value, F):
        return float(value)
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, list):
        return [plain(v) for v in value]
    return value


def agrees(got, want, tolerance):
    if want is None or isinstance(want, (str, bool)):
        return got == want
    if isinstance(want, dict):
        return isinstance(got, dict) and all(k in got and agrees(got[k], want[k], tolerance) for k in want)
    if isinstance(want, list):
        return isinstance(got, list) and len(got) == len(want) and all(
            agrees(g, w, tolerance) for g, w in zip(got, want)
        )
    return isinstance(got, (int, float)) and abs(got - want) <= tolerance


def check(path):
    cases = json.loads(Path(path).read_text())["cases"]
    known = [c for c in cases if c["metric"] in REFERENCE]
    failures = 0
    for c in known:
        got = plain(REFERENCE[c["metric"]](c["rows"] if "rows" in c else c["inputs"], c["params"]))
        if not agrees(got, c["expected"], c["tolerance"]):
            failures += 1
            print(f"differs: {c['id']}: reference {got}, file {c['expected']}")
    print(f"{len(known) - failures} of {len(known)} cases agree; {len(cases) - len(known)} of other functions skipped")
    return failures


if __name__ == "__main__" and sys.argv[1:2] == ["--check"]:
    sys.exit(check(sys.argv[2]) > 0)

# ------------------------------------------------------------------------------------------------
# Cases

CASES = []
PARTS = ("default", "extended")


def add(metric, slug, subject, params=None, note=None, tolerance=1e-9, keys=None, equals="reference"):
    """One case. subject: list of rows, or a dict of inputs. keys: only these keys of the result are stated.

    equals: an outcome known beforehand; the reference must give it too.
    """
    params = params or {}
    expected = plain(REFERENCE[metric](subject, params))
    if equals != "reference":
        assert agrees(expected, equals, tolerance), (metric, slug, expected, equals)
    if keys:
        expected = {k: expected[k] for k in keys}
    case = {"id": f"{metric}-{slug}", "metric": metric, "bundle": PARTS[metric in EXTENDED]}
    case["rows" if isinstance(subject, list) else "inputs"] = subject
    case |= {"params": params, "expected": expected, "tolerance": tolerance}
    if note:
        case["note"] = note
    CASES.append(case)


UNSET = object()


def R(prediction, truth, c=None, abstained=False, should=UNSET, **metadata):
    row = {"prediction": prediction, "ground_truth": truth, "abstained": abstained, "confidence": c}
    if should is not UNSET:
        metadata["should_abstain"] = should
    if metadata:
        row["metadata"] = metadata
    return row


def A(truth, should=UNSET, **metadata):
    return R(None, truth, None, True, should, **metadata)


def pick(rng, options):
    return options[int(rng.random() * len(options))]


def cohort(seed, n, labels, levels=None, abstain=0.1, invalid=0.03, missing=0.04, wild=0.01, should=False):
    """n made-up rows; only rng.random() is drawn, so the stream is the same on every Python."""
    rng = random.Random(seed)
    rows = []
    for _ in range(n):
        truth = pick(rng, labels)
        c = pick(rng, levels) if levels else round(0.35 + 0.65 * rng.random(), 3)
        right = rng.random() < 0.25 + 0.65 * c
        prediction = truth if right else pick(rng, [other for other in labels if other != truth])
        label = {"should": rng.random() < 0.25} if should else {}
        u = rng.random()
        if u < abstain:
            rows.append(A(truth, **label))
        elif u < abstain + invalid:
            rows.append(R(pick(rng, [None, "", "  "]), truth, c, **label))
        elif u < abstain + invalid + missing:
            rows.append(R(prediction, truth, None, **label))
        elif u < abstain + invalid + missing + wild:
            rows.append(R(prediction, truth, pick(rng, [-0.1, 1.5, 90]), **label))
        else:
            rows.append(R(prediction, truth, c, **label))
    return rows


STATED = [0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.99, 1]
TIED_200 = cohort(11, 200, [0, 1], STATED)
FINE_200 = cohort(12, 200, [0, 1])
STAGES = cohort(13, 30, [1, 2, 3, 4, 5], STATED, abstain=0.15, invalid=0.1)
TIED_NOTE = "made-up rows of every state, ten stated confidences"
FINE_NOTE = "made-up rows of every state, three-decimal confidences"

NONE_ANSWERED = [A(1), A("G2"), R(0, 0, 0.7, True)]
NONE_VALID = [R(None, 1, 0.9), R("", 0, 0.8), R(" \t ", 1, 0.4)]
LABEL_KEYS = [
    R("1", 1, 0.9), R(True, 1, 0.9), R(False, "0", 0.9), R(" G3a ", "g3a", 0.9), R("+2", 2, 0.9), R("007", 7, 0.9),
    R("-0", 0, 0.9), R(4.0, 4, 0.9), R(3.7, 3, 0.9), R(3.7, 3.7, 0.9), R("3.0", 3, 0.9), R("g3", "g3a", 0.9),
    R("true", True, 0.9), R("G3 a", "g3a", 0.9), R(0, 0, 0),
]
MIXED = [
    R("G2", "G2", 0.9), R("G3a", "G3b", 0.8), R("g4", " G4", 0.7), R("", "G4", 0.9), R(None, "G5", None),
    R("G5", "G5", 0.99, True), A("G2"), R("G1", "G1", None), R("G2", "G1", 0), R("stage G2", "G2", 0.6),
    R("G3b", "G3b", 1),
]
# Must-defer rows without a derivable answer: whatever is answered there is wrong.
NO_TRUTH = [
    R(1, None, 0.95, should=True), R(0, None, 0.6, should=True), A(None, should=True), R(None, None, 0.5, should=True),
    R(1, 1, 0.9, should=False), R(0, 0, 0.8, should=False), R(1, 0, 0.7, should=False), A(1, should=False),
]
NO_TRUTH_NOTE = "ground_truth null (must-defer row without an answer): counted, any answer is wrong, null never matches null"

# --- correctness and coverage
for metric, outcomes in {
    #                     none answered, none valid
    "accuracy": (0, 0),
    "selective_accuracy": (None, 0),
    "coverage": (0, 1),
    "abstention_rate": (1, 0),
    "unsafe_answer_rate": (0, 0),
    "invalid_rate": (0, 1),
}.items():
    add(metric, "empty", [], note="no rows: undefined, not 0", equals=None)
    add(metric, "all-abstained", NONE_ANSWERED, note="a prediction beside abstained=true is ignored", equals=outcomes[0])
    add(metric, "all-invalid", NONE_VALID, note="null, empty and blank predictions are invalid, not abstained", equals=outcomes[1])
    add(metric, "mixed-states", MIXED)
    add(metric, "no-truth", NO_TRUTH, note=NO_TRUTH_NOTE)
    if metric in ("accuracy", "selective_accuracy"):
        add(metric, "generated-30", STAGES)
add("accuracy", "label-keys", LABEL_KEYS, note="1, \"1\" and true are one label, 3.7 is not 3, \"3.0\" is not 3, no prefix match, \"true\" is a string", equals=2 / 3)
add("selective_accuracy", "label-keys", LABEL_KEYS[::-1] + [A(0)], equals=2 / 3)
add("selective_accuracy", "label-zero", [R(0, 0), R("0", 0), R(False, 0), R(0, 1), R("", 0)], note="label 0 is a value; only the last row is invalid", equals=0.6)
add("invalid_rate", "zero-is-valid", [R(0, 0), R("0", 1), R(False, 0), R("", 0)], note="predictions 0, \"0\" and false are answers", equals=0.25)
add("coverage", "invalid-is-covered", [R(None, 1), R("", 1), A(1), R(1, 1, 0.5)], note="invalid rows are not abstained", equals=0.75)

add("balanced_accuracy", "empty", [], {"denominator": "all"}, equals=None)
add("balanced_accuracy", "single-class-by-key", [R(1, 1), R(0, "1"), R(1, True)], {"denominator": "all"}, "1, \"1\" and true are one class, and one class is too few", equals=None)
add("balanced_accuracy", "class-set-from-truth", [R("c", "a"), R("a", "a"), R("b", "b"), R("c", "b"), R("c", "b")], {"denominator": "all"}, "a predicted class that never occurs in the truth adds no class", equals=5 / 12)
three = [R(1, 1), R(1, 1), R(2, 1), A(1), R(2, 2), R("", 2), A(3), R(3, 3, 0.9, True)]
add("balanced_accuracy", "all-rows-count", three, {"denominator": "all"}, "abstained and invalid rows lower the recall of their class", equals=1 / 3)
unanswered = [R(1, 1), R(1, 1), R(2, 1), A(1), R(2, 2), R(1, 2), A(3), R(3, 3, 0.9, True)]
add("balanced_accuracy", "class-without-answers", unanswered, {"denominator": "answered"}, "class 3 has no answer and leaves the mean", equals=7 / 12)
add("balanced_accuracy", "class-without-answers-all", unanswered, {"denominator": "all"}, "the same rows over all: class 3 has recall 0")
add("balanced_accuracy", "one-class-answered", [R(1, 1), R(2, 1), A(2), A(2)], {"denominator": "answered"}, "one class keeps an answer: undefined", equals=None)
add("balanced_accuracy", "one-class-answered-all", [R(1, 1), R(2, 1), A(2), A(2)], {"denominator": "all"}, equals=0.25)
add("balanced_accuracy", "none-answered", [A(1), A(2), A(3)], {"denominator": "answered"}, equals=None)
add("balanced_accuracy", "none-answered-all", [A(1), A(2), A(3)], {"denominator": "all"}, equals=0)
add("balanced_accuracy", "no-truth", NO_TRUTH, {"denominator": "all"}, "rows with ground_truth null belong to no class", equals=0.5)

# --- deferral
def deferral_rows(tp, fp, fn, tn):
    rows = []
    for i in range(tp):
        rows.append(R("a", "a", 0.8, True, True) if i % 2 else A("b", should=True))
    for i in range(fp):
        rows.append(A("a", should=False))
    for i in range(fn):  # lucky, wrong, invalid
        rows.append(R(["a", "b", ""][i % 3], "a", 0.7, should=True))
    for i in range(tn):
        rows.append(R(["a", "a", "b", None][i % 4], "a", 0.6, should=False))
    return rows


UNLABELLED = [A("a"), A("a", should=None), R("a", "a", 0.9, should=None), R("b", "a", 0.9, site="x")]
BASE = deferral_rows(2, 1, 3, 5)
DEFERRAL = [
    # slug, rows, note
    ("unlabelled-rows", BASE[:5] + UNLABELLED + BASE[5:], "should_abstain null or absent: unlabelled, outside the table; an invalid answer is not a deferral"),
    ("never-defers", deferral_rows(0, 0, 2, 3), "never defers although two rows call for it"),
    ("always-defers", deferral_rows(2, 3, 0, 0), "defers on every row"),
    ("no-truth", NO_TRUTH, "must-defer rows without a truth count like other labelled rows"),
    ("nothing-to-defer", deferral_rows(0, 1, 0, 2), "no must-defer row in the truth"),
    ("all-must-defer", deferral_rows(2, 0, 1, 0), "every row is a must-defer row"),
    ("generated-24", cohort(21, 24, ["a", "b"], abstain=0.3, should=True), None),
]
COSTS = {"cost_missed_deferral": 5, "cost_needless_deferral": 1}
for metric in (
    "decision_accuracy deferral_alignment deferral_precision deferral_recall deferral_specificity deferral_f1 "
    "deferral_mcc deferral_balanced deferral_cost deferral_cost_normalised deferral_trivial_policies"
).split():
    params = COSTS if "cost" in metric else {}
    for slug, rows, note in DEFERRAL:
        few = slug in ("generated-24", "no-truth")  # long; not needed for every ratio of the same table
        if not few or metric in ("decision_accuracy", "deferral_alignment", "deferral_mcc", "deferral_cost_normalised"):
            add(metric, slug, rows, params, note)
    if metric != "deferral_trivial_policies":
        add(metric, "none-labelled", UNLABELLED, params, "no row has a deferral label", equals=None)
        add(metric, "empty", [], params, equals=None)
WHERE_EXPECTED = [
    R(1, 1, 0.9, should=False), R(0, 1, 0.8, should=False), R("", 1, 0.8, should=False), A(1, should=False, must_act=True),
    R(1, 1, 0.7, should=False, must_act=True), R(1, 1, 0.9, should=True), R(0, 1, 0.6, should=True), A(0, should=True),
    R(1, None, 0.99, should=True), R(None, None, 0.5, should=True), A(None, should=True), R(1, 1, 0.5, must_act=True),
    A(0, should=None, must_act=True), A(0, must_act=False), A(0, must_act="true"), R(1, None, 0.9),
]
for metric, value, note in [
    ("answerable_accuracy", 2 / 5, "of rows to answer; abstained and invalid are wrong"),
    ("answerable_selective_accuracy", 2 / 4, "the same without abstentions; invalid stays"),
    ("near_line_accuracy", 1 / 2, "must-defer rows that have a label and were answered"),
    ("must_act_silence_rate", 2 / 4, "only must_act: true counts"),
    ("unanswerable_answer_rate", 2 / 3, "must-defer rows without a label; an invalid answer is not a deferral"),
]:
    add(metric, "every-kind", WHERE_EXPECTED, note=note, equals=value)
    add(metric, "every-kind-reversed", WHERE_EXPECTED[::-1], note="row order changes nothing", equals=value)
    add(metric, "empty", [], equals=None)
    add(metric, "none", [R(1, 1, 0.9), A(0)], note="no such row: undefined, not 0", equals=None)
add("answerable_accuracy", "all-deferred", [A(1, should=False), A(0, should=False), A(0, should=True)], note="silence is not right where an answer is expected", equals=0)
add("answerable_selective_accuracy", "all-deferred", [A(1, should=False), A(0, should=False), A(0, should=True)], equals=None)
add("answerable_accuracy", "perfect-decider", [R(1, 1, should=False), R(0, 0, should=False), A(0, should=True), A(None, should=True)], note="deferring where it is right costs nothing; accuracy would be 0.5", equals=1)
NO_LABEL = [R(1, 1, 0.9, should=False), R(0, 1, 0.8, should=False), A(1, should=False), R(1, None, 1), R("", None, 0.5), R(1, None, 1, should=False), A(None)]
for metric, value in [("accuracy", 1 / 3), ("selective_accuracy", 1 / 2), ("unsafe_answer_rate", 1 / 3), ("decision_accuracy", 1 / 3), ("answerable_accuracy", 1 / 3), ("coverage", 5 / 7), ("invalid_rate", 1 / 7)]:
    add(metric, "no-label", NO_LABEL, note="ground_truth null without should_abstain: true: a row without a label, out of what needs one", equals=value)
EMERGENCIES = [
    A(1, must_act=True), R("", 1, 0.9, must_act=True), R(1, 1, 0.9, must_act=True), R(0, 1, 0.8, must_act=True, should=False),
    A(None, must_act=True), R(1, None, 0.9, must_act=True), R(1, None, 0.9, should=True, must_act=True), A(1, should=True, must_act=True),
    R(1, None, 0.7, should=True), A(None, should=True, must_act=False), R(1, 1, 0.6, should=False),
]
for metric, value, note in [
    ("must_act_silence_rate", 3 / 5, "labelled emergencies; an invalid reply is silence, and so is a deferral of a row with both marks"),
    ("unanswerable_answer_rate", 1 / 2, "an emergency without a label is none of these rows, whatever its mark"),
    ("unsafe_answer_rate", 2 / 8, "answers that are not right; an invalid reply is none"),
    ("decision_accuracy", 2 / 4, "a row with both marks has no deferral label"),
    ("deferral_recall", 1 / 2, None),
]:
    add(metric, "emergencies", EMERGENCIES, note=note, equals=value)
add("unsafe_answer_rate", "right-but-must-defer", [R(1, 1, 0.9, should=True), R(0, 1, 0.9, should=True), R("", None, 0.9, should=True)], note="a right answer is not unsafe here, whether or not it should have been deferred", equals=1 / 3)
add("must_act_silence_rate", "unlabelled", [A(None, must_act=True), R(1, None, must_act=True)], note="no emergency has a label", equals=None)
add("decision_accuracy", "lucky-answer", [R(1, 1, 0.9, should=True), R(1, 1, 0.9, should=False)], note="a right answer on a must-defer row is a failure", equals=0.5)
add("deferral_precision", "no-deferral", [R(1, 1, should=True), R("", 1, should=False)], note="0 of 0 deferrals: undefined, not 0", equals=None)
add("deferral_f1", "nothing-anywhere", [R(1, 1, should=False), R(0, 1, should=False)], note="0/0", equals=None)
add("deferral_alignment", "label-not-boolean", [R(1, 1, should=True), A(1, should=False), A(1, should=True), A(1, should="true"), A(1, should=1)], note="only a boolean labels a row", equals=1 / 3)
add("deferral_cost", "default-costs", BASE, note="5 per missed and 1 per needless deferral when nothing is said", equals=16 / 11)
add("deferral_cost", "equal-costs", BASE, {"cost_missed_deferral": 1, "cost_needless_deferral": 1}, equals=4 / 11)
add("deferral_cost_normalised", "default-costs", BASE, equals=16 / 6)
add("deferral_cost_normalised", "never-is-cheaper", BASE, {"cost_missed_deferral": 1, "cost_needless_deferral": 1}, equals=0.8)
add("deferral_cost_normalised", "twenty-to-one", BASE, {"cost_missed_deferral": 20, "cost_needless_deferral": 1}, equals=61 / 6)
for slug, cells, note, value in [
    ("perfect", (7, 0, 0, 9), None, 1),
    ("inverted", (0, 9, 7, 0), None, -1),
    ("constant-negative", (0, 0, 6, 11), "two classes, constant decision: no skill", 0),
    ("constant-positive", (6, 11, 0, 0), "two classes, constant decision: no skill", 0),
    ("one-class", (5, 0, 3, 0), "the truth has one class", None),
    ("one-class-other", (0, 2, 0, 8), "the truth has one class", None),
    ("large-counts", (90_000, 20_000, 10_000, 880_000), "the product under the root exceeds 2^53", "reference"),
    ("lopsided", (1, 30, 2, 967), None, "reference"),
]:
    add("mcc_from_confusion", slug, dict(zip(("tp", "fp", "fn", "tn"), cells)), note=note, equals=value)

# --- calibration
EDGES = [
    R(1, 1, 0.05), R(0, 1, 0.06666666666666667), R(1, 1, 0.1), R(0, 1, 0.13333333333333333), R(1, 1, 0.12), R(1, 1, 0.6),
    R(0, 0, 0.59), R(0, 1, 0.65), R(1, 0, 0.93), R(1, 1, 1.0), R(0, 1, 0.94), R(0, 0, 0), R(1, 0, 0.06),
]
PARTIAL = [
    R(1, 1, 0.9), R(0, 1, 0.7), R(1, 1, None), R(1, 0, 85), R(0, 0, -0.2), R(1, 1, 1.0001), R(1, 1, 0.8, True),
    R("", 1, 0.6), R(None, 0, 0.6), R(0, "0", 0.4), R("1", 0, 0), R(True, 1, 1),
]
PARTIAL_NOTE = "usable: a valid answer with a confidence in [0, 1]; 0 and 1 are values, 85 is not 85 %"
CAL_NO_TRUTH = [R(1, None, 0.99), R(0, None, 0.2), R(1, 1, 0.9), R(0, 0, 0.75), R(1, 0, 0.75), R(0, 1, 0.55)]
CAL_NO_TRUTH_NOTE = "answers on rows without a label stay out of every confidence metric"
CAL_UNANSWERABLE = [R(1, None, 0.99, should=True), R(0, None, 0.2, should=True)] + CAL_NO_TRUTH[2:] + [R(1, None, None, should=True), A(None, should=True), R("", None, 0.9, should=True), R(1, None, 0.6, should=False)]
CAL_FAILURE_NOTE = "an answer where no answer exists is wrong, with the confidence it states"
CAL_EXCLUDED_NOTE = "the same rows; answers where no answer exists left out"


def add_unanswerable(metric, params, tolerance=1e-9, tail=""):
    """How a confidence metric takes answers where no answer exists: by default, and as told."""
    add(metric, "unanswerable" + tail, CAL_UNANSWERABLE, params, CAL_FAILURE_NOTE, tolerance)
    for choice, note in (("failure", CAL_FAILURE_NOTE), ("excluded", CAL_EXCLUDED_NOTE)):
        add(metric, f"unanswerable-{choice}{tail}", CAL_UNANSWERABLE, params | {"unanswerable": choice}, note, tolerance)


TIES = [
    R(1, 1, 0.9), R(1, 0, 0.9), R(0, 0, 0.9), R(0, 1, 0.8), R(1, 1, 0.8), R(1, 1, 0.95), R(0, 0, 0.7), R(1, 0, 0.7),
    R(0, 0, 0.7), R(1, 1, 0.6),
]
CERTAIN = [R(1, 1, 1), R(0, 1, 1), R(0, 0, 0), R(1, 0, 0), R(1, 1, 1)]
CALIBRATION = {
    "expected_calibration_error": ({"n_bins": 15}, 1e-9, "bin-edges ties-reversed certain one-row fine-40"),
    "maximum_calibration_error": ({"n_bins": 15}, 1e-9, "bin-edges ties-reversed one-row fine-40"),
    "adaptive_calibration_error": ({"n_bins": 4}, 1e-9, "ties ties-reversed certain one-row fine-40"),
    "expected_calibration_error_debiased": ({"n_bins": 15, "norm": "l2"}, 1e-9, "bin-edges ties-reversed tied-40"),
    "smooth_calibration_error": ({}, 2e-3, "bin-edges ties-reversed certain one-row fine-40"),
    "brier_score": ({}, 1e-9, "ties ties-reversed certain tied-40"),
    "brier_top_label": ({}, 1e-9, "ties certain one-row"),
    "brier_decomposition": ({}, 1e-9, "ties ties-reversed certain one-row tied-40"),
    "log_loss": ({"eps": 1e-6}, 1e-8, "ties certain fine-40"),
    "overconfidence": ({}, 1e-9, "ties certain one-row fine-40"),
}
CALIBRATION_ROWS = {
    "bin-edges": (EDGES, "bins are closed on the left: 1/15, 2/15 and 0.6 open a bin, 1 stays in the last"),
    "ties": (TIES, None),
    "ties-reversed": (TIES[::-1], "row order changes nothing"),
    "certain": (CERTAIN, "confidences 0 and 1 only"),
    "one-row": ([R(0, 1, 0.8)], None),
    "tied-40": (TIED_200[:40], TIED_NOTE),
    "fine-40": (FINE_200[:40], FINE_NOTE),
}
for metric, (params, tolerance, chosen) in CALIBRATION.items():
    if metric != "brier_decomposition":
        add(metric, "empty", [], params, None, tolerance, equals=None)
        add(metric, "none-usable", [A(1)] + NONE_VALID + [R(1, 1, None), R(1, 1, 2)], params, "abstained, invalid, missing and out of range", tolerance, equals=None)
    add(metric, "partly-usable", PARTIAL, params, PARTIAL_NOTE, tolerance)
    add(metric, "no-truth", CAL_NO_TRUTH, params, CAL_NO_TRUTH_NOTE, tolerance)
    if metric == "brier_score":
        add(metric, "unanswerable", CAL_UNANSWERABLE, params, "the probability of a label that does not exist: these rows stay out", tolerance)
    else:
        add_unanswerable(metric, params, tolerance)
    for slug in chosen.split():
        rows, note = CALIBRATION_ROWS[slug]
        add(metric, slug, rows, params, note, tolerance)

wild = [R(1, 1, 85), R(0, 1, -0.2), R(1, 1, 0.5), R(0, 1, 0.5), R(0, 0, 1.5), R(0, 1, 7)]
add("expected_calibration_error", "policy-default", wild, {"n_bins": 15}, "only the two rows at 0.5 are left", equals=0)
add("expected_calibration_error", "default-bins", EDGES, note="15 bins when nothing is said")
add("expected_calibration_error", "one-bin", TIES, {"n_bins": 1}, "one bin: |mean confidence - share correct|")
add("expected_calibration_error", "hundred-bins", [R(1, 1, 0.29), R(0, 1, 0.295), R(1, 1, 0.57), R(0, 1, 0.575), R(0, 1, 0.58), R(1, 1, 0.585), R(1, 1, 0.285), R(0, 1, 0.565)], {"n_bins": 100}, "0.29*100 is below 29 in floating point; the index adds 1e-9")
add("maximum_calibration_error", "one-bin", TIES, {"n_bins": 1})
add("adaptive_calibration_error", "fewer-rows-than-bins", TIES[:6], {"n_bins": 15}, "n < bins: every distinct value is a bin of its own")
add("adaptive_calibration_error", "large-block", [R(1, 1, 0.9)] * 6 + [R(0, 1, 0.9)] * 2 + [R(1, 1, 0.3), R(0, 1, 0.99)], {"n_bins": 5}, "a block of eight ties fills several bins' worth and is never split")
add("expected_calibration_error_debiased", "singletons", [R(1, 1, 0.1), R(0, 1, 0.5), R(1, 1, 0.9)], {"n_bins": 15, "norm": "l2"}, "bins of one row contribute 0", equals=0)
add("expected_calibration_error_debiased", "clamped", [R(1, 1, 0.5), R(0, 1, 0.5), R(1, 1, 0.7), R(1, 1, 0.7), R(0, 1, 0.7)], {"n_bins": 15, "norm": "l2"}, "the sum is negative: 0, not an imaginary number", equals=0)
add("expected_calibration_error_debiased", "all-wrong-bin", [R(0, 1, 0.9)] * 4 + [R(1, 1, 0.2)] * 4, {"n_bins": 10, "norm": "l2"}, "no variance within the bins")
add("smooth_calibration_error", "all-wrong-certain", [R(0, 1, 1)] * 3, {}, "mean gap 1: the smoothed error cannot be below it", 2e-3, equals=1)
add("smooth_calibration_error", "perfect", [R(1, 1, 1), R(0, 1, 0)], {}, "no residual anywhere: the lower end of the search interval or 0", 2e-3)
add("brier_score", "stages", [R(3, 3, 0.9), R(2, 3, 0.6)], note="labels outside {0, 1}", equals=None)
add("brier_score", "one-foreign-truth", [R(1, 1, 0.9), R(0, 2, 0.6), R(0, 0, 0.8)], note="one usable label outside {0, 1} is enough", equals=None)
add("brier_score", "foreign-label-unusable", [R(1, 1, 0.9), A(2), R("", 3, 0.5), R(0, 0, 0.6)], note="labels of rows that are not usable do not matter", equals=0.085)
add("brier_score", "coding-swapped", [R(1 - key(r["prediction"]), 1 - key(r["ground_truth"]), r["confidence"]) for r in TIES], note="0 and 1 exchanged: the same value as brier_score-ties")
add("brier_top_label", "stages", [R("G3a", "g3a", 0.9), R("G2", "G3b", 0.6), R("G5", "G5", 0.35)], note="any label set")
add("brier_decomposition", "all-wrong", [R(0, 1, 0.4), R(0, 1, 0.7), R(1, 0, 0.7)], note="no uncertainty: skill undefined")
add("brier_decomposition", "perfect", [R(1, 1, 1), R(0, 1, 0), R(1, 1, 1)], note="skill 1")
add("log_loss", "certain-and-right", [R(1, 1, 1), R(0, 1, 0)], {"eps": 1e-3}, "clipped on the right side too: -ln(0.999)")
add("log_loss", "eps-1e-9", [R(0, 1, 1), R(1, 1, 0.5)], {"eps": 1e-9}, "eps is part of the result", 1e-6)
add("log_loss", "coin", [R(1, 1, 0.5), R(0, 1, 0.5)], {"eps": 1e-6}, equals=math.log(2))
add("overconfidence", "under", [R(1, 1, 0.3), R(0, 0, 0.45), R("x", "X ", 0)], note="negative when the model is better than it says", equals=-0.75)

# --- ranking and selective prediction
CROSSING = [
    R(1, 1, 0.99), R(0, 1, 0.98), R(1, 1, 0.97), R(1, 1, 0.96), R(1, 1, 0.9), R(0, 1, 0.8), R(0, 1, 0.7), R(1, 1, None),
    A(1), R("", 1, 0.97),
]
RANKING = {
    "auroc_confidence": [{}],
    "aurc": [{"method": "mean"}, {"method": "trapezoid"}],
    "augrc": [{}],
    "e_aurc": [{"method": "mean"}],
    "e_augrc": [{}],
    "risk_coverage_curve": [{}],
    "fpr_at_95_tpr": [{"tpr": 0.95}],
}
for metric, variants in RANKING.items():
    for params in variants:
        tail = "-trapezoid" if params.get("method") == "trapezoid" else ""

        def rank(slug, rows, note=None, **more):
            add(metric, slug + tail, rows, params, note, **more)

        if metric != "risk_coverage_curve":
            rank("empty", [], equals=None)
            rank("none-usable", [A(1), R("", 1, 0.8), R(1, 1, None), R(0, 1, -1)], equals=None)
        rank("ties", TIES, "three blocks of ties; errors are spread evenly inside a block")
        rank("ties-reversed", TIES[::-1], "row order inside a block changes nothing")
        rank("crossing", CROSSING, "the risk rises and falls; missing confidence, abstention and invalid answer stay out")
        if not tail:
            rank("no-truth", CAL_NO_TRUTH, CAL_NO_TRUTH_NOTE)
        add_unanswerable(metric, params, tail=tail)
        rank("all-correct", [R(1, 1, 0.9), R(0, 0, 0.3), R(0, 0, 0.9)], "no error to rank")
        rank("all-wrong", [R(0, 1, 0.9), R(1, 0, 0.3), R(1, 0, 0)], "no correct answer to rank")
        rank("one-block", [R(1, 1, 0.9), R(0, 1, 0.9), R(1, 1, 0.9), R(1, 1, 0.9), R(0, 1, 0.9)], "every row has the same confidence")
        rank("worst-order", [R(0, 1, 1), R(0, 1, 0.9), R(1, 1, 0.8), R(1, 1, 0)], "errors first; confidences 0 and 1 are values")
        if metric in ("e_aurc", "e_augrc"):
            rank("best-order", [R(1, 1, 1), R(1, 1, 0.9), R(0, 1, 0.8), R(0, 1, 0)], "errors last")
        rank("one-row", [R(1, 0, 0.4)])
        if tail:
            rank("fine-20", FINE_200[:20], FINE_NOTE)
        elif metric in ("e_aurc", "e_augrc", "fpr_at_95_tpr"):
            rank("fine-200", FINE_200, FINE_NOTE)
        else:
            rank("tied-200", TIED_200, TIED_NOTE)
add("auroc_confidence", "monotone-map", [R(r["prediction"], r["ground_truth"], round(r["confidence"] ** 3, 6)) for r in TIES], note="confidences cubed: the same value as auroc_confidence-ties")
add("augrc", "monotone-map", [R(r["prediction"], r["ground_truth"], round(r["confidence"] ** 3, 6)) for r in TIES], note="confidences cubed: the same value as augrc-ties")
add("risk_coverage_curve", "fine", FINE_200[:12])
add("fpr_at_95_tpr", "exactly-19-of-20", [R(1, 1, 0.9)] * 19 + [R(0, 1, 0.9), R(0, 1, 0.5), R(1, 1, 0.4), R(0, 1, 0.3)], {"tpr": 0.95}, "19/20 reaches 0.95", equals=1 / 3)
add("fpr_at_95_tpr", "tpr-80", [R(1, 1, 0.9)] * 3 + [R(0, 1, 0.85), R(1, 1, 0.8), R(0, 1, 0.75), R(1, 1, 0.7), R(0, 1, 0.6)], {"tpr": 0.8}, "4 of 5 reaches 0.8", equals=1 / 3)

for slug, rows, params, note in [
    ("empty", [], {"coverage": 0.8, "base": "all"}, None),
    ("none-usable", NONE_ANSWERED + NONE_VALID, {"coverage": 0.8, "base": "all"}, "nothing to serve"),
    ("none-usable-answered", NONE_ANSWERED + NONE_VALID, {"coverage": 0.8, "base": "answered"}, "zero rows in the base"),
    ("ties-80", TIES, {"coverage": 0.8, "base": "all"}, "8 of 10; the cut takes two of the three rows at 0.7"),
    ("ties-80-reversed", TIES[::-1], {"coverage": 0.8, "base": "all"}, "row order changes nothing"),
    ("ties-30", TIES, {"coverage": 0.3, "base": "all"}, "3 of 10; two rows of a block of three"),
    ("ties-70", TIES, {"coverage": 0.7, "base": "all"}, "7 of 10; the cut takes one of the three rows at 0.7"),
    ("unreachable", CROSSING, {"coverage": 0.8, "base": "all"}, "8 of 10 wanted, 7 usable: undefined"),
    ("just-reachable", CROSSING, {"coverage": 0.7, "base": "all"}, "7 of 10 wanted, 7 usable"),
    ("base-answered", CROSSING, {"coverage": 0.8, "base": "answered"}, "6 of the 7 usable rows"),
    ("base-answered-95", CROSSING, {"coverage": 0.95, "base": "answered"}, "all 7 usable rows"),
    ("fourteen-of-25", TIES + TIES[::-1] + TIES[:5], {"coverage": 0.56, "base": "all"}, "0.56*25 is above 14 in floating point; k is 14"),
    ("full", TIES, {"coverage": 1, "base": "all"}, "every row: the error rate"),
    ("tied-200-80", TIED_200, {"coverage": 0.8, "base": "all"}, TIED_NOTE),
]:
    add("selective_risk_at_coverage", slug, rows, params, note)
add_unanswerable("selective_risk_at_coverage", {"coverage": 0.4, "base": "all"})
add_unanswerable("coverage_at_risk", {"max_risk": 0.5})
add("augrc", "certain-on-unanswerable", [R(1, 1, 0.8)] * 7 + [R(1, None, 1, should=True)] * 3, note="sure of itself where no answer exists: the failures come first", equals=(3 * 1.5 + 7 * 3) / 100)
for slug, rows, risk, note, value in [
    ("empty", [], 0.05, None, None),
    ("none", [R(0, 1, 0.9), R(1, 1, 0.8), R(1, 1, 0.7)], 0.05, "the first answer is wrong: no threshold fits", 0),
    ("all-wrong", [R(0, 1, 0.9), R(0, 1, 0.8)], 0.01, None, 0),
    ("all-correct", [R(1, 1, 0.9), R(0, 0, 0.2), A(1), R(1, 1, None)], 0.01, "2 usable of 4 rows", 0.5),
    ("largest-not-first", CROSSING, 0.25, "too risky at 2 rows, fine again at 5: the largest coverage counts", 0.5),
    ("equal-is-allowed", [R(1, 1, 0.9)] * 19 + [R(0, 1, 0.8)], 0.05, "1 of 20 is 0.05", 1),
    ("block-never-split", [R(1, 1, 0.9), R(1, 1, 0.8), R(1, 1, 0.8), R(0, 1, 0.8)], 0.05, "the block at 0.8 is taken whole or not at all", 0.25),
    ("ties-reversed", TIES[::-1], 0.3, None, "reference"),
    ("ties", TIES, 0.3, None, "reference"),
    ("fine-200", FINE_200, 0.2, FINE_NOTE, "reference"),
]:
    add("coverage_at_risk", slug, rows, {"max_risk": risk}, note, equals=value)

# --- detection
CODED = [  # 0 = disease
    R(0, 0), R("0", 0), R(1, 0), A(0), R(0, 0, 0.9, True), R("", 0), R(1, 1), R("1", 1), R(False, 1), A(1), R(None, 1),
    R(True, True),
]
WORDS = [
    R("CKD", "ckd"), R(" ckd ", "ckd"), R("notckd", "ckd"), R("notckd", "notckd"), R("NotCKD", "notckd"), R("ckd", "notckd"),
    A("ckd"), A("notckd"), A("notckd"), R("  ", "notckd"),
]
for metric in "sensitivity specificity ppv npv f1 mcc".split():
    for mode in ("answered", "itd"):
        other = "abstentions left out" if mode == "answered" else "an abstention counts against the model"
        add(metric, f"label-zero-{mode}", CODED, {"positive_label": 0, "abstentions": mode}, f"positive label 0; {other}; invalid answers are wrong")
        add(metric, f"words-{mode}", WORDS, {"positive_label": "CKD", "abstentions": mode}, f"string labels match by key; {other}")
        if (metric, mode) in (("sensitivity", "answered"), ("specificity", "itd"), ("mcc", "itd")):
            add(metric, f"generated-24-{mode}", TIED_200[:24], {"positive_label": 1, "abstentions": mode})
    add(metric, "empty", [], {"positive_label": 1, "abstentions": "answered"}, equals=None)
    add(metric, "all-abstained-answered", [A(1), A(0), R(1, 1, 0.5, True)], {"positive_label": 1, "abstentions": "answered"}, equals=None)
    if metric in ("sensitivity", "npv", "mcc"):
        add(metric, "positive-swapped", CODED, {"positive_label": 1, "abstentions": "answered"}, "the other label as the positive one")
for metric, value in {"sensitivity": 0, "specificity": 0, "ppv": 0, "npv": 0, "f1": 0, "mcc": -1}.items():
    add(metric, "all-abstained-itd", [A(1), A(0), R(1, 1, 0.5, True), A(0)], {"positive_label": 1, "abstentions": "itd"}, "every abstention is an error", equals=value)
add("sensitivity", "no-positive", [R(0, 0), R(1, 0)], {"positive_label": 1, "abstentions": "answered"}, equals=None)
add("specificity", "no-negative", [R(1, 1), R(0, 1)], {"positive_label": 1, "abstentions": "answered"}, equals=None)
add("specificity", "no-truth", CODED + [R(0, None, 0.9), R(1, None, 0.9), A(None)], {"positive_label": 0, "abstentions": "itd"}, "rows without a truth are neither class")
add("ppv", "no-positive-call", [R(0, 0), R(0, 1)], {"positive_label": 1, "abstentions": "answered"}, equals=None)
add("npv", "no-negative-call", [R(1, 0), R(1, 1)], {"positive_label": 1, "abstentions": "answered"}, equals=None)
add("f1", "true-negatives-only", [R(0, 0), R(0, 0)], {"positive_label": 1, "abstentions": "answered"}, "0/0", equals=None)
add("mcc", "constant", [R(1, 1), R(1, 0), R(1, 0)], {"positive_label": 1, "abstentions": "answered"}, equals=0)
add("mcc", "one-class", [R(1, 1), R(0, 1)], {"positive_label": 1, "abstentions": "answered"}, equals=None)
for slug, rows, label, note in [
    ("label-zero", CODED, 0, "abstained with a prediction is abstained; invalid answers are fn or fp"),
    ("label-zero-as-text", CODED, " 0", "the positive label is read by its key"),
    ("words", WORDS, "ckd", None),
    ("all-abstained", [A(1), A(0), R(1, 1, 0.5, True)], 1, None),
    ("all-invalid", NONE_VALID, 1, None),
    ("no-truth", CODED + [R(0, None), R(1, None), A(None)], 0, "rows without a truth have no column"),
    ("generated-24", TIED_200[:24], 1, None),
]:
    add("confusion_3x2", slug, rows, {"positive_label": label}, note)

# --- ordinal staging
SPLIT = ["G1", "G2", "G3a", "G3b", "G4", "G5"]
STAGING = [
    R("G1", "G1"), R("G2", "G1"), R("g3a", "G3b"), R("G2", "G3b"), R("G4", " g4 "), R("G1", "G5"), R("G5", "G4"), R("G3b", "G3a"),
    R("G3", "G3a"), R("G6", "G5"), A("G5"), R("G5", "G5", 0.9, True), R("", "G2"), R("G5", "G2"), R("G2", "G2"),
]
FIVE = cohort(31, 24, [1, 2, 3, 4, 5])
for metric in "qwk mae_stages off_by_one_accuracy under_staging_rate severe_under_staging_rate over_staging_rate".split():
    add(metric, "empty", [], {"labels": [1, 2, 3, 4, 5]}, equals=None)
    add(metric, "none-on-scale", [A(1), R("", 2), R(9, 3), R(2.5, 2)], {"labels": [1, 2, 3, 4, 5]}, "abstained, invalid and off-scale predictions leave no row", equals=None)
    add(metric, "split-g3", STAGING, {"labels": SPLIT}, "G3 and G6 are not on the scale; distance counts positions")
    add(metric, "text-scale", [R(1, "1"), R("2", 3), R(4, 4), R(" 5", 2), R(1, 4), R(True, 2)], {"labels": ["1", "2", "3", "4", "5"]}, "a scale given as strings; labels match by key")
    add(metric, "positions-not-values", [R(10, 100), R(100, 10), R(1, 100), R(100, 100), R(1000, 1)], {"labels": [1, 10, 100, 1000]}, "the distance from 1 to 10 is one position")
    add(metric, "constant", [R(3, 1), R(3, 2), R(3, 3), R(3, 5)], {"labels": [1, 2, 3, 4, 5]}, "always the same stage")
    add(metric, "no-truth", [R(2, None), A(None), R(2, 2), R(1, 3), R(4, 3)], {"labels": [1, 2, 3, 4, 5]}, "a row without a truth is not on the scale")
    if metric in ("qwk", "mae_stages", "under_staging_rate"):
        add(metric, "generated-24", FIVE, {"labels": [1, 2, 3, 4, 5]})
add("qwk", "one-cell", [R("G4", "G4"), R("g4", "G4"), R("G9", "G5")], {"labels": SPLIT}, "0/0", equals=None)
add("qwk", "perfect", [R(1, 1), R(3, 3), R(5, 5)], {"labels": [1, 2, 3, 4, 5]}, equals=1)
add("under_staging_rate", "scale-reversed", STAGING, {"labels": SPLIT[::-1]}, "reversing the scale exchanges under- and over-staging")

# --- progression
PROGRESS = [
    R("worsening", "worsening"), R(" WORSENING", "worsening"), R("stable", "Worsening"), R("improving", "worsening"),
    R("Improving ", "worsening"), A("worsening"), R("improving", "worsening", 0.9, True), R("stable", "stable"),
    R("improving", "stable"), R("worsening", "improving"),
]
for metric in "worsening_recall unsafe_improvement_rate false_reassurance_rate".split():
    for mode in ("all", "answered"):
        add(metric, f"mixed-{mode}", PROGRESS, {"denominator": mode}, "an abstained row is not a call, whatever its prediction")
        add(metric, f"no-worsening-{mode}", PROGRESS[7:], {"denominator": mode}, "no worsening row in the truth", equals=None)
        if (metric, mode) in (("worsening_recall", "answered"), ("unsafe_improvement_rate", "all")):
            add(metric, f"generated-24-{mode}", cohort(41, 24, ["improving", "stable", "worsening"], abstain=0.2, invalid=0), {"denominator": mode})
    add(metric, "all-abstained-all", [A("worsening"), A("worsening"), A("stable")], {"denominator": "all"}, equals=0)
    add(metric, "all-abstained-answered", [A("worsening"), A("worsening"), R("stable", "stable")], {"denominator": "answered"}, equals=None)
    add(metric, "invalid-all", [R("", "worsening"), R(None, "worsening"), R("worse", "worsening"), R("worsening", "worsening")], {"denominator": "all"}, "an unusable answer is neither a catch nor a reassurance")
    add(metric, "empty", [], {"denominator": "all"}, equals=None)

# --- utility
BINARY = [
    R(1, 1, 0.9), R(1, 0, 0.7), R(0, 1, 0.8), R(0, 0, 0.95), R(0, 0, 0.6), R(1, 1, 0.55), A(1), A(0), R(0, 0, 0.99, True), R(0, 1, 0.7),
]
for how in ("negative", "positive", "exclude"):
    add("net_benefit", f"abstain-{how}", BINARY, {"positive_label": 1, "threshold": 0.25, "abstain_as": how})
    add("net_benefit", f"all-abstained-{how}", [A(1), A(0), A(0), A(1)], {"positive_label": 1, "threshold": 0.2, "abstain_as": how}, {"negative": "nobody is treated", "positive": "everybody is treated", "exclude": "no row is left"}[how])
add("net_benefit", "empty", [], {"positive_label": 1, "threshold": 0.2, "abstain_as": "negative"}, equals=None)
add("net_benefit", "threshold-reached", BINARY, {"positive_label": 1, "threshold": 0.2, "abstain_as": "negative"}, "1 - 0.8 reaches 0.2 although it is below it in floating point")
add("net_benefit", "threshold-0.05", BINARY, {"positive_label": 1, "threshold": 0.05, "abstain_as": "negative"}, "1 - 0.95 reaches 0.05")
add("net_benefit", "threshold-0.4", [R(0, 1, 0.6), R(0, 0, 0.6), R(1, 1, 0.4), R(1, 0, 0.39)], {"positive_label": 1, "threshold": 0.4, "abstain_as": "negative"}, "equal to the threshold counts as treated")
add("net_benefit", "label-zero", BINARY, {"positive_label": 0, "threshold": 0.4, "abstain_as": "positive"}, "positive label 0")
add("net_benefit", "words", [R("CKD", "ckd", 0.8), R("no", "ckd", 0.9), R("no", "no", 0.5), R("ckd ", "no", 0.3), A("ckd")], {"positive_label": "ckd", "threshold": 0.5, "abstain_as": "negative"})
add("net_benefit_treat_all", "empty", [], {"positive_label": 1, "threshold": 0.2}, equals=None)
add("net_benefit_treat_all", "abstained-count", BINARY, {"positive_label": 1, "threshold": 0.2}, "prevalence over all rows, abstained ones too")
add("net_benefit_treat_all", "label-zero", BINARY, {"positive_label": 0, "threshold": 0.6})
add("net_benefit_treat_all", "nobody-sick", [R(0, 0, 0.9), A(0)], {"positive_label": 1, "threshold": 0.5}, equals=-1)
add("net_benefit_treat_all", "everybody-sick", [R("ckd", "CKD", 0.9), A("ckd ")], {"positive_label": " ckd", "threshold": 0.9}, equals=1)
for slug, rows, cost, note in [
    ("mixed-1", MIXED, 1, "invalid answers cost like wrong ones"),
    ("mixed-10", MIXED, 10, None),
    ("mixed-100", MIXED, 100, None),
    ("all-abstained", NONE_ANSWERED, 100, "abstaining costs nothing and earns nothing"),
    ("all-invalid", NONE_VALID, 10, None),
    ("no-truth", NO_TRUTH, 1, "an answer on a row without a truth is wrong"),
    ("break-even", [R(1, 1)] * 10 + [R(0, 1)], 10, "ten right pay for one wrong at cost 10"),
    ("empty", [], 1, None),
]:
    add("effective_reliability", slug, rows, {"cost": cost}, note)
U_BINARY = {
    "0": {"0": 1, "1": -0.25, "abstain": -0.1, "invalid": -0.5},
    "1": {"0": -8, "1": 2, "abstain": -1, "invalid": -3},
}
U_STAGE = {
    "G3a": {"G3a": 1, "G3b": -1, "G4": -2, "abstain": 0, "invalid": -1.5},
    "G3b": {"G3a": -3, "G3b": 1, "G4": -1, "abstain": -0.5, "invalid": -2},
    "G4": {"G3a": -9, "G3b": -4, "G4": 2, "abstain": -0.75, "invalid": -5},
}
for slug, rows, table, note in [
    ("binary", CODED, U_BINARY, "matrix keys are text and match labels 0 and 1 by key; abstain and invalid have columns"),
    ("truth-by-decision", [R(0, 1), R(0, 1), R(1, 0)], U_BINARY, "first index truth, second decision"),
    ("stages", [R("g3a", "G3a"), R("G3A ", "G3b"), R("G4", "g4"), R("G3b", "G4"), R("G4", "G3a", 0.9, True), A("G4"), R(" ", "G3b"), R(None, "G4")], U_STAGE, "case and spaces do not matter"),
    ("all-abstained", [A("G3a"), A("G3b"), R("G4", "G4", 0.8, True)], U_STAGE, None),
    ("all-invalid", [R("", "G3a"), R(None, "G3b"), R("  ", "G4")], U_STAGE, None),
    ("empty", [], U_STAGE, None),
]:
    add("selective_utility", slug, rows, {"utility": table}, note)

# --- intervals
for x, n, level, note in [
    (0, 50, 0.95, "no event: the lower end is exactly 0"),
    (0, 1, 0.95, None),
    (50, 50, 0.95, "all events: the upper end is exactly 1"),
    (1, 1, 0.99, None),
    (0, 0, 0.95, "no trial: undefined"),
    (147, 160, 0.95, None),
    (1, 2, 0.5, None),
    (7, 1000, 0.999, "a far tail of the normal distribution"),
    (999_983, 1_000_000, 0.95, None),
    (13, 40, 0.8, None),
]:
    add("wilson_interval", f"{x}-of-{n}-at-{level}", {"successes": x, "n": n}, {"level": level}, note)
for xa, na, xb, nb, level, note in [
    (56, 70, 48, 80, 0.95, None),
    (48, 80, 56, 70, 0.95, "samples exchanged: the interval changes sign"),
    (0, 15, 9, 12, 0.95, None),
    (20, 20, 20, 20, 0.95, "both shares 1"),
    (20, 20, 0, 7, 0.9, None),
    (5, 9, 5, 9, 0.99, "equal shares: symmetric"),
    (1, 1000, 3, 1200, 0.8, None),
]:
    add("newcombe_difference", f"{xa}-{na}-{xb}-{nb}-at-{level}", {"successes_a": xa, "n_a": na, "successes_b": xb, "n_b": nb}, {"level": level}, note)


for b, c, n, level, note in [
    (0, 0, 2, 0.95, "two pairs that agree: the interval keeps its width"),
    (0, 0, 400, 0.95, None),
    (5, 3, 100, 0.95, None),
    (3, 5, 100, 0.95, "models exchanged: the interval changes sign"),
    (12, 2, 50, 0.9, None),
    (0, 9, 60, 0.95, None),
    (7, 0, 7, 0.95, "an estimate of 1 is its own limit"),
    (0, 1, 1, 0.99, "an estimate of -1 is its own limit"),
    (2.5, 0.5, 20, 0.95, "repeats that tie count half"),
    (40, 60, 100, 0.8, "every pair is discordant"),
    (11, 17, 1000, 0.999, None),
    (0, 0, 0, 0.95, "no pair: undefined"),
]:
    add("paired_score_interval", f"{b}-{c}-of-{n}-at-{level}", {"b": b, "c": c, "n": n}, {"level": level}, note, 1e-7)
for b, c, n, margin, equals in [
    (0, 0, 2, 0.02, "undecided"),
    (0, 0, 188, 0.02, "undecided"),
    (0, 0, 189, 0.02, "pass"),
    (1, 30, 200, 0.02, "fail"),
    (9, 9, 1000, 0.02, "pass"),
    (4, 16, 400, 0.02, "undecided"),
    (0, 0, 0, 0.02, None),
]:
    add("non_inferiority", f"{b}-{c}-of-{n}-by-{margin}", {"b": b, "c": c, "n": n}, {"level": 0.95, "margin": margin}, tolerance=0, equals=equals)
for errors, n, alpha in [(0, 50, 0.05), (7, 180, 0.05), (1, 1, 0.05), (3, 4, 0.01), (0, 0, 0.05), (12, 300, 0.1)]:
    add("exact_upper_bound", f"{errors}-of-{n}-at-{alpha}", {"errors": errors, "n": n}, {"alpha": alpha})


def draws(seed, n, low=0.0, high=1.0, digits=3):
    rng = random.Random(seed)
    return [round(low + (high - low) * rng.random(), digits) for _ in range(n)]


MANY = draws(61, 150, 0.4, 0.9)
for slug, values, level, note in [
    ("unsorted", [0.9, 0.1, 0.5, 0.3, 0.7], 0.5, "replicates need no order; quartiles of five values"),
    ("two", [0.2, 0.6], 0.95, "linear between two values"),
    ("constant", [0.4, 0.4, 0.4, 0.4], 0.95, None),
    ("negative", [-0.3, 0.1, -0.05, 0.2, 0.0, -0.12], 0.8, None),
    ("forty-one", [i / 40 for i in range(40, -1, -1)], 0.95, "positions 1 and 39 exactly"),
    ("generated-150", MANY, 0.95, None),
    ("generated-150-99", MANY, 0.99, None),
]:
    add("percentile_interval", slug, {"replicates": values}, {"level": level}, note)
SKEWED = [0.15, 0.52, 0.55, 0.58, 0.6, 0.61, 0.63, 0.64, 0.66]
for slug, theta, values, jackknife, level, note, keys in [
    ("symmetric", 0.5, [0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9], [0.48, 0.5, 0.52], 0.9, "z0 = 0 and a = 0: the percentile interval", None),
    ("ties-with-estimate", 0.65, MANY[:20] + [0.65] * 9, SKEWED, 0.9, "replicates equal to the estimate count half", None),
    ("equal-jackknife", 0.6, MANY[:40], [0.6] * 7, 0.9, "no spread in the jackknife: a = 0", None),
    ("left-skew", 0.66, MANY, SKEWED, 0.95, None, None),
    ("right-skew", 0.62, MANY, [round(1 - v, 2) for v in SKEWED], 0.95, "the mirrored jackknife: a changes sign", None),
    ("z0-minus-infinity", 0.2, MANY[:40], SKEWED, 0.9, "all replicates above the estimate: the percentile interval", ["interval"]),
    ("z0-plus-infinity", 0.95, MANY[:40], SKEWED, 0.9, "all replicates below the estimate: the percentile interval", ["interval"]),
    ("all-replicates-equal", 0.7, [0.7] * 12, [0.7] * 5, 0.95, "z0 = 0, a = 0, an interval of width 0", None),
]:
    add("bca_interval", slug, {"theta_hat": theta, "replicates": values, "jackknife": jackknife}, {"level": level}, note, 1e-6, keys)
assert plain(bca_interval(CASES[-8]["inputs"], {"level": 0.9}))["interval"] == plain(percentile_interval(CASES[-8]["inputs"], {"level": 0.9}))


def resamples(seed, b, n):
    rng = random.Random(seed)
    return [[int(rng.random() * n) for _ in range(n)] for _ in range(b)]


SCORES_A, SCORES_B = draws(71, 12, digits=2), draws(72, 12, digits=2)
for slug, values, indices, level, note in [
    ("zero-one", [0, 1, 1, 0, 1, 1, 1, 0], resamples(73, 12, 8), 0.8, None),
    ("real-valued", SCORES_A, resamples(74, 20, 12), 0.9, None),
    ("constant", [0.3, 0.3, 0.3], resamples(75, 5, 3), 0.95, "no spread"),
    ("one-replicate", [1, 2, 4], [[2, 2, 0]], 0.95, "both ends are the replicate"),
    ("identity", [0, 0, 1, 1], [[0, 1, 2, 3], [3, 2, 1, 0]], 0.95, "every replicate is the mean itself"),
]:
    add("bootstrap_percentile", slug, {"values": values, "resample_indices": indices, "statistic": "mean"}, {"level": level}, note)
for slug, a, b, indices, level, note in [
    ("real-valued", SCORES_A, SCORES_B, resamples(76, 24, 12), 0.9, None),
    ("exchanged", SCORES_B, SCORES_A, resamples(76, 24, 12), 0.9, "models exchanged: difference and interval change sign"),
    ("identical", SCORES_A, SCORES_A, resamples(77, 10, 12), 0.95, "one set of indices serves both models, so the difference is always 0"),
    ("shifted", [v + 1 for v in range(6)], [v for v in range(6)], resamples(78, 10, 6), 0.95, "a constant shift: width 0, which only shared indices give"),
    ("zero-one", [1, 1, 1, 0, 1, 0, 1, 1], [1, 0, 1, 0, 0, 1, 1, 0], resamples(79, 16, 8), 0.5, None),
]:
    add("paired_bootstrap_difference", slug, {"scores_a": a, "scores_b": b, "resample_indices": indices}, {"level": level}, note)
for slug, values, clusters, drawn, note in [
    ("unequal-sizes", [1, 1, 0, 0, 1, 0, 1], ["a", "a", "a", "a", "b", "c", "c"], [["a", "b", "c"], ["b", "b", "a"], ["c", "c", "b"], ["a", "a", "a"]], "a drawn cluster brings all its rows; the mean is over rows"),
    ("drawn-twice", [0.2, 0.8, 0.5], ["p", "p", "q"], [["q", "q"], ["p", "q"], ["p", "p"]], "a cluster drawn twice counts twice"),
    ("single-rows", [3, 1, 2], ["x", "y", "z"], [["x", "x", "y"], ["z", "y", "x"]], "clusters of one row: the ordinary bootstrap"),
    ("not-contiguous", [1, 0, 1, 0, 1, 1], ["a", "b", "a", "b", "c", "a"], [["a", "b", "c"], ["b", "b", "c"], ["c", "c", "c"]], "rows of a cluster need not be neighbours"),
]:
    add("cluster_bootstrap_replicates", slug, {"values": values, "clusters": clusters, "resampled_clusters": drawn, "statistic": "mean"}, note=note)
for slug, values, clusters, note in [
    ("single-rows", [1, 0, 1, 1, 0], list("abcde"), "every row its own cluster"),
    ("doubled", [1, 1, 0, 0, 1, 1, 1, 1, 0, 0], list("aabbccddee"), "every record twice, clustered by record: the same as single-rows"),
    ("cancelling", [1, 0, 1, 0], ["p", "p", "q", "q"], "deviations cancel inside each cluster"),
    ("not-contiguous", [0.9, 0.2, 0.4, 0.7, 0.1, 0.6], list("abcabb"), None),
    ("constant", [1, 1, 1, 1], list("aabb"), "no deviation at all"),
    ("generated-40", draws(81, 40), [f"p{i % 9}" for i in range(40)], None),
]:
    add("clustered_standard_error", slug, {"values": values, "clusters": clusters}, note=note)

# --- comparisons and power
for b, c, note in [
    (0, 0, "no discordant pair: p = 1"),
    (4, 4, "balanced: p = 1, not above"),
    (6, 7, None),
    (12, 3, None),
    (3, 12, "b and c exchanged: the same p"),
    (0, 30, "a p far below 1e-8"),
    (480, 520, "binomial coefficients beyond the range of a double"),
]:
    add("mcnemar_exact", f"{b}-{c}", {"b": b, "c": c}, note=note, tolerance=1e-12)
add("mcnemar_exact", "pairs", {"correct_a": [1, 0, 0, 1, 0, 1, 1, 0, 0, 0], "correct_b": [1, 1, 1, 0, 1, 1, 1, 0, 1, 1]}, note="counted from the pairs", tolerance=1e-12)
add("mcnemar_exact", "pairs-equal", {"correct_a": [1, 0, 1], "correct_b": [1, 0, 1]}, note="no discordant pair", tolerance=1e-12)
for slug, a, b, note in [
    ("one-pair", [1], [0], "one pair can never be significant"),
    ("all-one-way", [1, 1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0, 0], "2 of 2^7 patterns"),
    ("exchanged", SCORES_B, SCORES_A, "two-sided: exchanging the models changes nothing"),
    ("real-valued", SCORES_A, SCORES_B, None),
    ("decimal-ties", [0.1, 0.2, 0.4, 0], [0, 0, 0, 0.3], "0.1 + 0.2 - 0.3 is 0, so some patterns tie with the observed sum; rounding must not lose them"),
    ("zero-differences", [1, 1, 0, 1, 0, 1], [1, 0, 0, 1, 0, 0], "pairs without a difference change nothing"),
    ("sum-zero", [1, 0, 0.5], [0, 1, 0.5], "observed difference 0: p = 1"),
    ("twenty-pairs", [1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1], [0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 1], "the largest size that is enumerated: 2^20 patterns"),
]:
    add("paired_permutation_exact", slug, {"scores_a": a, "scores_b": b}, note=note, tolerance=1e-12)
for k, b, note in [(0, 999, "never 0"), (999, 999, "at most 1"), (1, 1, None), (49, 9999, None), (3, 19, None)]:
    add("monte_carlo_p_value", f"{k}-of-{b}", {"n_as_extreme": k, "n_resamples": b}, note=note, tolerance=1e-12)
for slug, values, note in [
    ("one", [0.03], "one test: unchanged"),
    ("ties", [0.02, 0.01, 0.02, 0.04], "tied p values get one adjusted value"),
    ("unsorted", [0.04, 0.005, 0.03, 0.012], "the answer keeps the order of the question"),
    ("monotone", [0.01, 0.011, 0.5], "0.022 is raised to 0.03"),
    ("capped", [0.6, 0.7, 0.9], "never above 1"),
    ("zero-and-one", [0, 1, 0.2], None),
    ("all-equal", [0.02, 0.02, 0.02], None),
]:
    add("holm_adjust", slug, {"p_values": values}, note=note, tolerance=1e-12)
for n, psi, alpha, power, note in [
    (80, 0.05, 0.05, 0.8, "even the largest possible difference needs more records"),
    (160, 0.05, 0.05, 0.8, "just detectable: close to the discordant share"),
    (1000, 0.2, 0.05, 0.8, None),
    (2000, 0.3, 0.05, 0.8, None),
    (400, 0.15, 0.01, 0.9, None),
    (5, 0.4, 0.05, 0.8, "too few records"),
    (300, 1, 0.05, 0.8, "every pair discordant"),
]:
    add("minimum_detectable_difference_paired", f"{n}-{psi}-{alpha}-{power}", {"n": n, "discordant_proportion": psi}, {"alpha": alpha, "power": power}, note, 1e-6)
for d, psi, alpha, power, note in [
    (0.02, 0.1, 0.05, 0.8, None),
    (0.05, 0.2, 0.05, 0.8, None),
    (0.05, 0.2, 0.01, 0.9, None),
    (0.1, 0.1, 0.05, 0.8, "all discordant pairs on one side"),
    (0.01, 0.3, 0.05, 0.95, None),
]:
    value = n_for(d, psi, {"alpha": alpha, "power": power})
    assert 0.001 < value % 1 < 0.999  # the rounding up must not hang on the last bits
    add("required_n_paired", f"{d}-{psi}-{alpha}-{power}", {"difference": d, "discordant_proportion": psi}, {"alpha": alpha, "power": power}, note, 0)

# --- consistency and subgroups
rng = random.Random(91)
for slug, records, note in [
    ("one-category", [["1", "1", "1"], ["1", "1", "1"]], "full agreement on one category: kappa undefined"),
    ("full-agreement", [["1", "1"], ["0", "0"], ["abstain", "abstain"]], "full agreement on three categories: kappa 1"),
    ("always-abstains", [["abstain"] * 4] * 3, "abstaining is a category"),
    ("never-agrees", [["1", "0"], ["0", "1"], ["1", "0"]], "kappa -1"),
    ("five-runs", [["G2", "G2", "G3a", "G2", "abstain"], ["G4", "G4", "G4", "G4", "G4"], ["G3a", "G3b", "G3a", "G3b", "G4"], ["abstain", "abstain", "G5", "G5", "G5"]], "two modes of equal size count once"),
    ("one-record", [["0", "0", "1"]], None),
    ("generated-30", [[pick(rng, ["0", "0", "1", "abstain"]) for _ in range(3)] for _ in range(30)], None),
]:
    add("run_consistency", slug, {"decisions_by_record": records}, note=note)

GROUPED = (
    [R(1, 1, sex="female")] * 4 + [R(0, 1, sex="female")] * 2 + [R(1, 1, sex="male")] * 5 + [A(1, sex="male")]
    + [R(0, 1, sex="other")] * 2 + [R(0, 1), R(0, 1, age="65-74"), R(1, 1)]
)
SITES = cohort(92, 20, [0, 1])
for i, r in enumerate(SITES):
    r["metadata"] = {"site": ["north", "east", "south"][i % 7 % 3]}
for slug, rows, params, note, keys in [
    ("small-group", GROUPED, {"by": "sex", "metric": "accuracy", "min_n": 6}, "two rows of a third group are too few to rank, rows without the key belong to none", None),
    ("small-group-ranked", GROUPED, {"by": "sex", "metric": "accuracy", "min_n": 2}, "with min_n 2 the third group is the worst", None),
    ("at-min-n", GROUPED[:12], {"by": "sex", "metric": "selective_accuracy", "min_n": 5}, "exactly min_n answered rows are enough; an abstention is not among them", None),
    ("abstention-gap", GROUPED, {"by": "sex", "metric": "abstention_rate", "min_n": 3}, "who is sent away; only groups and gap are stated", ["groups", "gap"]),
    ("three-sites", SITES, {"by": "site", "metric": "accuracy", "min_n": 4}, None, None),
]:
    add("subgroup_gap", slug, rows, params, note, keys=keys)


# ------------------------------------------------------------------------------------------------
# The file

KINDS = {bool: "bool", int: "int", float: "float", str: "str", list: "list", dict: "object", type(None): "null"}


def signatures():
    table = {}
    for metric in REFERENCE:
        own = [c for c in CASES if c["metric"] == metric]
        takes = {"rows"} if "rows" in own[0] else {f"inputs.{k}" for c in own for k in c["inputs"]}
        params = {}
        for c in own:
            for name, value in c["params"].items():
                params.setdefault(name, set()).add(KINDS[type(value)])
        returns = {KINDS[type(c["expected"])] for c in own}
        table[metric] = {
            "bundle": own[0]["bundle"],
            "takes": sorted(takes),
            "params": {name: "|".join(sorted(kinds)) for name, kinds in params.items()},
            "returns": sorted(returns),
        }
    return table


META = {
    "schema_version": "1.0",
    "how_to_run": "`krisis conformance FILE`. A case names a metric, its rows or inputs, and its params; the result must equal `expected`. Null means undefined (null, undefined and NaN all pass). Numbers may differ by `tolerance` at most, inside objects and lists too; text must match exactly. An expected object lists the keys that must be there; further keys are free.",
    "how_made": "conformance/generate.py wrote this file: rows by hand or from fixed seeds, expected values from a plain Python reference over exact fractions (all pairs, all tie orders, all sign patterns, full matrices) that shares no code with the library. Smooth calibration error comes from direct integration and is good to about 1e-3.",
    "bundles": {"default": "reported by default", "extended": "reported on request"},
    "signatures": None,
}


def main():
    ids = [c["id"] for c in CASES]
    assert len(ids) == len(set(ids))
    meta = META | {"signatures": signatures()}
    CASES.sort(key=lambda c: list(REFERENCE).index(c["metric"]))  # stable: keeps the order inside a metric

    def line(value):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)

    head = ",\n".join(f"{line(k)}:{line(v)}" for k, v in meta.items() if k != "signatures")
    table = ",\n".join(f"{line(k)}:{line(v)}" for k, v in meta["signatures"].items())
    body = ",\n".join(line(c) for c in CASES)
    text = f'{{"meta":{{\n{head},\n"signatures":{{\n{table}\n}}}},\n"cases":[\n{body}\n]}}\n'
    json.loads(text)
    Path(__file__).with_name("metrics.json").write_text(text, encoding="utf-8")
    print(f"{len(CASES)} cases of {len(REFERENCE)} functions, {len(text.encode())} bytes")


if __name__ == "__main__":
    main()
