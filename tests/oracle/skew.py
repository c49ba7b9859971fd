#!/usr/bin/env python3
"""One release's share in the table of version skew.

    skew.py plans                                  the plans, by variant
    skew.py publish WHEEL_DIR                      what its prefill serves, by variant
    skew.py read    WHEEL_DIR < served.jsonl       what its decode makes of what others serve

A line of `served.jsonl` is `{"release": …, "served": {variant: text}}`; a line of the answer
`{"release": …, "variant": …, "outcome": null | {"unparsable": text} | {"raises": error}}`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import plans
from ask import RAISED, raised
from systematic import SPARK, SPARK_MODEL, plan, server
from wheel import Wheel

UNREADABLE = "Error fetching prefill server info from bootstrap: "
VARIANTS = {
    "plain": plan("mla", server(), server()),
    "dspark": plan("mla", server(**SPARK), server(**SPARK), **SPARK_MODEL),
    "kvLayout": plan("mla", server(kvLayout="a"), server(kvLayout="a")),
}


def outcome(wheel: Wheel, variant: str, served: str) -> dict[str, Any] | None:
    """What a decode rank makes of a served text; null if it accepts it."""
    try:
        understood, errors = wheel.read(plans.pair(VARIANTS[variant]), served)
    except RAISED as error:
        return {"raises": raised(error)}
    if understood:
        return None
    (text,) = errors
    if not text.startswith(UNREADABLE):
        raise SystemExit(f"another error than expected: {text}")
    return {"unparsable": text.removeprefix(UNREADABLE)}


def main() -> None:
    match sys.argv[1:]:
        case ["plans"]:
            print(json.dumps(VARIANTS))
        case ["publish", folder]:
            wheel = Wheel(Path(folder))
            served = {name: wheel.published(plans.pair(VARIANTS[name])) for name in VARIANTS}
            print(json.dumps(served))
        case ["read", folder]:
            wheel = Wheel(Path(folder))
            for line in map(json.loads, sys.stdin):
                for variant, text in line["served"].items():
                    given = outcome(wheel, variant, text)
                    line_out = {"release": line["release"], "variant": variant, "outcome": given}
                    print(json.dumps(line_out))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
