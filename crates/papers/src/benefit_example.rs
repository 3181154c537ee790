//! The running example of net-benefit planning (Kissmann 2012, section 7.1): three plans of the thesis, valued by the
//! checker, and the best plan as both kinds of search find it.

use counterplay_base::{Budget, Verdict};
use counterplay_check::{Checked, check_plan, read_plan};
use counterplay_ground::{Options as Grounding, ground};
use counterplay_pddl::model::Problem;
use counterplay_plan::{Options, PlanSearch, solve};
use counterplay_syntax::Sources;
use num_rational::Ratio;
use serde_json::json;

use super::{Product, Size};
use crate::settings::Settings;
use counterplay::Amount;
use counterplay::{Error, Halt};

const DOMAIN: &str = counterplay_examples::text("net-benefit/desert/domain.pddl");
const PROBLEM: &str = counterplay_examples::text("net-benefit/desert/p01.pddl");

/// A plan of the thesis and the net benefit it gives for it.
pub(super) struct Row {
    what: &'static str,
    steps: &'static str,
    thesis: i32,
}

pub(super) const ROWS: [Row; 3] = [
    Row {
        what: "drink at p2, p4 and p8",
        steps: "(walk p0 p2)(drink p2)(walk p2 p3)(walk p3 p4)(drink p4)(walk p4 p6)(walk p6 p8)(drink p8)(walk p8 p9)(catch p9)",
        thesis: 40,
    },
    Row {
        what: "cheaper, very thirsty",
        steps: "(walk p0 p2)(drink p2)(walk p2 p3)(walk p3 p4)(drink p4)(walk p4 p7)(walk p7 p9)(catch p9)",
        thesis: 39,
    },
    Row {
        what: "to and fro until he dreams",
        steps: "(walk p0 p2)(walk p2 p0)(walk p0 p2)(dream)",
        thesis: -8,
    },
];

/// Values the plans and finds the best.
pub(crate) fn make(settings: &Settings, _: Size) -> Result<Product, Halt> {
    let mut sources = Sources::default();
    let (domain, problem) = (sources.add("domain.pddl", DOMAIN), sources.add("p01.pddl", PROBLEM));
    let problem = counterplay_pddl::read(&sources, domain, problem).expect("the example is sound");
    let mut text = format!("{:28} {:>6} {:>9} {:>6} {:>7}\n", "plan", "cost", "violated", "ours", "thesis");
    let mut csv = "plan,cost,violated,net_benefit,thesis\n".to_owned();
    let mut figures = Vec::new();
    let mut add = |what: &str, steps: &str, thesis: i32| -> Result<(), Halt> {
        let checked = value(&problem, steps, &settings.budget)?;
        let told = |value: Option<Ratio<i128>>| value.expect("the metric of the example has a value");
        let (cost, metric) = (told(checked.cost), told(checked.metric));
        // The metric is 100 minus both costs.
        let violated = Amount(Ratio::from_integer(100) - cost - metric);
        let (cost, metric) = (Amount(cost), Amount(metric));
        text.push_str(&format!(
            "{what:28} {:>6} {:>9} {:>6} {thesis:>7}\n",
            cost.to_string(),
            violated.to_string(),
            metric.to_string()
        ));
        csv.push_str(&format!("{what},{cost},{violated},{metric},{thesis}\n"));
        figures.push(json!({"plan": what, "cost": cost, "violated": violated, "net_benefit": metric, "thesis": thesis}));
        Ok(())
    };
    for row in &ROWS {
        add(row.what, row.steps, row.thesis)?;
    }
    for (what, search) in [
        ("best, by sets of states", PlanSearch::Dijkstra),
        ("best, soft goals compiled", PlanSearch::Explicit),
    ] {
        add(what, &best(&problem, search, settings)?, 40)?;
    }
    Ok(Product { text, csv, svg: None, figures: figures.into() })
}

fn value(problem: &Problem, steps: &str, budget: &Budget) -> Result<Checked, Halt> {
    let mut sources = Sources::default();
    let file = sources.add("plan", steps.replace(")(", ")\n("));
    let steps = read_plan(&sources, file, problem).expect("the steps are sound");
    let bug = |flaw: counterplay_check::Flaw| Error::Internal { message: flaw.to_string() };
    Ok(check_plan(problem, &steps, budget).map_err(bug)?)
}

/// The steps of the best plan.
fn best(problem: &Problem, search: PlanSearch, settings: &Settings) -> Result<String, Halt> {
    let quiet = counterplay_base::Silent;
    let task = ground(problem, &Grounding::default(), &settings.budget, &quiet);
    let task = task.map_err(|error| match error {
        counterplay_ground::Error::Stopped(limit) => Halt::Limit(limit),
        other => Error::Internal { message: other.to_string() }.into(),
    })?;
    let options = Options { search, seed: settings.seed, ..Options::default() };
    match solve(&task, &options, &settings.budget, &quiet).verdict {
        Verdict::Solved(plan) => {
            Ok(plan.operators.iter().map(|&op| format!("({})", task.operators[op].name)).collect())
        }
        Verdict::Stopped(limit) => Err(Halt::Limit(limit)),
        Verdict::Unsolvable => Err(Error::Internal { message: "the example has plans".to_owned() }.into()),
    }
}
