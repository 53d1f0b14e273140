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


# Clusters: the rows of a record, with repeats.


def gamma_p_quantile(p, low, high, distribution):
    for _ in range(200):
        middle = (low + high) / 2
        if distribution(middle) < p:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def student(degrees, p=0.975):
    """Quantile of Student's t, by Simpson's rule on its density."""
    constant = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(degrees * math.pi)
    density = lambda x: constant * (1 + x * x / degrees) ** (-(degrees + 1) / 2)

    def distribution(x, steps=4000):
        h = x / steps
        inner = sum((4 if i % 2 else 2) * density(i * h) for i in range(1, steps))
        return 0.5 + h / 3 * (density(0) + inner + density(x))

    return gamma_p_quantile(p, 0.0, 50.0, distribution)


_STUDENT = {}


def student_cached(degrees):
    if degrees not in _STUDENT:
        _STUDENT[degrees] = student(degrees)
    return _STUDENT[degrees]


def clustered_share(key, clusters):
    """Wilson's interval on the effective number of rows; clusters is a list of (successes, rows)."""
    x, n, g = sum(s for s, _ in clusters), sum(m for _, m in clusters), len(clusters)
    p = x / n
    varying = min(sum(s > 0 for s, _ in clusters), sum(s < m for s, m in clusters))
    spread = n * p * (1 - p)
    first = 0 if spread == 0 else g / (g - 1) * sum((s - m * p) ** 2 for s, m in clusters) / spread
    effect = max(1, first, 1 + (n / g - 1) * max(0, 1 - varying / 5))
    lower, upper = wilson(p * n / effect, n / effect, student_cached(g - 1))
    return {f"{key}/x": x, f"{key}/n": n, f"{key}/value": p, f"{key}/lower": lower, f"{key}/upper": upper}


def paired_means(differences):
    """The interval of a mean of differences of records: the outer limits of a score interval and of Tango's."""
    g, total = len(differences), sum(differences)
    squares = sum(d * d for d in differences)
    t = student_cached(g - 1)
    mean = total / g
    a, b, c = g * g - t * t * g, total * (g - t * t), total * total - t * t * squares
    root = math.sqrt(max(0.0, b * b - a * c))
    spread = squares - g * mean * mean
    effect = 1.0 if spread <= 1e-12 else max(1.0, g / (g - 1) * sum((d - mean) ** 2 for d in differences) / spread)
    more = sum(d for d in differences if d > 0)
    less = -sum(d for d in differences if d < 0)
    low, high = tango(more / effect, less / effect, g / effect, t)
    return max(-1.0, min((b - root) / a, low)), min(1.0, max((b + root) / a, high))


def sign_flip(differences):
    """Exact two-sided p of the sum under random signs; the differences are multiples of 1/unit."""
    unit = 1
    while any(abs(d * unit - round(d * unit)) > 1e-9 for d in differences):
        unit += 1
    steps = [abs(round(d * unit)) for d in differences if abs(d) > 1e-12]
    observed = abs(round(sum(differences) * unit))
    chances = {0: 1.0}
    for step in steps:
        after = {}
        for value, chance in chances.items():
            for sign in (-step, step):
                after[value + sign] = after.get(value + sign, 0.0) + chance / 2
        chances = after
    return sum(chance for value, chance in chances.items() if abs(value) >= observed)


def close_p(own, tests=1, draws=10000):
    """A p-value of at most `draws` random sign flips, perhaps adjusted for `tests` tests."""

    def fits(value):
        p = own / tests if own < 1 else own
        allowed = max(1e-6, 3 * math.sqrt(max(p * (1 - p), 1 / draws) / draws)) * tests
        return abs(value - own) <= allowed

    return fits


def variance_components(cells, weights):
    """Cases, models, cases by models and repeats; cells[model][record] is a list of scores."""
    total = sum(weights)
    models = len(cells)
    means = [[sum(own) / len(own) for own in row] for row in cells]
    squares = freedom = inverse = 0.0
    for row in cells:
        for w, own in zip(weights, row):
            mean = sum(own) / len(own)
            squares += w * sum((score - mean) ** 2 for score in own)
            freedom += w * (len(own) - 1)
            inverse += w / len(own)
    within = squares / freedom if freedom else 0.0
    noise = within * inverse / (total * models)
    by_model = [sum(w * m for w, m in zip(weights, row)) / total for row in means]
    grand = sum(by_model) / models
    by_case = [sum(row[r] for row in means) / models for r in range(len(weights))]
    cases = models * sum(w * (m - grand) ** 2 for w, m in zip(weights, by_case)) / (total - 1)
    by_models = total * sum((m - grand) ** 2 for m in by_model) / (models - 1)
    both = sum(
        w * (means[k][r] - by_model[k] - by_case[r] + grand) ** 2
        for k in range(models)
        for r, w in enumerate(weights)
    ) / ((total - 1) * (models - 1))
    parts = {
        "cases": (cases - both) / models,
        "models": (by_models - both) / total,
        "cases_by_models": both - noise,
        "repeats": within,
    }
    parts = {name: max(0.0, value) for name, value in parts.items()}
    whole = sum(parts.values())
    return {name: value / whole for name, value in parts.items()} if whole else None


def variance_figures(key, cells, resamples=1500, seed=2):
    size = len(cells[0])
    rng = random.Random(seed)
    own = variance_components(cells, [1] * size)
    drawn = []
    for _ in range(resamples):
        weights = [0] * size
        for _ in range(size):
            weights[rng.randrange(size)] += 1
        again = variance_components(cells, weights)
        if again is not None:
            drawn.append(again)
    out = {}
    for name, value in own.items():
        shares = sorted(each[name] for each in drawn)
        out[f"{key}/{name}/share"] = value
        out[f"{key}/{name}/lower"] = quantile_fits(shares, 0.025)
        out[f"{key}/{name}/upper"] = quantile_fits(shares, 0.975)
    return out


def quantile_fits(drawn, p, theirs=2000):
    """Whether a quantile of other draws fits these: the share of these below it."""
    slack = 3 * math.sqrt(p * (1 - p) * (1 / theirs + 1 / len(drawn))) + 1 / len(drawn)

    def fits(value):
        below = sum(each < value - 1e-9 for each in drawn) / len(drawn)
        up_to = sum(each <= value + 1e-9 for each in drawn) / len(drawn)
        return below <= p + slack and up_to >= p - slack

    return fits


def pairs_needed(difference, discordant, power=0.8):
    z, y = NormalDist().inv_cdf(0.975), NormalDist().inv_cdf(power)
    top = z * math.sqrt(discordant) + y * math.sqrt(discordant - difference**2)
    return math.ceil((top / difference) ** 2)


def correlation(a, b):
    ma, mb = sum(a) / len(a), sum(b) / len(b)
    top = sum((x - ma) * (y - mb) for x, y in zip(a, b))
    bottom = math.sqrt(sum((x - ma) ** 2 for x in a) * sum((y - mb) ** 2 for y in b))
    return None if bottom < 1e-12 else top / bottom


def clustered_figures(key, clusters, draws=1000, seed=3):
    """A share over clusters: by the formula with few of them, else by a bootstrap (BCa)."""
    varying = min(sum(s > 0 for s, _ in clusters), sum(s < m for s, m in clusters))
    found = clustered_share(key, clusters)
    if all(m == 1 for _, m in clusters):
        lower, upper = wilson(found[f"{key}/x"], found[f"{key}/n"])
        return found | {f"{key}/lower": lower, f"{key}/upper": upper}
    if len(clusters) >= 50 and varying >= 10:
        lower, upper, sd = bca(clusters, draws, seed)
        # The error of a limit, and of the bias that moves it, in both implementations.
        slack = 3 * 3.66 * sd * math.sqrt(1 / 2000 + 1 / draws)
        found |= {f"{key}/lower": near(lower, slack), f"{key}/upper": near(upper, slack)}
    return found


def near(own, slack):
    return lambda value: abs(value - own) <= slack


def bca(clusters, draws, seed):
    rng = random.Random(seed)
    kinds = {}
    for own in clusters:
        kinds[own] = kinds.get(own, 0) + 1
    names, weights = list(kinds), list(kinds.values())
    x, n, size = sum(s for s, _ in clusters), sum(m for _, m in clusters), len(clusters)
    estimate = x / n
    drawn = []
    for _ in range(draws):
        s = m = 0
        for a, b in rng.choices(names, weights, k=size):
            s += a
            m += b
        drawn.append(s / m)
    left = [((x - s) / (n - m), count) for (s, m), count in kinds.items()]
    return bca_limits(estimate, drawn, left, size)


def large_sign_flip(differences):
    """Two-sided p of the sum under random signs; by the normal approximation where there are many."""
    if len(differences) <= 100:
        return sign_flip(differences)
    spread = math.sqrt(sum(d * d for d in differences))
    return math.erfc(abs(sum(differences)) / spread / math.sqrt(2))


def cohen_kappa(pairs):
    """pairs: (grader, people) as 0 or 1."""
    n = len(pairs)
    agree = sum(a == b for a, b in pairs) / n
    a, b = sum(x for x, _ in pairs) / n, sum(y for _, y in pairs) / n
    chance = a * b + (1 - a) * (1 - b)
    return (agree - chance) / (1 - chance)


def auroc_figures(key, rows, draws=4000, seed=4):
    """The chance that a right row has more votes than a wrong one; its interval by a bootstrap over rows (BCa)."""
    kinds = {}
    for row in rows:
        kinds[row] = kinds.get(row, 0) + 1
    names, weights = list(kinds), list(kinds.values())

    def auroc(counts):
        right = {v: c for (v, is_right), c in counts.items() if is_right and c}
        wrong = {v: c for (v, is_right), c in counts.items() if not is_right and c}
        pairs = sum(right.values()) * sum(wrong.values())
        if pairs == 0:
            return None
        wins = sum(a * b * (1 if v > w else 0.5 if v == w else 0) for v, a in right.items() for w, b in wrong.items())
        return wins / pairs

    value = auroc(kinds)
    out = {f"{key}/value": value}
    if len({v for v, _ in rows}) == 1:
        return out
    rng, drawn = random.Random(seed), []
    for _ in range(draws):
        counts = dict.fromkeys(names, 0)
        for name in rng.choices(names, weights, k=len(rows)):
            counts[name] += 1
        again = auroc(counts)
        if again is not None:
            drawn.append(again)
    left = [(auroc(kinds | {name: n - 1}), n) for name, n in kinds.items()]
    lower, upper = (bca_fits(p, drawn) for p in bca_shares(value, drawn, left, len(rows)))
    return out | {f"{key}/lower": lower, f"{key}/upper": upper, f"_{key}/lower": bca_limits(value, drawn, left, len(rows))[0]}


def bca_fits(p, drawn, theirs=2000):
    """Whether a limit of other draws fits these. Few values are possible, so the shares of draws are compared: their error, and that of the bias which moves them."""
    both = 1 / theirs + 1 / len(drawn)
    density = NormalDist().pdf(NormalDist().inv_cdf(p))
    slack = 3 * math.sqrt(p * (1 - p) * both + (2 * density) ** 2 * math.pi / 2 * both) + 1 / len(drawn)

    def fits(value):
        below = sum(each < value - 1e-9 for each in drawn) / len(drawn)
        up_to = sum(each <= value + 1e-9 for each in drawn) / len(drawn)
        return below <= p + slack and up_to >= p - slack

    return fits


def bca_limits(estimate, drawn, left, size):
    """Limits of replicates; `left` has the values without one row, and how often each comes."""
    drawn, draws = sorted(drawn), len(drawn)
    limits = [drawn[min(draws - 1, max(0, round(p * (draws - 1))))] for p in bca_shares(estimate, drawn, left, size)]
    centre = sum(drawn) / draws
    return *limits, math.sqrt(sum((d - centre) ** 2 for d in drawn) / (draws - 1))


def bca_shares(estimate, drawn, left, size):
    """Which quantiles of the replicates are the limits."""
    normal, draws = NormalDist(), len(drawn)
    below = (sum(d < estimate - 1e-12 for d in drawn) + sum(abs(d - estimate) <= 1e-12 for d in drawn) / 2) / draws
    z0 = normal.inv_cdf(min(1 - 1e-9, max(1e-9, below)))
    mean = sum(v * c for v, c in left) / size
    cubes = sum(c * (mean - v) ** 3 for v, c in left)
    squares = sum(c * (mean - v) ** 2 for v, c in left)
    a = cubes / (6 * squares**1.5) if squares else 0.0
    return [normal.cdf(z0 + (z0 + z) / (1 - a * (z0 + z))) for z in (-Z, Z)]


def corrected_figures(key, rows, draws=1000, seed=5):
    """rows: (grader, people or None), one for each case. The mean of people by prediction-powered inference, tuned."""
    own = [(f, y) for f, y in rows if y is not None]
    rest = [f for f, y in rows if y is None]
    mean = lambda values: sum(values) / len(values)
    on_checked, on_others, everywhere = mean([f for f, _ in own]), mean(rest), mean([f for f, _ in rows])
    out = {
        f"{key}/n": len(rows),
        f"{key}/checked": len(own),
        f"{key}/raw": everywhere,
        f"{key}/grader_on_checked": on_checked,
        f"{key}/grader_on_others": on_others,
    }
    rng, scores = random.Random(seed), [f for f, _ in rows]
    drawn = [mean(rng.choices(scores, k=len(scores))) for _ in range(draws)]
    total = sum(scores)
    left = [((total - f) / (len(scores) - 1), 1) for f in scores]
    lower, upper, sd = bca_limits(everywhere, drawn, left, len(scores))
    slack = 3 * 3.66 * sd * math.sqrt(1 / 2000 + 1 / draws)
    out |= {f"{key}/raw/lower": near(lower, slack), f"{key}/raw/upper": near(upper, slack)}
    variance = sum((f - everywhere) ** 2 for f in scores) * len(scores) / (len(scores) - 1)
    error = math.sqrt(variance * (len(own) / len(own) ** 2 + len(rest) / len(rest) ** 2) / len(scores))
    if math.erfc(abs(on_checked - on_others) / error / math.sqrt(2)) < 0.001:
        return out | {f"{key}/value": None}
    sums = [len(rows), total, len(own), *(sum(v) for v in zip(*((y, f, f * f, f * y) for f, y in own)))]
    squares = sum(f * f for f in scores)

    def theta(without=None):
        n, s_f, m, s_y, s_of, s_ff, s_fy = sums
        s_all = squares
        if without is not None:
            f, y = without
            n, s_f, s_all = n - 1, s_f - f, s_all - f * f
            if y is not None:
                m, s_y, s_of, s_ff, s_fy = m - 1, s_y - y, s_of - f, s_ff - f * f, s_fy - f * y
        w = n / m
        fbar, ybar, flab = s_f / n, s_y / m, s_of / m
        # A = w (y - ybar) on checked rows; B = f - fbar, and on checked rows less w (f - flab).
        cross = w * (s_fy - ybar * s_of - fbar * (s_y - m * ybar)) - w * w * (s_fy - flab * s_y - ybar * s_of + m * ybar * flab)
        both = s_ff - flab * s_of - fbar * s_of + m * fbar * flab
        power = (s_all - n * fbar**2) - 2 * w * both + w * w * (s_ff - 2 * flab * s_of + m * flab**2)
        lam = min(1.0, max(0.0, -cross / power))
        return lam * fbar + ybar - lam * flab

    value = theta()
    again = [theta(row) for row in rows]
    centre = mean(again)
    error = math.sqrt((len(again) - 1) / len(again) * sum((v - centre) ** 2 for v in again))
    half = student(len(own) - 1) * error / (value * (1 - value))
    logit = math.log(value / (1 - value))
    expit = lambda v: 1 / (1 + math.exp(-v))
    return out | {f"{key}/value": value, f"{key}/lower": expit(logit - half), f"{key}/upper": expit(logit + half)}
