"""Study 3, from the stored trials of CRAFT-MD."""

import csv
import json
import re

from recompute_methods import (
    auroc_figures,
    close_p,
    clustered_figures,
    cohen_kappa,
    corrected_figures,
    holm,
    large_sign_flip,
    paired_means,
    wilson,
)

MODELS = ["gpt4_1106", "gpt3_1106", "mistral-v2", "mistral-v1", "llama2-7b"]
FORMATS = ["vignette", "multiturn", "singleturn", "summarized"]
OPEN = ["vignette", "multiturn"]


def plain(text):
    return " ".join(re.findall(r"[^\W_]+", text.lower()))


def option(reply, choices):
    """The option named; None for none, or for several that are not parts of one."""
    named = [choice for choice in choices if f" {plain(choice)} " in f" {plain(reply)} "]
    if not named:
        return None
    longest = max(named, key=len)
    return longest if all(plain(other) in plain(longest) for other in named) else None


def read(folder):
    with open(folder / "data/usmle_and_derm_dataset.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with open(folder / "results/expert_annotations/case_vignette_qc.csv", encoding="utf-8", newline="") as file:
        expert = {row["case_id"]: row["only_possible_answer"] == "No" for row in csv.DictReader(file)}
    cases, number = {}, {"public": 0, "private": 0}
    for row in rows:
        if not (folder / "results" / MODELS[0] / f"{row['case_id']}.json").exists():
            continue
        part = row["dataset"].removeprefix("dermatology_")
        ambiguous = None
        if part in number:
            number[part] += 1
            ambiguous = expert.get(f"{part}_case{number[part]:02}")
        choices = [row[f"choice_{i}"] for i in range(1, 5)]
        cases[row["case_id"]] = (choices, row["answer"], ambiguous, row["category"] == "Dermatology")
    return cases


def figures(folder):
    cases = read(folder)
    asked = [ambiguous for _, _, ambiguous, _ in cases.values() if ambiguous is not None]
    out = {
        "cases": len(cases),
        "cases/no_option": sum(plain(a) not in map(plain, c) for c, a, *_ in cases.values()),
        "cases/annotated": len(asked),
        "cases/ambiguous": sum(asked),
        "falls/models": len(MODELS),
    }
    falls = []
    for model in MODELS:
        trials = {}
        for case in cases:
            found = json.loads((folder / "results" / model / f"{case}.json").read_text(encoding="utf-8"))
            trials[case] = [found[key] for key in sorted(found) if key.startswith("trial_")]
        scores, picks = {}, {}
        for name in FORMATS:
            scores[name], picks[name] = {}, {}
            for case, own in trials.items():
                choices, answer, *_ = cases[case]
                given = [t.get(f"{name}_mcq") for t in own]
                picked = [option(r, choices) if isinstance(r, str) else "failed" for r in given]
                picks[name][case] = [p if isinstance(r, str) else False for p, r in zip(picked, given)]
                scores[name][case] = [
                    int(p is not None and plain(p) == plain(answer)) if isinstance(r, str) else None
                    for p, r in zip(picked, given)
                ]
        out |= compared(model, scores, FORMATS, "")
        falls.append(out[f"{model}/multiturn/fall/difference"])
        out[f"_{model}"] = out[f"{model}/multiturn/fall/upper"] < 0
        opened = {
            name: {case: [verdict(t, name) for t in own] for case, own in trials.items()} for name in OPEN
        }
        out |= compared(model, opened, OPEN, "/open")
        for name in OPEN:
            out |= votes(f"{model}/{name}/votes", picks[name], cases)
        if model == "gpt4_1106":
            out |= grader(checks(folder, cases), opened["vignette"])
            out |= corrected(checks(folder, cases), cases, opened["vignette"])
    out["falls/shown"] = sum(out.pop(f"_{model}") for model in MODELS)
    known = [key for key in out if key.endswith("/ambiguity/lower") and key[0] != "_"]
    out["ambiguity/all"] = len(known)
    out["ambiguity/shown"] = sum(out.pop(f"_{key}") > 0.5 for key in known)
    out["falls/least"], out["falls/most"] = min(-d for d in falls), max(-d for d in falls)
    return out


def verdict(trial, name):
    value = trial.get(f"evaluation_{name}_frq")
    return value if value in (0, 1) else None


def compared(model, scores, formats, suffix):
    out, differences = {}, {}
    for name in formats:
        clusters = [tuple(s for s in own if s is not None) for own in scores[name].values()]
        sums = [(sum(own), len(own)) for own in clusters if own]
        found = clustered_figures(f"{model}/{name}{suffix}", sums)
        out |= {key: value for key, value in found.items() if not key.endswith(("/x", "/n"))}
        if name != formats[0]:
            scored = lambda own: [s for s in own if s is not None]
            pairs = [(scored(scores[formats[0]][case]), scored(own)) for case, own in scores[name].items()]
            whole = [(a, b) for a, b in pairs if a and b]
            differences[name] = [sum(b) / len(b) - sum(a) / len(a) for a, b in whole]
    adjusted = holm([large_sign_flip(d) for d in differences.values()])
    for (name, d), p in zip(differences.items(), adjusted):
        lower, upper = paired_means(d)
        key = f"{model}/{name}{suffix}/fall"
        out |= {f"{key}/difference": sum(d) / len(d), f"{key}/lower": lower, f"{key}/upper": upper, f"{key}/n": len(d)}
        out[f"{key}/p_holm"] = close_p(p, len(differences))
    return out


def votes(key, picks, cases):
    """The option that most trials name, where at least so many name it. A case with a failed trial is left out."""
    rows, clear = [], []
    for case, own in picks.items():
        if any(p is False for p in own):
            continue
        _, answer, ambiguous, _ = cases[case]
        n, pick = most(own)
        right = pick is not None and plain(pick) == plain(answer)
        rows.append((n, right))
        if ambiguous is not None:
            clear.append((n, not ambiguous))
    out = {}
    for least in (5, 4, 3, 1):
        given = [right for n, right in rows if n >= least]
        lower, upper = wilson(sum(given), len(given))
        own = f"{key}/{least}"
        out |= {f"{own}/wrong/x": len(given) - sum(given), f"{own}/wrong/n": len(given)}
        out |= {f"{own}/wrong/value": 1 - sum(given) / len(given)}
        out |= {f"{own}/wrong/lower": 1 - upper, f"{own}/wrong/upper": 1 - lower}
        if least > 1:
            out[f"{own}/answered"] = len(given) / len(rows)
    out |= auroc_figures(f"{key}/auroc", rows)
    return out | auroc_figures(key.replace("/votes", "/ambiguity"), clear)


def most(own):
    """What is named most often; of several, what is named first."""
    counts = {}
    for pick in own:
        counts[pick] = counts.get(pick, 0) + 1
    pick = max(counts, key=lambda each: counts[each])
    return counts[pick], pick


def checks(folder, cases):
    """(case, right trials) of the physicians, whose file numbers the dermatology cases in the order of the table."""
    path = folder / "results/expert_annotations/validation_graderai.csv"
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    names = next(row for row in rows if len(row) > 1 and row[1].startswith("case_"))
    counts = next(row for row in rows if row[0] == "dermatologist_accuracy")
    answers = next(row for row in rows if row[0] == "correct_ans")
    skin = [case for case, own in cases.items() if own[3]]
    found = []
    for name, count, answer in zip(names[1:], counts[1:], answers[1:]):
        case = skin[int(name[5:])]
        assert plain(cases[case][1]) == plain(answer), name
        if count != "":
            found.append((case, int(count)))
    return found


def corrected(checked, cases, verdicts):
    """The grader's score of a case is the share of its trials that it calls right; the physicians' is their count."""
    counts, out = dict(checked), {}
    for part in ("dermatology", "all"):
        rows = [
            (sum(v == 1 for v in own) / len(own), counts[case] / len(own) if case in counts else None)
            for case, own in verdicts.items()
            if part == "all" or cases[case][3]
        ]
        out |= corrected_figures(f"corrected/{part}", rows)
    return out


def grader(checks, verdicts):
    known = {"settled": [], "best": [], "worst": []}
    for case, right in checks:
        if case not in verdicts:
            continue
        own = [int(v == 1) for v in verdicts[case]]
        best = sorted(range(len(own)), key=lambda t: -own[t])
        for kind, order in (("best", best), ("worst", best[::-1])):
            people = set(order[:right])
            known[kind].append([(g, int(t in people)) for t, g in enumerate(own)])
        if right in (0, len(own)):
            known["settled"].append([(g, int(right > 0)) for g in own])
    out = {"grader/checked": len(checks)}
    for name, truth in (("sensitivity", 1), ("specificity", 0)):
        for kind, cases in known.items():
            clusters = [[g == p for g, p in case if p == truth] for case in cases]
            sums = [(sum(own), len(own)) for own in clusters if own]
            if kind == "settled":
                out |= clustered_figures(f"grader/{name}", sums)
            else:
                out[f"grader/{name}/{kind}"] = sum(s for s, _ in sums) / sum(m for _, m in sums)
    for kind, cases in known.items():
        key = "grader/kappa/value" if kind == "settled" else f"grader/kappa/{kind}"
        out[key] = cohen_kappa([pair for case in cases for pair in case])
    return out
