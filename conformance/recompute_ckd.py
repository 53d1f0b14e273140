"""The CKD rules, written out from docs/ckd.md: what a record's label and deferral label must be.

Reads nothing but the features of a record, the noise-free course of progression and the class of the
UCI file. Standard library only. It shares no code with the library under test.
"""

import datetime
import math
from statistics import NormalDist

PHI = NormalDist().cdf

CREATININE_SD = math.sqrt(math.log(1 + 0.05**2 + 0.011**2))
ACR_SD = math.sqrt(math.log(1 + 0.488**2))

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
# Tasks: (answer, doubt, doubt that decides, reason of the doubt, other reasons to defer)


def no_answer(reasons):
    return None, None, None, None, reasons


def detection(case):
    if case.context == "dialysis":
        return "present", 0.0, 0.0, None, []
    obstacles = case.obstacles(case.creatinine)
    if any(reason in ("pregnancy", "acute_kidney_injury") for reason in obstacles):
        return no_answer([reason for reason in obstacles if not reason.startswith("missing_")])
    gfr_fine = 1.0 if obstacles else 1 - chance_below(case.creatinine, case.age, case.sex, 60)
    acr_fine = 1.0 if case.acr is None else PHI(math.log(30 / max(case.acr, 0.1)) / ACR_SD)
    absent = gfr_fine * acr_fine
    near = "near_definition_line"
    if (not obstacles and case.egfr < 60) or (case.acr is not None and case.acr >= 30):
        return "present", absent, absent, near, []
    missing = obstacles + (["missing_acr"] if case.acr is None else [])
    if missing:
        return no_answer(missing)
    if case.red_cells:
        return no_answer(["unexplained_urine_red_cells"])
    return "absent", 1 - absent, 1 - absent, near, []


def uci_detection(case):
    obstacles = case.obstacles(case.creatinine)
    near = "near_definition_line"
    low_gfr = not obstacles and case.egfr < 60
    below = None if obstacles else chance_below(case.creatinine, case.age, case.sex, 60)
    if case.acr is not None:
        acr_fine = PHI(math.log(30 / max(case.acr, 0.1)) / ACR_SD)
        absent = acr_fine if obstacles else (1 - below) * acr_fine
        if low_gfr or case.acr >= 30:
            return "present", absent, absent, near, []
        return no_answer(obstacles) if obstacles else ("absent", 1 - absent, 1 - absent, near, [])
    if case.strip is not None and case.strip >= 1:
        doubt = 0.1 if case.strip == 1 and not low_gfr else 0.0
        return "present", doubt, doubt, near, []
    if low_gfr:
        return "present", 1 - below, 1 - below, near, []
    missing = obstacles + (["missing_albumin"] if case.strip is None else [])
    return no_answer(missing) if missing else ("absent", below, below, near, [])


def staging(case, six):
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
    return names[category(case.egfr)], doubt(lines), decisive, "near_stage_threshold", []


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
    inside = abs(math.exp(points[-1][1] - points[0][1]) - 1) <= 0.165
    reason = "change_inside_reference_change_value" if inside else "course_uncertain"
    return answer, doubt, doubt, reason, []


# ------------------------------------------------------------------------------------------------
# A record


def expected(task, record, options):
    """What label and metadata of a record must be, by field."""
    case, metadata = Case(record["features"]), record["metadata"]
    uci = metadata.get("uci_class")
    if task == "ckd/detection":
        found = uci_detection(case) if uci else detection(case)
    elif task == "ckd/staging":
        found = staging(case, options["split_stage_3"])
    else:
        found = progression(case)
    answer, doubt, decisive, near, reasons = found
    must_act = [] if answer is None else case.must_act()
    if decisive is not None and decisive > options["defer_above"]:
        reasons = [*reasons, near]
    if reasons:
        abstain = None if must_act else True
    else:
        abstain = False if doubt < 0.05 else None
    label = answer
    if task == "ckd/detection" and uci:
        label = "present" if uci == "ckd" else "absent"
    if task == "ckd/progression" and answer is not None:
        truth = metadata["true_trajectory"]
        label = course([-point["yearsBeforeIndex"] for point in truth], [point["gfr"] for point in truth])
    fields = {
        "label": label,
        "should_abstain_reasons": reasons,
        "must_act": bool(must_act),
        "must_act_reasons": must_act,
        "egfr": None if case.egfr is None else round(case.egfr, 2),
        "flip_probability": None if doubt is None else round(doubt, 4),
    }
    if task == "ckd/detection" and uci:
        contradicts = abstain is False and answer != label
        fields["class_contradicts_values"] = contradicts
        abstain = None if contradicts else abstain
    fields["should_abstain"] = True if label is None else abstain
    return fields


TASKS = {
    "ckd/detection": expected,
    "ckd/staging": expected,
    "ckd/progression": expected,
}
