"""The hypertension rules, written out from docs/hypertension.md: what label, deferral label and findings to act upon
a record must have.

Reads nothing but the features of a record, and the guideline that its metadata name. Standard library only.
It shares no code with the library under test.
"""

import math
import re
from statistics import NormalDist

PHI = NormalDist().cdf

ORGAN_DAMAGE = {
    "sudden weakness of one side",
    "crushing chest pain with ECG changes",
    "short of breath, lung oedema on X-ray",
    "creatinine doubled in two days",
    "blurred vision, haemorrhages in the fundus",
}
ACUTE = {
    "in pain with an ankle sprained yesterday",
    "feverish cold for three days",
    "toothache, in pain since yesterday",
}
HIGH = {
    "acc_aha_2025": {"office": (130, 80), "at home": (130, 80), "awake": (130, 80), "24 hours": (125, 75)},
    "esc_2024": {"office": (140, 90), "at home": (135, 85), "awake": (135, 85), "24 hours": (130, 80)},
}
SCALE = {
    "acc_aha_2025": ("normal", "elevated", "stage_1", "stage_2"),
    "esc_2024": ("non_elevated", "elevated", "hypertension"),
}

# ------------------------------------------------------------------------------------------------
# Reading a record


def pressure(text):
    return None if text is None else tuple(int(part) for part in text.split("/"))


def visits_of(features):
    return [
        (visit["day"], [pressure(text) for text in visit["readings (mmHg)"]]) for visit in features["Office visits"]
    ]


def pregnant(features):
    return features["Clinical context"].startswith("pregnant")


def organ_damage(features):
    return features["Symptoms and signs now"] in ORGAN_DAMAGE


# ------------------------------------------------------------------------------------------------
# Rules


def category(mean, guideline):
    s, d = mean
    if s >= 140 or d >= 90:
        return SCALE[guideline][-1]
    if guideline == "esc_2024":
        return "elevated" if s >= 120 or d >= 70 else "non_elevated"
    if s >= 130 or d >= 80:
        return "stage_1"
    return "elevated" if s >= 120 else "normal"


def must_act(mean, features, guideline):
    if mean is None:
        return []
    s, d = mean
    if pregnant(features):
        return ["severe_hypertension_in_pregnancy"] if s >= 160 or d >= 110 else []
    severe = (s >= 180 or d >= 110) if guideline == "esc_2024" else (s > 180 or d > 120)
    if not severe:
        return []
    return ["hypertensive_emergency"] if organ_damage(features) else ["severe_hypertension"]


def mean_of_visit(readings, guideline):
    counted = readings[-2:] if guideline == "esc_2024" else readings
    return tuple(sum(reading[side] for reading in counted) / len(counted) for side in (0, 1))


def why_unusable(readings, fibrillation):
    if not readings:
        return "no_reading"
    if fibrillation and len(readings) < 3:
        return "atrial_fibrillation"
    if len(readings) == 1:
        return "single_reading"
    if len(readings) == 2 and abs(readings[0][0] - readings[1][0]) > 10:
        return "unstable_readings"
    return None


def average(visits, fibrillation, guideline):
    means = [mean_of_visit(r, guideline) for _, r in visits if why_unusable(r, fibrillation) is None]
    if not means:
        return None, 0
    return tuple(sum(mean[side] for mean in means) / len(means) for side in (0, 1)), len(means)


def latest(visits, guideline):
    measured = [visit for visit in visits if visit[1]]
    if not measured:
        return None
    return mean_of_visit(max(measured, key=lambda visit: visit[0])[1], guideline)


def flip(mean, errors, line):
    low = 1.0
    for value, error, limit in zip(mean, errors, line):
        low *= PHI((limit - value) / error)
    high = mean[0] >= line[0] or mean[1] >= line[1]
    return high, low if high else 1 - low


def office_errors(n, extra=0.0):
    return math.sqrt(64 / n + extra), math.sqrt(25 / n + extra)


def no_answer(*reasons):
    return {
        "label": None,
        "flip_probability": None,
        "should_abstain": True,
        "should_abstain_reasons": list(reasons),
    }


def answer(label, probability, near, act, unlabelled=False):
    if probability > 0.2:
        zone, reasons = (None, []) if act else (True, [near])
    else:
        zone, reasons = (False if probability < 0.05 and not unlabelled else None), []
    return {
        "label": label,
        "flip_probability": probability,
        "should_abstain": zone,
        "should_abstain_reasons": reasons,
    }


def faults(features):
    """Which faults read high, and which read low."""
    high, low = [], []
    cuff = features["Cuff"]
    if cuff != "not recorded":
        smallest, largest = map(float, re.search(r"\(([\d.]+) to ([\d.]+) cm\)", cuff).groups())
        arm = features["Arm circumference (cm)"]
        if arm is None:
            arm = smallest
        if arm > largest:
            high.append("cuff_too_small")
        if arm < smallest:
            low.append("cuff_too_large")
    if (features["Rest before measuring"] or "").startswith("none"):
        high.append("not_rested")
    compared = re.search(r"lower pressure, arms differ by (\d+) mmHg", features["Arm measured"])
    if compared and int(compared.group(1)) >= 10:
        low.append("lower_arm_measured")
    return high, low


def classification(_task, record, options):
    features = record["features"]
    guideline = record["metadata"]["guideline"]
    one_visit = record["metadata"]["origin"] == "nhanes"
    visits = visits_of(features)
    fibrillation = features["Pulse"].startswith("irregular")
    child = features["Age (years)"] < 18
    high, low = faults(features)
    act = [] if child else must_act(latest(visits, guideline), features, guideline)
    if act and not (act == ["severe_hypertension"] and high):
        return answer(SCALE[guideline][-1], 0, None, act)
    if child:
        return no_answer("child")
    if pregnant(features):
        return no_answer("pregnancy")
    if features["Clinical context"] in ACUTE:
        return no_answer("acute_illness_or_pain")
    mean, n = average(visits, fibrillation, guideline)
    if n < (1 if one_visit else 2):
        found = {why_unusable(r, fibrillation) for _, r in visits} - {None}
        order = ("atrial_fibrillation", "unstable_readings", "single_reading", "no_reading")
        return no_answer(*([why for why in order if why in found] or ["one_visit" if visits else "no_reading"]))
    label = category(mean, guideline)
    if (high and label != SCALE[guideline][0]) or (low and label != SCALE[guideline][-1]):
        return no_answer(*high, *low)
    values = [value for _, readings in visits for reading in readings for value in reading]
    rounded = not one_visit and len(values) >= 8 and all(value % 10 == 0 for value in values)
    _, probability = flip(mean, office_errors(n, 100 / 12 if rounded else 0), HIGH[guideline]["office"])
    shifted = {category((mean[0] + by, mean[1] + by), guideline) for by in (-2, 2)}
    return answer(label, probability, "near_hypertension_line", act, shifted != {label})


def phenotype(_task, record, options):
    features = record["features"]
    guideline = record["metadata"]["guideline"]
    if features["Age (years)"] < 18:
        return no_answer("child")
    if pregnant(features):
        return no_answer("pregnancy")
    office = pressure(features["Office blood pressure, mean of all visits (mmHg)"])
    n = features["Number of office visits"]
    where = features["Measured outside the office"].removeprefix("ambulatory, ")
    reasons = ["one_visit"] if n < 2 else []
    if where == "nothing":
        reasons.append("no_out_of_office")
    elif where == "at home":
        if features["Days of home readings"] < 3 or features["Number of home readings"] < 12:
            reasons.append("home_readings_insufficient")
    elif features["Valid ambulatory readings (%)"] < 70:
        reasons.append("ambulatory_readings_insufficient")
    if reasons:
        return no_answer(*reasons)
    outside = pressure(features["Out-of-office blood pressure, mean (mmHg)"])
    lines = HIGH[guideline]
    office_high, office_flip = flip(office, office_errors(n), lines["office"])
    out_high, out_flip = flip(outside, (5, 3.5) if where == "at home" else (6.3, 4.5), lines[where])
    label = {
        (False, False): "normotension",
        (True, False): "white_coat",
        (False, True): "masked",
        (True, True): "sustained",
    }[office_high, out_high]
    act = must_act(office, features, guideline)
    return answer(label, 1 - (1 - office_flip) * (1 - out_flip), "near_threshold", act)


def treatment(_task, record, options):
    features = record["features"]
    age = features["Age (years)"]
    if age < 18:
        return no_answer("child")
    mean = pressure(features["Office blood pressure, mean of all visits (mmHg)"])
    act = must_act(mean, features, "acc_aha_2025")
    if act:
        return answer("start", 0, None, act)
    if pregnant(features):
        return no_answer("pregnancy")
    n = features["Number of office visits"]
    if n < 2:
        return no_answer("one_visit")
    words = [
        features[name]
        for name in (
            "Cardiovascular disease (heart attack, stroke, heart failure)",
            "Diabetes",
            "Chronic kidney disease",
        )
    ]
    defined = 30 <= age <= 79
    risk = features["10-year risk of cardiovascular disease by PREVENT (%)"] if defined else None
    months = features["Lifestyle change tried so far (months)"]
    without_risk = "yes" in words or months >= 6
    if without_risk or (risk is not None and risk >= 7.5):
        status = "high"
    elif months >= 3:
        status = "trial"
    elif words == ["no"] * 3 and risk is not None:
        status = "low"
    else:
        status = "unknown"
    stage = category(mean, "acc_aha_2025")
    if stage == "stage_1" and status == "unknown":
        reasons = ["missing_condition"] if "not known" in words else []
        if risk is None:
            reasons.append("missing_risk" if defined else "risk_not_defined")
        return no_answer(*reasons)
    start = stage == "stage_2" or (stage == "stage_1" and status in ("high", "trial"))
    line = (140, 90) if status == "low" or (status == "unknown" and stage == "stage_2") else (130, 80)
    _, probability = flip(mean, office_errors(n), line)
    near_risk = not without_risk and risk is not None and abs(risk - 7.5) <= 0.5
    unlabelled = stage == "stage_1" and (status == "trial" or near_risk)
    return answer("start" if start else "no_drug", probability, "near_treatment_line", act, unlabelled)


def follow_up(_task, record, options):
    features = record["features"]
    guideline = record["metadata"]["guideline"]
    visits = visits_of(features)
    act = must_act(latest(visits, guideline), features, guideline)
    if act:
        return answer("uncontrolled", 0, None, act)
    changed = features["Day of the last change of drugs"]
    mean, n = average([visit for visit in visits if visit[0] >= changed + 28], False, guideline)
    if n < 2:
        in_all = average(visits, False, guideline)[1]
        return no_answer("too_soon_after_change" if in_all >= 2 else "too_few_visits")
    high, probability = flip(mean, office_errors(n), (130, 80))
    return answer("uncontrolled" if high else "controlled", probability, "near_goal", act)


def findings(_task, record, _options):
    """By the latest visit, or by the office mean where visits are not shown."""
    features, guideline = record["features"], record["metadata"]["guideline"]
    if "Office visits" in features:
        mean = latest(visits_of(features), guideline)
    else:
        mean = pressure(features["Office blood pressure, mean of all visits (mmHg)"])
    return must_act(mean, features, guideline)


TASKS = {
    "hypertension/classification": (classification, findings),
    "hypertension/phenotype": (phenotype, findings),
    "hypertension/treatment": (treatment, findings),
    "hypertension/follow_up": (follow_up, findings),
}
