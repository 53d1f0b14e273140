#!/usr/bin/env python3
"""Recomputes every label and deferral label of exported records, and counts disagreements.

    krisis suite export ckd/staging -o staging.jsonl
    python3 recompute.py ckd/staging staging.jsonl

    --split-stage-3     the suite has 3a and 3b apart
    --defer-above 0.2   the limit of the suite's deferral labels

Exit code 0 with no disagreement, 1 with any, 2 for a task that is not known. The rules of a domain are in
recompute_<domain>.py: a table TASKS from task names to functions (task, record, options) that give what
the fields of a record must be. Standard library only; it shares no code with the library under test.
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


def agrees(field, want, got):
    if field in ROUNDED and want is not None and got is not None:
        return math.fabs(want - got) <= ROUNDED[field]
    return type(want) is type(got) and want == got


def disagreements(task, rule, record, options):
    given = {**record["metadata"], "label": record["label"]}
    wanted = rule(task, record, options)
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
                found = disagreements(given.task, rules[given.task], record, options)
                wrong += bool(found)
                for field, want, got in found:
                    print(f"{record['id']}: {field} is {got!r}, recomputed {want!r}")
    print(f"{given.task}: {records} records, {wrong} disagree")
    # An empty file shows nothing.
    return 1 if wrong or records == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
