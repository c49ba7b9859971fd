#!/usr/bin/env python3
"""Ask several releases about the same plans and group their answers.

    record.py pairs --wheels DIR --plans plans.jsonl --out vectors.jsonl RELEASE...
    record.py skew  --wheels DIR --out skew.json RELEASE...
    record.py transfers --wheels DIR --cases cases.jsonl --out vectors.jsonl RELEASE...
    record.py tally vectors.jsonl...
    record.py releases vectors.jsonl

DIR holds an unpacked wheel for each release.  A line of the grouped file is a plan with the
releases that give each answer:

    {"plan": …, "answers": [{"releases": […], "answer": …}, …]}

Of transfers a line holds a case in place of a plan.  `tally` counts what the answers say, `releases` prints which releases gave them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def dumps(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def script(name: str, *arguments: str, given: str = "") -> str:
    """What a script beside this one prints."""
    command = [sys.executable, str(HERE / name), *arguments]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{name} {' '.join(arguments)} failed:\n{done.stderr or done.stdout}")
    return done.stdout


def each(wheels: Path, releases: list[str], ask: Any) -> list[str]:
    """`ask(wheel)` for every release, on at most as many processes as there are cores."""
    folders = [str(wheels / release) for release in releases]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(ask, folders))


def grouped(given: list[tuple[str, str]]) -> Iterator[tuple[list[str], Any]]:
    """Releases and their answers, equal answers together, in the order of the releases."""
    groups: dict[str, list[str]] = {}
    for release, text in given:
        groups.setdefault(text, []).append(release)
    for text, releases in groups.items():
        yield releases, json.loads(text)


def record_pairs(wheels: Path, plans: Path, out: Path, releases: list[str]) -> None:
    """Write the grouped answers of all releases to all plans."""
    text = plans.read_text()
    asked = each(wheels, releases, lambda folder: script("ask.py", folder, given=text))
    given = [answers.splitlines() for answers in asked]
    with out.open("w") as file:
        for question, *answers in zip(text.splitlines(), *given, strict=True):
            plain = [dumps({k: v for k, v in json.loads(a).items() if k != "id"}) for a in answers]
            groups = [
                {"releases": names, "answer": answer}
                for names, answer in grouped(list(zip(releases, plain, strict=True)))
            ]
            print(dumps({"plan": json.loads(question)["plan"], "answers": groups}), file=file)


def record_transfers(wheels: Path, cases: Path, out: Path, releases: list[str]) -> None:
    """Write the grouped answers of all releases to all transfers."""
    given = [json.loads(line) for line in cases.read_text().splitlines()]
    backends = sorted({case["backend"] for case in given})
    answers: list[list[tuple[str, str]]] = [[] for _ in given]
    for backend in backends:
        places = [place for place, case in enumerate(given) if case["backend"] == backend]
        text = "".join(dumps(given[place]) + "\n" for place in places)
        asked = each(wheels, releases, lambda folder: script("transfer/send.py", folder, backend, given=text))
        for release, told in zip(releases, asked, strict=True):
            for place, answer in zip(places, told.splitlines(), strict=True):
                if may_ask(given[place], release):
                    answers[place].append((release, answer))
    with out.open("w") as file:
        for case, told in zip(given, answers, strict=True):
            groups = [{"releases": names, "answer": answer} for names, answer in grouped(told)]
            print(dumps({"case": case, "answers": groups}), file=file)


def may_ask(case: dict[str, Any], release: str) -> bool:
    """Whether a release can be started so: with DCP on prefill only once transfers know of it."""
    first = "0.5.22" if case["backend"] == "mori" else "0.5.17"
    return case.get("prefill_dcp", 1) == 1 or version(release) >= version(first)


def record_skew(wheels: Path, out: Path, releases: list[str]) -> None:
    """Write what each release makes of what each other release publishes."""
    served = each(wheels, releases, lambda folder: script("skew.py", "publish", folder))
    lines = "".join(
        dumps({"release": release, "served": json.loads(text)}) + "\n"
        for release, text in zip(releases, served, strict=True)
    )
    read = each(wheels, releases, lambda folder: script("skew.py", "read", folder, given=lines))
    variants = json.loads(script("skew.py", "plans"))
    # (variant, outcome) -> decode release -> prefill releases, then equal lists together.
    cells: dict[tuple[str, str], dict[str, list[str]]] = {}
    for decode, text in zip(releases, read, strict=True):
        for line in text.splitlines():
            cell = json.loads(line)
            if cell["outcome"] is not None:
                key = cell["variant"], dumps(cell["outcome"])
                cells.setdefault(key, {}).setdefault(decode, []).append(cell["release"])
    table = [
        {"variant": variant, "prefill": prefill, "decode": decode, **json.loads(outcome)}
        for (variant, outcome), row in cells.items()
        for decode, prefill in grouped([(name, dumps(names)) for name, names in row.items()])
    ]
    body = ",\n  ".join(dumps(line) for line in table)
    head = f'"releases":{dumps(releases)},\n "variants":{dumps(variants)}'
    out.write_text(f'{{{head},\n "broken":[\n  {body}]}}\n')


def told(answer: dict[str, Any]) -> Iterator[str]:
    """What an answer says, in short."""
    if answer["rejected"]:
        yield f"{answer['rejected']['stage']}: {answer['rejected']['message']}"
    elif failed := [rank[10] for rank in answer["ranks"] if rank[10]]:
        yield f"request: {failed[0]}"
    elif any(rank[9] for rank in answer["ranks"]):
        yield "missing look-up"
    else:
        yield from (name for name in ("starved", "short") if answer[name])
        if not answer["starved"] and not answer["short"]:
            yield "accepted"


def print_tally(files: list[Path]) -> None:
    """Count what the answers to each plan say, numbers left out."""
    counts: Counter[str] = Counter()
    pairs = 0
    for file in files:
        for line in file.read_text().splitlines():
            pairs += 1
            for group in json.loads(line)["answers"]:
                for text in told(group["answer"]):
                    short = "".join("N" if char.isdigit() else char for char in text)
                    counts[short] += len(group["releases"])
    print(f"{pairs} pairs; answers over all releases:")
    for text, count in counts.most_common():
        print(f"{count:6} {text}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    tasks = parser.add_subparsers(dest="task", required=True)
    for name in ("pairs", "skew", "transfers"):
        task = tasks.add_parser(name)
        task.add_argument("--wheels", type=Path, required=True)
        task.add_argument("--out", type=Path, required=True)
        task.add_argument("releases", nargs="+")
        if name != "skew":
            task.add_argument({"pairs": "--plans", "transfers": "--cases"}[name], type=Path, required=True)
    for name in ("tally", "releases"):
        tasks.add_parser(name).add_argument("files", nargs="+", type=Path)
    options = parser.parse_args()
    if options.task == "pairs":
        record_pairs(options.wheels, options.plans, options.out, options.releases)
    elif options.task == "transfers":
        record_transfers(options.wheels, options.cases, options.out, options.releases)
    elif options.task == "skew":
        record_skew(options.wheels, options.out, options.releases)
    elif options.task == "tally":
        print_tally(options.files)
    else:
        print(*recorded_releases(options.files[0]))


def recorded_releases(vectors: Path) -> list[str]:
    """The releases that answered the first plan, oldest first."""
    first = json.loads(vectors.read_text().partition("\n")[0])
    names = [name for group in first["answers"] for name in group["releases"]]
    return sorted(names, key=version)


def version(release: str) -> list[int]:
    """A release's numbers, in order: 0.5.9 < 0.5.10 < 0.5.10.post1."""
    return [int(part.removeprefix("post")) for part in release.split(".")]


if __name__ == "__main__":
    main()
