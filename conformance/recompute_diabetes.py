"""The rules of the diabetes suites, written from their description: what label, deferral label and findings to act upon
a record must have.

Each rule takes the features as exported and gives the fields of the record. Standard library only.
"""

import datetime
import math
import statistics

NORMAL = statistics.NormalDist()

# CV within a person and of the laboratory.
CV = {"hba1c": (0.017, 0.020), "fpg": (0.050, 0.020), "ogtt": (0.138, 0.0)}
# Prediabetes and diabetes begin here, by test and unit.
LINES = {
    ("hba1c", "%"): (5.7, 6.5),
    ("hba1c", "mmol/mol"): (39, 48),
    ("fpg", "mg/dL"): (100, 126),
    ("fpg", "mmol/L"): (5.6, 7.0),
    ("ogtt", "mg/dL"): (140, 200),
    ("ogtt", "mmol/L"): (7.8, 11.1),
}
VERY_HIGH = {
    ("hba1c", "%"): 9.0,
    ("hba1c", "mmol/mol"): 75,
    ("fpg", "mg/dL"): 200,
    ("fpg", "mmol/L"): 11.1,
    ("ogtt", "mg/dL"): 300,
    ("ogtt", "mmol/L"): 16.7,
}
US_LINES = {"hba1c": (5.7, 6.5), "fpg": (100, 126), "ogtt": (140, 200)}
TESTS = {
    "HbA1c": "hba1c",
    "fasting glucose": "fpg",
    "glucose 2 h after 75 g (OGTT)": "ogtt",
    "random glucose": "random",
}

RED_CELLS = {
    "sickle cell disease (HbSS)",
    "red cells transfused three weeks ago",
    "major bleeding a month ago",
    "chronic haemolytic anaemia",
    "G6PD deficiency",
    "treated with erythropoietin",
    "on maintenance haemodialysis",
    "untreated iron-deficiency anaemia",
    "HIV, on antiretroviral treatment",
    "gave birth four weeks ago",
    "pregnant, 27 weeks",
    "pregnant",
}
STEROIDS = "high-dose prednisolone for three weeks"
ACUTE_OR_STEROIDS = {"in hospital with pneumonia", STEROIDS}


def to_percent(mmol_mol):
    return 0.09148 * mmol_mol + 2.152


def us_value(value, unit):
    if unit == "mmol/mol":
        return to_percent(value)
    return value * 18.016 if unit == "mmol/L" else value


def below(test, values, line):
    """P(true value below the line), given the values of one test."""
    cvi, cva = CV[test]
    s = math.sqrt(math.log(1 + cvi**2 + cva**2)) / math.sqrt(len(values))
    mean = sum(math.log(v) for v in values) / len(values)
    return NORMAL.cdf((math.log(line) - mean) / s)


def verdict(answer, flip, near, must_act, options):
    defer = near is not None and flip > options["defer_above"] and not must_act
    return {
        "label": answer,
        "flip_probability": flip,
        "should_abstain": True if defer else (False if flip < 0.05 else None),
        "should_abstain_reasons": [near] if defer else [],
    }


def deferred(*reasons):
    return {
        "label": None,
        "flip_probability": None,
        "should_abstain": True,
        "should_abstain_reasons": list(reasons),
    }


def acute_of(features):
    shown = features["Acute measurements"]
    return shown if isinstance(shown, dict) else None


def glucose(lines, name):
    """(mg/dL reached?) is asked in the unit shown, so both are given."""
    for unit in ("mg/dL", "mmol/L"):
        value = lines.get(f"{name} ({unit})")
        if value is not None:
            return value, unit
    return None, None


def reaches(value, unit, mg_dl, mmol_l):
    return value is not None and value >= (mg_dl if unit == "mg/dL" else mmol_l)


def crisis(acute, known_diabetes):
    if acute is None:
        return []
    value, unit = glucose(acute, "glucose")
    bohb, ph = acute["beta-hydroxybutyrate (mmol/L)"], acute["pH"]
    bicarbonate, sodium = acute["bicarbonate (mmol/L)"], acute["sodium (mmol/L)"]
    high = known_diabetes or reaches(value, unit, 200, 11.1)
    ketones = None if bohb is None else bohb >= 3.0
    acid = (ph is not None and ph < 7.30) or (bicarbonate is not None and bicarbonate < 18)
    not_acid = ph is not None and ph >= 7.30 and bicarbonate is not None and bicarbonate >= 18
    found = []
    if high and ketones and acid:
        found.append("diabetic_ketoacidosis")
    if reaches(value, unit, 600, 33.3) and sodium is not None and ketones is False:
        osmolality = 2 * sodium + (value / 18.016 if unit == "mg/dL" else value)
        if osmolality > 300 and ph is not None and ph >= 7.30 and bicarbonate is not None and bicarbonate >= 15:
            found.append("hyperosmolar_state")
    if high and ketones and not acid and not not_acid:
        found.append("suspected_ketoacidosis")
    return found


def low_now(acute):
    if acute is None:
        return []
    if acute["state"] == "needs another person's help because of low glucose":
        return ["level_3_hypoglycaemia"]
    value, unit = glucose(acute, "glucose")
    return ["level_2_hypoglycaemia"] if value is not None and not reaches(value, unit, 54, 3.0) else []


def diagnosis(task, record, options):
    features = record["features"]
    context = features["Clinical context"]
    symptoms = features["Symptoms"].startswith("thirst")
    results = [
        {
            "test": TESTS[line["test"]],
            "value": line["value"],
            "unit": line["unit"],
            "hours": line.get("hours since last meal"),
            "meter": line["measured"] == "finger-stick meter",
        }
        for line in features["Results"]
    ]
    found = crisis(acute_of(features), False)
    if found:
        return verdict("diabetes", 0.0, None, found, options)
    if context in ("pregnant, 27 weeks", "pregnant"):
        return deferred("pregnancy")
    if symptoms and any(
        r["test"] in ("random", "fpg") and not r["meter"] and reaches(r["value"], r["unit"], 200, 11.1) for r in results
    ):
        return verdict("diabetes", 0.0, None, [], options)

    def counts(r):
        if r["meter"] or r["test"] == "random":
            return False
        if r["test"] == "hba1c":
            return context not in RED_CELLS
        if context in ACUTE_OR_STEROIDS:
            return False
        return r["test"] == "ogtt" or r["hours"] is None or r["hours"] >= 8

    counted = [r for r in results if counts(r)]
    grade = lambda r: sum(r["value"] >= line for line in LINES[r["test"], r["unit"]])
    high = [r for r in counted if grade(r) == 2]
    us = {}
    for r in counted:
        us.setdefault(r["test"], []).append(us_value(r["value"], r["unit"]))
    if len(high) >= 2:
        flip = math.prod(below(test, us[test], US_LINES[test][1]) for test in {r["test"] for r in high})
        return verdict("diabetes", flip, None, [], options)
    if len(high) == 1:
        only = high[0]
        if symptoms or only["value"] >= VERY_HIGH[only["test"], only["unit"]]:
            return {**verdict("diabetes", 0.1, None, [], options), "flip_probability": None, "should_abstain": None}
        return deferred("discordant_results" if len(counted) > 1 else "unconfirmed_single_result")
    if not counted:
        tests = {r["test"] for r in results}
        why = []
        if "hba1c" in tests and context in RED_CELLS:
            why.append("hba1c_not_valid")
        if context in ACUTE_OR_STEROIDS and tests & {"fpg", "ogtt"}:
            why.append("acute_illness_or_steroids")
        if any(r["test"] == "fpg" and r["hours"] is not None and r["hours"] < 8 for r in results):
            why.append("not_fasting")
        if any(r["meter"] for r in results):
            why.append("not_laboratory")
        if "random" in tests:
            why.append("random_glucose_only")
        return deferred(*(why or ["no_test"]))
    if "metformin" in context or context.startswith("takes tablets or insulin"):
        return deferred("glucose_lowering_drug")
    # Days of illness leave HbA1c as it was; weeks of steroids raise glucose before it follows.
    if context == STEROIDS:
        return deferred("acute_illness_or_steroids")
    b1 = math.prod(below(test, values, US_LINES[test][0]) for test, values in us.items())
    b2 = math.prod(below(test, values, US_LINES[test][1]) for test, values in us.items())
    if any(grade(r) == 1 for r in counted):
        return verdict("prediabetes", 1 - (b2 - b1), "near_diagnostic_line", [], options)
    return verdict("normal", 1 - b1, "near_diagnostic_line", [], options)


def hba1c_of(lines):
    """In %, whichever unit is shown."""
    if lines.get("HbA1c (%)") is not None:
        return lines["HbA1c (%)"]
    value = lines.get("HbA1c (mmol/mol)")
    return None if value is None else to_percent(value)


def control(task, record, options):
    features = record["features"]
    context = features["Clinical context"]
    goal = 8.0 if "8.0" in features["Agreed goal"] or "64" in features["Agreed goal"] else 7.0
    acute = acute_of(features)
    now = low_now(acute) + crisis(acute, True)
    sensor = features["Glucose sensor"]
    sensor = sensor if isinstance(sensor, dict) else None
    share = lambda *names: next((sensor[name] for name in names if name in sensor), None)
    covered = sensor is not None and sensor["days"] >= 14 and sensor["time active (%)"] >= 70
    lowest, unit = glucose(features, "Lowest meter glucose of the last three months")
    hypo = bool(low_now(acute))
    hypo |= features["Low glucose that needed another person's help, last three months"] == "yes"
    hypo |= lowest is not None and not reaches(lowest, unit, 54, 3.0)
    if covered:
        limit = 1 if features["Older or at high risk of low glucose"] == "yes" else 4
        hypo |= share("time below 54 mg/dL (%)", "time below 3.0 mmol/L (%)") >= 1
        hypo |= share("time below 70 mg/dL (%)", "time below 3.9 mmol/L (%)") >= limit
    if hypo:
        return verdict("hypoglycaemia", 0.0, None, now, options)
    if now:
        return verdict("above_goal", 0.0, None, now, options)
    if context in ("pregnant, 27 weeks", "pregnant"):
        return deferred("pregnancy")
    hba1c, why = hba1c_of(features), []
    if hba1c is None:
        why.append("missing_hba1c")
    else:
        age, change = features["HbA1c taken (days ago)"], features["Last change of treatment (days ago)"]
        if context in RED_CELLS:
            why.append("hba1c_not_valid")
        if age > 180:
            why.append("hba1c_too_old")
        if isinstance(change, (int, float)) and 0 <= change - age < 56:
            why.append("treatment_changed_recently")
    if why and not covered:
        return deferred(*why, *(["cgm_insufficient"] if sensor is not None else []))
    limit = 70 if goal == 7.0 else 50
    says = []
    if not why:
        chance_below = below("hba1c", [hba1c], goal)
        says.append(("above_goal", chance_below) if hba1c >= goal else ("at_goal", 1 - chance_below))
    if covered:
        tir = share("time in range, 70 to 180 mg/dL (%)", "time in range, 3.9 to 10.0 mmol/L (%)")
        says.append(("at_goal" if tir > limit else "above_goal", NORMAL.cdf(-abs(tir - limit) / 5)))
    if len({answer for answer, _ in says}) > 1:
        return deferred("hba1c_cgm_discordant")
    return verdict(says[0][0], min(flip for _, flip in says), "near_goal", [], options)


def trend(task, record, options):
    features = record["features"]
    if features["Clinical context"] in RED_CELLS:
        return deferred("hba1c_not_valid")
    values = sorted(
        (datetime.date.fromisoformat(visit["date"]).toordinal(), hba1c_of(visit))
        for visit in features["Visits"]
        if hba1c_of(visit) is not None and "remark" not in visit
    )
    if len(values) < 3:
        return deferred("too_few_visits")
    span = values[-1][0] - values[0][0]
    if span < 180:
        return deferred("follow_up_under_six_months")
    days, percents = [d for d, _ in values], [p for _, p in values]
    fit = statistics.linear_regression(days, percents)
    change = fit.slope * span
    cv = math.sqrt(0.017**2 + 0.020**2)
    mean_day = statistics.fmean(days)
    se = cv * statistics.fmean(percents) * span / math.sqrt(sum((d - mean_day) ** 2 for d in days))
    worsening, improving = 1 - NORMAL.cdf((0.5 - change) / se), NORMAL.cdf((-0.5 - change) / se)
    chances = {"stable": 1 - worsening - improving, "worsening": worsening, "improving": improving}
    answer = max(chances, key=chances.get)
    inside = abs(percents[-1] - percents[0]) / percents[0] <= NORMAL.inv_cdf(0.975) * math.sqrt(2) * cv
    near = "change_inside_reference_change_value" if inside else "course_uncertain"
    acute = acute_of(features)
    return verdict(answer, 1 - chances[answer], near, low_now(acute) + crisis(acute, False), options)


def findings(task, record, _options):
    acute = acute_of(record["features"])
    return low_now(acute) + crisis(acute, task == "diabetes/control")


TASKS = {
    "diabetes/diagnosis": (diagnosis, findings),
    "diabetes/control": (control, findings),
    "diabetes/trend": (trend, findings),
}
