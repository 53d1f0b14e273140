"""A second reading of other tools' files, for test/interop-mutations.test.ts: prints for each file how many answers count, and the sum of their scores."""

import io
import json
import math
import re
import sys
import zipfile

FOLD = re.compile(r"[\s\"'`*_“”‘’]+")
BEFORE = r"[ \t]*[(\[{]?[ \t]*"
AFTER = r"(?=[ \t]*(?:[.,;:!)\]}]|-[ \t]|–|$))"


def fold(text):
    return FOLD.sub(" ", text.lower()).strip()


def matcher(labels):
    by_text = {fold(label): label for label in labels}
    known = "(" + "|".join(re.escape(x) for x in sorted(by_text, key=len, reverse=True) if x) + ")"
    leading = re.compile("^" + BEFORE + known + AFTER)
    stated = re.compile(r"\banswer(?: is|:| is:|=)" + BEFORE + "(?:option |choice )?" + BEFORE + known + AFTER, re.M)

    def match(text):
        if fold(text) in by_text:
            return by_text[fold(text)]
        lines = [x for x in map(fold, re.split(r"\r?\n", text)) if x]
        found = leading.match(lines[0]) if lines else None
        if found:
            return by_text[found[1]]
        found = stated.findall("\n".join(lines))
        return by_text[found[-1]] if found else None

    return match


def text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def total(rows):
    """rows: dicts of id, answer, targets, choices, score, abstained, failed."""
    labels = {}
    closed = True
    for row in rows:
        for label in (row.get("choices") or []) + row["targets"]:
            if len(text(label)) > 60 or "\n" in text(label):
                closed = False
            labels[text(label).strip().lower()] = text(label)
    chosen = any(row.get("choices") for row in rows)
    if not chosen:
        ids = {row["id"] for row in rows}
        closed = closed and 0 < len(labels) <= 20 and all(row["targets"] for row in rows) and len(ids) >= 2 * len(labels)
    has_scores = any(row["score"] is not None for row in rows)
    match = matcher(list(labels.values())) if closed and labels else None
    n = right = 0
    for row in rows:
        if row["failed"]:
            continue
        if row.get("abstained"):
            n += 1
        elif match:
            n += 1
            label = None if row["answer"] is None else match(text(row["answer"]))
            targets = [match(text(t)) or text(t) for t in row["targets"]]
            right += label is not None and label in targets
        elif has_scores:
            if row["score"] is not None:
                n += 1
                right += row["score"]
        elif row["targets"]:
            n += 1
            answer = row["answer"]
            right += answer is not None and text(answer).strip().lower() == text(row["targets"][0]).strip().lower()
    return [n, right]


def number(value):
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, (int, float)) and not math.isnan(value) and 0 <= value <= 1:
        return float(value)
    return None


def content(value):
    if isinstance(value, str):
        return value or None
    if isinstance(value, list):
        texts = [x["text"] for x in value if isinstance(x, dict) and isinstance(x.get("text"), str)]
        return "\n".join(texts) if texts else None
    return None


def inspect_row(sample, scorer):
    scores = sample.get("scores") or {}
    score = scores.get(scorer) if scorer else (next(iter(scores.values())) if scores else None)
    value = score.get("value") if score else None
    if isinstance(value, float) and math.isnan(value):
        value = None
    choices = sample.get("choices") or []
    letters = [chr(65 + i) for i in range(len(choices))]
    target = sample.get("target")
    targets = [t for t in (target if isinstance(target, list) else [target]) if t not in (None, "")]
    if choices:
        targets = [letters[choices.index(t)] if t in choices and str(t).upper() not in letters else t for t in targets]
    answer = score.get("answer") if score else None
    if answer in (None, ""):
        output = ((sample.get("output") or {}).get("choices") or [{}])[0]
        answer = content((output.get("message") or {}).get("content"))
    failed = sample.get("error") is not None or sample.get("limit") is not None or (bool(scores) and value is None)
    grade = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}.get(value) if isinstance(value, str) else number(value)
    return {"id": str(sample["id"]), "answer": answer, "targets": targets, "choices": letters, "score": grade,
            "abstained": value == "N", "failed": failed}


def inspect(data, scorer=None):
    if data[:2] == b"PK":
        archive = zipfile.ZipFile(io.BytesIO(data))
        samples = [json.loads(archive.read(x)) for x in archive.namelist() if re.match(r"samples/.+\.json$", x)]
    else:
        samples = json.loads(data)["samples"]
    return total([inspect_row(sample, scorer) for sample in samples])


def lm_eval(data):
    rows = []
    for line in data.decode().split("\n"):
        if not line.strip():
            continue
        sample = json.loads(line)
        answers = sample["filtered_resps"]
        pairs = [float(a[0]) for a in answers if isinstance(a, list) and len(a) == 2 and str(a[1]).lower() in ("true", "false")]
        if len(pairs) == len(answers) and len(pairs) > 1 and not any(map(math.isnan, pairs)):
            letters = [chr(65 + i) for i in range(len(pairs))]
            rows.append({"id": sample["doc_id"], "answer": letters[pairs.index(max(pairs))], "choices": letters,
                         "targets": [letters[int(sample["target"])]], "score": None, "failed": False})
            continue
        metric = sample["metrics"][0] if sample.get("metrics") else None
        target = sample.get("target")
        flat = [b for a in answers for b in (a if isinstance(a, list) else [a])]
        for answer in flat:
            rows.append({"id": sample["doc_id"], "answer": answer if answer != "" else None,
                         "targets": [] if target is None else target if isinstance(target, list) else [target],
                         "score": number(sample.get(metric)) if len(flat) == 1 else None, "failed": False})
    return total(rows)


def helm(data):
    rows = []
    for state in json.loads(data)["request_states"]:
        correct = [r["output"]["text"] for r in state["instance"].get("references") or [] if "correct" in (r.get("tags") or [])]
        mapping = state.get("output_mapping") or {}
        letter = {text: key for key, text in mapping.items()}
        result = state.get("result") or {}
        completions = result.get("completions") or []
        answer = completions[0]["text"].strip() or None if completions else None
        rows.append({"id": state["instance"]["id"], "answer": answer, "targets": [letter.get(c, c) for c in correct],
                     "choices": list(mapping), "score": None, "failed": not result.get("success") or not completions})
    return total(rows)


def promptfoo(data):
    found = json.loads(data)["results"]
    rows = []
    for result in found if isinstance(found, list) else found["results"]:
        case = result.get("testCase") or {}
        variables = case.get("vars") or result.get("vars") or {}
        equals = [a.get("value") for a in case.get("assert") or [] if a["type"] == "equals"]
        target = variables.get("expected") if variables.get("expected") is not None else (equals[0] if equals else None)
        output = (result.get("response") or result.get("providerResponse") or {}).get("output")
        graded = (result.get("gradingResult") or {}).get("reason") != "No assertions"
        failed = result.get("failureReason") == 2 or (result.get("error") is not None and output is None)
        rows.append({"id": (case.get("metadata") or {}).get("id", result.get("testIdx")), "answer": output or None,
                     "targets": [] if target is None else [target], "score": number(result.get("score")) if graded else None,
                     "failed": failed})
    return total(rows)


def every_eval_ever(data):
    rows = []
    for line in data.decode().split("\n"):
        if not line.strip():
            continue
        sample = json.loads(line)
        last = [a.get("extracted_value") for a in sample.get("answer_attribution") or [] if a.get("is_terminal")]
        raw = (sample.get("output") or {}).get("raw") or [None]
        answer = last[0] if last and last[0] is not None else raw[0] if isinstance(raw, list) else raw
        reference = sample["input"].get("reference") or []
        evaluation = sample.get("evaluation") or {}
        score = evaluation.get("score")
        if score is None and evaluation.get("is_correct") is not None:
            score = float(evaluation["is_correct"])
        rows.append({"id": sample["sample_id"], "answer": answer, "targets": [reference] if isinstance(reference, str) else reference,
                     "choices": sample["input"].get("choices"), "score": number(score),
                     "abstained": (sample.get("metadata") or {}).get("abstained") is True,
                     "failed": sample.get("error") is not None})
    return total(rows)


def karenina(data):
    rows = []
    for result in json.loads(data)["results"]:
        about, template = result["metadata"], result.get("template") or {}
        rows.append({"id": about["question_id"], "answer": template.get("raw_llm_response"), "targets": [],
                     "score": number(template.get("verify_result")), "abstained": template.get("abstention_detected") is True,
                     "failed": about.get("failure") is not None})
    return total(rows)


READERS = {"karenina": karenina, "inspect": inspect, "eval": inspect, "lm_eval": lm_eval, "helm": helm, "promptfoo": promptfoo, "every_eval_ever": every_eval_ever}

if __name__ == "__main__":
    for line in sys.stdin:
        job = json.loads(line)
        try:
            with open(job["file"], "rb") as file:
                print(json.dumps(READERS[job["format"]](file.read())))
        except Exception as error:  # The other reader must then refuse the file, or say more than this one.
            print(json.dumps(["error", str(error)[:200]]))
