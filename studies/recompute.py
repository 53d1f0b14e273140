"""Recomputes every number of a study's page from the same public data.

    python3 studies/recompute.py STUDY CHECKOUT FIGURES

Standard library only. Written from the statements of the methods (Wilson 1927, Tango 1998, McNemar, Holm 1979,
Rogan and Gladen 1978, variance components by moments), not from the code of Krisis. Prints how many numbers it
compared, and ends with 1 if one differs by more than rounding, or a random one by more than three Monte Carlo
standard errors.
"""

import importlib
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
RELATIVE = 1e-6


def differs(ours, theirs):
    """None where the number agrees, else why it does not. Numbers from random draws are functions that judge the other's."""
    if callable(ours):
        return None if ours(theirs) else f"{theirs} does not fit"
    if isinstance(ours, (str, type(None))) or isinstance(theirs, (str, type(None))):
        return None if ours == theirs else f"{theirs}, here {ours}"
    return None if abs(ours - theirs) <= RELATIVE * max(1, abs(ours)) else f"{theirs}, here {ours}"


def main(study, data, figures):
    theirs = json.loads(pathlib.Path(figures).read_text(encoding="utf-8"))
    ours = importlib.import_module(f"recompute_{study}").figures(pathlib.Path(data))
    problems = [f"{key}: not recomputed" for key in theirs if key not in ours]
    for key, value in theirs.items():
        if key in ours:
            problem = differs(ours[key], value)
            if problem:
                problems.append(f"{key}: {problem}")
    random = sum(callable(value) for value in ours.values())
    print(f"{study}: {len(theirs)} numbers ({random} from random draws), {len(problems)} differences")
    for problem in problems:
        print(f"  {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        print("usage: python3 studies/recompute.py STUDY CHECKOUT FIGURES", file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))
