"""Statistics of the second implementation, from the statements of the methods."""

import math
import random
from statistics import NormalDist

Z = NormalDist().inv_cdf(0.975)


def wilson(x, n, z=Z):
    """Wilson's interval; x and n need not be whole."""
    p = x / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, 0.0 if x == 0 else centre - half), min(1.0, 1.0 if x == n else centre + half)


def share(key, x, n):
    lower, upper = wilson(x, n)
    return {f"{key}/x": x, f"{key}/n": n, f"{key}/value": x / n, f"{key}/lower": lower, f"{key}/upper": upper}


def bounds(key, x, n, failed):
    """The share if all failed calls had gone well, and if none had."""
    if failed == 0:
        return {}
    return {f"{key}/bounds/lower": x / (n + failed), f"{key}/bounds/upper": (x + failed) / (n + failed)}


def tango(b, c, n, z=Z):
    """Tango's score interval of b/n - c/n over n pairs; b and c need not be whole."""
    estimate = (b - c) / n

    def statistic(d):
        first = 2 * n
        second = -b - c + (2 * n - b + c) * d
        third = -c * d * (1 - d)
        q = (math.sqrt(max(0.0, second * second - 4 * first * third)) - second) / (2 * first)
        variance = n * (2 * q + d * (1 - d))
        top = b - c - n * d
        if variance <= 0:
            return 0.0 if abs(top) < 1e-12 else math.copysign(math.inf, top)
        return top / math.sqrt(variance)

    def solve(low, high, target):
        for _ in range(200):
            middle = (low + high) / 2
            if statistic(middle) > target:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    lower = -1.0 if estimate <= -1 else solve(-1.0, estimate, z)
    upper = 1.0 if estimate >= 1 else solve(estimate, 1.0, -z)
    return lower, upper


def mcnemar(b, c):
    """Exact two-sided p."""
    n = b + c
    tail = sum(math.comb(n, k) for k in range(min(b, c) + 1)) / 2**n
    return min(1.0, 2 * tail)


def holm(ps):
    order = sorted(range(len(ps)), key=lambda i: ps[i])
    adjusted, running = [0.0] * len(ps), 0.0
    for place, i in enumerate(order):
        running = max(running, min(1.0, (len(ps) - place) * ps[i]))
        adjusted[i] = running
    return adjusted


def ranks(values, lower_is_better=True):
    """Rank 1 is best; equal values share the mean of their ranks."""
    signed = values if lower_is_better else [-v for v in values]
    return [
        sum(other < own - 1e-12 for other in signed) + (sum(abs(other - own) <= 1e-12 for other in signed) + 1) / 2
        for own in signed
    ]


def rank_figures(key, names, scores, units=None, resamples=4000, seed=1, lower_is_better=True):
    """Ranks of models; scores[model][record] is (sum, n). Interval limits are tests of the reported limit."""
    size = len(scores[0])
    rng = random.Random(seed)
    groups = {}
    for r in range(size):
        groups.setdefault(r if units is None else units[r], []).append(r)
    groups = list(groups.values())
    drawn = []
    for _ in range(resamples):
        weights = [0] * size
        for _ in groups:
            for r in groups[rng.randrange(len(groups))]:
                weights[r] += 1
        rates = [
            sum(w * own[r][0] for r, w in enumerate(weights) if w) / sum(w * own[r][1] for r, w in enumerate(weights) if w)
            for own in scores
        ]
        drawn.append(ranks(rates, lower_is_better))
    whole = [sum(s for s, _ in own) / sum(n for _, n in own) for own in scores]
    found = {}
    # Both implementations draw: the error of a tail of 2.5 % in 2,000 draws, and in these.
    slack = 3 * math.sqrt(0.025 * 0.975 * (1 / 2000 + 1 / resamples))
    for m, name in enumerate(names):
        own = [each[m] for each in drawn]
        first = sum(
            1 / sum(r == min(each) for r in each) if each[m] == min(each) else 0 for each in drawn
        ) / resamples
        found[f"{key}/{name}/value"] = whole[m]
        found[f"{key}/{name}/rank"] = ranks(whole, lower_is_better)[m]
        found[f"{key}/{name}/rank/lower"] = limit(own, slack, -1)
        found[f"{key}/{name}/rank/upper"] = limit(own, slack, 1)
        found[f"{key}/{name}/first"] = close_share(first, resamples)
    return found


def limit(drawn, slack, side):
    """Whether a limit of 95 % fits: at most 2.5 % of the draws lie beyond it, and at least that many at it or beyond."""

    def fits(value):
        beyond = sum((d - value) * side > 1e-9 for d in drawn) / len(drawn)
        reached = sum((d - value) * side > -1e-9 for d in drawn) / len(drawn)
        return beyond <= 0.025 + slack and reached >= 0.025 - slack

    return fits


def close_share(own, resamples, theirs=2000):
    """Whether a share of draws agrees within three standard errors of the difference."""

    def fits(value):
        p = (own * resamples + value * theirs) / (resamples + theirs)
        return abs(own - value) <= 3 * math.sqrt(max(p * (1 - p), 1 / theirs**2) * (1 / resamples + 1 / theirs)) + 1 / theirs

    return fits


def rows_to_show(upper_limit, expected, power=0.8):
    """The least number of rows from which on Wilson's upper limit stays below, with this chance."""
    enough = None
    for n in range(10, 20000):
        chance, x, term = 0.0, 0, (1 - expected) ** n
        while x <= n and wilson(x, n)[1] <= upper_limit:
            chance += term
            term *= (n - x) / (x + 1) * expected / (1 - expected)
            x += 1
        if chance >= power:
            if enough is None:
                enough = n
        else:
            enough = None
        if enough is not None and n > enough + 400:
            return enough
    return None
