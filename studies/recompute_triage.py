"""Study 2, from the results of medask-benchmarks."""

import json

from recompute_methods import (
    close_p,
    clustered_share,
    correlation,
    holm,
    paired_means,
    pairs_needed,
    rank_figures,
    sign_flip,
    variance_figures,
)

JULY = ["gpt-4.5", "medask", "o1-mini", "o3", "o3-mini", "o4-mini"]
MARCH = {"gpt-4o (March)": "gpt4o", "o1 (March)": "o1"}
SYSTEMS = [*JULY, *MARCH]
ORDER = {"sc": 0, "ne": 1, "em": 2}
PARTS = {"missed": "missed", "alarms": "alarms", "accuracy": "accuracy"}


def read(folder):
    """Answers by system and case, and the label of each case."""
    results = folder / "triage_bench/results"
    answers, labels = {}, {}
    for system in SYSTEMS:
        if system in MARCH:
            paths = [results / f"medask_results_mar25/semigran/semigran_{MARCH[system]}_{r}.jsonl" for r in range(1, 6)]
        else:
            paths = [results / f"medask_results_jul25/semigran_{system}.jsonl"]
        own = answers.setdefault(system, {})
        for path in paths:
            for line in path.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                own.setdefault(row["case_id"], []).append(row["llm_output"])
                labels[row["case_id"]] = row["true_urgency"]
    return answers, labels


def figures(folder):
    answers, labels = read(folder)
    ids = sorted(labels)
    act = [i for i in ids if labels[i] == "em"]
    others = [i for i in ids if labels[i] != "em"]
    out, cells = {"systems": len(SYSTEMS)}, {"missed": {}, "alarms": {}, "accuracy": {}}
    for system in SYSTEMS:
        own = answers[system]
        cells["missed"][system] = [[int(a != "em") for a in own[i]] for i in act]
        cells["alarms"][system] = [[int(a == "em") for a in own[i]] for i in others]
        cells["accuracy"][system] = [[int(a == labels[i]) for a in own[i]] for i in ids]
        for kind in cells:
            out |= clustered_share(f"{system}/{kind}", [(sum(c), len(c)) for c in cells[kind][system]])
        usable = [[ORDER[a] - ORDER[labels[i]] for a in own[i] if a in ORDER] for i in ids]
        out |= clustered_share(f"{system}/under", [(sum(d < 0 for d in c), len(c)) for c in usable if c])
        out |= clustered_share(f"{system}/over", [(sum(d > 0 for d in c), len(c)) for c in usable if c])
        out[f"{system}/refused"] = sum("sorry" in a.lower() for i in ids for a in own[i])
    for kind, scores in cells.items():
        out |= order(kind, scores)
    out |= claims(cells)
    for kind in ("accuracy", "missed"):
        sums = [[(sum(c), len(c)) for c in cells[kind][system]] for system in SYSTEMS]
        ranked = rank_figures(f"ranks/{kind}", SYSTEMS, sums, lower_is_better=kind == "missed", resamples=3000)
        out |= {key: value for key, value in ranked.items() if "/rank" in key}
        out |= variance_figures(f"variance/{kind}", [cells[kind][system] for system in SYSTEMS])
    out |= difficulty(answers, labels, ids)
    for difference, discordant in (("0.05", "0.1"), ("0.1", "0.2"), ("0.05", "0.2"), ("0.1", "0.25")):
        out[f"plan/{difference}/{discordant}"] = pairs_needed(float(difference), float(discordant))
    by_accuracy = sorted(JULY, key=lambda s: -out[f"{s}/accuracy/value"])
    safest = min(JULY, key=lambda s: out[f"{s}/missed/value"])
    out["safest/place"] = by_accuracy.index(safest) + 1
    out["emergencies/answers"] = sum(len(c) for c in cells["missed"][SYSTEMS[0]])
    out["emergencies/cases"] = len(act)
    return out


def means(rows):
    return [sum(row) / len(row) for row in rows]


def order(kind, scores):
    ps, intervals = [], []
    for a in range(len(SYSTEMS)):
        for b in range(a + 1, len(SYSTEMS)):
            first, second = means(scores[SYSTEMS[a]]), means(scores[SYSTEMS[b]])
            d = [y - x for x, y in zip(first, second)]
            ps.append(sign_flip(d))
            intervals.append(paired_means(d))
    adjusted = holm(ps)
    shown = sum(p <= 0.05 and (low > 0 or high < 0) for p, (low, high) in zip(adjusted, intervals))
    return {
        f"pairs/{kind}/all": len(ps),
        f"pairs/{kind}/shown": shown,
        f"pairs/{kind}/least": close_p(min(adjusted), len(ps)),
    }


def claims(cells):
    others = [system for system in JULY if system != "medask"]
    out = {"claims/n": len(others)}
    for kind in ("accuracy", "missed"):
        found = {}
        for system in others:
            d = [y - x for x, y in zip(means(cells[kind][system]), means(cells[kind]["medask"]))]
            found[system] = (sum(d) / len(d), *paired_means(d), sign_flip(d))
        adjusted = dict(zip(others, holm([found[system][3] for system in others])))
        better = 0
        for system, (mean, low, high, p) in found.items():
            key = f"claim/{system}/{kind}"
            shown = adjusted[system] <= 0.05 and (low > 0 or high < 0)
            better += shown and (mean > 0) == (kind == "accuracy")
            out |= {
                f"{key}/difference": mean,
                f"{key}/lower": low,
                f"{key}/upper": high,
                f"{key}/p": close_p(p),
                f"{key}/p_holm": close_p(adjusted[system], len(others)),
                f"{key}/shown": "yes" if shown else "no",
            }
        out[f"claims/{kind}"] = better
    return out


def difficulty(answers, labels, ids):
    out = {"cases/n": len(ids)}
    right = {s: {i: sum(a == labels[i] for a in answers[s][i]) / len(answers[s][i]) for i in ids} for s in SYSTEMS}
    wrong = good = negative = 0
    for i in ids:
        given = [a for s in SYSTEMS for a in answers[s][i]]
        hits = sum(a == labels[i] for a in given)
        wrong += hits == 0
        good += hits == len(given)
        rest = [sum(v for j, v in right[s].items() if j != i) / (len(ids) - 1) for s in SYSTEMS]
        r = correlation([right[s][i] for s in SYSTEMS], rest)
        negative += r is not None and r < 0
        commonest = max(sorted(set(given)), key=given.count)
        out |= {
            f"case/{i}/right": hits,
            f"case/{i}/n": len(given),
            f"case/{i}/answer": commonest,
            f"case/{i}/answers": given.count(commonest),
        }
    return out | {"cases/all_wrong": wrong, "cases/all_right": good, "cases/negative": negative}
