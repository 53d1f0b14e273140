#!/usr/bin/env python3
"""Writes domains.json, the reference cases of the diabetes and hypertension domains.

    python3 generate_domains.py               rewrite domains.json beside this file (same bytes every time)
    python3 generate_domains.py --check FILE  run the reference against another file of the same format

The rules are in domain_rules.py. Standard library only. It shares no code with the library under test.
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True

from domain_rules import REFERENCE  # noqa: E402
from write_cases import check_cases, write_cases  # noqa: E402

CASES = []


def case(id, metric, inputs, params=None, note=None):
    params = params or {}
    expected = REFERENCE[metric](inputs, params)
    found = {"id": id, "metric": metric, "bundle": "suite", "inputs": inputs, "params": params}
    CASES.append({**found, "expected": expected, "tolerance": 1e-9, **({"note": note} if note else {})})


ACC, ESC = {"guideline": "acc_aha_2025"}, {"guideline": "esc_2024"}


def by_guideline(start, name, metric, inputs, params=None):
    """One case, and a second one by ESC where the guidelines part."""
    acc, esc = {**ACC, **(params or {})}, {**ESC, **(params or {})}
    case(f"bp-{start}-acc-{name}", metric, inputs, acc)
    if REFERENCE[metric](inputs, esc) != CASES[-1]["expected"]:
        case(f"bp-{start}-esc-{name}", metric, inputs, esc)


# ------------------------------------------------------------------------------------------------
# Diabetes: units, lines, variation

case("dm-units-glucose-mg-edges", "glucose_units", {"glucose_mg_dl": [54, 70, 99, 125.5, 600]})
case("dm-units-glucose-mmol-edges", "glucose_units", {"glucose_mmol_l": [3.0, 3.9, 5.6, 7.8, 11.1, 33.3]})
case("dm-units-glucose-gap", "glucose_units", {"glucose_mmol_l": [5.5, None, 7.1]}, note="not measured stays null")
case("dm-units-glucose-none", "glucose_units", {"glucose_mg_dl": None})
case("dm-units-hba1c-percent", "hba1c_units", {"hba1c_percent": [4.0, 5.6, 6.4, 9.0, 14.2]})
case("dm-units-hba1c-ifcc", "hba1c_units", {"hba1c_mmol_mol": [20, 38, 39, 47, 75]})
case("dm-units-hba1c-one", "hba1c_units", {"hba1c_percent": 6.45})
case("dm-units-hba1c-gap", "hba1c_units", {"hba1c_mmol_mol": [None, 53]})
case("dm-eag-values", "estimated_average_glucose", {"hba1c_percent": [5.0, 6.5, 9.7, None]})
case("dm-eag-one", "estimated_average_glucose", {"hba1c_percent": 12})

for name, values in {
    "hba1c_percent": [5.6, 5.69, 5.7, 6.4, 6.49, 6.5],
    "hba1c_mmol_mol": [38.9, 39, 47.9, 48, 110],
    "fpg_mg_dl": [99, 99.9, 100, 125, 125.9, 126],
    "fpg_mmol_l": [5.55, 5.6, 6.94, 6.99, 7],
    "ogtt_2h_mg_dl": [139, 139.9, 140, 199, 199.9, 200],
    "ogtt_2h_mmol_l": [7.77, 7.8, 11.0, 11.09, 11.1],
}.items():
    case(f"dm-lines-{name.replace('_', '-')}", "ada_glycaemia_category", {name: values})
case("dm-lines-worst-of-three", "ada_glycaemia_category", {"hba1c_percent": 5.2, "fpg_mmol_l": 5.1, "ogtt_2h_mg_dl": 203})
case(
    "dm-lines-side-by-side",
    "ada_glycaemia_category",
    {"hba1c_mmol_mol": [36, 36, None, None], "fpg_mg_dl": [92, 101, 127, None]},
    note="lists are read place by place; a place without any value has no category",
)

confirmed = {
    "two-hba1c-at-line": {"hba1c_percent": [6.5, 6.5]},
    "two-tests-at-line": {"hba1c_percent": [6.5], "fpg_mg_dl": [126]},
    "one-below": {"hba1c_percent": [6.5, 6.4], "fpg_mg_dl": [125]},
    "ogtt-and-fasting": {"ogtt_2h_mg_dl": [200], "fpg_mg_dl": [126]},
    "confirmed-against-glucose": {"hba1c_percent": [6.9, 6.6], "fpg_mg_dl": [110]},
    "random-without-symptoms": {"random_mg_dl": [240, 260]},
    "random-and-hba1c": {"random_mg_dl": [240], "hba1c_percent": [6.8]},
    "random-at-line-symptoms": {"random_mg_dl": [200], "classic_symptoms": True},
    "random-below-line-symptoms": {"random_mg_dl": [199], "classic_symptoms": True},
    "fasting-below-200-symptoms": {"fpg_mg_dl": [199], "classic_symptoms": True},
    "ogtt-symptoms": {"ogtt_2h_mg_dl": [260], "classic_symptoms": True},
    "nothing": {"classic_symptoms": True},
}
for name, inputs in confirmed.items():
    case(f"dm-confirmed-{name}", "ada_diabetes_confirmed", inputs)

case("dm-rcv-ogtt", "reference_change_value", {"cv_within_person": 0.138, "cv_analytical": 0})
case("dm-rcv-90", "reference_change_value", {"cv_within_person": 0.017, "cv_analytical": 0.02}, {"level": 0.9})
case("dm-rcv-99", "reference_change_value", {"cv_within_person": 0.083, "cv_analytical": 0.03}, {"level": 0.99})
HBA1C, FPG = ({"cv_within_person": c, "cv_analytical": 0.02} for c in (0.017, 0.05))
case("dm-chance-at-line", "chance_at_or_above", {"values": 7.0, "line": 7.0, **HBA1C}, note="on the line: one half")
case("dm-chance-fpg-three", "chance_at_or_above", {"values": [118, 131, 124], "line": 126, **FPG})
case("dm-chance-far-below", "chance_at_or_above", {"values": [5.0], "line": 6.5, **HBA1C})
case("dm-chance-far-above", "chance_at_or_above", {"values": [150, 150], "line": 126, **FPG})
case(
    "dm-chance-order",
    "chance_at_or_above",
    {"values": [131, 118, 124], "line": 126, **FPG},
    note="same values in another order",
)

# ------------------------------------------------------------------------------------------------
# Diabetes: acute states


def acute(glucose=None, ph=None, bicarbonate=None, **more):
    given = {"glucose_mg_dl": glucose, "ph": ph, "bicarbonate_mmol_l": bicarbonate, **more}
    return {k: v for k, v in given.items() if v is not None}


crises = {
    "glucose-at-line": acute(200, 7.2, bohb_mmol_l=3.0, known_diabetes=False),
    "glucose-below-line": acute(199, 7.2, bohb_mmol_l=3.0, known_diabetes=False),
    "glucose-mmol-at-line": acute(ph=7.2, bohb_mmol_l=3.0, glucose_mmol_l=11.1, known_diabetes=False),
    "glucose-mmol-below-line": acute(ph=7.2, bohb_mmol_l=3.0, glucose_mmol_l=11.0, known_diabetes=False),
    "history-not-known": acute(150, 7.2, bohb_mmol_l=4.0),
    "ketones-below-line": acute(400, 7.2, 12, bohb_mmol_l=2.9),
    "strip-at-line": acute(400, 7.2, 12, urine_ketones_plus=2),
    "strip-below-line": acute(400, 7.2, 12, urine_ketones_plus=1),
    "blood-over-strip": acute(400, 7.2, 12, bohb_mmol_l=1.0, urine_ketones_plus=3),
    "strip-low-blood-high": acute(400, 7.2, 12, bohb_mmol_l=3.4, urine_ketones_plus=0),
    "ketones-not-measured": acute(400, 7.2, 12),
    "not-acid": acute(400, 7.30, 18, bohb_mmol_l=5),
    "bicarbonate-alone-acid": acute(400, 7.35, 17.9, bohb_mmol_l=5),
    "mild-ph": acute(400, 7.26, 18, bohb_mmol_l=5),
    "moderate-ph-at-7.25": acute(400, 7.25, 17, bohb_mmol_l=5),
    "moderate-ph-at-7.00": acute(400, 7.00, 17, bohb_mmol_l=5),
    "severe-ph": acute(400, 6.99, 17, bohb_mmol_l=5),
    "mild-bicarbonate-at-15": acute(400, 7.31, 15, bohb_mmol_l=5),
    "moderate-bicarbonate-at-10": acute(400, 7.31, 10, bohb_mmol_l=5),
    "severe-bicarbonate": acute(400, 7.28, 9.9, bohb_mmol_l=5),
    "half-of-acid-base": acute(400, 7.36, bohb_mmol_l=5, known_diabetes=True),
    "suspected-known-diabetes": acute(140, bohb_mmol_l=3.2, known_diabetes=True),
    "nothing-measured": {},
    "hhs-at-lines": acute(600, 7.30, 15, bohb_mmol_l=2.9, sodium_mmol_l=140),
    "hhs-mmol-at-line": acute(ph=7.30, bicarbonate=15, bohb_mmol_l=0.5, sodium_mmol_l=140, glucose_mmol_l=33.3),
    "hhs-mmol-below-line": acute(ph=7.30, bicarbonate=15, bohb_mmol_l=0.5, sodium_mmol_l=140, glucose_mmol_l=33.2),
    "hhs-osmolality-300": acute(ph=7.4, bicarbonate=22, bohb_mmol_l=0.5, sodium_mmol_l=130, glucose_mmol_l=40),
    "hhs-total-above": acute(700, 7.4, 22, bohb_mmol_l=0.5, osmolality_mosm_kg=320.5),
    "hhs-total-320": acute(700, 7.4, 22, bohb_mmol_l=0.5, osmolality_mosm_kg=320),
    "hhs-total-high-effective-low": acute(
        700, 7.4, 22, bohb_mmol_l=0.5, sodium_mmol_l=125, osmolality_mosm_kg=330
    ),
    "hhs-ketones-not-measured": acute(700, 7.4, 22, sodium_mmol_l=142),
    "hhs-ph-not-measured": acute(700, bicarbonate=22, sodium_mmol_l=142, bohb_mmol_l=0.3),
    "hhs-bicarbonate-low": acute(700, bicarbonate=14.9, sodium_mmol_l=142, bohb_mmol_l=0.3),
}
for name, inputs in crises.items():
    case(f"dm-crisis-{name}", "hyperglycaemic_crisis", inputs)

case("dm-hypo-mmol-edges", "ada_hypoglycaemia_level", {"glucose_mmol_l": [3.9, 3.89, 3.0, 2.99, None]})
case("dm-hypo-mg-between", "ada_hypoglycaemia_level", {"glucose_mg_dl": [69.9, 53.9, 54.1]})
case(
    "dm-hypo-assistance-list",
    "ada_hypoglycaemia_level",
    {"glucose_mg_dl": [None, 52, 60], "needs_assistance": [True, False, None]},
)
case("dm-hypo-nothing", "ada_hypoglycaemia_level", {"glucose_mg_dl": None, "needs_assistance": False})

acts = {
    "level-1": acute(54, known_diabetes=True),
    "level-2-mmol": acute(glucose_mmol_l=2.9),
    "level-3-any-value": acute(120, needs_assistance=True),
    "level-3-and-ketoacidosis": acute(260, 7.1, 9, bohb_mmol_l=6, needs_assistance=True),
    "hyperosmolar": acute(900, 7.35, 22, bohb_mmol_l=1, sodium_mmol_l=150),
    "suspected": acute(320, bohb_mmol_l=4.4),
    "low-with-ketones": acute(48, 7.1, 9, bohb_mmol_l=6, known_diabetes=True),
    "nothing-measured": {},
}
for name, inputs in acts.items():
    case(f"dm-act-{name}", "diabetes_must_act", inputs)

# ------------------------------------------------------------------------------------------------
# Diabetes: tasks


def a1c(value, unit="%", **more):
    return {"test": "hba1c", "value": value, "unit": unit, **more}


def fasting(value, hours=10, unit="mg/dL", **more):
    return {"test": "fpg", "value": value, "unit": unit, "fasting_hours": hours, **more}


def ogtt(value, unit="mg/dL"):
    return {"test": "ogtt_2h", "value": value, "unit": unit}


def anytime(value, unit="mg/dL", **more):
    return {"test": "random", "value": value, "unit": unit, **more}


METER = {"specimen": "meter"}
KETOACIDOSIS = acute(480, 7.1, 10, bohb_mmol_l=5.5)
diagnoses = {
    "crisis-over-pregnancy": ([], {"context": "pregnancy", "acute": KETOACIDOSIS}),
    "crisis-needs-glucose": ([a1c(5.2)], {"acute": acute(150, 7.1, 10, bohb_mmol_l=5.5)}),
    "crisis-suspected": ([a1c(5.2)], {"acute": acute(260, bohb_mmol_l=3.5)}),
    "pregnancy-over-symptoms": ([anytime(290)], {"context": "pregnancy", "classic_symptoms": True}),
    "symptoms-over-steroids": ([anytime(11.1, "mmol/L")], {"context": "glucocorticoids", "classic_symptoms": True}),
    "symptoms-below-line-mmol": ([anytime(11.0, "mmol/L")], {"classic_symptoms": True}),
    "symptoms-meter": ([anytime(290, **METER)], {"classic_symptoms": True}),
    "symptoms-fasted-two-hours": ([fasting(204, 2)], {"classic_symptoms": True}),
    "symptoms-single-hba1c": ([a1c(6.6)], {"classic_symptoms": True}),
    "symptoms-normal": ([a1c(5.1)], {"classic_symptoms": True}),
    "fasted-eight-hours": ([fasting(112, 8)], {}),
    "fasted-just-under-eight": ([fasting(112, 7.9)], {}),
    "hours-not-stated": ([fasting(88, None)], {}),
    "confirmed-mmol": ([fasting(7.0, unit="mmol/L"), a1c(48, "mmol/mol")], {}),
    "confirmed-three-tests": ([a1c(6.7), fasting(133), ogtt(214)], {}),
    "confirmed-with-one-below": ([a1c(6.5), a1c(6.6), a1c(5.9)], {}),
    "confirmed-against-fasting": ([a1c(7.2), a1c(7.0), fasting(104)], {}),
    "confirmed-on-drug": ([a1c(7.2), fasting(151)], {"context": "glucose_lowering_drug"}),
    "confirmed-in-illness": ([a1c(7.2), a1c(7.4)], {"context": "acute_illness"}),
    "glucose-in-illness": ([fasting(160), ogtt(260)], {"context": "acute_illness"}),
    "illness-high-and-uncounted": ([a1c(6.8), fasting(160)], {"context": "acute_illness"}),
    "illness-low-hba1c": ([a1c(5.2)], {"context": "acute_illness"}),
    "illness-low-hba1c-high-glucose": ([a1c(5.2), fasting(160)], {"context": "acute_illness"}),
    "steroids-low-hba1c": ([a1c(5.2)], {"context": "glucocorticoids"}),
    "on-drug-low": ([a1c(5.2), fasting(88)], {"context": "glucose_lowering_drug"}),
    "on-drug-single-high": ([a1c(6.9)], {"context": "glucose_lowering_drug"}),
    "very-high-at-line": ([a1c(9.0)], {}),
    "very-high-below-line": ([a1c(8.9)], {}),
    "very-high-ifcc-at-line": ([a1c(75, "mmol/mol")], {}),
    "very-high-ifcc-below-line": ([a1c(74, "mmol/mol")], {}),
    "very-high-fasting": ([fasting(11.1, unit="mmol/L"), a1c(6.0)], {}),
    "very-high-ogtt-mmol": ([ogtt(16.7, "mmol/L")], {}),
    "very-high-ogtt-below": ([ogtt(299)], {}),
    "discordant-same-test": ([a1c(6.6), a1c(6.3)], {}),
    "single-ogtt-at-line": ([ogtt(11.1, "mmol/L")], {}),
    "no-results": ([], {}),
    "value-not-measured": ([{"test": "hba1c", "value": None, "unit": "%"}], {}),
    "all-reasons": (
        [anytime(150), fasting(110, 3), fasting(101, 10, **METER), a1c(5.9, **METER)],
        {"context": "glucocorticoids"},
    ),
    "not-valid-and-not-fasting": ([fasting(95, 5), a1c(5.5), anytime(140)], {"context": "haemolysis"}),
    "meter-only": ([fasting(91, 10, **METER)], {}),
    "postpartum-hba1c": ([a1c(5.0)], {"context": "postpartum"}),
    "unrelated-context": ([a1c(5.0)], {"context": "unrelated"}),
    "normal-two-tests": ([a1c(5.0), fasting(84)], {}),
    "normal-close": ([a1c(5.5)], {}),
    "normal-close-defer": ([a1c(5.6), fasting(97)], {}),
    "normal-just-below-mmol": ([fasting(5.5, unit="mmol/L")], {}),
    "prediabetes-at-line-mmol": ([fasting(5.6, unit="mmol/L")], {}),
    "prediabetes-ifcc": ([a1c(44, "mmol/mol")], {}),
    "prediabetes-one-of-two": ([a1c(5.4), fasting(112)], {}),
    "prediabetes-two-alike": ([a1c(6.1), a1c(6.0)], {}),
    "prediabetes-order": ([fasting(112), a1c(5.4)], {}),
    "prediabetes-ogtt-alone": ([ogtt(168)], {}),
    "prediabetes-units-mixed": ([a1c(6.0), a1c(42, "mmol/mol"), fasting(6.2, unit="mmol/L")], {}),
}
for name, (results, more) in diagnoses.items():
    case(f"dm-diagnosis-{name}", "diabetes_diagnosis", {"results": results, **more})


def cgm(tir, low=1, very_low=0, days=14, active=90):
    keys = ("days", "active_percent", "tir_percent", "tbr70_percent", "tbr54_percent")
    return {"cgm": dict(zip(keys, (days, active, tir, low, very_low)))}


controls = {
    "on-goal-line": (7.0, 7.0, {}),
    "just-below-goal": (7.0, 6.9, {}),
    "unlabelled": (8.0, 7.75, {}),
    "goal-8-clear": (8.0, 7.2, {}),
    "goal-8-above": (8.0, 9.4, {}),
    "age-180": (7.0, 6.1, {"hba1c_age_days": 180}),
    "age-181": (7.0, 6.1, {"hba1c_age_days": 181}),
    "changed-56-days-before": (7.0, 6.1, {"treatment_change_days_before_hba1c": 56}),
    "changed-55-days-before": (7.0, 6.1, {"treatment_change_days_before_hba1c": 55}),
    "changed-the-same-day": (7.0, 6.1, {"treatment_change_days_before_hba1c": 0}),
    "all-reasons": (
        7.0,
        6.1,
        {
            "context": "erythropoietin",
            "hba1c_age_days": 300,
            "treatment_change_days_before_hba1c": 10,
            **cgm(80, days=13),
        },
    ),
    "missing-with-short-sensor": (7.0, None, cgm(80, active=69)),
    "missing": (7.0, None, {}),
    "sensor-at-limit": (7.0, None, cgm(70)),
    "sensor-just-above-limit": (7.0, None, cgm(70.5)),
    "sensor-goal-8": (8.0, None, cgm(60)),
    "sensor-covered-at-lines": (7.0, None, cgm(85, days=14, active=70)),
    "both-agree-smaller-flip": (7.0, 6.8, cgm(82)),
    "both-discordant": (8.0, 8.4, cgm(55)),
    "old-hba1c-sensor-decides": (7.0, 6.0, {"hba1c_age_days": 200, **cgm(40)}),
    "lowest-54": (7.0, 6.1, {"lowest_glucose_mg_dl": 54}),
    "lowest-53": (7.0, 6.1, {"lowest_glucose_mg_dl": 53}),
    "lowest-3.0": (7.0, 6.1, {"lowest_glucose_mmol_l": 3.0}),
    "lowest-2.9": (7.0, 6.1, {"lowest_glucose_mmol_l": 2.9}),
    "severe-event-in-pregnancy": (7.0, None, {"severe_event": True, "context": "pregnancy"}),
    "pregnancy": (7.0, 6.1, {"context": "pregnancy"}),
    "tbr54-at-line": (7.0, 6.1, cgm(80, 2, 1)),
    "tbr70-below-line": (7.0, 6.1, cgm(80, 3.9)),
    "tbr70-at-line": (7.0, 6.1, cgm(80, 4)),
    "tbr70-high-risk": (8.0, 7.0, {"high_risk": True, **cgm(80, 1)}),
    "tbr70-not-covered": (7.0, 6.1, cgm(80, 9, 3, days=10)),
    "now-54": (7.0, 6.1, {"acute": acute(54)}),
    "now-53": (7.0, 9.1, {"acute": acute(53)}),
    "help-needed": (7.0, 6.1, {"acute": acute(88, needs_assistance=True)}),
    "crisis": (8.0, 6.1, {"acute": acute(170, 7.2, 14, bohb_mmol_l=4)}),
    "crisis-in-pregnancy": (7.0, None, {"context": "pregnancy", "acute": KETOACIDOSIS}),
    "event-and-crisis": (7.0, None, {"severe_event": True, "acute": KETOACIDOSIS}),
}
for name, (goal, hba1c, more) in controls.items():
    inputs = {"goal_percent": goal, "hba1c_percent": hba1c, "hba1c_age_days": 30, **more}
    case(f"dm-control-{name}", "diabetes_control", inputs)
for ifcc in (52, 53):
    inputs = {"goal_percent": 7.0, "hba1c_mmol_mol": ifcc, "hba1c_age_days": 30}
    case(f"dm-control-ifcc-{ifcc}", "diabetes_control", inputs)


def course(*visits):
    return {"visits": [{"day": day, "hba1c_percent": value} for day, value in visits]}


FLAT = course((0, 6.8), (100, 6.8), (200, 6.8), (300, 6.8))
courses = {
    "flat": FLAT,
    "flat-high": course((0, 9.5), (100, 9.5), (200, 9.5), (300, 9.5)),
    "improving": course((0, 9.2), (90, 8.4), (200, 7.6), (330, 7.0)),
    "unsorted": course((330, 7.0), (0, 9.2), (200, 7.6), (90, 8.4)),
    "span-180": course((0, 6.5), (90, 6.5), (180, 6.5)),
    "span-179": course((0, 6.5), (90, 6.5), (179, 6.5)),
    "uneven-uncertain": course((0, 7.0), (30, 7.1), (60, 7.2), (400, 7.6)),
    "too-few": course((0, 7.0), (400, 7.1)),
    "no-visits": course(),
    "lasting-context": {**FLAT, "context": "haemodialysis"},
    "trait": {**FLAT, "context": "haemoglobin_trait"},
    "must-act-sure": {**FLAT, "acute": acute(50)},
    "must-act-uncertain": {**course((0, 7.0), (150, 7.3), (300, 7.4)), "acute": acute(50)},
    "must-act-no-answer": {**course((0, 7.0)), "acute": acute(50)},
    "ifcc": {"visits": [{"day": day, "hba1c_mmol_mol": value} for day, value in ((0, 52), (120, 58), (240, 66))]},
    "invalid-visit-dropped": {
        "visits": [*FLAT["visits"], {"day": 400, "hba1c_percent": 5.0, "valid": False}, {"day": 420, "hba1c_percent": None}]
    },
}
for name, inputs in courses.items():
    case(f"dm-trend-{name}", "hba1c_trend", inputs)
case("dm-trend-wider-variation", "hba1c_trend", FLAT, {"cv_within_person": 0.083, "cv_analytical": 0.03})
case("dm-trend-smaller-change", "hba1c_trend", courses["uneven-uncertain"], {"meaningful_change": 0.3})

# ------------------------------------------------------------------------------------------------
# Hypertension: lines and numbers

EDGES = [[119, 69], [119, 70], [120, 69], [129.9, 79.9], [119, 80], [130, 70], [139.9, 89.9], [140, 70], [119, 90]]
LINES = {
    "office": [[129.9, 79.9], [130, 79], [129, 80], [139.9, 89.9], [140, 89], [139, 90]],
    "home": [[129.9, 79.9], [130, 79], [129, 80], [134.9, 84.9], [135, 84], [134, 85]],
    "ambulatory_day": [[129.9, 79.9], [130, 79], [134.9, 84.9], [134, 85]],
    "ambulatory_24h": [[124.9, 74.9], [125, 74], [129.9, 79.9], [129, 80]],
    "ambulatory_night": [[109.9, 64.9], [110, 64], [119.9, 69.9], [119, 70]],
}
SEVERE = [[180, 109], [179.9, 110], [180.5, 90], [150, 120], [150, 120.5]]
case("bp-category-2017-edges", "acc_aha_2017_category", {"bp": EDGES}, note="the categories of 2017 are those of 2025")
case("bp-category-esc-2024-edges", "esc_2024_category", {"bp": EDGES})
by_guideline("category", "edges", "bp_category", {"bp": EDGES})
by_guideline("category", "between", "bp_category", {"bp": [134, 78]})
for setting, pairs in LINES.items():
    by_guideline("high", setting.replace("_", "-"), "bp_is_high", {"bp": pairs}, {"setting": setting})
by_guideline("severe", "edges", "bp_is_severe", {"bp": SEVERE})
by_guideline("severe", "pregnant", "bp_is_severe", {"bp": [[159.9, 109.9], [160, 80], [120, 110]]}, {"pregnant": True})
for name, inputs in {
    "at-180-120": {"bp": [180, 120]},
    "damage-below": {"bp": [170, 105], "organ_damage": True},
    "severe": {"bp": [186, 100], "organ_damage": False},
    "damage-not-known": {"bp": [186, 100], "organ_damage": None},
    "pregnant-below": {"bp": [159, 109], "pregnant": True},
    "pregnant-damage": {"bp": [192, 124], "pregnant": True, "organ_damage": True},
}.items():
    by_guideline("act", name, "bp_must_act", inputs)


def visits(*lists):
    return {"visits": [{"day": 30 * i, "readings": [list(r) for r in readings]} for i, readings in enumerate(lists)]}


averages = {
    "two-apart-10": visits([(140, 80), (130, 82)], [(128, 78), (126, 76)]),
    "two-apart-11": visits([(141, 80), (130, 82)], [(128, 78), (126, 76)]),
    "three-apart": visits([(160, 90), (140, 84), (138, 82)]),
    "none-usable": visits([(150, 90)], []),
    "fibrillation": {
        **visits([(140, 80), (138, 82)], [(128, 78), (126, 76), (130, 80)]),
        "rhythm": "atrial_fibrillation",
    },
    "visits-weigh-equally": visits([(150, 90)] * 5, [(120, 70), (120, 70)]),
    "reading-incomplete": {"visits": [{"day": 0, "readings": [[140, None], [138, 84], [136, 82]]}]},
}
for name, inputs in averages.items():
    by_guideline("average", name, "office_bp_average", inputs)

for name, values in {
    "on-both-lines": (130, 80, 5, 3, 130, 80),
    "systolic-on-line": (130, 66, 5, 3, 130, 80),
    "diastolic-on-line": (112, 80, 5, 3, 130, 80),
    "one-side-high": (141, 70, 8, 5, 140, 90),
    "clear-low": (104, 60, 8 / 2**0.5, 5 / 2**0.5, 130, 80),
    "clear-high": (172, 104, 4, 2.5, 140, 90),
}.items():
    keys = ("sbp", "dbp", "se_sbp", "se_dbp", "line_sbp", "line_dbp")
    case(f"bp-line-{name}", "bp_line_probability", dict(zip(keys, values)))

# ------------------------------------------------------------------------------------------------
# Hypertension: tasks


def steady(sbp, dbp, n=3):
    return visits(*([[(sbp + 1, dbp), (sbp - 1, dbp)]] * n))


FIBRILLATION = {"rhythm": "atrial_fibrillation"}
classes = {
    "normal": steady(107, 65),
    "elevated-esc": steady(127, 76, 8),
    "stage-1-middle": steady(135, 85, 10),
    "stage-1-beside-stage-2": steady(139, 76, 10),
    "elevated-beside-normal": steady(121, 66, 10),
    "stage-2-beside-stage-1": steady(141, 76, 10),
    "stage-2": steady(158, 96),
    "rounded-to-ten": visits([(140, 80), (140, 80)], [(140, 80), (140, 80)], [(140, 90), (140, 80)]),
    "rounded-low": visits([(120, 70), (120, 70)], [(120, 70), (120, 70)]),
    "rounded-three-readings": visits([(110, 70), (110, 60), (110, 60)], []),
    "one-of-two-visits-usable": visits([(150, 90), (148, 90)], [(152, 92)]),
    "all-unusable": visits([(150, 90)], [], [(160, 90), (145, 90)]),
    "no-visits": {"visits": []},
    "fibrillation-two-readings": {**steady(150, 92, 4), **FIBRILLATION},
    "fibrillation-three-readings": {**visits(*[[(150, 92), (152, 94), (148, 92)]] * 4), **FIBRILLATION},
    "child": {**steady(150, 92), "age": 17},
    "child-severe": {**steady(200, 125), "age": 17, "organ_damage": True},
    "adult-at-18": {**steady(158, 96), "age": 18},
    "pregnant": {**steady(150, 92), "pregnant": True},
    "pregnant-severe": {**steady(165, 92), "pregnant": True},
    "acute-state": {**steady(150, 92), "acute_state": True},
    "acute-severe": {**steady(190, 92), "acute_state": True},
    "severe-one-visit": steady(190, 100, 1),
    "severe-earlier-visit": visits([(200, 110), (198, 110)], [(150, 90), (148, 90)], [(146, 90), (148, 90)]),
    "severe-latest-single-reading": visits([(150, 90), (148, 90)], [(150, 90), (148, 90)], [(196, 110)]),
    "severe-small-cuff": {**steady(190, 100), "cuff": "too_small"},
    "severe-not-rested-damage": {**steady(190, 100), "rested": False, "organ_damage": True},
    "severe-large-cuff": {**steady(190, 100), "cuff": "too_large"},
    "not-rested-normal": {**steady(107, 62, 4), "rested": False},
    "not-rested-elevated": {**steady(124, 72, 4), "rested": False},
    "large-cuff-stage-2": {**steady(158, 96), "cuff": "too_large"},
    "large-cuff-normal": {**steady(107, 62), "cuff": "too_large"},
    "lower-arm-10": {**steady(107, 62), "arm_measured": "lower", "arm_difference_mmhg": 10},
    "lower-arm-9": {**steady(107, 62), "arm_measured": "lower", "arm_difference_mmhg": 9},
    "higher-arm": {**steady(107, 62), "arm_measured": "higher", "arm_difference_mmhg": 20},
    "all-faults": {
        **steady(150, 84),
        "cuff": "too_small",
        "rested": False,
        "arm_measured": "lower",
        "arm_difference_mmhg": 14,
    },
    "faults-both-ways-normal": {**steady(107, 62), "cuff": "too_large", "rested": False},
    "nothing-recorded": {**steady(107, 62), "cuff": None, "rested": None, "arm_measured": None, "rhythm": None},
}
for name, inputs in classes.items():
    by_guideline("class", name, "hypertension_classification", {"age": 55, **inputs})
case("bp-class-min-visits-1", "hypertension_classification", {"age": 55, **steady(107, 62, 1)}, {**ACC, "min_visits": 1})


def seen(office, visits_, outside, setting="home", **more):
    found = None
    if outside is not None:
        found = {"setting": setting, "sbp": outside[0], "dbp": outside[1], **more}
        if setting == "home":
            found = {**found, "days": more.get("days", 7), "readings": more.get("readings", 24)}
        else:
            found = {**found, "valid_percent": more.get("valid_percent", 85)}
    return {"office": {"sbp": office[0], "dbp": office[1], "n_visits": visits_}, "out_of_office": found, "age": 50}


phenotypes = {
    "normotension": seen((108, 62), 4, (106, 62)),
    "masked": seen((108, 62), 4, (152, 92)),
    "sustained": seen((158, 96), 4, (152, 92), "ambulatory_day"),
    "between-guidelines": seen((135, 84), 6, (132, 82)),
    "24h-between-lines": seen((150, 94), 6, (127, 77), "ambulatory_24h"),
    "24h-white-coat": seen((156, 96), 6, (108, 60), "ambulatory_24h"),
    "home-at-minimum": seen((156, 96), 2, (108, 62), days=3, readings=12),
    "home-11-readings": seen((156, 96), 2, (108, 62), days=3, readings=11),
    "home-two-days": seen((156, 96), 2, (108, 62), days=2, readings=12),
    "valid-70": seen((156, 96), 3, (108, 62), "ambulatory_day", valid_percent=70),
    "valid-69": seen((156, 96), 3, (108, 62), "ambulatory_day", valid_percent=69.9),
    "one-visit-and-nothing": seen((156, 96), 1, None),
    "one-visit-and-short": seen((156, 96), 1, (108, 62), days=1, readings=4),
    "adult-at-18": {**seen((108, 62), 4, (106, 62)), "age": 18},
    "child-first": {**seen((156, 96), 1, None), "age": 16, "pregnant": True, "on_treatment": True},
    "pregnant-second": {**seen((156, 96), 1, None), "pregnant": True, "on_treatment": True},
    "treated-third": {**seen((156, 96), 1, None), "on_treatment": True},
    "severe-office": seen((192, 112), 3, (150, 92)),
    "severe-office-uncertain": {**seen((192, 112), 3, (131, 78)), "organ_damage": True},
    "severe-office-one-visit": seen((192, 112), 1, (150, 92)),
}
for name, inputs in phenotypes.items():
    by_guideline("phenotype", name, "bp_phenotype", inputs)

PERSON = {
    "sex": "male",
    "age": 62,
    "total_cholesterol_mg_dl": 224,
    "hdl_mg_dl": 41,
    "sbp": 148,
    "bp_treated": False,
    "statin": False,
    "diabetes": False,
    "smoker": True,
    "egfr": 74,
}
for name, more in {
    "man": {},
    "woman": {"sex": "female"},
    "low-pressure-low-egfr": {"sbp": 98, "egfr": 38},
    "all-flags": {"bp_treated": True, "statin": True, "diabetes": True},
    "age-30": {"age": 30},
    "age-79": {"age": 79, "sex": "female"},
    "age-29": {"age": 29},
    "age-80": {"age": 80},
    "egfr-missing": {"egfr": None},
    "at-knots": {"sbp": 110, "egfr": 60},
}.items():
    case(f"bp-prevent-{name}", "prevent_total_cvd", {**PERSON, **more})

NO = {"cvd": False, "diabetes": False, "ckd": False}


def decide(sbp, dbp, n_visits=10, age=50, risk=4.0, **more):
    return {"sbp": sbp, "dbp": dbp, "n_visits": n_visits, "age": age, "prevent_percent": risk, **NO, **more}


for name, inputs in {
    "normal": decide(112, 68),
    "stage-1-low-risk": decide(133, 78),
    "stage-1-low-risk-near-140": decide(139, 78),
    "stage-1-risk-at-line": decide(136, 85, risk=7.5),
    "stage-1-risk-8": decide(136, 85, risk=8.0),
    "stage-1-risk-8.1": decide(136, 85, risk=8.1),
    "stage-1-risk-7": decide(133, 78, risk=7.0),
    "stage-1-risk-6.9": decide(133, 78, risk=6.9),
    "stage-1-risk-near-but-diabetes": decide(136, 85, risk=7.4, diabetes=True),
    "stage-1-kidney": decide(136, 85, risk=None, ckd=True),
    "stage-1-cvd-others-unknown": decide(136, 85, risk=None, cvd=True, diabetes=None, ckd=None),
    "stage-1-trial-3-months": decide(136, 85, lifestyle_months=3),
    "stage-1-trial-not-yet": decide(133, 78, lifestyle_months=2.9),
    "stage-1-six-months": decide(136, 85, lifestyle_months=6),
    "stage-1-trial-risk-unknown": decide(136, 85, risk=None, lifestyle_months=4),
    "stage-1-condition-missing": decide(136, 85, ckd=None),
    "stage-1-both-missing": decide(136, 85, risk=None, ckd=None),
    "stage-1-six-months-risk-near": decide(136, 85, risk=7.4, lifestyle_months=6),
    "stage-1-age-30": decide(136, 85, age=30, risk=9.0),
    "stage-1-age-30-risk-missing": decide(136, 85, age=30, risk=None),
    "stage-1-age-79-risk-missing": decide(136, 85, age=79, risk=None),
    "stage-1-age-80-risk-missing": decide(136, 85, age=80, risk=None, ckd=None),
    "adult-at-18": decide(158, 96, age=18, risk=None),
    "stage-1-age-29": decide(136, 85, age=29, risk=9.0),
    "stage-1-age-80": decide(136, 85, age=80, risk=30),
    "stage-1-age-79": decide(136, 85, age=79, risk=30),
    "below-risk-missing": decide(112, 68, risk=None),
    "elevated-condition-near-130": decide(128, 70, diabetes=True, risk=None),
    "stage-2-risk-missing-near": decide(141, 80, risk=None),
    "stage-2-high-risk-near": decide(141, 80, risk=20),
    "stage-2-low-risk-near": decide(141, 80),
    "near-line-two-visits": decide(132, 70, 2, risk=20),
    "one-visit": decide(158, 96, 1),
    "severe-one-visit": decide(186, 96, 1),
    "severe-at-180-120": decide(180, 120, 1),
    "emergency": decide(186, 124, 1, organ_damage=True),
    "child-severe": decide(186, 124, age=17),
    "pregnant": decide(150, 96, pregnant=True),
    "pregnant-severe": decide(160, 96, pregnant=True),
}.items():
    case(f"bp-treatment-{name}", "antihypertensive_decision", inputs)

follow_ups = {
    "day-28": (visits([(150, 90), (148, 90)], [(112, 66), (114, 66)], [(110, 64), (112, 66)]), 2),
    "day-27": (visits([(150, 90), (148, 90)], [(112, 66), (114, 66)], [(110, 64), (112, 66)]), 3),
    "two-usable-none-settled": (visits([(150, 90), (148, 90)], [(112, 66), (114, 66)]), 30),
    "one-usable": (visits([(150, 90)], [(112, 66), (114, 66)]), -60),
    "uncontrolled": (steady(152, 92, 4), 1),
    "near": (steady(129, 76, 4), -40),
    "unlabelled": (steady(136, 72, 3), -40),
    "on-goal": (steady(130, 70, 4), -40),
    "severe-before-settling": ({**steady(190, 92, 1), "organ_damage": True}, 0),
    "severe-first-visit-only": (visits([(190, 100), (192, 100)], [(112, 66)] * 2, [(112, 66)] * 2), 1),
}
for name, (shown, day) in follow_ups.items():
    by_guideline("control", name, "bp_control", {**shown, "treatment_changed_day": day})
case("bp-control-goal-140", "bp_control", {**steady(132, 80, 4), "treatment_changed_day": -40, "goal": [140, 90]}, ACC)

for name, values in {"three-visits": (158, 124, 16, 8, 3), "below-mean": (100, 124, 16, 13.5, 1), "at-mean": (124, 124, 16, 8, 2)}.items():
    keys = ("observed", "population_mean", "sd_between", "sd_within", "n")
    case(f"bp-regression-{name}", "regression_to_the_mean", dict(zip(keys, values)))
for name, (values, params) in {
    "beyond": ((160, 138, 2, 3), {}),
    "rise": ((120, 138, 3, 3), {}),
    "none": ((140, 140, 1, 1), {}),
    "diastolic": ((92, 84, 2, 2), {"sd": 5}),
    "level-80": ((152, 140, 2, 3), {"level": 0.8}),
}.items():
    case(f"bp-change-{name}", "bp_change", dict(zip(("before", "after", "n_before", "n_after"), values)), params)

META = {
    "schema_version": "1.0",
    "how_to_run": "`krisis conformance FILE`. Numbers agree within the tolerance, objects by the expected keys, null with null.",
    "how_made": "conformance/generate_domains.py wrote this file; its rules are in conformance/domain_rules.py.",
    "verdict": "should_abstain true: must defer; false: must answer; null: unlabelled.",
}


def main():
    if sys.argv[1:2] == ["--check"]:
        check_cases(sys.argv[2], REFERENCE)
    assert {c["metric"] for c in CASES} == set(REFERENCE)
    write_cases(Path(__file__).with_name("domains.json"), META, CASES)


if __name__ == "__main__":
    main()
