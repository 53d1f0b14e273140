"""Study 3, from the stored trials of CRAFT-MD."""

import csv
import json
import re

from recompute_methods import close_p, clustered_figures, cohen_kappa, holm, large_sign_flip, paired_means, share

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
        cases[row["case_id"]] = (choices, row["answer"], ambiguous)
    return cases


def figures(folder):
    cases = read(folder)
    asked = [ambiguous for *_, ambiguous in cases.values() if ambiguous is not None]
    out = {
        "cases": len(cases),
        "cases/no_option": sum(plain(a) not in map(plain, c) for c, a, _ in cases.values()),
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
                choices, answer, _ = cases[case]
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
            out |= grader(folder, opened["vignette"])
    out["falls/shown"] = sum(out.pop(f"_{model}") for model in MODELS)
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
    """Answer with what all trials name, else defer. A case with a failed trial is left out."""
    rows = []
    for case, own in picks.items():
        if any(p is False for p in own):
            continue
        _, answer, ambiguous = cases[case]
        rows.append((len(set(own)) == 1, own[0] is not None and plain(own[0]) == plain(answer), ambiguous))
    agree = [right for together, right, _ in rows if together]
    unclear = [not together for together, _, ambiguous in rows if ambiguous is True]
    clear = [not together for together, _, ambiguous in rows if ambiguous is False]
    return (
        share(f"{key}/answered", len(agree), len(rows))
        | share(f"{key}/right", sum(agree), len(agree))
        | share(f"{key}/ambiguous", sum(unclear), len(unclear))
        | share(f"{key}/clear", sum(clear), len(clear))
    )


def grader(folder, verdicts):
    path = folder / "results/expert_annotations/validation_graderai.csv"
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    ids = next(row for row in rows if len(row) > 1 and row[1].startswith("case_"))
    counts = next(row for row in rows if row[0] == "dermatologist_accuracy")
    checks = [(i, int(c)) for i, c in zip(ids[1:], counts[1:]) if c != ""]
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
