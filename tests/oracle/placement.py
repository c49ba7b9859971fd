"""Which node starts which rank on which GPU, as released SGLang says it -> placement.jsonl.

    python tests/oracle/placement.py RESULTS_DIR COMMANDS_JSONL WHEEL_DIR... > tests/oracle/placement.jsonl

A line is a case: its sizes, and SGLang's answer in the words of a report. It comes from two sides:

* the recorded answers of the launch oracle: RESULTS_DIR has one `<release>.jsonl` per release,
  COMMANDS_JSONL the commands that were asked;
* each wheel's own lines: `_calculate_rank_ranges` and the sum that is `gpu_id` in
  `_launch_scheduler_processes` are cut out of its `engine.py` and run over a grid of sizes
  (without replicas, which `DataParallelController` starts).

Releases that answer a case differently are an error: so far none do. Sizes of 0, which no plan
can ask for, are left out.
"""

import ast
import itertools
import json
import sys
from pathlib import Path
from types import SimpleNamespace

KEYS = ("tp", "pp", "replicas", "nodes", "gpusPerNode", "baseGpuId", "gpuIdStep")


def span(first, last):
    return [first, last] if last >= first else []


def recorded(results, commands):
    """Cases and answers of the launch oracle."""
    gpus = {command["id"]: command.get("gpus_per_node", 8) for command in map(json.loads, commands.open())}
    for line in itertools.chain.from_iterable(file.open() for file in sorted(results.glob("*.jsonl"))):
        answer = json.loads(line)
        placement, sizes = answer["placement"], answer["resolved"]
        if placement is None:
            continue
        case = [sizes[name] for name in ("tp_size", "pp_size", "replicas", "nnodes")]
        case += [gpus[answer["id"]], sizes["base_gpu_id"], sizes["gpu_id_step"]]
        if 0 in case[:5]:
            continue
        nodes = [
            {"ppRanks": span(*node["pp_ranks"]), "tpRanks": span(*node["tp_ranks"]), "gpus": span(*node["gpu_ids"])}
            for node in placement["nodes"]
        ]
        yield tuple(case), {
            "nodes": nodes,
            "missingRanks": placement["missing_ranks"],
            "missingGpus": placement["missing_gpus"],
        }


class Wheel:
    """The lines of one release."""

    def __init__(self, folder):
        tree = ast.parse((Path(folder) / "sglang/srt/entrypoints/engine.py").read_text())
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        named = {function.name: function for function in functions}
        ranges = named["_calculate_rank_ranges"]
        ranges.returns = None
        for argument in ranges.args.args:
            argument.annotation = None
        self.arguments = [argument.arg for argument in ranges.args.args]
        self.world = {}
        exec(compile(ast.Module([ranges], []), folder, "exec"), self.world)
        (gpu,) = [
            node.value
            for node in ast.walk(named["_launch_scheduler_processes"])
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "gpu_id"
        ]
        self.gpu = compile(ast.Expression(gpu), folder, "eval")

    def answer(self, tp, pp, replicas, nodes, gpus_per_node, base, step):
        sizes = {"nnodes": nodes, "pp_size": pp, "tp_size": tp}
        options = SimpleNamespace(base_gpu_id=base, gpu_id_step=step)
        self.world.update(get_parallel=lambda: SimpleNamespace(**sizes))
        names = {"server_args": options, "get_device": lambda: options}
        told, started, used = [], [], set()
        for node in range(nodes):
            given = {**sizes, "node_rank": node}
            stages, ranks, names["pp_size_per_node"], names["tp_size_per_node"] = self.world["_calculate_rank_ranges"](
                **{name: given[name] for name in self.arguments}
            )
            spots = []
            for pp_rank, tp_rank in itertools.product(stages, ranks):
                gpu = eval(self.gpu, {**names, "pp_rank": pp_rank, "tp_rank": tp_rank})
                spots.append([pp_rank, tp_rank, node, gpu])
            gpus = sorted(spot[3] for spot in spots)
            used.update(gpus)
            started += spots
            told.append(
                {
                    "ppRanks": span(stages.start, stages.stop - 1),
                    "tpRanks": span(ranks.start, ranks.stop - 1),
                    "gpus": [gpus[0], gpus[-1]] if gpus else [],
                }
            )
        real = [spot for spot in started if spot[0] < pp and spot[1] < tp]
        return {
            "nodes": told,
            "missingRanks": tp * pp - len({(spot[0], spot[1]) for spot in real}),
            "missingGpus": max(0, max(used, default=-1) + 1 - gpus_per_node),
        }, real


def grid():
    """Sizes that divide and that do not; a few with GPUs shifted and spread."""
    sizes = itertools.product((1, 2, 3, 4, 6, 8), (1, 2, 3, 4, 6), (1, 2, 3, 4, 8))
    yield from ((tp, pp, 1, nodes, 8, 0, 1) for tp, pp, nodes in sizes)
    shifted = [(4, 1, 1), (4, 2, 1), (8, 2, 2), (8, 1, 2), (6, 3, 4), (3, 2, 3), (16, 4, 8)]
    yield from ((tp, pp, 1, nodes, 4, 2, 2) for tp, pp, nodes in shifted)


def main():
    results, commands, *wheels = map(Path, sys.argv[1:])
    answers, spots = {}, {}

    def take(case, answer):
        said = answers.setdefault(case, answer)
        assert said == answer, (case, said, answer)

    for case, answer in recorded(results, commands):
        take(case, answer)
    for wheel in wheels:
        wheel = Wheel(str(wheel))
        for case in grid():
            answer, started = wheel.answer(*case)
            take(case, answer)
            assert spots.setdefault(case, started) == started, case
    for case, answer in sorted(answers.items()):
        line = {**dict(zip(KEYS, case)), "answer": answer}
        if case in spots:
            # [pp, tp, node, gpu] of each rank that is started.
            line["ranks"] = spots[case]
        print(json.dumps(line, separators=(",", ":")))


main()
