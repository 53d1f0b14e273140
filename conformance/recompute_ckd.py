"""The CKD rules, written out from docs/ckd.md: what label, deferral label and findings to act upon a record must have.

Reads nothing but the features of a record, the noise-free course of progression and the class of the
UCI file. Standard library only. It shares no code with the library under test.
"""

import datetime
import math
from statistics import NormalDist

PHI = NormalDist().cdf

CREATININE_SD = math.sqrt(math.log(1 + 0.05**2 + 0.011**2))

CONTEXTS = {
    "pregnant": "pregnancy",
    "on maintenance haemodialysis": "dialysis",
    "acute illness, creatinine rising over the last days": "acute_kidney_injury",
    "muscle mass far from usual (body building or severe wasting)": "extreme_muscle_mass",
    "amputation of both legs above the knee": "amputation",
}

# ------------------------------------------------------------------------------------------------
# Equations


def knee(sex):
    return (0.7, 0.241) if sex == "female" else (0.9, 0.302)


def egfr_of(creatinine, age, sex):
    """CKD-EPI 2021, creatinine. None for children and where something is missing."""
    if creatinine is None or age is None or sex is None or age < 18:
        return None
    kappa, alpha = knee(sex)
    value = 142 * min(creatinine / kappa, 1) ** -alpha * max(creatinine / kappa, 1) ** -1.2 * 0.9938**age
    return value * 1.012 if sex == "female" else value


def creatinine_at(egfr, age, sex):
    """The creatinine at which the equation gives this eGFR, by bisection: it falls as creatinine rises."""
    low, high = 1e-6, 1e6
    for _ in range(200):
        middle = math.sqrt(low * high)
        if egfr_of(middle, age, sex) > egfr:
            low = middle
        else:
            high = middle
    return high


def chance_below(creatinine, age, sex, line):
    """P(true eGFR < line): true log creatinine is normal around the measured one."""
    return PHI(math.log(creatinine / creatinine_at(line, age, sex)) / CREATININE_SD)


def category(egfr):
    return sum(egfr < line for line in (90, 60, 45, 30, 15))


# ------------------------------------------------------------------------------------------------
# What a record shows


def number(value):
    """Imputed values are texts and count as not measured."""
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


class Case:
    def __init__(self, features):
        get = features.get
        self.age, self.sex = number(get("Age (years)")), get("Sex")
        self.context = CONTEXTS.get(get("Clinical context"))
        self.red_cells = get("Urine red blood cells") == "abnormal"
        self.strip = number(get("Urine albumin, dipstick 0 to 5"))
        self.potassium = number(get("Serum potassium (mEq/L)"))
        self.sodium = number(get("Serum sodium (mEq/L)"))
        self.haemoglobin = number(get("Haemoglobin (g/dL)"))
        self.visits = get("Visits") or []
        last = self.visits[-1] if self.visits else None
        self.creatinine = number(last["serum creatinine (mg/dL)"] if last else get("Serum creatinine (mg/dL)"))
        acr = "rine albumin-creatinine ratio (mg/g)"
        self.acr = number(last["u" + acr] if last else get("U" + acr))
        self.egfr = egfr_of(self.creatinine, self.age, self.sex)

    def obstacles(self, creatinine):
        reasons = [
            f"missing_{name}"
            for name, value in (("creatinine", creatinine), ("age", self.age), ("sex", self.sex))
            if value is None
        ]
        if self.age is not None and self.age < 18:
            reasons.append("child")
        if self.context is not None:
            reasons.append(self.context)
        return reasons

    def must_act(self):
        found = []
        if self.potassium is not None and self.potassium >= 6.5:
            found.append("potassium_6.5_or_more")
        if self.sodium is not None and self.sodium < 120:
            found.append("sodium_below_120")
        if self.sodium is not None and self.sodium > 160:
            found.append("sodium_above_160")
        if self.haemoglobin is not None and self.haemoglobin < 7:
            found.append("haemoglobin_below_7")
        if self.egfr is not None and self.egfr < 10 and self.context != "dialysis":
            found.append("egfr_below_10")
        return found


# ------------------------------------------------------------------------------------------------
# Tasks: (answer, doubt, reason of being too near a line or None, other reasons to defer)


def no_answer(reasons):
    return None, None, None, reasons


def certain(answer):
    """What is shown has been present for months, so one sample that varies is no doubt."""
    return answer, 0.0, None, []


def detection(case):
    if case.context == "dialysis":
        return certain("present")
    obstacles = case.obstacles(case.creatinine)
    if any(reason in ("pregnancy", "acute_kidney_injury") for reason in obstacles):
        return no_answer([reason for reason in obstacles if not reason.startswith("missing_")])
    if (not obstacles and case.egfr < 60) or (case.acr is not None and case.acr >= 30):
        return certain("present")
    missing = obstacles + (["missing_acr"] if case.acr is None else [])
    if missing:
        return no_answer(missing)
    if case.red_cells:
        return no_answer(["unexplained_urine_red_cells"])
    return certain("absent")


def uci_detection(case):
    obstacles = case.obstacles(case.creatinine)
    low_gfr = not obstacles and case.egfr < 60
    if case.acr is not None:
        albumin = case.acr >= 30
    else:
        albumin = None if case.strip is None else case.strip >= 1
    if low_gfr or albumin:
        # A strip of 1 is only about what an ACR of 30 would be.
        doubtful = case.acr is None and case.strip == 1 and not low_gfr
        return ("present", 0.1, None, []) if doubtful else certain("present")
    missing = obstacles + (["missing_albumin"] if albumin is None else [])
    return no_answer(missing) if missing else certain("absent")


def staging(case, six, limit):
    obstacles = case.obstacles(case.creatinine)
    if obstacles:
        return no_answer(obstacles)
    lines = (90, 60, 45, 30, 15) if six else (90, 60, 30, 15)

    def doubt(of):
        under = [line for line in of if case.egfr >= line]
        over = [line for line in of if case.egfr < line]
        total = chance_below(case.creatinine, case.age, case.sex, max(under)) if under else 0.0
        return total + (1 - chance_below(case.creatinine, case.age, case.sex, min(over)) if over else 0.0)

    names = (1, 2, "3a", "3b", 4, 5) if six else (1, 2, 3, 3, 4, 5)
    # The line of 90 changes neither diagnosis nor risk.
    decisive = doubt([line for line in lines if line != 90])
    near = "near_stage_threshold" if decisive > limit else None
    return names[category(case.egfr)], doubt(lines), near, []


def course(times, values):
    """The course of GFR values at times in years, oldest first; None in between the definitions."""
    years = times[-1] - times[0]
    mean = sum(times) / len(times)
    slope = sum((t - mean) * v for t, v in zip(times, values)) / sum((t - mean) ** 2 for t in times)
    first, last = values[0], values[-1]
    ends = (last - first) / years

    def falls(start, end, *per_year):
        share = (start - end) / start
        worse = category(end) > category(start)
        return share >= 0.3 - 1e-9 or all(p >= 5 - 1e-9 for p in per_year) or (share >= 0.25 - 1e-9 and worse)

    if falls(first, last, -ends, -slope):
        return "worsening"
    if falls(last, first, ends, slope):
        return "improving"
    small = abs(last / first - 1) < 0.2 - 1e-9
    return "stable" if small and max(abs(ends), abs(slope)) < 5 - 1e-9 else None


def progression(case):
    given = [visit for visit in case.visits if visit["serum creatinine (mg/dL)"] is not None]
    obstacles = case.obstacles(given[-1]["serum creatinine (mg/dL)"] if given else None)
    if obstacles:
        return no_answer(obstacles)
    last_day = datetime.date.fromisoformat(case.visits[-1]["date"])
    points = []
    for visit in given:
        creatinine, age = visit["serum creatinine (mg/dL)"], visit["age (years)"]
        egfr = egfr_of(creatinine, age, case.sex)
        if egfr is None:
            continue
        days = (last_day - datetime.date.fromisoformat(visit["date"])).days
        kappa, alpha = knee(case.sex)
        sd = CREATININE_SD * (1.2 if creatinine >= kappa else alpha)
        points.append((-days / 365.25, math.log(egfr), sd))
    if len(points) < 3:
        return no_answer(["too_few_visits"])
    if points[-1][0] - points[0][0] < 1:
        return no_answer(["follow_up_under_a_year"])
    times = [t for t, _, _ in points]
    mean = sum(times) / len(times)
    level = sum(y for _, y, _ in points) / len(points)
    spread = sum((t - mean) ** 2 for t in times)
    slope = sum((t - mean) * (y - level) for t, y, _ in points) / spread
    error = math.sqrt(sum(((t - mean) * sd) ** 2 for t, _, sd in points)) / spread

    def course_at(rate):
        return course(times, [math.exp(level + rate * (t - mean)) for t in times])

    def edge(sign, holds):
        """The smallest change per year in one direction, in logs, at which the course fits."""
        low, high = 0.0, 1.0
        while high - low > 1e-12:
            middle = (low + high) / 2
            low, high = (low, middle) if holds(course_at(sign * middle)) else (middle, high)
        return sign * high

    def below(rate):
        return PHI((rate - slope) / error)

    def above(rate):
        return PHI((slope - rate) / error)

    chances = {
        "worsening": below(edge(-1, lambda c: c == "worsening")),
        "improving": above(edge(1, lambda c: c == "improving")),
        "stable": below(edge(1, lambda c: c != "stable")) - below(edge(-1, lambda c: c != "stable")),
    }
    # Nobody in the suite has a true course between the definitions.
    total = sum(chances.values())
    answer = max(("stable", "worsening", "improving"), key=lambda name: chances[name])
    doubt = 1 - chances[answer] / total
    values = [math.exp(y) for _, y, _ in points]
    middle = sum(values) / len(values)
    per_year = sum((t - mean) * (v - middle) for t, v in zip(times, values)) / spread
    near = "near_progression_line" if near_line(values[-1] / values[0] - 1, per_year) else None
    return answer, doubt, near, []


def near_line(change, per_year):
    """A change of 17 to 33 %, or 4.5 to 5.5 a year, that the other of the two has not settled in its direction."""
    same = (change > 0) == (per_year > 0)
    near_change = 0.17 - 1e-9 <= abs(change) <= 0.33 + 1e-9 and not (same and abs(per_year) > 5.5 + 1e-9)
    near_slope = 4.5 - 1e-9 <= abs(per_year) <= 5.5 + 1e-9 and not (same and abs(change) > 0.33 + 1e-9)
    return near_change or near_slope


# ------------------------------------------------------------------------------------------------
# A record


def expected(task, record, options):
    """What label and metadata of a record must be, by field."""
    case, metadata = Case(record["features"]), record["metadata"]
    uci = metadata.get("uci_class")
    if task == "ckd/detection":
        found = uci_detection(case) if uci else detection(case)
    elif task == "ckd/staging":
        found = staging(case, options["split_stage_3"], options["defer_above"])
    else:
        found = progression(case)
    answer, doubt, near, reasons = found
    if near is not None:
        reasons = [*reasons, near]
    abstain = True if reasons else False if doubt < 0.05 else None
    label = answer
    if task == "ckd/detection" and uci:
        label = "present" if uci == "ckd" else "absent"
    if task == "ckd/progression" and answer is not None:
        truth = metadata["true_trajectory"]
        label = course([-point["yearsBeforeIndex"] for point in truth], [point["gfr"] for point in truth])
    fields = {
        "label": label,
        "should_abstain_reasons": reasons,
        "egfr": None if case.egfr is None else round(case.egfr, 2),
        "flip_probability": None if doubt is None else round(doubt, 4),
    }
    if task == "ckd/detection" and uci:
        contradicts = abstain is False and answer != label
        fields["class_contradicts_values"] = contradicts
        abstain = None if contradicts else abstain
    fields["should_abstain"] = abstain
    return fields


def findings(_task, record, _options):
    return Case(record["features"]).must_act()


TASKS = {name: (expected, findings) for name in ("ckd/detection", "ckd/staging", "ckd/progression")}
