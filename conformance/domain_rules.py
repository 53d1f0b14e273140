"""The functions of the diabetes and hypertension domains on codes, written from the descriptions of the domains.

Inputs and outputs are those of a reference case. Standard library only. It shares no code with the library under test.
"""

import math
from statistics import NormalDist

import recompute_diabetes as dm
import recompute_hypertension as bp

PHI = NormalDist().cdf

HBA1C_NOT_VALID = {
    "haemoglobin_variant",
    "recent_transfusion",
    "recent_blood_loss",
    "haemolysis",
    "g6pd_deficiency",
    "erythropoietin",
    "haemodialysis",
    "iron_deficiency_anaemia",
    "hiv_treatment",
    "pregnancy",
    "postpartum",
}
ACUTE_OR_STEROIDS = {"acute_illness", "glucocorticoids"}

# ------------------------------------------------------------------------------------------------
# Shared shapes


def no_answer(*reasons):
    return {
        "answer": None,
        "flip_probability": None,
        "should_abstain": True,
        "reasons": list(reasons),
        "must_act": False,
        "must_act_reasons": [],
    }


def verdict(answer, flip, near=None, act=(), unlabelled=False):
    """`near` None: the answer is never deferred for being close."""
    zone, reasons = None, []
    if flip > 0.2 and near is not None and not act:
        zone, reasons = True, [near]
    if flip < 0.05 and not unlabelled:
        zone = False
    return {
        "answer": answer,
        "flip_probability": flip,
        "should_abstain": zone,
        "reasons": reasons,
        "must_act": bool(act),
        "must_act_reasons": list(act),
    }


def elementwise(names, function):
    """Lists side by side, one call for each place; a single value is used in every place."""

    def run(inputs, params):
        lengths = {len(inputs[n]) for n in names if isinstance(inputs.get(n), list)}
        if not lengths:
            return function(inputs)
        (length,) = lengths
        pick = lambda v, i: v[i] if isinstance(v, list) else v
        return [function({n: pick(v, i) for n, v in inputs.items()}) for i in range(length)]

    return run


def all_of(*parts):
    return False if False in parts else (None if None in parts else True)


def any_of(*parts):
    return True if True in parts else (None if None in parts else False)


def known(value, test):
    return None if value is None else test(value)


# ------------------------------------------------------------------------------------------------
# Diabetes


def glucose_of(one, name="glucose"):
    for unit, suffix in (("mg/dL", "mg_dl"), ("mmol/L", "mmol_l")):
        if one.get(f"{name}_{suffix}") is not None:
            return one[f"{name}_{suffix}"], unit
    return None


def glucose_from(found, mg_dl, mmol_l):
    """Whether a glucose reaches the line of its own unit."""
    return known(found, lambda g: g[0] >= (mg_dl if g[1] == "mg/dL" else mmol_l))


def hba1c_of(one):
    if one.get("hba1c_percent") is not None:
        return one["hba1c_percent"]
    return known(one.get("hba1c_mmol_mol"), dm.to_percent)


def glucose_units(one):
    found = glucose_of(one)
    if found is None:
        return None
    value, unit = found
    return {"mg_dl": value, "mmol_l": value / 18.016} if unit == "mg/dL" else {"mg_dl": value * 18.016, "mmol_l": value}


def hba1c_units(one):
    percent, ifcc = one.get("hba1c_percent"), one.get("hba1c_mmol_mol")
    if percent is not None:
        return {"percent": percent, "mmol_mol": (percent - 2.152) / 0.09148}
    return known(ifcc, lambda v: {"percent": dm.to_percent(v), "mmol_mol": v})


def estimated_average_glucose(one):
    return known(one.get("hba1c_percent"), lambda v: {"mg_dl": 28.7 * v - 46.7, "mmol_l": 1.59 * v - 2.59})


CATEGORY_INPUTS = {
    "hba1c_percent": ("hba1c", "%"),
    "hba1c_mmol_mol": ("hba1c", "mmol/mol"),
    "fpg_mg_dl": ("fpg", "mg/dL"),
    "fpg_mmol_l": ("fpg", "mmol/L"),
    "ogtt_2h_mg_dl": ("ogtt", "mg/dL"),
    "ogtt_2h_mmol_l": ("ogtt", "mmol/L"),
}


def glycaemia_category(one):
    grades = [
        sum(one[name] >= line for line in dm.LINES[test])
        for name, test in CATEGORY_INPUTS.items()
        if one.get(name) is not None
    ]
    return ("normal", "prediabetes", "diabetes")[max(grades)] if grades else None


def diabetes_confirmed(inputs, params):
    values = lambda name: [v for v in inputs.get(name) or [] if v is not None]
    if inputs.get("classic_symptoms") and any(v >= 200 for v in values("random_mg_dl") + values("fpg_mg_dl")):
        return True
    lines = {"hba1c_percent": 6.5, "fpg_mg_dl": 126, "ogtt_2h_mg_dl": 200}
    return sum(v >= line for name, line in lines.items() for v in values(name)) >= 2


def cvs(inputs):
    return math.hypot(inputs["cv_within_person"], inputs["cv_analytical"])


def reference_change_value(inputs, params):
    cv = cvs(inputs)
    z = NormalDist().inv_cdf((1 + params.get("level", 0.95)) / 2)
    step = z * math.sqrt(2) * math.sqrt(math.log(1 + cv * cv))
    return {"symmetric": z * math.sqrt(2) * cv, "rise": math.exp(step) - 1, "fall": 1 - math.exp(-step)}


def chance_at_or_above(inputs, params):
    values = inputs["values"] if isinstance(inputs["values"], list) else [inputs["values"]]
    s = math.sqrt(math.log(1 + cvs(inputs) ** 2)) / math.sqrt(len(values))
    centre = sum(math.log(v) for v in values) / len(values)
    return PHI((centre - math.log(inputs["line"])) / s)


def crisis(inputs, params=None):
    glucose = glucose_of(inputs)
    get = inputs.get
    ketones = known(get("bohb_mmol_l"), lambda v: v >= 3.0)
    if ketones is None:
        ketones = known(get("urine_ketones_plus"), lambda v: v >= 2)
    ph, bicarbonate = get("ph"), get("bicarbonate_mmol_l")
    sugar = any_of(glucose_from(glucose, 200, 11.1), get("known_diabetes"))
    acid = any_of(known(ph, lambda v: v < 7.30), known(bicarbonate, lambda v: v < 18))
    dka = all_of(sugar, ketones, acid)
    by_ph = known(ph, lambda v: (v < 7.30) + (v <= 7.25) + (v < 7.00)) or 0
    by_bicarbonate = known(bicarbonate, lambda v: (v < 18) + (v < 15) + (v < 10)) or 0
    mmol_l = known(glucose, lambda g: g[0] / 18.016 if g[1] == "mg/dL" else g[0])
    sodium = get("sodium_mmol_l")
    effective = None if sodium is None or mmol_l is None else 2 * sodium + mmol_l
    return {
        "dka": dka,
        "dka_severity": (None, "mild", "moderate", "severe")[max(by_ph, by_bicarbonate)] if dka else None,
        "hhs": all_of(
            glucose_from(glucose, 600, 33.3),
            any_of(known(effective, lambda v: v > 300), known(get("osmolality_mosm_kg"), lambda v: v > 320)),
            known(ketones, lambda v: not v),
            known(ph, lambda v: v >= 7.30),
            known(bicarbonate, lambda v: v >= 15),
        ),
        "effective_osmolality": effective,
        "suspected_dka": sugar is True and ketones is True and acid is None,
    }


def hypoglycaemia_level(one):
    if one.get("needs_assistance"):
        return 3
    glucose = glucose_of(one)
    if glucose is None:
        return None
    return 2 - (glucose_from(glucose, 54, 3.0) + glucose_from(glucose, 70, 3.9))


def crisis_reasons(inputs):
    found = crisis(inputs)
    named = {
        "diabetic_ketoacidosis": found["dka"],
        "hyperosmolar_state": found["hhs"],
        "suspected_ketoacidosis": found["suspected_dka"],
    }
    return [reason for reason, holds in named.items() if holds]


def low_reasons(inputs):
    level = hypoglycaemia_level(inputs)
    return [f"level_{level}_hypoglycaemia"] if level in (2, 3) else []


def diabetes_must_act(inputs, params):
    return low_reasons(inputs) + crisis_reasons(inputs)


def diabetes_diagnosis(inputs, params):
    context, symptoms = inputs.get("context"), inputs.get("classic_symptoms") is True
    found = crisis_reasons({**(inputs.get("acute") or {}), "known_diabetes": False})
    if found:
        return verdict("diabetes", 0.0, None, found)
    if context == "pregnancy":
        return no_answer("pregnancy")
    results = [{**r, "test": r["test"].removesuffix("_2h")} for r in inputs["results"] if r["value"] is not None]
    meter = lambda r: r.get("specimen") == "meter"
    hours = lambda r: r.get("fasting_hours")
    if symptoms and any(
        r["test"] in ("random", "fpg") and not meter(r) and glucose_from((r["value"], r["unit"]), 200, 11.1)
        for r in results
    ):
        return verdict("diabetes", 0.0)

    def counts(r):
        if meter(r) or r["test"] == "random":
            return False
        if r["test"] == "hba1c":
            return context not in HBA1C_NOT_VALID
        fasted = r["test"] == "ogtt" or hours(r) is None or hours(r) >= 8
        return fasted and context not in ACUTE_OR_STEROIDS

    counted = [r for r in results if counts(r)]
    grade = lambda r: sum(r["value"] >= line for line in dm.LINES[r["test"], r["unit"]])
    high = [r for r in counted if grade(r) == 2]
    us = {}
    for r in counted:
        us.setdefault(r["test"], []).append(dm.us_value(r["value"], r["unit"]))
    if len(high) >= 2:
        tests = sorted({r["test"] for r in high})
        return verdict("diabetes", math.prod(dm.below(t, us[t], dm.US_LINES[t][1]) for t in tests))
    if len(high) == 1:
        if symptoms or high[0]["value"] >= dm.VERY_HIGH[high[0]["test"], high[0]["unit"]]:
            return {**verdict("diabetes", 0.1), "flip_probability": None}
        return no_answer("discordant_results" if len(counted) > 1 else "unconfirmed_single_result")
    if not counted:
        tests = {r["test"] for r in results}
        why = {
            "hba1c_not_valid": "hba1c" in tests and context in HBA1C_NOT_VALID,
            "acute_illness_or_steroids": context in ACUTE_OR_STEROIDS and tests & {"fpg", "ogtt"},
            "not_fasting": any(r["test"] == "fpg" and hours(r) is not None and hours(r) < 8 for r in results),
            "not_laboratory": any(meter(r) for r in results),
            "random_glucose_only": "random" in tests,
        }
        return no_answer(*([reason for reason, holds in why.items() if holds] or ["no_test"]))
    if context == "glucose_lowering_drug":
        return no_answer("glucose_lowering_drug")
    # Days of illness leave HbA1c as it was.
    if context == "glucocorticoids":
        return no_answer("acute_illness_or_steroids")
    b1, b2 = (math.prod(dm.below(t, v, dm.US_LINES[t][line]) for t, v in us.items()) for line in (0, 1))
    if any(grade(r) == 1 for r in counted):
        return verdict("prediabetes", 1 - (b2 - b1), "near_diagnostic_line")
    return verdict("normal", 1 - b1, "near_diagnostic_line")


def diabetes_control(inputs, params):
    acute = {**(inputs.get("acute") or {}), "known_diabetes": True}
    low, act = low_reasons(acute), low_reasons(acute) + crisis_reasons(acute)
    cgm, goal = inputs.get("cgm"), inputs["goal_percent"]
    covered = cgm is not None and cgm["days"] >= 14 and cgm["active_percent"] >= 70
    too_much_low = covered and (
        cgm["tbr54_percent"] >= 1 or cgm["tbr70_percent"] >= (1 if inputs.get("high_risk") else 4)
    )
    lowest = glucose_from(glucose_of(inputs, "lowest_glucose"), 54, 3.0)
    if low or inputs.get("severe_event") or lowest is False or too_much_low:
        return verdict("hypoglycaemia", 0.0, None, act)
    if act:
        return verdict("above_goal", 0.0, None, act)
    if inputs.get("context") == "pregnancy":
        return no_answer("pregnancy")
    hba1c, changed = hba1c_of(inputs), inputs.get("treatment_change_days_before_hba1c")
    why = ["missing_hba1c"]
    if hba1c is not None:
        problems = {
            "hba1c_not_valid": inputs.get("context") in HBA1C_NOT_VALID,
            "hba1c_too_old": inputs["hba1c_age_days"] > 180,
            "treatment_changed_recently": changed is not None and changed < 56,
        }
        why = [reason for reason, holds in problems.items() if holds]
    if why and not covered:
        return no_answer(*why, *(["cgm_insufficient"] if cgm is not None else []))
    says = []
    if not why:
        under = dm.below("hba1c", [hba1c], goal)
        says.append(("above_goal", under) if hba1c >= goal else ("at_goal", 1 - under))
    if covered:
        distance = cgm["tir_percent"] - (70 if goal == 7 else 50)
        says.append(("at_goal" if distance > 0 else "above_goal", PHI(-abs(distance) / 5)))
    if len({answer for answer, _ in says}) == 2:
        return no_answer("hba1c_cgm_discordant")
    return verdict(says[0][0], min(flip for _, flip in says), "near_goal")


def hba1c_trend(inputs, params):
    nothing = {"change": None, "se": None, "chances": None}
    if inputs.get("context") in HBA1C_NOT_VALID:
        return {**no_answer("hba1c_not_valid"), **nothing}
    values = sorted(
        (v["day"], hba1c_of(v)) for v in inputs["visits"] if hba1c_of(v) is not None and v.get("valid") is not False
    )
    if len(values) < 3:
        return {**no_answer("too_few_visits"), **nothing}
    span = values[-1][0] - values[0][0]
    if span < 180:
        return {**no_answer("follow_up_under_six_months"), **nothing}
    n = len(values)
    day, mean = sum(d for d, _ in values) / n, sum(p for _, p in values) / n
    sxx = sum((d - day) ** 2 for d, _ in values)
    change = sum((d - day) * (p - mean) for d, p in values) / sxx * span
    cv = math.hypot(params.get("cv_within_person", 0.017), params.get("cv_analytical", 0.020))
    se = cv * mean * span / math.sqrt(sxx)
    limit = params.get("meaningful_change", 0.5)
    worse, better = PHI((change - limit) / se), PHI((-limit - change) / se)
    chances = {"stable": 1 - worse - better, "worsening": worse, "improving": better}
    answer = max(chances, key=chances.get)
    first, last = values[0][1], values[-1][1]
    inside = abs(last - first) / first <= NormalDist().inv_cdf(0.975) * math.sqrt(2) * cv
    near = "change_inside_reference_change_value" if inside else "course_uncertain"
    act = diabetes_must_act(inputs.get("acute") or {}, {})
    return {
        **verdict(answer, 1 - chances[answer], near, act),
        "change": change,
        "se": se,
        "chances": chances,
    }


# ------------------------------------------------------------------------------------------------
# Hypertension

SETTINGS = {"office": "office", "home": "at home", "ambulatory_day": "awake", "ambulatory_24h": "24 hours"}
ASLEEP = {"acc_aha_2025": (110, 65), "esc_2024": (120, 70)}


def pairs(function):
    def run(inputs, params):
        given = inputs["bp"]
        if given is None:
            return None
        return [function(pair, params) for pair in given] if isinstance(given[0], list) else function(given, params)

    return run


def guideline_of(params):
    return params.get("guideline", "acc_aha_2025")


def is_high(pair, params):
    guideline, setting = guideline_of(params), params.get("setting", "office")
    line = ASLEEP[guideline] if setting == "ambulatory_night" else bp.HIGH[guideline][SETTINGS[setting]]
    return pair[0] >= line[0] or pair[1] >= line[1]


def is_severe(pair, params):
    if params.get("pregnant"):
        return pair[0] >= 160 or pair[1] >= 110
    if guideline_of(params) == "esc_2024":
        return pair[0] >= 180 or pair[1] >= 110
    return pair[0] > 180 or pair[1] > 120


def must_act(pair, inputs, guideline):
    pregnant = inputs.get("pregnant") is True
    if pair is None or not is_severe(pair, {"guideline": guideline, "pregnant": pregnant}):
        return []
    if pregnant:
        return ["severe_hypertension_in_pregnancy"]
    return ["hypertensive_emergency" if inputs.get("organ_damage") else "severe_hypertension"]


def visits_of(inputs):
    return [(v["day"], [r for r in v["readings"] if None not in r]) for v in inputs["visits"]]


def office_bp_average(inputs, params):
    fibrillation = inputs.get("rhythm") == "atrial_fibrillation"
    mean, n = bp.average(visits_of(inputs), fibrillation, guideline_of(params))
    sbp, dbp = mean or (None, None)
    return {"sbp": sbp, "dbp": dbp, "n_visits": n}


def bp_line_probability(inputs, params):
    two = lambda prefix: (inputs[f"{prefix}sbp"], inputs[f"{prefix}dbp"])
    high, flip = bp.flip(two(""), two("se_"), two("line_"))
    return {"high": high, "probability_high": 1 - flip if high else flip, "flip_probability": flip}


def hypertension_classification(inputs, params):
    guideline, visits = guideline_of(params), visits_of(inputs)
    fibrillation = inputs.get("rhythm") == "atrial_fibrillation"
    lowest, highest = bp.SCALE[guideline][0], bp.SCALE[guideline][-1]
    reads_high = {"cuff_too_small": inputs.get("cuff") == "too_small", "not_rested": inputs.get("rested") is False}
    reads_low = {
        "cuff_too_large": inputs.get("cuff") == "too_large",
        "lower_arm_measured": inputs.get("arm_measured") == "lower" and (inputs.get("arm_difference_mmhg") or 0) >= 10,
    }
    child = inputs["age"] < 18
    act = [] if child else must_act(bp.latest(visits, guideline), inputs, guideline)
    if act and not (act == ["severe_hypertension"] and any(reads_high.values())):
        return verdict(highest, 0.0, None, act)
    if child:
        return no_answer("child")
    if inputs.get("pregnant"):
        return no_answer("pregnancy")
    if inputs.get("acute_state"):
        return no_answer("acute_illness_or_pain")
    mean, n = bp.average(visits, fibrillation, guideline)
    if n < params.get("min_visits", 2):
        found = {bp.why_unusable(readings, fibrillation) for _, readings in visits}
        order = ("atrial_fibrillation", "unstable_readings", "single_reading", "no_reading")
        return no_answer(*([why for why in order if why in found] or ["one_visit" if visits else "no_reading"]))
    label = bp.category(mean, guideline)
    if (any(reads_high.values()) and label != lowest) or (any(reads_low.values()) and label != highest):
        return no_answer(*[fault for fault, there in {**reads_high, **reads_low}.items() if there])
    readings = [reading for _, shown in visits for reading in shown]
    rounded = len(readings) >= 4 and all(value % 10 == 0 for reading in readings for value in reading)
    _, flip = bp.flip(mean, bp.office_errors(n, 100 / 12 if rounded else 0), bp.HIGH[guideline]["office"])
    shifted = {bp.category((mean[0] + by, mean[1] + by), guideline) for by in (-2, 2)}
    return verdict(label, flip, "near_hypertension_line", act, shifted != {label})


def bp_phenotype(inputs, params):
    guideline = guideline_of(params)
    if inputs["age"] < 18:
        return no_answer("child")
    if inputs.get("pregnant"):
        return no_answer("pregnancy")
    if inputs.get("on_treatment"):
        return no_answer("on_treatment")
    office, outside = inputs["office"], inputs.get("out_of_office")
    home = outside is not None and outside["setting"] == "home"
    reasons = ["one_visit"] if office["n_visits"] < 2 else []
    if outside is None:
        reasons.append("no_out_of_office")
    elif home and (outside["days"] < 3 or outside["readings"] < 12):
        reasons.append("home_readings_insufficient")
    elif not home and outside["valid_percent"] < 70:
        reasons.append("ambulatory_readings_insufficient")
    if reasons:
        return no_answer(*reasons)
    pair = lambda of: (of["sbp"], of["dbp"])
    lines = bp.HIGH[guideline]
    high, flip = bp.flip(pair(office), bp.office_errors(office["n_visits"]), lines["office"])
    outside_errors = (5, 3.5) if home else (6.3, 4.5)
    high_outside, flip_outside = bp.flip(pair(outside), outside_errors, lines[SETTINGS[outside["setting"]]])
    names = (("normotension", "masked"), ("white_coat", "sustained"))
    flip = 1 - (1 - flip) * (1 - flip_outside)
    return verdict(
        names[high][high_outside], flip, "near_threshold", must_act(pair(office), inputs, guideline)
    )


# Constant, then the terms in the order of `terms` below.
PREVENT = {
    "female": (
        -3.307728, 0.7939329, 0.0305239, -0.1606857, -0.2394003, 0.360078, 0.8667604, 0.5360739, 0.6045917, 0.0433769,
        0.3151672, -0.1477655, -0.0663612, 0.1197879, -0.0819715, 0.0306769, -0.0946348, -0.27057, -0.078715, -0.1637806,
    ),
    "male": (
        -3.031168, 0.7688528, 0.0736174, -0.0954431, -0.4347345, 0.3362658, 0.7692857, 0.4386871, 0.5378979, 0.0164827,
        0.288879, -0.1337349, -0.0475924, 0.150273, -0.0517874, 0.0191169, -0.1049477, -0.2251948, -0.0895067, -0.1543702,
    ),
}  # fmt: skip


def prevent_total_cvd(inputs, params):
    numbers = [inputs.get(k) for k in ("age", "total_cholesterol_mg_dl", "hdl_mg_dl", "sbp", "egfr")]
    if None in numbers or inputs.get("sex") is None or not 30 <= numbers[0] <= 79:
        return None
    age, total, hdl, sbp, egfr = numbers
    t, st, d, m = (float(inputs[k]) for k in ("bp_treated", "statin", "diabetes", "smoker"))
    a = (age - 55) / 10
    n = (total - hdl) * 0.02586 - 3.5
    h = (hdl * 0.02586 - 1.3) / 0.3
    s1, s2 = (min(sbp, 110) - 110) / 20, (max(sbp, 110) - 130) / 20
    e1, e2 = (min(egfr, 60) - 60) / -15, (max(egfr, 60) - 90) / -15
    terms = [1, a, n, h, s1, s2, d, m, e1, e2, t, st, t * s2, st * n, a * n, a * h, a * s2, a * d, a * m, a * e1]
    y = math.fsum(c * term for c, term in zip(PREVENT[inputs["sex"]], terms, strict=True))
    return 100 / (1 + math.exp(-y))


def antihypertensive_decision(inputs, params):
    mean, n, age = (inputs["sbp"], inputs["dbp"]), inputs["n_visits"], inputs["age"]
    if age < 18:
        return no_answer("child")
    act = must_act(mean, inputs, "acc_aha_2025")
    if act:
        return verdict("start", 0.0, None, act)
    if inputs.get("pregnant"):
        return no_answer("pregnancy")
    if n < 2:
        return no_answer("one_visit")
    conditions = [inputs.get(k) for k in ("cvd", "diabetes", "ckd")]
    defined = 30 <= age <= 79
    risk = inputs.get("prevent_percent") if defined else None
    months = inputs.get("lifestyle_months") or 0
    high_anyway = True in conditions or months >= 6
    if high_anyway or (risk is not None and risk >= 7.5):
        status = "high"
    elif months >= 3:
        status = "trial"
    elif None not in conditions and risk is not None:
        status = "low"
    else:
        status = "unknown"
    stage = bp.category(mean, "acc_aha_2025")
    if stage == "stage_1" and status == "unknown":
        reasons = ["missing_condition"] if None in conditions else []
        return no_answer(*reasons, *([] if risk is not None else ["missing_risk" if defined else "risk_not_defined"]))
    start = stage == "stage_2" or (stage == "stage_1" and status in ("high", "trial"))
    line = (140, 90) if status == "low" or (status == "unknown" and stage == "stage_2") else (130, 80)
    _, flip = bp.flip(mean, bp.office_errors(n), line)
    near_risk = not high_anyway and risk is not None and abs(risk - 7.5) <= 0.5
    unlabelled = stage == "stage_1" and (status == "trial" or near_risk)
    return verdict("start" if start else "no_drug", flip, "near_treatment_line", act, unlabelled)


def bp_control(inputs, params):
    guideline, visits = guideline_of(params), visits_of(inputs)
    act = must_act(bp.latest(visits, guideline), inputs, guideline)
    if act:
        return verdict("uncontrolled", 0.0, None, act)
    settled = [visit for visit in visits if visit[0] >= inputs["treatment_changed_day"] + 28]
    mean, n = bp.average(settled, False, guideline)
    if n < 2:
        return no_answer(
            "too_soon_after_change" if bp.average(visits, False, guideline)[1] >= 2 else "too_few_visits"
        )
    high, flip = bp.flip(mean, bp.office_errors(n), inputs.get("goal") or (130, 80))
    return verdict("uncontrolled" if high else "controlled", flip, "near_goal")


def regression_to_the_mean(inputs, params):
    between, within = inputs["sd_between"] ** 2, inputs["sd_within"] ** 2 / inputs["n"]
    r, distance = between / (between + within), inputs["observed"] - inputs["population_mean"]
    return {
        "reliability": r,
        "expected_true": inputs["population_mean"] + r * distance,
        "expected_fall": (1 - r) * distance,
    }


def bp_change(inputs, params):
    z = NormalDist().inv_cdf((1 + params.get("level", 0.95)) / 2)
    limit = z * params.get("sd", 8) * math.sqrt(1 / inputs["n_before"] + 1 / inputs["n_after"])
    change = inputs["after"] - inputs["before"]
    return {"change": change, "limit": limit, "beyond": abs(change) > limit}


REFERENCE = {
    "glucose_units": elementwise(["glucose_mg_dl", "glucose_mmol_l"], glucose_units),
    "hba1c_units": elementwise(["hba1c_percent", "hba1c_mmol_mol"], hba1c_units),
    "estimated_average_glucose": elementwise(["hba1c_percent"], estimated_average_glucose),
    "ada_glycaemia_category": elementwise(list(CATEGORY_INPUTS), glycaemia_category),
    "ada_diabetes_confirmed": diabetes_confirmed,
    "reference_change_value": reference_change_value,
    "chance_at_or_above": chance_at_or_above,
    "hyperglycaemic_crisis": crisis,
    "ada_hypoglycaemia_level": elementwise(
        ["glucose_mg_dl", "glucose_mmol_l", "needs_assistance"], hypoglycaemia_level
    ),
    "diabetes_must_act": diabetes_must_act,
    "diabetes_diagnosis": diabetes_diagnosis,
    "diabetes_control": diabetes_control,
    "hba1c_trend": hba1c_trend,
    "acc_aha_2017_category": pairs(lambda pair, params: bp.category(pair, "acc_aha_2025")),
    "esc_2024_category": pairs(lambda pair, params: bp.category(pair, "esc_2024")),
    "bp_category": pairs(lambda pair, params: bp.category(pair, guideline_of(params))),
    "bp_is_high": pairs(is_high),
    "bp_is_severe": pairs(is_severe),
    "bp_must_act": lambda inputs, params: must_act(inputs["bp"], inputs, guideline_of(params)),
    "office_bp_average": office_bp_average,
    "bp_line_probability": bp_line_probability,
    "hypertension_classification": hypertension_classification,
    "bp_phenotype": bp_phenotype,
    "prevent_total_cvd": prevent_total_cvd,
    "antihypertensive_decision": antihypertensive_decision,
    "bp_control": bp_control,
    "regression_to_the_mean": regression_to_the_mean,
    "bp_change": bp_change,
}
