//! Answers as text: the formats of the competitions, and a line for people.

use std::fmt::Write;

use counterplay_base::{Evidence, Verdict};
use num_rational::Ratio;

use super::answer::{Answer, FoundPlan, Kind, Preference};
use super::request::Class;
use crate::amount::Amount;
use crate::figures::count;

/// What the text of an answer needs beside its public parts.
#[derive(Clone, Debug)]
pub(super) enum Body {
    /// The cost of each step, and whether every action of the problem costs one.
    Plan { costs: Vec<Amount>, unit_cost: bool },
    /// The plan of a run that was ended from outside.
    Interim { text: String },
    /// Several plans, each as a file, or only their number.
    Many { texts: Vec<String> },
    /// The plan has figures of its own.
    NetBenefit,
    /// The text of a policy for the goal, and the class that was asked for.
    Policy { text: Option<String>, wanted: Option<Class> },
    /// The plan file of a task network, and a picture of the decomposition.
    Network { text: Option<String>, picture: Option<String> },
    /// The text of a policy over networks.
    NetworkPolicy { text: Option<String> },
    /// The text of a plan for a hidden state, and the class that was asked for.
    Contingent { text: Option<String>, wanted: Option<Class> },
}

impl Answer {
    /// The plan or policy as a file: plans in the format of the planning competitions, plans of task networks with their decomposition,
    /// policies in the format that `check` reads. `None` if there is none.
    pub fn file_text(&self) -> Option<String> {
        match &self.body {
            Body::Plan { .. } => self.plan.as_ref().map(|steps| self.steps_text(steps, false)),
            Body::Interim { text } => Some(text.clone()),
            Body::Many { texts } => texts.first().cloned(),
            Body::NetBenefit => self.plan.as_ref().map(|steps| self.valued_text(steps)),
            Body::Policy { text, .. }
            | Body::Network { text, .. }
            | Body::NetworkPolicy { text }
            | Body::Contingent { text, .. } => text.clone(),
        }
    }

    /// Several plans as files, if several were asked for.
    pub fn file_texts(&self) -> &[String] {
        match &self.body {
            Body::Many { texts } => texts,
            _ => &[],
        }
    }

    /// A picture (SVG) of the policy or of the decomposition, if one was asked for.
    pub fn picture(&self) -> Option<&str> {
        match &self.body {
            Body::Network { picture, .. } => picture.as_deref(),
            _ => self.graph.as_deref(),
        }
    }

    /// The answer as text; all but the plan or policy is comment. `annotated` puts what was spent beside each step of a plan.
    pub fn text(&self, annotated: bool) -> String {
        let head = match &self.verdict {
            Verdict::Solved(()) => String::new(),
            Verdict::Unsolvable => format!("; unsolvable: {}\n", self.nothing()),
            Verdict::Stopped(_) => format!("; stopped: {}\n", self.why.as_deref().unwrap_or_default()),
        };
        let body = match (&self.body, &self.plan) {
            (Body::Plan { .. }, Some(steps)) => Some(self.steps_text(steps, annotated)),
            (Body::Many { texts }, _) => {
                let total =
                    self.count.as_ref().map(|count| format!("; plans = {count}\n")).unwrap_or_default();
                let one = |(number, text): (usize, &String)| format!("; plan {}\n{text}", number + 1);
                Some(texts.iter().enumerate().map(one).chain([total]).collect())
            }
            _ => self.file_text(),
        };
        head + &body.unwrap_or_default()
    }

    /// What was proved of a problem without an answer.
    fn nothing(&self) -> String {
        let none = |what: &str| what.to_owned();
        match (self.kind, &self.body) {
            (Kind::NetBenefit, _) => none("the hard goal cannot be reached"),
            (_, Body::NetworkPolicy { .. }) => none("no policy carries out the network"),
            (kind, Body::Contingent { wanted, .. }) => {
                let word = if kind == Kind::Conformant { "conformant" } else { "contingent" };
                let class = wanted.filter(|&class| class == Class::Strong).map_or("", |_| "strong ");
                format!("there is no {class}{word} plan")
            }
            (_, Body::Policy { .. }) if self.is_impossible(Class::Weak) => {
                none("there is no policy, not even a weak one: no outcome of any action leads to the goal")
            }
            (_, Body::Policy { wanted: Some(class), .. }) => format!("there is no {} policy", class.name()),
            (_, Body::Policy { .. }) => none("there is no policy"),
            _ => none("there is no plan"),
        }
    }

    fn is_impossible(&self, class: Class) -> bool {
        self.impossible.as_ref().is_some_and(|classes| classes.contains(&class))
    }

    /// A line for each step and one for the cost.
    fn steps_text(&self, steps: &[String], annotated: bool) -> String {
        let Body::Plan { costs, unit_cost } = &self.body else { return String::new() };
        let mut text = String::new();
        let width = steps.iter().map(|step| step.chars().count()).max().unwrap_or(0);
        let digits = steps.len().to_string().len();
        let mut spent = Ratio::from_integer(0);
        for (number, (step, cost)) in steps.iter().zip(costs).enumerate() {
            spent += cost.0;
            let _ = match annotated {
                true => {
                    writeln!(
                        text,
                        "{step:width$}  ; {:>digits$}: {cost}, together {}",
                        number + 1,
                        Amount(spent)
                    )
                }
                false => writeln!(text, "{step}"),
            };
        }
        let kind = if *unit_cost { "unit cost" } else { "general cost" };
        if let Some(cost) = self.cost {
            let _ = writeln!(text, "; cost = {cost} ({kind})");
        }
        text
    }

    /// The steps, and what they are worth as comments.
    fn valued_text(&self, steps: &[String]) -> String {
        let mut text: String = steps.iter().map(|step| format!("{step}\n")).collect();
        if let Some(cost) = self.cost {
            let _ = writeln!(text, "; cost = {cost}");
        }
        if let Some(metric) = self.metric {
            let _ = writeln!(text, "; metric = {metric}");
        }
        for preference in self.preferences.iter().flatten() {
            let _ = writeln!(text, "; {}", preference.text());
        }
        text
    }

    /// One line for people.
    pub fn summary(&self) -> String {
        let line = match &self.verdict {
            Verdict::Solved(()) => format!("solved: {}{}", self.what_was_found(), self.check_remark()),
            Verdict::Unsolvable => {
                format!("unsolvable: proved that {}{}", self.nothing_proved(), self.confirmation())
            }
            Verdict::Stopped(_) => {
                format!("stopped: {}{}", self.why.as_deref().unwrap_or_default(), self.what_is_known())
            }
        };
        let impossible = match &self.impossible {
            Some(classes)
                if !classes.is_empty()
                    && matches!(self.kind, Kind::Policy | Kind::Contingent | Kind::Conformant)
                    && self.verdict != Verdict::Unsolvable =>
            {
                let names: Vec<&str> = classes.iter().map(|class| class.name()).collect();
                format!("; proved that none is {}", names.join(" or "))
            }
            _ => String::new(),
        };
        let open = match &self.open {
            Some(classes) if !classes.is_empty() && self.policy.is_some() => {
                let names: Vec<&str> = classes.iter().map(|class| class.name()).collect();
                format!("; whether there is a {} one stays open", names.join(" or a "))
            }
            _ => String::new(),
        };
        let evidence = match self.kind {
            Kind::Htn
                if self.verdict.limit().is_none() || matches!(self.evidence, Evidence::Planned { .. }) =>
            {
                format!("; {}", self.evidence.sentence())
            }
            _ => String::new(),
        };
        let ran = match &self.search {
            Some(report) => match report.pairs {
                Some(1) => ", 1 pair of state and network".to_owned(),
                Some(pairs) => format!(", {pairs} pairs of state and network"),
                None if report.ran.is_empty() => String::new(),
                None => format!(", {}", report.ran),
            },
            None => String::new(),
        };
        format!("{line}{impossible}{open}{evidence} ({:.3} s{ran})", self.seconds)
    }

    fn what_was_found(&self) -> String {
        let length = self.length.unwrap_or(0);
        let told = |amount: Option<Amount>| amount.map_or("none".to_owned(), |it| it.to_string());
        let class = self.class.map_or("", Class::name);
        match &self.body {
            Body::Plan { .. } | Body::Interim { .. } => {
                let kind = if self.optimal == Some(true) { "optimal plan" } else { "plan" };
                format!("{kind} of {}, cost {}{}", count(length, "step"), told(self.cost), self.gap())
            }
            Body::Many { texts } if texts.is_empty() => {
                format!("{} plans, least cost {}", self.count.as_deref().unwrap_or("?"), told(self.cost))
            }
            Body::Many { texts } => format!("{}, least cost {}", count(texts.len(), "plan"), told(self.cost)),
            Body::NetBenefit => {
                let kind = if self.optimal == Some(true) { "best plan" } else { "plan" };
                format!("{kind}, {}, metric {}{}", count(length, "step"), told(self.metric), self.gap())
            }
            Body::Policy { .. } => format!("{class} policy of {}", count(length, "pair")),
            Body::Network { .. } => {
                let kind = if self.optimal == Some(true) { "shortest plan" } else { "plan" };
                format!("{kind} of {}", count(length, "action"))
            }
            Body::NetworkPolicy { .. } => format!("{class} policy of {}", count(length, "node")),
            Body::Contingent { .. } if self.plan.is_some() => {
                format!("conformant plan of {}", count(length, "step"))
            }
            Body::Contingent { .. } => {
                let depth = self
                    .depth
                    .map_or(String::new(), |depth| format!(", at most {} deep", count(depth, "step")));
                format!("{class} contingent plan of {}{depth}", count(length, "place"))
            }
        }
    }

    /// How far from optimal a plan may be.
    fn gap(&self) -> String {
        let (Some(lower), Some(upper), Some(false)) = (self.lower_bound, self.upper_bound, self.optimal)
        else {
            return String::new();
        };
        let proved = match self.kind {
            Kind::NetBenefit => format!(", the best metric is between {lower} and {upper}"),
            _ => format!(", no plan costs less than {lower}"),
        };
        let size = upper.0;
        let why = self.why.as_ref().map(|why| format!("; {why}")).unwrap_or_default();
        match size > Ratio::from_integer(0) && lower.0 >= Ratio::from_integer(0) {
            true => {
                let percent = Amount((upper.0 - lower.0) / size * Ratio::from_integer(100)).to_f64();
                format!("{proved} (gap {percent:.1} %){why}")
            }
            false => format!("{proved}{why}"),
        }
    }

    fn check_remark(&self) -> &'static str {
        match (self.phases.check, self.checked) {
            (None, _) => "",
            (Some(_), Some(super::Coverage::Sampled)) => ", random runs checked",
            (Some(_), Some(super::Coverage::None)) => ", not checked: too many states",
            (Some(_), _) => ", checked",
        }
    }

    fn nothing_proved(&self) -> String {
        match &self.body {
            Body::Network { .. } => "the network has no plan".to_owned(),
            _ => self.nothing(),
        }
    }

    /// Which code confirmed that there is no answer; for task networks the evidence says it.
    fn confirmation(&self) -> String {
        match &self.evidence {
            _ if self.kind == Kind::Htn => String::new(),
            Evidence::Proved { checked_by: Some(checker), .. } => format!(", confirmed by {checker}"),
            _ => ", not confirmed by a second engine".to_owned(),
        }
    }

    fn what_is_known(&self) -> String {
        let mut text = String::new();
        match self.kind {
            Kind::Plan => {
                let lower = self.search.as_ref().and_then(|report| report.lower_bound);
                if let Some(bound) = lower.filter(|bound| bound.0 > Ratio::from_integer(0)) {
                    let _ = write!(text, "; no plan costs less than {bound}");
                }
                if let Some(cost) = self.cost {
                    let _ = write!(text, "; the best plan so far costs {cost}");
                }
                if let (Some(lower), Some(upper)) = (self.lower_bound, self.upper_bound)
                    && upper.0 > Ratio::from_integer(0)
                {
                    let percent = Amount((upper.0 - lower.0) / upper.0 * Ratio::from_integer(100)).to_f64();
                    let _ = write!(text, " (gap {percent:.1} %)");
                }
            }
            Kind::NetBenefit => {
                if self.plan.is_some() {
                    let metric = self.metric.map_or("none".to_owned(), |it| it.to_string());
                    let _ = write!(text, "; best plan so far has metric {metric}");
                }
                if let Some(bound) = self.bound {
                    let _ = write!(text, "; none is better than {bound}");
                }
            }
            Kind::Policy => {
                if let Some(class) = self.class {
                    let size = count(self.length.unwrap_or(0), "pair");
                    let _ = write!(text, "; the strongest policy so far is {}, {size}", class.name());
                }
            }
            Kind::Htn | Kind::Conformant | Kind::Contingent => {}
        }
        text
    }
}

impl FoundPlan {
    /// The plan as a file.
    pub(super) fn text(&self, unit_cost: bool) -> String {
        let kind = if unit_cost { "unit cost" } else { "general cost" };
        let steps: String = self.plan.iter().map(|step| format!("{step}\n")).collect();
        format!("{steps}; cost = {} ({kind})\n", self.cost)
    }
}

impl Preference {
    fn text(&self) -> String {
        let name = if self.name.is_empty() { "(unnamed)" } else { &self.name };
        match self.violated {
            0 => format!("{name}: held"),
            1 => format!("{name}: violated, {}", self.weight),
            times => {
                let all = Amount(self.weight.0 * Ratio::from_integer(i128::from(times)));
                format!("{name}: violated {times} times, {} each, {all} together", self.weight)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn answer() -> Answer {
        let half = |count| Amount(Ratio::new(count, 2));
        let evidence = Evidence::proved("a test", None);
        let mut answer = Answer::new(Kind::Plan, Verdict::Solved(()), evidence);
        answer.plan = Some(vec!["(walk a bridge)".to_owned(), "(catch)".to_owned()]);
        answer.cost = Some(half(3));
        answer.body = Body::Plan { costs: vec![half(3), half(0)], unit_cost: false };
        answer
    }

    #[test]
    fn a_plan_in_the_competition_format() {
        expect![[r#"
            (walk a bridge)
            (catch)
            ; cost = 1.5 (general cost)
        "#]]
        .assert_eq(&answer().text(false));
    }

    #[test]
    fn a_plan_for_a_terminal_is_a_plan_file_too() {
        expect![[r#"
            (walk a bridge)  ; 1: 1.5, together 1.5
            (catch)          ; 2: 0, together 1.5
            ; cost = 1.5 (general cost)
        "#]]
        .assert_eq(&answer().text(true));
    }
}
