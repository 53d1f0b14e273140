"""The functions of guarantees.json: gates that stop early, deployable thresholds, sources of confidence, drift.

Computed in another way than in the library where there is one: evidence from the binomial form with whole numbers instead of the loop, means over exact fractions,
exact bounds by comparing fractions, isotonic regression by the max-min formula, Platt's fit by nested bisection of the gradient, DeLong's variance from the matrix of covariances.
Standard library only. It shares no code with the library under test.
"""

import math
from collections import Counter
from fractions import Fraction as F
from statistics import NormalDist

EDGE = F(1, 10**9)
INFINITE = math.inf


def exact(number):
    """The decimal that was written, not the binary number next to it."""
    return F(str(number))


def bisect(holds):
    """(low, high) around the point where a property that holds at small m ends; at most 1e-12 wide."""
    low, high, scale = 0, 1, 1
    while F(high - low, scale) > F(1, 10**12):
        low, high, scale = 2 * low, 2 * high, 2 * scale
        middle = (low + high) // 2
        low, high = (middle, high) if holds(F(middle, scale)) else (low, middle)
    return F(low, scale), F(high, scale)


# ------------------------------------------------------------------------------------------------
# Proportions: P(Bin(n+1, m) <= s) / [(n+1) (1-m) P(Bin(n, m) = s)], with m = a / (a + b) and the common powers of b cancelled


def evidence(s, n, m):
    a, b = m.numerator, m.denominator - m.numerator
    if a == 0 and s > 0:
        return INFINITE
    total, choose = 0, 1
    for i in range(s + 1):
        total = total * b + choose * a**i
        choose = choose * (n + 1 - i) // (i + 1)
    return F(total, (n + 1) * math.comb(n, s) * a**s)


def evidence_below(s, n, m):
    return evidence(n - s, n, 1 - m)


def proportion_e_value(inputs, params):
    side = evidence if params.get("side", "above") == "above" else evidence_below
    return float(side(inputs["successes"], inputs["n"], exact(inputs["limit"])))


def lower_end(s, n, alpha):
    return F(0) if s == 0 else bisect(lambda m: evidence(s, n, m) >= 1 / alpha)[0]


def proportion_sequence(inputs, params):
    s, n, alpha = inputs["successes"], inputs["n"], exact(params.get("alpha_side", 0.025))
    return None if n == 0 else [float(lower_end(s, n, alpha)), float(1 - lower_end(n - s, n, alpha))]


# ------------------------------------------------------------------------------------------------
# Means

BETS = [F(2 * j - 1, 100) for j in range(1, 51)]


def within(values):
    return all(0 <= x <= 1 for x in values)


def mean_evidence(values, m):
    """Over one common denominator; equal values are one power."""
    if m == 0:
        # Nothing to bet on: the limit of suite_e_value as the suite grows.
        return INFINITE if any(values) else F(1)
    whole = math.lcm(*(x.denominator for x in values))
    counts = Counter(int(x * whole) for x in values)
    a, d = m.numerator * whole, m.denominator
    total = sum(math.prod(((100 - k) * a + k * x * d) ** times for x, times in counts.items()) for k in range(1, 100, 2))
    return F(total, 50 * (100 * a) ** len(values))


def mean_evidence_below(values, m):
    return mean_evidence([1 - x for x in values], 1 - m)


def mean_e_value(inputs, params):
    values = [exact(v) for v in inputs["values"]]
    if not within(values):
        return None
    side = mean_evidence if params.get("side", "above") == "above" else mean_evidence_below
    return float(side(values, exact(inputs["limit"])))


def mean_bounds(values, alpha):
    if not values or not within(values):
        return None
    low = lambda xs: F(0) if not any(xs) else bisect(lambda m: mean_evidence(xs, m) >= 1 / alpha)[0]
    return low(values), 1 - low([1 - x for x in values])


def mean_sequence(inputs, params):
    bounds = mean_bounds([exact(v) for v in inputs["values"]], exact(params.get("alpha_side", 0.025)))
    return None if bounds is None else [float(b) for b in bounds]


def halves(inputs):
    return [(1 + exact(a) - exact(b)) / 2 for a, b in zip(inputs["scores_a"], inputs["scores_b"])]


def paired_sequence(inputs, params):
    bounds = mean_bounds(halves(inputs), exact(params.get("alpha_side", 0.025)))
    return None if bounds is None else [float(2 * b - 1) for b in bounds]


def paired_verdict(inputs, params):
    values, margin, needed = halves(inputs), exact(params["margin"]), 1 / exact(params.get("alpha_side", 0.025))
    if not values or not within(values):
        return None
    if mean_evidence(values, F(1, 2)) >= needed:
        status = "superior"
    elif mean_evidence(values, (1 - margin) / 2) >= needed:
        status = "non_inferior"
    elif mean_evidence_below(values, (1 - margin) / 2) >= needed:
        status = "shown_worse"
    else:
        status = "undecided"
    return {"status": status, "difference": float(2 * sum(values) / len(values) - 1)}


def suite_e_value(inputs, params):
    values, m, size = [exact(v) for v in inputs["values"]], exact(inputs["limit"]), inputs["suite_size"]
    if not within(values):
        return None
    if params.get("side", "above") == "below":
        values, m = [1 - x for x in values], 1 - m
    products = [F(1)] * 50
    for t, x in enumerate(values):
        rest = (size * m - sum(values[:t])) / (size - t)
        if rest < -EDGE or (rest <= 0 and x > 0):
            return INFINITE
        if 0 < rest < 1:
            products = [p * (1 - c + c * x / rest) for p, c in zip(products, BETS)]
    return float(sum(products) / 50)


# ------------------------------------------------------------------------------------------------
# Looks, clusters, several gates


def finished_prefix(inputs, params):
    return (inputs["states"] + ["pending"]).index("pending")


def patient_means(inputs, params):
    rows = list(zip(inputs["clusters"], inputs["values"]))
    groups = {g: [exact(v) for h, v in rows if h == g and v is not None] for g in inputs["clusters"]}
    return [float(sum(vs) / len(vs)) for vs in groups.values() if vs]


def sequential_alpha(inputs, params):
    side = (1 - exact(params.get("level", 0.95))) / 2
    tests = inputs["n_models"] * (inputs["n_gates"] if params.get("claim", "each") == "each" else 1)
    return float(side / tests)


GOOD = {
    "selective_accuracy": {"right": 1, "wrong": 0},
    "accuracy": {"right": 1, "wrong": 0, "abstained": 0},
    "coverage": {"right": 1, "wrong": 1, "abstained": 0},
    "unsafe_answer_rate": {"right": 1, "wrong": 0, "abstained": 1},
}


def sequential_gate(inputs, params):
    metric, total = params["metric"], params["n_total"]
    alpha, least = exact(params.get("alpha_side", 0.025)), params.get("min_n", 30)
    unsafe = metric == "unsafe_answer_rate"
    limit = 1 - exact(params["limit"]) if unsafe else exact(params["limit"])
    shows = lambda e: e >= 1 / alpha
    end = finished_prefix(inputs, params)

    def look(rows):
        states = inputs["states"][:rows]
        failed = states.count("failed")
        marks = [GOOD[metric][s] for s in states if s in GOOD[metric]]
        s, n, rest = sum(marks), len(marks) + failed, total - rows
        enough = n >= least
        if enough and shows(evidence(s, n, limit)):
            status = "pass"
        elif enough and shows(evidence_below(s + failed, n, limit)):
            status = "fail_shown"
        elif rest > 0 and (n + rest < least or not shows(evidence(s + failed + rest, n + rest, limit))):
            status = "fail_unreachable"
        elif rest == 0 and not (enough and shows(evidence(s + failed, n, limit))):
            status = "fail_not_shown"
        else:
            status = "undecided"
        return status, s, n, failed

    for rows in range(1, end + 1):
        status, s, n, failed = look(rows)
        if status != "undecided":
            break
    else:
        rows, status, s, n, failed = end, *(look(end) if end else ("undecided", 0, 0, 0))
    bounds = [None, None] if n == 0 else [float(lower_end(s, n, alpha)), float(1 - lower_end(n - s - failed, n, alpha))]
    if unsafe and n:
        bounds = [1 - bounds[1], 1 - bounds[0]]
    return {"status": status, "rows_looked_at": rows, "n": n, "lower": bounds[0], "upper": bounds[1]}


def rows_needed_all_right(inputs, params):
    m, needed = exact(inputs["limit"]), 1 / exact(params.get("alpha_side", 0.025))
    if m >= 1:
        return None
    n = 1
    # All right: the mean of the powers m^0 ... m^n over m^n.
    while m > 0 and sum(m**i for i in range(n + 1)) / ((n + 1) * m**n) < needed:
        n += 1
    return n


def curtailed_value_gate(inputs, params):
    right, rest, limit = inputs["right"], inputs["rest"], exact(inputs["limit"])
    n = right + inputs["wrong"] + rest
    if n == 0:
        return None
    if F(right, n) >= limit - EDGE:
        return "pass"
    return "fail" if F(right + rest, n) < limit - EDGE else None


# ------------------------------------------------------------------------------------------------
# Thresholds


def valid(confidence):
    """Missing and out of range are the same: no confidence."""
    return confidence is not None and 0 <= confidence <= 1


def usable(inputs):
    return [(c, z) for c, z in zip(inputs["confidences"], inputs["correct"]) if valid(c) and z is not None]


def at_most(k, n, p):
    """P(Bin(n, p) <= k), over whole numbers."""
    a, d = p.numerator, p.denominator
    return F(sum(math.comb(n, i) * a**i * (d - a) ** (n - i) for i in range(k + 1)), d**n)


def risk_p_value(inputs, params):
    return float(at_most(inputs["errors"], inputs["n"], exact(params["risk"])))


def upper_bound(errors, n, alpha):
    if n == 0:
        return None
    return 1.0 if errors == n else float(bisect(lambda p: at_most(errors, n, p) > alpha)[1])


def exact_upper_bound(inputs, params):
    return upper_bound(inputs["errors"], inputs["n"], exact(params.get("alpha", 0.05)))


def rows_for(errors, risk, delta):
    n = errors + 1
    while at_most(errors, n, risk) > delta:
        n += 1
    return n


def rows_for_errors(inputs, params):
    return rows_for(inputs["errors"], exact(params["risk"]), exact(params["delta"]))


def rows_for_power(inputs, params):
    risk, delta, power, true = (exact(v) for v in (params["risk"], params["delta"], params["power"], inputs["true_risk"]))
    run, n, allowed = 0, 0, -1
    # The errors allowed never fall as n grows.
    while run < math.ceil(2 / risk):
        n += 1
        while allowed + 1 < n and at_most(allowed + 1, n, risk) <= delta:
            allowed += 1
        run = run + 1 if allowed >= 0 and at_most(allowed, n, true) >= power else 0
    return n - run + 1


def first_rows(n, risk, delta, most):
    allowed = [k for k in range(1, most + 1) if 4 * rows_for(k, risk, delta) <= n]
    return rows_for(max(allowed, default=0), risk, delta)


def first_tested_rows(inputs, params):
    return first_rows(inputs["n"], exact(params["risk"]), exact(params["delta"]), params.get("start_errors", 2))


def deployable_threshold(inputs, params):
    risk, delta, step = exact(params["risk"]), exact(params["delta"]), exact(params.get("step", 0.01))
    rows = [(exact(c), z) for c, z in usable(inputs)]
    found = {"threshold": None, "n": None, "errors": None, "p_value": None, "tested": 0, "reason": "risk_not_shown"}
    if len(rows) < rows_for(0, risk, delta):
        return {**found, "reason": "too_few_rows"}
    first = first_rows(len(rows), risk, delta, params.get("start_errors", 2))
    cells = [(math.floor(c / step + EDGE), z) for c, z in rows]
    for cell in sorted({c for c, _ in cells}, reverse=True):
        accepted = [z for c, z in cells if c >= cell]
        if len(accepted) < first:
            continue
        errors = accepted.count(0)
        p = at_most(errors, len(accepted), risk)
        found["tested"] += 1
        if p > delta:
            break
        found.update(threshold=float(cell * step), n=len(accepted), errors=errors, p_value=float(p), reason=None)
    return found


def threshold_report(inputs, params):
    t, n = inputs["threshold"], len(inputs["states"])
    if n == 0:
        return None
    keeps = lambda c: t is not None and valid(c) and exact(c) >= exact(t) - EDGE
    answered = [s for s, c in zip(inputs["states"], inputs["confidences"]) if s in ("right", "wrong") and keeps(c)]
    errors, k = answered.count("wrong"), len(answered)
    return {
        "n": n,
        "answered": k,
        "errors": errors,
        "coverage": float(F(k, n)),
        "risk": float(F(errors, k)) if k else None,
        "risk_upper": upper_bound(errors, k, exact(params.get("alpha", 0.05))),
        "deferred_per_100": float(F(100 * (n - k), n)),
        "errors_per_100": float(F(100 * errors, n)),
    }


# ------------------------------------------------------------------------------------------------
# Recalibration


def isotonic_blocks(inputs):
    """The value at a confidence is the largest, over all beginnings at or before it, of the smallest mean up to an end at or after it."""
    rows = usable(inputs)
    distinct = sorted({c for c, _ in rows})
    size = [sum(d == c for d, _ in rows) for c in distinct]
    good = [sum(z for d, z in rows if d == c) for c in distinct]
    k = len(distinct)
    mean = lambda i, j: F(sum(good[i : j + 1]), sum(size[i : j + 1]))
    values = [max(min(mean(i, j) for j in range(at, k)) for i in range(at + 1)) for at in range(k)]
    blocks = []
    for c, n, value in zip(distinct, size, values):
        if blocks and blocks[-1]["value"] == value:
            blocks[-1]["to"], blocks[-1]["n"] = c, blocks[-1]["n"] + n
        else:
            blocks.append({"from": c, "to": c, "n": n, "value": value})
    return blocks


def isotonic_fit(inputs, params):
    blocks = isotonic_blocks(inputs)
    return [{**b, "value": float(b["value"])} for b in blocks] or None


def isotonic_predict(inputs, params):
    blocks = isotonic_blocks(inputs)
    if not blocks:
        return None
    return [float(([b["value"] for b in blocks if b["from"] <= c] or [blocks[0]["value"]])[-1]) for c in inputs["at"]]


def logit(p):
    return math.log(p / (1 - p))


def sigmoid(x):
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def clipped(c, eps):
    return min(1 - eps, max(eps, c))


def zero_of(rising, low=-60.0, high=60.0):
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return (low + high) / 2


def platt_fit(inputs, params):
    eps, rows = params.get("eps", 0.01), usable(inputs)
    if not rows:
        return None
    clips, correct = [clipped(c, eps) for c, _ in rows], [z for _, z in rows]
    x, good = [logit(c) for c in clips], sum(correct)
    targets = [(good + 1) / (good + 2) if z else 1 / (len(correct) - good + 2) for z in correct]
    if len(set(clips)) == 1:
        return {"a": 0.0, "b": logit(math.fsum(targets) / len(targets))}
    # The loss is convex: at the best b for each a, its slope in a rises.
    best_b = lambda a: zero_of(lambda b: math.fsum(sigmoid(a * v + b) - t for v, t in zip(x, targets)))

    def slope(a):
        b = best_b(a)
        return math.fsum((sigmoid(a * v + b) - t) * v for v, t in zip(x, targets))

    a = zero_of(slope, -10.0, 10.0)
    return {"a": a, "b": best_b(a)}


def platt_predict(inputs, params):
    eps = params.get("eps", 0.01)
    odds = [(lambda c: c / (1 - c))(clipped(c, eps)) ** inputs["a"] * math.exp(inputs["b"]) for c in inputs["at"]]
    return [o / (1 + o) for o in odds]


# ------------------------------------------------------------------------------------------------
# Sources of confidence


def confidence_from_repeats(inputs, params):
    votes = inputs["votes"]
    R = len(votes)
    if R == 0:
        return None
    counts = Counter(votes)
    abstained, invalid = counts.get("abstain", 0), counts.get(None, 0)
    labels = {v: k for v, k in counts.items() if v not in (None, "abstain")}
    top = max(labels.values(), default=0)
    leaders = [v for v, k in labels.items() if k == top]
    tie = top > 0 and top >= abstained and (len(leaders) > 1 or top == abstained)
    if invalid == R:
        decision = "invalid"
    elif tie or abstained > top:
        decision = "abstain"
    else:
        decision = leaders[0]
    # ln R - (1/R) sum k ln k
    entropy = math.log(R) - math.fsum(k * math.log(k) for k in counts.values()) / R
    most = min(R, params["n_labels"] + 2)
    return {
        "decision": decision,
        "confidence": float(F(top, R)) if decision in labels else None,
        "tie": tie,
        "abstain_share": float(F(abstained, R)),
        "invalid_share": float(F(invalid, R)),
        "entropy_confidence": None if R == 1 else 1 - entropy / math.log(most),
    }


def confidence_from_logprobs(inputs, params):
    masses = [(c["label"], math.exp(c["logprob"])) for c in inputs["candidates"]]
    mass, own = math.fsum(p for _, p in masses), math.fsum(p for v, p in masses if v == inputs["answer"])
    if inputs["answer"] not in [v for v, _ in masses]:
        return {"confidence": None, "mass": mass, "reason": "answer_not_among_logprobs"}
    if mass < params.get("min_mass", 0.5):
        return {"confidence": None, "mass": mass, "reason": "label_mass_too_small"}
    return {"confidence": own / mass, "lower": own, "mass": mass, "reason": None}


def z_of(level):
    return NormalDist().inv_cdf((1 + level) / 2)


def sample_variance(values):
    mean = sum(values) / len(values)
    return sum((v - mean) ** 2 for v in values) / (len(values) - 1)


def with_interval(difference, variance, level):
    if variance is None:
        return {"difference": float(difference), "se": None, "lower": None, "upper": None}
    se = math.sqrt(variance)
    return {"difference": float(difference), "se": se, "lower": float(difference) - z_of(level) * se, "upper": float(difference) + z_of(level) * se}


def both_confidences(inputs):
    rows = zip(inputs["correct"], inputs["confidence_a"], inputs["confidence_b"])
    return [(z, exact(a), exact(b)) for z, a, b in rows if valid(a) and valid(b)]


def paired_brier_difference(inputs, params):
    # (a - z)^2 - (b - z)^2 = (a - b)(a + b - 2z)
    d = [(a - b) * (a + b - 2 * z) for z, a, b in both_confidences(inputs)]
    if not d:
        return None
    return with_interval(sum(d) / len(d), sample_variance(d) / len(d) if len(d) > 1 else None, params.get("level", 0.95))


def beats(x, y):
    return F((x > y) - (x < y) + 1, 2)


def covariance(pairs, i, j):
    n = len(pairs)
    return (sum(p[i] * p[j] for p in pairs) - sum(p[i] for p in pairs) * sum(p[j] for p in pairs) / n) / (n - 1)


def paired_auroc_difference(inputs, params):
    rows = both_confidences(inputs)
    good, bad = [r for r in rows if r[0]], [r for r in rows if not r[0]]
    if not good or not bad:
        return None
    by_good = [[sum(beats(g[k], b[k]) for b in bad) / len(bad) for k in (1, 2)] for g in good]
    by_bad = [[sum(beats(g[k], b[k]) for g in good) / len(good) for k in (1, 2)] for b in bad]
    a, b = (sum(p[k] for p in by_good) / len(good) for k in (0, 1))
    # DeLong's matrix: variance of a, plus variance of b, minus twice their covariance.
    parts = [(covariance(s, 0, 0) + covariance(s, 1, 1) - 2 * covariance(s, 0, 1)) / len(s) for s in (by_good, by_bad) if len(s) > 1]
    variance = sum(parts) if len(parts) == 2 else None
    return {"auroc_a": float(a), "auroc_b": float(b), **with_interval(a - b, variance, params.get("level", 0.95))}


# ------------------------------------------------------------------------------------------------
# Drift


def alpha_at(look, alpha):
    """What is left of alpha (1 - 1/look) of it having been spent before, up to 1 - 1/(look + 1)."""
    return alpha * (F(1, look) - F(1, look + 1))


def drift_alpha(inputs, params):
    return float(alpha_at(inputs["look"], exact(params.get("alpha", 0.05))))


def mcnemar(b, c):
    return min(F(1), 2 * at_most(min(b, c), b + c, F(1, 2)))


def drift_test(inputs, params):
    lost, gained = inputs["lost"], inputs["gained"]
    p, alpha = mcnemar(lost, gained), alpha_at(inputs["look"], exact(params.get("alpha", 0.05)))
    return {"p": float(p), "alpha": float(alpha), "signal": p <= alpha, "direction": None if p > alpha else "worse" if lost > gained else "better"}


def fewest_flips(inputs, params):
    alpha = alpha_at(inputs["look"], exact(params.get("alpha", 0.05)))
    return next(n for n in range(1, 10_000) if mcnemar(n, 0) <= alpha)


def flip_table(inputs, params):
    pairs = list(zip(inputs["before"], inputs["after"]))
    if not pairs:
        return None
    moves = Counter((b["right"], a["right"]) for b, a in pairs)
    changed = sum(b["decision"] != a["decision"] for b, a in pairs)
    return {"n": len(pairs), "lost": moves[True, False], "gained": moves[False, True], "changed": changed, "churn": float(F(changed, len(pairs)))}


def wilson(s, n, z):
    """The two roots of (p - s/n)^2 = z^2 p (1 - p) / n."""
    a, b, c = 1 + z * z / n, -2 * s / n - z * z / n, (s / n) ** 2
    root = math.sqrt(b * b - 4 * a * c)
    return [0.0 if s == 0 else (-b - root) / (2 * a), 1.0 if s == n else (-b + root) / (2 * a)]


def control_limits(inputs, params):
    s, n = inputs["successes"], inputs["n"]
    if n == 0:
        return None
    return {"centre": float(F(s, n)), "warning": wilson(s, n, z_of(0.95) * math.sqrt(2)), "action": wilson(s, n, 3 * math.sqrt(2))}


def control_chart(inputs, params):
    n = inputs["n"]
    limits = control_limits({"successes": inputs["first_successes"], "n": n}, {})
    if limits is None:
        return None
    side = lambda s, ends: 1 if s / n > ends[1] + 1e-9 else -1 if s / n < ends[0] - 1e-9 else 0
    warned = [side(s, limits["warning"]) for s in inputs["later_successes"]]
    states = []
    for k, s in enumerate(inputs["later_successes"]):
        if side(s, limits["action"]):
            states.append("action")
        elif warned[k]:
            states.append("two_of_three" if warned[k] in warned[max(0, k - 2) : k] else "warning")
        else:
            states.append("in")
    return states


SAME = ["suite_hash", "arm", "model", "prompt_hash", "schema_hash", "sampling", "batch_size", "repeats", "tools", "parser_version"]


def comparable_runs(inputs, params):
    pairs = [(name, inputs["first"].get(name), inputs["later"].get(name)) for name in SAME]
    differs = [name for name, a, b in pairs if a != b]
    unknown = [name for name, a, b in pairs if a is None and b is None]
    return {"comparable": not differs and not unknown, "differs": differs, "unknown": unknown}


NAMES = """proportion_e_value proportion_sequence mean_e_value mean_sequence paired_sequence paired_verdict suite_e_value finished_prefix patient_means sequential_alpha
sequential_gate rows_needed_all_right curtailed_value_gate risk_p_value exact_upper_bound rows_for_errors rows_for_power first_tested_rows deployable_threshold threshold_report
isotonic_fit isotonic_predict platt_fit platt_predict confidence_from_repeats confidence_from_logprobs paired_brier_difference paired_auroc_difference
drift_alpha drift_test fewest_flips flip_table control_limits control_chart comparable_runs"""
REFERENCE = {name: globals()[name] for name in NAMES.split()}
