"""Writes a file of reference cases, and compares a reference with the cases of another file. Used by the generators beside it; standard library only."""

import json
import sys
from pathlib import Path


def line(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def write_cases(path, meta, cases):
    """One line per case, so that a change of one case is a change of one line. The same cases give the same bytes."""
    ids = [c["id"] for c in cases]
    assert len(ids) == len(set(ids))
    head = ",\n".join(f"{line(k)}:{line(v)}" for k, v in meta.items())
    body = ",\n".join(line(c) for c in cases)
    text = f'{{"meta":{{\n{head}}},\n"cases":[\n{body}\n]}}\n'
    json.loads(text)
    Path(path).write_text(text, encoding="utf-8")
    print(f"{len(cases)} cases, {len(text.encode())} bytes")


def agrees(got, expected, tolerance):
    if isinstance(expected, dict):
        return isinstance(got, dict) and all(agrees(got.get(k), v, tolerance) for k, v in expected.items())
    if isinstance(expected, list):
        return isinstance(got, list) and len(got) == len(expected) and all(agrees(g, e, tolerance) for g, e in zip(got, expected))
    if isinstance(expected, (int, float)) and not isinstance(expected, bool):
        return isinstance(got, (int, float)) and not isinstance(got, bool) and abs(got - expected) <= tolerance
    return got is expected or (isinstance(expected, str) and got == expected)


def check_cases(path, reference, skip=lambda case: False):
    """Runs the reference against the cases of a file, prints each difference, and ends with 1 if there is one."""
    wrong = checked = 0
    for case in json.loads(Path(path).read_text(encoding="utf-8"))["cases"]:
        if skip(case):
            continue
        checked += 1
        got = reference[case["metric"]](case["rows"] if "rows" in case else case["inputs"], case["params"])
        if not agrees(got, case["expected"], case["tolerance"]):
            wrong += 1
            print(f"{case['id']}: expected {case['expected']}, got {got}")
    print(f"{checked} cases, {wrong} differences")
    sys.exit(1 if wrong else 0)
