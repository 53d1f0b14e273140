#!/usr/bin/env python3
"""Writes clusters.json, the reference cases of shares and differences over clusters of rows, and of tests of groups.

    python3 generate_clusters.py               rewrite clusters.json beside this file (same bytes every time)
    python3 generate_clusters.py --check FILE  run the reference below against another file of the same format

Sums are exact fractions, limits are found by bisection on the statistics, Student's t comes from its finite series. Standard library only. It shares no
code with the library under test. Intervals of a bootstrap are not stated: they depend on the random numbers.
"""

import math
import random
import sys
from fractions import Fraction as F
from pathlib import Path

sys.dont_write_bytecode = True

from generate_review import t_of, t_tail, wilson  # noqa: E402
from write_cases import check_cases, write_cases  # noqa: E402


def by_cluster(values, clusters):
    groups = {}
    for value, cluster in zip(values, clusters):
        groups.setdefault(cluster, []).append(F(value).limit_denominator(1000))
    return list(groups.values())


def bisect(low, high, is_below):
    """The point of [low, high] up to which `is_below` holds."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return (low + high) / 2


# ------------------------------------------------------------------------------------------------
# Shares


def clustered_share(inputs, params):
    groups = by_cluster(inputs["values"], inputs["clusters"])
    level = params.get("level", 0.95)
    n, g = sum(map(len, groups)), len(groups)
    result = {"value": None, "n": n, "n_clusters": g, "interval": None, "method": None, "design_effect": None, "n_effective": None, "reason": None}
    if n == 0:
        return {**result, "reason": "no_rows"}
    p = sum(map(sum, groups)) / F(n)
    result["value"] = float(p)
    if g == n:
        return {**result, "interval": wilson(float(p) * n, n, level), "method": "wilson", "design_effect": 1.0, "n_effective": float(n)}
    if g == 1:
        return {**result, "reason": "one_cluster"}
    k = min(sum(any(v == 1 for v in own) for own in groups), sum(any(v == 0 for v in own) for own in groups))
    between = sum((sum(own) - len(own) * p) ** 2 for own in groups)
    first = F(g, g - 1) * between / (n * p * (1 - p)) if 0 < p < 1 else F(0)
    second = 1 + (F(n, g) - 1) * max(F(0), 1 - F(k, 5))
    effect = max(first, second)
    result.update(design_effect=float(effect), n_effective=float(n / effect))
    if g >= 50 and k >= 10:
        del result["interval"]
        return {**result, "method": "bootstrap_bca"}
    t, m = t_of(level, g - 1), float(n / effect)
    # Wilson's limits are where (p - x)^2 = t^2 x (1 - x) / m.
    outside = lambda x: (float(p) - x) ** 2 > t * t * x * (1 - x) / m
    low = 0.0 if p == 0 else bisect(0.0, float(p), outside)
    high = 1.0 if p == 1 else bisect(float(p), 1.0, lambda x: not outside(x))
    return {**result, "interval": [low, high], "method": "wilson_effective_t"}


# ------------------------------------------------------------------------------------------------
# Differences


def tango(b, c, n, d):
    """Tango's statistic at d, with the constrained share of pairs that only the second has right."""
    quadratic, linear, constant = 2 * n, -b - c + (2 * n - b + c) * d, -c * d * (1 - d)
    q = (math.sqrt(max(0.0, linear**2 - 4 * quadratic * constant)) - linear) / (2 * quadratic)
    top, variance = b - c - n * d, n * (2 * q + d * (1 - d))
    if abs(top) < 1e-13:
        return 0.0
    return math.copysign(math.inf, top) if variance <= 1e-15 else top / math.sqrt(variance)


def cluster_non_inferiority(inputs, params):
    groups = by_cluster(inputs["differences"], inputs["clusters"])
    margin, level = params["margin"], params.get("level", 0.95)
    n, g = sum(map(len, groups)), len(groups)
    result = {"status": "undecided", "difference": None, "interval": None, "statistic": None, "p": None, "n": n, "n_clusters": g, "design_effect": None}
    if n == 0:
        return {**result, "reason": "no_pairs"}
    sums, sizes = [sum(own) for own in groups], [len(own) for own in groups]
    d = sum(sums) / F(n)
    result["difference"] = float(d)
    if g < 10:
        return {**result, "reason": "too_few_clusters"}
    t = t_of(level, g - 1)
    if n * n <= t * t * sum(m * m for m in sizes):
        return {**result, "reason": "interval_unbounded"}

    def score(x):
        rest = [float(total) - m * x for total, m in zip(sums, sizes)]
        squares = math.fsum(r * r for r in rest)
        return 0.0 if squares == 0 else math.fsum(rest) / math.sqrt(squares)

    flat = [v for own in groups for v in own]
    differing = sum(any(v != 0 for v in own) for own in groups)
    between = sum((total - m * d) ** 2 for total, m in zip(sums, sizes))
    spread = sum(v * v for v in flat) - n * d * d
    first = F(g, g - 1) * between / spread if spread else F(0)
    effect = float(max(first, 1 + (F(n, g) - 1) * max(F(0), 1 - F(differing, 8))))
    b, c = float(sum(v for v in flat if v > 0)) / effect, -float(sum(v for v in flat if v < 0)) / effect
    m, centre = n / effect, float(d)
    lows = [bisect(-50.0, centre, lambda x: score(x) > t), -1.0 if d == -1 else bisect(-1.0, centre, lambda x: tango(b, c, m, x) > t)]
    highs = [bisect(centre, 50.0, lambda x: score(x) > -t), 1.0 if d == 1 else bisect(centre, 1.0, lambda x: tango(b, c, m, x) > -t)]
    if between == 0:
        # The score limits meet in the estimate; bisection would stop beside it.
        lows[0] = highs[0] = centre
    low, high = max(-1.0, min(lows)), min(1.0, max(highs))
    status = "pass" if low > -margin else "fail" if high < -margin else "undecided"
    statistic = score(-margin)
    return {
        **result,
        "status": status,
        "interval": [low, high],
        "statistic": statistic,
        "p": t_tail(min(statistic, tango(b, c, m, -margin)), g - 1),
        "design_effect": effect,
        "reason": "interval_contains_margin" if status == "undecided" else None,
    }


# ------------------------------------------------------------------------------------------------
# Groups


def holm_groups(inputs, params):
    tests = {}
    for v, variable in enumerate(inputs["variables"]):
        p = [own["p"] for own in variable["groups"]]
        if len(p) == 2 and None not in p:
            tests[v, None] = p[0]
        if len(p) > 2:
            tests.update({(v, g): value for g, value in enumerate(p) if value is not None})
    order = sorted(tests, key=tests.get)
    adjusted, reached = {}, 0.0
    for rank, key in enumerate(order):
        reached = max(reached, min(1.0, (len(order) - rank) * tests[key]))
        adjusted[key] = reached
    found = {
        variable["name"]: {own["group"]: adjusted.get((v, g), adjusted.get((v, None))) for g, own in enumerate(variable["groups"])}
        for v, variable in enumerate(inputs["variables"])
    }
    return {"n_tests": len(tests), "adjusted": found}


REFERENCE = {
    "clustered_share": clustered_share,
    "cluster_non_inferiority": cluster_non_inferiority,
    "holm_groups": holm_groups,
}

# ------------------------------------------------------------------------------------------------
# Cases

CASES = []
TOLERANCE = {"clustered_share": 1e-9, "cluster_non_inferiority": 1e-7, "holm_groups": 1e-12}


def add(metric, name, inputs, params=None, note=None):
    case = {"id": f"{metric.replace('_', '-')}-{name}", "metric": metric, "bundle": "default", "inputs": inputs, "params": params or {}}
    case.update(expected=REFERENCE[metric](inputs, params or {}), tolerance=TOLERANCE[metric])
    CASES.append({**case, "note": note} if note else case)


def names(sizes):
    return [f"k{i}" for i, m in enumerate(sizes) for _ in range(m)]


def share(name, groups, level=None, note=None):
    values = [v for own in groups for v in own]
    add("clustered_share", name, {"values": values, "clusters": names(map(len, groups))}, {} if level is None else {"level": level}, note)


def non_inferiority(name, groups, margin, level=0.95, note=None):
    inputs = {"differences": [v for own in groups for v in own], "clusters": names(map(len, groups))}
    add("cluster_non_inferiority", name, inputs, {"margin": margin, "level": level}, note)


RIGHT, WRONG = [1, 1, 1, 1], [0, 0, 0, 0]
share("empty", [])
share("one-cluster", [[1, 0, 1, 1]], note="nothing is known about other clusters")
share("one-row", [[1]], note="one row per cluster, so Wilson's formula")
share("one-row-each", [[1], [0], [1], [1], [0], [1]])
share("one-row-each-but-one", [[1], [0], [1], [1], [0], [1, 1]])
share("two-clusters", [[1, 1, 0], [0, 0, 1]])
share("two-clusters-agree", [RIGHT, RIGHT], note="t on one degree of freedom")
share("all-wrong", [WRONG] * 13, 0.9)
share("all-right-uneven", [[1], [1, 1], [1] * 9, [1] * 3])
for failing in range(1, 8):
    share(f"{failing}-of-13-vary", [[0, 1, 1, 1]] * failing + [RIGHT] * (13 - failing), note="the second term of the design effect fades with K")
share("one-cluster-all-wrong", [WRONG] + [RIGHT] * 12)
share("clusters-opposed", [RIGHT, WRONG] * 7, note="rows of a cluster always agree: the number of clusters counts")
share("clusters-alike", [[0, 1, 1, 1]] * 20, 0.99, note="rows of a cluster never agree: the design effect stays 1")
share("forty-nine", [[0, 1, 1]] * 20 + [[1, 1, 1]] * 29)
share("fifty-agree", [[1, 1, 1]] * 50)
for failing in (1, 5, 9, 10, 11):
    share(f"fifty-{failing}-fail", [[0, 1, 1]] * failing + [[1, 1, 1]] * (50 - failing), note="the bootstrap takes ten clusters that vary")
share("fifty-few-succeed", [[1, 0, 0]] * 9 + [[0, 0, 0]] * 60)
share("sixty-one-row-each", [[1]] * 45 + [[0]] * 15)

ZEROS, LOSS, GAIN = [0, 0, 0, 0], [-1, 0, 0, 0], [1, 0, 0, 0]
non_inferiority("empty", [], 0.05)
non_inferiority("nine", [ZEROS] * 8 + [LOSS], 0.2)
non_inferiority("ten", [ZEROS] * 10, 0.4)
non_inferiority("ten-one-row-each", [[0]] * 9 + [[-1]], 0.3)
non_inferiority("unbounded", [[0, 1] * 40] + [[0]] * 10, 0.1, note="one cluster has most of the records")
non_inferiority("unbounded-at-the-edge", [[0] * 9] + [[0]] * 10, 0.1)
non_inferiority("margin-0-none-differ", [ZEROS] * 20, 0, note="no evidence for either side")
non_inferiority("margin-0-better", [[1, 1, 0, 0]] * 15 + [ZEROS] * 5, 0)
non_inferiority("margin-0-worse", [[-1, -1, 0, 0]] * 15 + [ZEROS] * 5, 0)
non_inferiority("margin-1", [LOSS] * 12, 1)
non_inferiority("all-lost", [[-1] * 3] * 12, 0.1, note="an estimate of -1 is its own limit")
non_inferiority("all-gained", [[1] * 3] * 12, 0.1)
non_inferiority("all-lost-uneven", [[-1] * (1 + i % 4) for i in range(24)], 0.5, 0.9)
for differing in range(1, 10):
    non_inferiority(f"{differing}-of-30-differ", [LOSS] * differing + [ZEROS] * (30 - differing), 0.15, note="the second term of the design effect fades with K")
non_inferiority("opposed-within", [[1, -1, 0, 0]] * 25, 0.05, note="every cluster sums to 0: the score limits alone would be [0, 0]")
non_inferiority("opposed-between", [[1, 1, 0, 0], [-1, -1, 0, 0]] * 15, 0.1, note="pairs of a cluster differ in the same direction")
non_inferiority("strong-clusters", [[1] * 4, [-1] * 4] * 12, 0.2)
non_inferiority("one-row-each", [[v] for v in ([0] * 70 + [1] * 6 + [-1] * 4)], 0.1)
non_inferiority("repeats", [[v] for v in ([0] * 50 + [0.5] * 6 + [-0.5] * 8 + [1] * 2)], 0.1, note="two repeats: differences of means")
non_inferiority("repeats-of-three", [[1 / 3, -2 / 3, 0], [0, 0, 0], [0, 1, -1 / 3], [0, -1 / 3, -1 / 3]] * 8, 0.1)
non_inferiority("repeats-constant", [[1 / 3] * 3] * 15, 0.05, note="the first term of the design effect is 0 / 0")
non_inferiority("repeats-small", [[0.2, 0]] * 20 + [[0, 0]] * 30, 0.05, 0.99)
non_inferiority("hundred", [GAIN] * 6 + [LOSS] * 4 + [ZEROS] * 90, 0.05)

rng = random.Random(20260811)
for k in range(24):
    groups = [[] for _ in range(rng.choice([3, 8, 12, 20, 49, 50, 60]))]
    for own in groups:
        centre = min(1.0, max(0.0, rng.gauss(rng.choice([0.5, 0.8, 0.95]), 0.2)))
        own.extend(int(rng.random() < centre) for _ in range(rng.choice([1, 2, 4, 7])))
    share(f"random-{k + 1}", groups, rng.choice([0.8, 0.9, 0.95, 0.99]))
for k in range(24):
    repeats, shift = rng.choice([1, 1, 2, 3, 5]), rng.choice([-0.2, 0, 0.1])
    groups = [[] for _ in range(rng.choice([10, 12, 25, 40, 80]))]
    for own in groups:
        lean = shift + rng.gauss(0, 0.15)
        for _ in range(rng.choice([1, 2, 3, 6])):
            differs = rng.random() < rng.choice([0.1, 0.4])
            step = rng.randint(1, repeats) / repeats
            own.append((step if rng.random() < 0.5 + lean else -step) if differs else 0)
    non_inferiority(f"random-{k + 1}", groups, rng.choice([0.02, 0.05, 0.1, 0.2]), rng.choice([0.9, 0.95]))


def grouped(**variables):
    return {"variables": [{"name": name, "groups": [{"group": f"g{i}", "p": p} for i, p in enumerate(own)]} for name, own in variables.items()]}


add("holm_groups", "none", grouped())
add("holm_groups", "one-group", grouped(sex=[0.01]), note="one group has nothing to differ from")
add("holm_groups", "no-groups", grouped(sex=[]))
add("holm_groups", "two-null", grouped(sex=[None, None]))
add("holm_groups", "one-of-two-null", grouped(sex=[0.01, None]), note="neither is tested")
add("holm_groups", "first-of-two-null", grouped(sex=[None, 0.01], age=[0.02, 0.03, 0.5]))
add("holm_groups", "three-one-null", grouped(age=[0.01, None, 0.04]))
add("holm_groups", "three-two-null", grouped(age=[None, None, 0.04]))
add("holm_groups", "two-pairs", grouped(sex=[0.03, 0.03], smoker=[0.01, 0.01]))
add("holm_groups", "monotone", grouped(sex=[0.02, 0.02], age=[0.011, 0.012, 0.9, 0.5], single=[0.001]))
add("holm_groups", "at-most-one", grouped(sex=[0.9, 0.9], age=[0.8, 0.7, 0.6]))
add("holm_groups", "zeros", grouped(sex=[0, 0], age=[0, 1, 0.5]))

META = {
    "schema_version": "1.0",
    "how_to_run": "`krisis conformance FILE`. Numbers agree within the tolerance, objects by the expected keys, null with null.",
    "how_made": "conformance/generate_clusters.py wrote this file: exact fractions, bisection on the statistics and Student's t from its series; it shares no code with the library.",
}


def main():
    if sys.argv[1:2] == ["--check"]:
        check_cases(sys.argv[2], REFERENCE, skip=lambda case: case["metric"] not in REFERENCE)
    write_cases(Path(__file__).with_name("clusters.json"), META, CASES)


if __name__ == "__main__":
    main()
