#!/usr/bin/env python3
"""Recomputes labels, deferral labels, must-act and near-line marks of exported records, and counts disagreements.

    krisis check ckd/staging --export staging.jsonl
    python3 recompute.py ckd/staging staging.jsonl

    --split-stage-3     the suite has 3a and 3b apart
    --defer-above 0.2   the limit of the suite's deferral labels

Exit code 0 with no disagreement, 1 with any, 2 for a task that is not known or records of another. The rules of a domain are in
recompute_<domain>.py: a table TASKS from task names to two functions (task, record, options), one for label and
deferral, one for findings to act upon. They read the features of a record, the truth that no feature shows (the
course of progression, the class of the UCI file), and by which guideline and from which source a suite was made;
never a mark that is checked here. Standard library only; it shares no code with the library under test.
"""

import argparse
import importlib
import json
import math
import sys

# Leave no compiled files beside the package.
sys.dont_write_bytecode = True

DOMAINS = ("ckd", "diabetes", "hypertension")
# Values that the suite rounds may round the other way here.
ROUNDED = {"egfr": 0.0101, "flip_probability": 0.000101}
# Findings that call for treatment soon: whether they need action today stays open.
NOT_SAME_DAY = {"egfr_below_10", "severe_hypertension"}
# Reasons to defer that are nothing but nearness to a line.
NEARNESS = {
    "near_stage_threshold",
    "near_progression_line",
    "near_diagnostic_line",
    "near_goal",
    "change_inside_reference_change_value",
    "course_uncertain",
    "near_hypertension_line",
    "near_threshold",
    "near_treatment_line",
}


def agrees(field, want, got):
    if field in ROUNDED and want is not None and got is not None:
        return math.fabs(want - got) <= ROUNDED[field]
    return type(want) is type(got) and want == got


def with_marks(found, findings):
    """Adds what follows alike in every domain. In an emergency deferring is never demanded."""
    must_act = True if set(findings) - NOT_SAME_DAY else None if findings else False
    deferral, reasons = found["should_abstain"], found["should_abstain_reasons"]
    if must_act and deferral:
        deferral = None
    marks = {
        "should_abstain": deferral,
        "near_line": deferral is True and len(reasons) == 1 and reasons[0] in NEARNESS,
        "must_act": must_act,
        "must_act_reasons": findings,
    }
    return {**found, **marks}


def disagreements(task, rules, record, options):
    decide, find = rules
    given = {**record["metadata"], "label": record["label"]}
    wanted = with_marks(decide(task, record, options), find(task, record, options))
    return [
        (field, want, given.get(field)) for field, want in wanted.items() if not agrees(field, want, given.get(field))
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--split-stage-3", action="store_true")
    parser.add_argument("--defer-above", type=float, default=0.2)
    given = parser.parse_args()
    options = {"split_stage_3": given.split_stage_3, "defer_above": given.defer_above}
    rules = {}
    for domain in DOMAINS:
        rules.update(importlib.import_module(f"recompute_{domain}").TASKS)
    if given.task not in rules:
        print(f"task {given.task} is not known; known are: {', '.join(rules)}", file=sys.stderr)
        return 2
    records, wrong = 0, 0
    for path in given.files:
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                if not line.strip():
                    continue
                record = json.loads(line)
                records += 1
                try:
                    found = disagreements(given.task, rules[given.task], record, options)
                except KeyError as missing:
                    print(f"{path}: {record['id']} has no {missing}; is it an export of {given.task}?", file=sys.stderr)
                    return 2
                wrong += bool(found)
                for field, want, got in found:
                    print(f"{record['id']}: {field} is {got!r}, recomputed {want!r}")
    print(f"{given.task}: {records} records, {wrong} disagree")
    # An empty file shows nothing.
    return 1 if wrong or records == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
