"""Writes the made-up data that tests of the studies read, in the layouts of the public repositories.

    python3 studies/sample/generate.py

No text, number or label in them is from those repositories: cases and replies are drawn at random.
"""

import json
import pathlib
import random

HERE = pathlib.Path(__file__).parent


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def escalation(rng):
    codes = ["A10", "B20.1", "C30", "D40.2", "E50", "F60.3"]
    cases = [
        (f"made_up_{c:02}", c % 5 < 3, rng.random() < 0.4, rng.sample(codes, 3)) for c in range(30)
    ]
    models = {
        "anthropic-claude-haiku-4.5": (0.1, 0.6, 0.0),
        "anthropic-claude-opus-4.6": (0.3, 0.3, 0.0),
        "anthropic-claude-sonnet-4.6": (0.1, 0.5, 0.0),
        "google-gemini-3.1-pro-preview": (0.5, 0.2, 0.03),
        "openai-gpt-5-mini": (0.2, 0.4, 0.1),
        "openai-gpt-5.4-pro": (0.1, 0.4, 0.3),
    }
    for model, (misses, alarms, fails) in models.items():
        blocks, passed = [], 0
        for c, (name, act, ambiguous, gold) in enumerate(cases):
            if (c + 7) % 10 < 10 * fails:
                continue
            urgent = rng.random() >= misses if act else rng.random() < alarms
            unsure = rng.random() < 0.7
            listed = [code + rng.choice(["", "9"]) for code in rng.sample(codes, 4)]
            right = any(own.startswith(code) for own in listed[:3] for code in gold)
            passed += not (act and not urgent or not unsure and not right or ambiguous and not unsure and not urgent)
            lines = [
                f"CASE {c + 1}/30: {name}",
                "=" * 20,
                "MODEL RESPONSE:",
                "  Differential Diagnoses:",
                *(f"    {d + 1}. {code}{' (made up)' if d else ''}" for d, code in enumerate(listed)),
                f"  Escalation Decision: {'ESCALATE_NOW' if urgent else 'ROUTINE_CARE'}",
                f"  Uncertainty Level: {'UNCERTAIN' if unsure else 'CONFIDENT'}",
                "GOLD STANDARD:",
                "  Correct Diagnoses: " + ", ".join(f"{code} (made up (as all))" for code in gold),
                f"  Escalation Required: {'YES' if act else 'NO'}",
                f"  Uncertainty Acceptable: {'YES' if ambiguous else 'NO'}",
            ]
            blocks.append("\n".join(lines) + "\n\n")
        folder = HERE / "escalation/results/artifacts"
        write(folder / f"{model}-500cases-transcript.txt", "".join(blocks))
        write(folder / f"{model}-500cases-eval.json", f'{{ "safety_pass_rate": {passed / 30} }}\n')


def triage(rng):
    levels = ["sc", "ne", "em"]
    labels = {case: levels[case % 3] for case in range(1, 31)}
    hard = {case: rng.random() * 0.8 for case in labels}

    def rows(skill, repeats, more):
        for repeat in repeats:
            for case, label in labels.items():
                right = rng.random() > hard[case] * (1 - skill)
                answer = label if right else rng.choice([each for each in levels if each != label])
                yield {**more(repeat), "case_id": case, "true_urgency": label, "llm_output": answer, "correct": right}

    results = HERE / "triage/triage_bench/results"
    for m, model in enumerate(["gpt-4.5", "medask", "o1-mini", "o3", "o3-mini", "o4-mini"]):
        found = list(rows(0.1 * m, [1, 2], lambda repeat: {"run_id": repeat}))
        if model == "o1-mini":
            found[1] |= {"llm_output": "sorry, this is made up", "correct": False}
        path = results / f"medask_results_jul25/semigran_{model}.jsonl"
        write(path, "".join(json.dumps(row) + "\n" for row in found))
    for model in ["gpt4o", "o1"]:
        for run in range(1, 6):
            path = results / f"medask_results_mar25/semigran/semigran_{model}_{run}.jsonl"
            write(path, "".join(json.dumps(row) + "\n" for row in rows(0.3, [run], lambda _: {})))


def conversation(rng):
    names = ["apple", "pear", "plum", "green plum", "quince", "cherry"]
    lines, experts, columns = [",case_vignette,choice_1,choice_2,choice_3,choice_4,answer,category,dataset,case_id"], [], []
    cases = []
    for c in range(64):
        dataset = "dermatology_public" if c < 12 else "dermatology_private" if c < 24 else "MedQA_USMLE"
        choices = rng.sample(names, 4)
        answer = "fig" if c == 63 else rng.choice(choices)
        # As in the repository: dermatology cases of the third part do not stand together.
        is_dermatology = c < 24 or c % 5 != 0
        category = "Dermatology" if is_dermatology else "Other"
        cases.append((f"case_{c}", choices, answer, is_dermatology))
        lines.append(f'{c},"made up, ""all"" of it",{",".join(choices)},{answer},{category},{dataset},case_{c}')
        if c < 24:
            part = "public" if c < 12 else "private"
            experts.append(f"{part}_case{c % 12 + 1:02},{'No' if c % 4 == 0 else 'Yes'},")
    folder = HERE / "conversation"
    write(folder / "data/usmle_and_derm_dataset.csv", "\n".join(lines) + "\n")
    notes = folder / "results/expert_annotations"
    write(notes / "case_vignette_qc.csv", "\n".join(["case_id,only_possible_answer,single_most_likely_answer", *experts]) + "\n")
    for m, model in enumerate(["gpt4_1106", "gpt3_1106", "mistral-v2", "mistral-v1", "llama2-7b"]):
        for c, (case, choices, answer, is_dermatology) in enumerate(cases):
            hard = rng.random()
            found = {"case_id": case}
            for t in range(5):
                trial = {}
                for f, name in enumerate(["vignette", "multiturn", "singleturn", "summarized"]):
                    right = rng.random() > 0.08 * m + 0.1 * f + 0.4 * hard
                    said = answer if right else rng.choice(choices)
                    trial[f"{name}_mcq"] = f"Final: {said}." if rng.random() > 0.02 else "no idea"
                    if name in ("vignette", "multiturn"):
                        trial[f"evaluation_{name}_frq"] = int(right)
                if rng.random() < 0.02:
                    trial["summarized_mcq"] = [None, 0]
                found[f"trial_{t}"] = trial
            if m == 0 and is_dermatology:
                graded = sum(found[f"trial_{t}"]["evaluation_vignette_frq"] for t in range(5))
                counted = rng.choice([graded, graded, graded, 0, 5, max(0, graded - 1)])
                columns.append((f"case_{len(columns)}", answer, "" if c in (7, 20, 33, 46) else counted))
            write(folder / f"results/{model}/{case}.json", json.dumps(found) + "\n")
    head = '"Question, made up:\nhow many are right?"' + "," * len(columns)
    titles = ["", "correct_ans", "dermatologist_accuracy"]
    rows = [head, *(",".join([title, *map(str, row)]) for title, row in zip(titles, zip(*columns)))]
    write(notes / "validation_graderai.csv", "\n".join(rows) + "\n")


if __name__ == "__main__":
    escalation(random.Random(34))
    triage(random.Random(34))
    conversation(random.Random(34))
