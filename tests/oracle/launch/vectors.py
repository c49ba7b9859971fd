#!/usr/bin/env python3
"""The oracle's answers as vectors, one line a command:
vectors.py COMMANDS RELEASE=ANSWERS... > vectors.jsonl
vectors.py --sample N VECTORS > some.jsonl

COMMANDS are those that the oracle was asked, ANSWERS what it said of them (JSON lines, in any
order).  A line: the command, the model as a plan describes it, and the answers, equal ones of
several releases together.  Of the resolved settings those are kept that a plan has, under the
plan's names, where they differ from a server's defaults.

A scheduler process that finds itself in no group raises a bare assertion; the oracle words it,
and here it is bare again.

A sample holds every error three times, as far as there are as many, then the first commands.
"""

import itertools
import json
import re
import sys
from collections import Counter
from pathlib import Path

MODELS = json.loads((Path(__file__).resolve().parent / "models.json").read_text())

# Setting: (the plan's name, its default)
SETTINGS = {
    "tp_size": ("tp", 1),
    "attn_dp_size": ("attentionDp", 1),
    "replicas": ("replicas", 1),
    "attn_cp_size": ("attentionCp", 1),
    "attn_tp_size": ("attentionTp", 1),
    "pp_size": ("pp", 1),
    "dcp_size": ("dcp", 1),
    "ep_size": ("ep", 1),
    "moe_dp_size": ("moeDp", 1),
    "nnodes": ("nodes", 1),
    "page_size": ("pageSize", None),
    "kv_cache_dtype": ("kvCacheDtype", "auto"),
    "disaggregation_transfer_backend": ("transferBackend", "mooncake"),
    "enable_prefill_cp": ("enablePrefillCp", False),
    "cp_strategy": ("cpStrategy", None),
    "enable_kv_cache_sharding": ("enableKvCacheSharding", False),
    "enable_dsa_cache_layer_split": ("enableDsaCacheLayerSplit", False),
    "disaggregation_decode_allocation_policy": ("allocationPolicy", "early"),
    "load_balance_method": ("loadBalanceMethod", "auto"),
    "speculative_algorithm": ("speculativeAlgorithm", None),
    "speculative_num_draft_tokens": ("speculativeNumDraftTokens", None),
    "chunked_prefill_size": ("chunkedPrefillSize", None),
}
HYBRID_MLA = ("KimiLinear", "KimiK3", "BailingMoeV2_5", "BailingMoeV3")


def model(config):
    text = config.get("text_config") or config
    architecture = config["architectures"][0]
    latent = "kv_lora_rank" in text or architecture.startswith("DeepseekV4")
    hybrid = architecture.startswith(HYBRID_MLA)
    facts = {"architecture": architecture, "attention": "hybridMla" if hybrid else "mla" if latent else "gqa"}
    if text.get("index_topk"):
        facts["indexTopk"] = text["index_topk"]
    return facts


def answer(recorded):
    error = recorded["error"]
    if error:
        bare = error["stage"] == "groups" and error["type"] == "AssertionError" and " is in 0 groups of " in error["message"]
        error = {"stage": error["stage"], "type": error["type"], "message": "" if bare else error["message"].replace("\u00a0", " ").strip()}
    told = None
    if recorded["resolved"] is not None and (error is None or error["stage"] not in ("parse", "resolve")):
        resolved = recorded["resolved"]
        told = {name: resolved[key] for key, (name, default) in SETTINGS.items() if resolved.get(key, default) != default}
    return {"error": error, "resolved": told}


def main(commands, *answers):
    recorded = {}
    for release, path in (pair.split("=", 1) for pair in answers):
        for line in open(path):
            row = json.loads(line)
            recorded.setdefault(row["id"], []).append((release, row))
    for line in open(commands):
        command = json.loads(line)
        groups = []
        for release, row in recorded.get(command["id"], []):
            if row["verdict"] == "unknown":
                continue
            told = answer(row)
            group = next((group for group in groups if group["answer"] == told), None)
            if group is None:
                group = {"releases": [], "answer": told}
                groups.append(group)
            group["releases"].append(release)
        facts = model(MODELS[command.get("model", "deepseek-v3")]["config"])
        kept = {key: command[key] for key in ("gpus_per_node", "env", "ib_devices") if key in command}
        out = {"id": command["id"], "argv": command["argv"], "gpu": command.get("gpu", "H100"), **kept}
        print(json.dumps({**out, "model": facts, "answers": groups}, separators=(",", ":"), ensure_ascii=False))


def sample(count, vectors):
    lines = open(vectors).readlines()
    seen, kept = Counter(), set()
    for place, line in enumerate(lines):
        errors = [group["answer"]["error"] for group in json.loads(line)["answers"]]
        texts = {re.sub(r"\d+|'[^']*'", "", error["type"] + error["message"])[:80] for error in errors if error}
        if any(seen[text] < 3 for text in texts):
            seen.update(texts)
            kept.add(place)
    rest = (place for place in range(len(lines)) if place not in kept)
    kept.update(itertools.islice(rest, max(0, int(count) - len(kept))))
    sys.stdout.writelines(lines[place] for place in sorted(kept))


if __name__ == "__main__":
    if sys.argv[1] == "--sample":
        sample(*sys.argv[2:])
    else:
        main(*sys.argv[1:])
