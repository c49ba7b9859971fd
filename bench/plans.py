#!/usr/bin/env python3
"""Plans to time, a line each: {"group": …, "plan": …}."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests/oracle"))

from generate import Dice, random_plan  # noqa: E402
from systematic import plan, server  # noqa: E402

# Larger than the random ones, which SGLang's side must answer fast: one process a rank.
LARGER = {
    "64 + 64 ranks, equal": plan("mla", server(64), server(64)),
    "128 + 32 ranks, four prefill ranks to one": plan("gqa", server(128), server(32)),
    "256 + 64 ranks, four stages": plan("mla", server(64, pp=4), server(64)),
    "256 + 256 ranks, equal": plan("mla", server(256), server(256)),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    options = parser.parse_args()
    dice = Dice(options.seed)
    given = [("random", random_plan(dice)) for _ in range(options.count)]
    for group, one in given + list(LARGER.items()):
        print(json.dumps({"group": group, "plan": one}))


if __name__ == "__main__":
    main()
