"""Plans, net benefit, policies, task networks, and their checks."""

from __future__ import annotations

import io
import json
import pickle
from pathlib import Path

import counterplay
import pytest
from conftest import DOMAIN, PROBLEM


def test_text_paths_files_and_bytes_are_the_same(tmp_path: Path) -> None:
    domain, problem = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    domain.write_text(DOMAIN)
    problem.write_text("\ufeff" + PROBLEM)
    with open(domain) as first, open(problem, "rb") as second:
        answers = [
            counterplay.solve(DOMAIN, PROBLEM),
            counterplay.solve(domain, str(problem)),
            counterplay.solve(first, second),
            counterplay.solve(DOMAIN.encode(), io.StringIO(PROBLEM)),
        ]
    for answer in answers:
        assert (answer.verdict, answer.kind, answer.cost, answer.plan) == ("solved", "plan", 1, ["(switch)"])
        assert answer.evidence.kind == "proved"


def test_answers_are_objects_dictionaries_and_json() -> None:
    answer = counterplay.solve(DOMAIN, PROBLEM)
    assert answer["plan"] == answer.plan == answer.to_dict()["plan"]
    assert json.loads(answer.to_json()) == answer.to_dict()
    assert isinstance(answer, counterplay.Answer) and isinstance(answer.search, counterplay.Record)
    assert answer.class_ is None and "class" not in answer
    assert pickle.loads(pickle.dumps(answer)) == answer
    assert "verdict='solved'" in repr(answer) and "(switch)" in str(answer)
    assert answer.form("file").startswith("(switch)\n; cost = 1")
    with pytest.raises(AttributeError, match="no field 'paln'"):
        answer.paln
    with pytest.raises(KeyError):
        answer["paln"]


def test_pictures() -> None:
    answer = counterplay.solve(DOMAIN, PROBLEM)
    assert answer._repr_svg_().startswith("<svg") and "<svg" in answer._repr_html_()
    assert counterplay.picture(answer.to_dict()) == answer.to_svg()
    assert counterplay.picture({"nothing": "to see"}) is None


@pytest.mark.parametrize(
    "domain, problem, cost",
    [("desert/costs-domain.pddl", "desert/costs.pddl", 14), ("desert/domain.pddl", "desert/unit.pddl", None), ("blocks/domain.pddl", "blocks/p03.pddl", None)],
)
def test_plans_of_the_examples_pass_their_check(domain: str, problem: str, cost: object, examples: Path) -> None:
    files = examples / domain, examples / problem
    answer = counterplay.solve(*files, time_limit=60)
    assert answer.verdict == "solved" and cost in (None, answer.cost)
    assert counterplay.check(*files, answer.form("file")).valid
    assert counterplay.check(*files, answer.plan).cost == answer.cost
    assert not counterplay.check(*files, answer.plan[:-1])


def test_a_wrong_plan_is_refused_with_its_place() -> None:
    result = counterplay.check(DOMAIN, PROBLEM, [])
    assert not result and not result.valid and "goal" in result.why
    result = counterplay.check(DOMAIN, PROBLEM, "(switch)\n(swich)\n")
    assert not result and (result.findings[0].file, result.findings[0].line) == ("plan", 2)


def test_net_benefit(examples: Path) -> None:
    folder = examples / "net-benefit" / "club"
    answer = counterplay.solve(folder / "domain.pddl", folder / "p01.pddl")
    assert (answer.kind, answer.metric) == ("net-benefit", -3)
    assert answer.preferences and all(isinstance(one.held, bool) for one in answer.preferences)


def test_policies_and_acting() -> None:
    made = counterplay.generate("hunter-prey", edge=3, prey=1)
    answer = counterplay.solve(made.domain, made.problem, picture=True)
    assert (answer.verdict, answer.kind) == ("solved", "policy") and answer.class_ in ("strong", "strong-cyclic")
    assert answer.policy[0].do and isinstance(answer.policy[0].if_, list)
    assert answer.to_svg().startswith("<svg")
    policy = answer.form("file")
    assert counterplay.check(made.domain, made.problem, policy).class_ == answer.class_
    run = counterplay.act(made.domain, made.problem, policy, seed=3)
    assert run.reached and run.end == "reached" and run.steps == len(run.actions)
    assert counterplay.act(made.domain, made.problem, agent="replan", nature="adversary", most_steps=50).steps <= 50
    with pytest.raises(counterplay.OptionError, match="policy"):
        counterplay.act(made.domain, made.problem, policy, agent="rta")


def test_policies_are_told_on_the_way() -> None:
    """A policy is there while it is still open whether there is a stronger one; what the callback raises ends the call."""
    made = counterplay.generate("hunter-prey", edge=4, prey=2)
    told: list[counterplay.planning.FoundPolicy] = []
    answer = counterplay.solve(made.domain, made.problem, on_policy=told.append, on_plan=lambda plan: pytest.fail("no plan"))
    assert answer.verdict == "solved" and told
    for policy in told:
        assert policy.class_ in ("weak", "strong-cyclic") and policy.open and policy.policy[0].do
        assert counterplay.check(made.domain, made.problem, policy.file, class_=policy.class_)

    def stop(policy: counterplay.planning.FoundPolicy) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError):
        counterplay.solve(made.domain, made.problem, on_policy=stop)


def test_several_plans(examples: Path) -> None:
    files = examples / "river" / "domain.pddl", sorted((examples / "river").glob("p*.pddl"))[0]
    best = counterplay.solve(*files)
    three = counterplay.solve(*files, plans=3)
    assert len(three.plans) == 3 and three.plans[0].cost == best.cost and all(counterplay.check(*files, plan.plan) for plan in three.plans)
    count = int(counterplay.solve(*files, plans="all-optimal", count=True).count)
    assert count == len(counterplay.solve(*files, within=1).plans) >= 1
    assert len(counterplay.solve(*files, within="1.5", unordered=True).plans) >= count
    for wrong in ({"plans": 0}, {"plans": "some"}, {"within": 0.5}, {"within": "x"}, {"count": True}, {"plans": 1, "within": 1}):
        with pytest.raises(counterplay.OptionError):
            counterplay.solve(*files, **wrong)


def test_certificates_of_policies_and_networks(examples: Path, tmp_path: Path) -> None:
    made = counterplay.generate("hunter-prey", edge=3, prey=1)
    answer = counterplay.solve(made.domain, made.problem, certificate=True)
    assert answer.certificate is not None and "ranks.txt" in answer.certificate_files
    checked = counterplay.check_certificate(answer.certificate_files, made.domain, made.problem)
    assert checked and checked.claim
    answer.write_certificate(tmp_path)
    assert counterplay.check_certificate(tmp_path, made.domain, made.problem)
    with pytest.raises(counterplay.OptionError, match="domain"):
        counterplay.check_certificate(tmp_path)
    files = dict(answer.certificate_files)
    files["ranks.txt"] = "\n".join(files["ranks.txt"].splitlines()[:-1]) + "\n"
    assert not counterplay.check_certificate(files, made.domain, made.problem)
    with pytest.raises(counterplay.InputError):
        counterplay.check_certificate({}, made.domain, made.problem)
    with pytest.raises(counterplay.InputError):
        counterplay.check_certificate(tmp_path / "nothing")
    with pytest.raises(TypeError):
        counterplay.check_certificate({"plan": 7})  # type: ignore[dict-item]


def test_task_networks() -> None:
    made = counterplay.generate("hunter-prey-htn", edge=3, prey=1)
    answer = counterplay.solve(made.domain, made.problem, htn="yoyo")
    assert answer.kind in ("htn", "policy") and answer.verdict == "solved"
    assert counterplay.check(made.domain, made.problem, answer.form("file"))


def test_ground_and_solve_the_finite_task(examples: Path) -> None:
    folder = examples / "river"
    problem = sorted(folder.glob("p*.pddl"))[0]
    grounding = counterplay.ground(folder / "domain.pddl", problem)
    assert grounding.operators > 0
    task = grounding.form("sas")
    whole = counterplay.solve(folder / "domain.pddl", problem)
    assert counterplay.solve(task).cost == whole.cost


def test_options_are_those_of_the_command() -> None:
    for search in ("bfs", "dijkstra", "astar", "explicit"):
        assert counterplay.solve(DOMAIN, PROBLEM, search=search, seed=1).cost == 1
    with pytest.raises(counterplay.OptionError, match="sarch"):
        counterplay.solve(DOMAIN, PROBLEM, sarch="bfs")
    with pytest.raises(counterplay.OptionError, match="variant"):
        counterplay.solve(DOMAIN, PROBLEM, search="dfs")
    with pytest.raises(counterplay.OptionError) as raised:
        counterplay.solve(DOMAIN, PROBLEM, search="astar", direction="backward")
    assert raised.value.help
