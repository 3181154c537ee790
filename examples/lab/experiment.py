#!/usr/bin/env python3
"""Counterplay beside Fast Downward, with Downward Lab (PyPI `lab`).

    pip install lab up-fast-downward          # the second one only if Fast Downward is not built already
    COUNTERPLAY=counterplay DOWNWARD=.../fast-downward.py ./experiment.py --all

Problems are the bundled examples; BENCHMARKS names another folder of `DOMAIN/domain.pddl` and `DOMAIN/p*.pddl`. On a Slurm cluster
`LocalEnvironment` becomes one of `lab.environments.SlurmEnvironment`'s kind. The report is in `data/experiment-eval/report.html` of the folder where it is started.
"""

import importlib.util
import os
import platform
import sys
from pathlib import Path

from downward.reports.absolute import AbsoluteReport
from lab.environments import LocalEnvironment
from lab.experiment import Experiment
from lab.parser import Parser
from lab.reports import Attribute, geometric_mean

HERE = Path(__file__).resolve().parent
BENCHMARKS = Path(os.environ.get("BENCHMARKS", HERE.parent))
COUNTERPLAY = os.environ.get("COUNTERPLAY", "counterplay")
DOMAINS = os.environ.get("DOMAINS", "logistics gripper").split()
TIME_LIMIT = int(os.environ.get("TIME_LIMIT", "60"))
MEMORY_LIMIT = 2048


def fast_downward():
    """The script of Fast Downward: that of DOWNWARD, or the one in the package `up-fast-downward`; none if there is neither."""
    if "DOWNWARD" in os.environ:
        return os.environ["DOWNWARD"]
    found = importlib.util.find_spec("up_fast_downward")
    if found is None:
        return None
    script = Path(found.origin).parent / "downward" / "fast-downward.py"
    return str(script) if script.exists() else None


def planners():
    """Names and commands; `{domain}` and `{problem}` are files of the run."""
    # The log goes to stderr, the plan to stdout; Lab's parsers read one file.
    solve = ["sh", "-c", 'exec "$@" 2>&1', "sh", COUNTERPLAY, "solve", "{domain}", "{problem}", "-v", "--plan-file", "sas_plan"]
    yield "counterplay", solve
    yield "counterplay-explicit", [*solve, "--search", "explicit"]
    downward = fast_downward()
    if downward is None:
        print("Fast Downward is not there: Counterplay runs alone", file=sys.stderr)
    else:
        yield "downward-lmcut", [sys.executable, downward, "{domain}", "{problem}", "--search", "astar(lmcut())"]


def coverage(content, props):
    """Solved is what has a cost and the exit code of success. No plan (1) and limits (3, or 20 to 24 of Fast Downward) are answers, too."""
    code = props.get("planner_exit_code")
    props["coverage"] = int(code == 0 and "cost" in props)
    if code not in (0, 1, 3, *range(10, 25)):
        props.add_unexplained_error(f"exit-code-{code}")


def parser():
    own = Parser()
    own.add_pattern("planner_exit_code", r"planner exit code: (-?\d+)\n", type=int, file="driver.log")
    own.add_pattern("planner_wall_clock_time", r"planner wall-clock time: (.+)s\n", type=float, file="driver.log")
    own.add_pattern("node", r"node: (.+)\n", type=str, file="driver.log")
    # The same lines in the logs of both planners.
    own.add_pattern("cost", r"Plan cost: (\d+)", type=int)
    own.add_pattern("plan_length", r"Plan length: (\d+) step", type=int)
    own.add_pattern("search_time", r"Search time: (.+)s", type=float)
    own.add_pattern("expansions", r"Expanded (\d+) state", type=int)
    own.add_function(coverage)
    return own


def build():
    experiment = Experiment(path=os.environ.get("DATA", str(Path.cwd() / "data" / "experiment")), environment=LocalEnvironment(processes=2))
    experiment.add_parser(parser())
    for domain in DOMAINS:
        for problem in sorted((BENCHMARKS / domain).glob("p*.pddl")):
            for name, command in planners():
                run = experiment.add_run()
                run.add_resource("domain", str(problem.parent / "domain.pddl"), "domain.pddl", symlink=True)
                run.add_resource("problem", str(problem), "problem.pddl", symlink=True)
                run.add_command("planner", command, time_limit=TIME_LIMIT, memory_limit=MEMORY_LIMIT)
                run.set_property("algorithm", name)
                run.set_property("domain", domain)
                run.set_property("problem", problem.name)
                run.set_property("time_limit", TIME_LIMIT)
                run.set_property("memory_limit", MEMORY_LIMIT)
                run.set_property("id", [name, domain, problem.name])
    experiment.add_step("build", experiment.build)
    experiment.add_step("start", experiment.start_runs)
    experiment.add_step("parse", experiment.parse)
    experiment.add_fetcher(name="fetch")
    attributes = [
        Attribute("coverage", absolute=True, min_wins=False),
        Attribute("cost", absolute=True),
        "plan_length",
        Attribute("planner_wall_clock_time", function=geometric_mean),
        "unexplained_errors",
    ]
    experiment.add_report(AbsoluteReport(attributes=attributes), name="report", outfile="report.html")
    return experiment


if __name__ == "__main__":
    print(f"{platform.node()}: {len(DOMAINS)} domains")
    build().run_steps()
