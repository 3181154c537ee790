//! The stops of the tour: the texts, the command, what its answer says, and why that is right.

use serde_json::Value;

use super::drawings;

/// One problem.
pub(super) struct Stop {
    /// Who else acts, and what is asked.
    pub(super) title: &'static str,
    /// The words of the command; files are those below, by the names they have in the project.
    pub(super) words: &'static [&'static str],
    /// Names and texts of the files.
    pub(super) files: &'static [(&'static str, &'static str)],
    /// The answer in words; none if it is not the known one.
    pub(super) told: fn(&Value) -> Option<String>,
    /// The answer as lines of a drawing.
    pub(super) drawn: fn(&Value) -> Vec<String>,
    /// Why it is right.
    pub(super) why: &'static str,
}

impl Stop {
    /// The command as it can be typed.
    pub(super) fn line(&self) -> String {
        self.words.join(" ")
    }
}

/// An example by its path, with the name it has in the project.
macro_rules! file {
    ($name:literal) => {
        (concat!("examples/", $name), counterplay_examples::text($name))
    };
}

/// All of them, in the order of the table in the README: who else acts, and what you know.
pub(super) const STOPS: &[Stop] = &[
    Stop {
        title: "No other agent: the cheapest plan",
        words: &["solve", "examples/desert/costs-domain.pddl", "examples/desert/costs.pddl"],
        files: &[file!("desert/costs-domain.pddl"), file!("desert/costs.pddl")],
        told: |answer| {
            (answer["cost"] == 14 && answer["optimal"] == true)
                .then(|| format!("A plan of {} steps that costs 14, and none costs less.", answer["length"]))
        },
        drawn: drawings::steps,
        why: "The plan was carried out by a checker that shares no line with the search; 14 is the answer in the thesis.",
    },
    Stop {
        title: "No other agent, and more preferences than money: the best net benefit",
        words: &["solve", "examples/net-benefit/desert/domain.pddl", "examples/net-benefit/desert/p01.pddl"],
        files: &[file!("net-benefit/desert/domain.pddl"), file!("net-benefit/desert/p01.pddl")],
        told: |answer| {
            (answer["metric"] == 40 && answer["optimal"] == true)
                .then(|| format!("Net benefit 40 with {} steps; no plan is worth more.", answer["length"]))
        },
        drawn: drawings::preferences,
        why: "The checker adds up costs and wishes from the files again; 40 is the answer in the thesis.",
    },
    Stop {
        title: "Nature acts: a policy for whatever happens",
        words: &["solve", "examples/policy/slippery/domain.pddl", "examples/policy/slippery/p01.pddl"],
        files: &[file!("policy/slippery/domain.pddl"), file!("policy/slippery/p01.pddl")],
        told: |answer| {
            (answer["class"] == "strong-cyclic" && answer["impossible"][0] == "strong").then(|| {
                format!("A strong-cyclic policy of {} pairs; proved that none is strong.", answer["length"])
            })
        },
        drawn: drawings::policy,
        why: "On a slippery floor no number of steps is certain, but every state that can be met leads on to the goal.",
    },
    Stop {
        title: "Nature acts, and you have know-how: a policy by task networks",
        words: &[
            "solve",
            "examples/htn/hunter-prey/domain.hddl",
            "examples/htn/hunter-prey/p3x3-1.hddl",
            "--htn",
            "yoyo",
        ],
        files: &[file!("htn/hunter-prey/domain.hddl"), file!("htn/hunter-prey/p3x3-1.hddl")],
        told: |answer| {
            (answer["class"] == "strong-cyclic" && answer["checked"] == "complete")
                .then(|| format!("A policy of {} pairs catches the prey wherever it runs.", answer["length"]))
        },
        drawn: |_| Vec::new(),
        why: "All states that the policy can meet were looked at, without the methods that found it.",
    },
    Stop {
        title: "An opponent, any rules, everything seen: a strong solution",
        words: &["game", "solve", "examples/games/connect-four-4x4.kif"],
        files: &[file!("games/connect-four-4x4.kif")],
        told: |answer| {
            let states = &answer["states"];
            (states == 161_029 && answer["value"][0] == 50)
                .then(|| format!("Best play on both sides is a draw; {states} positions have their value."))
        },
        drawn: |_| Vec::new(),
        why: "Tromp counts the same 161,029 positions and finds the same draw.",
    },
    Stop {
        title: "An opponent, and you have know-how: a contingency tree that proves the move",
        words: &["go", "solve", "examples/go/rabbity-six.sgf"],
        files: &[file!("go/rabbity-six.sgf")],
        told: |answer| {
            (answer["move"] == "D6" && answer["checked"] == true)
                .then(|| format!("D6 kills; {} moves were tried for it.", answer["moves_tried"]))
        },
        drawn: |answer| drawings::goban(counterplay_examples::text("go/rabbity-six.sgf"), answer),
        why: "Slow rules replayed the tree: every reply in the region is answered. Rabbity six dies at its centre.",
    },
    Stop {
        title: "Opponents with hidden cards: the best play of a suit",
        words: &["bridge", "suit", "KJ74", "A2", "--tricks", "3"],
        files: &[],
        told: |answer| {
            let percent = answer["percent"].as_f64().filter(|percent| (51.3..51.5).contains(percent))?;
            Some(format!("Three tricks in {percent:.2} % of the layouts: {}.", answer["line"].as_str()?))
        },
        drawn: |_| vec!["North  K J 7 4".to_owned(), "South  A 2".to_owned()],
        why: "All layouts of the seven missing cards were counted against best defence; it is the finesse of the paper's Figure 3.",
    },
    Stop {
        title: "An opponent you cannot see: a guaranteed mate",
        words: &["kriegspiel", "solve", "examples/kriegspiel/problems.jsonl"],
        files: &[file!("kriegspiel/problems.jsonl")],
        told: |answer| {
            (answer["verdict"] == "solved" && answer["checked"] == true).then(|| {
                let (first, plies, size) = (&answer["first_try"], &answer["plies"], &answer["size"]);
                format!(
                    "{} mates within {plies} plies in all {size} positions.",
                    first.as_str().unwrap_or("?")
                )
            })
        },
        drawn: |_| drawings::positions(counterplay_examples::text("kriegspiel/problems.jsonl")),
        why: "A referee who sees everything followed the plan in each position after every reply.",
    },
    Stop {
        title: "An agent you can learn to predict: the best response under noise",
        words: &["dilemma", "match", "DBS", "TitForTat", "--turns", "200", "--noise", "0.1"],
        files: &[],
        told: |answer| {
            let (dbs, other) = (answer["scores"][0].as_f64()?, answer["scores"][1].as_f64()?);
            let cooperation = answer["cooperation"][0].as_f64()?;
            (dbs > 0.0).then(|| {
                format!(
                    "DBS {dbs}, TitForTat {other}; DBS cooperated in {:.0} % of the turns.",
                    100.0 * cooperation
                )
            })
        },
        drawn: drawings::moves,
        why: "One move in ten was flipped by noise. Points count, not who has more: in the place of DBS, a second TitForTat gets 420 here, since each slip is paid back again and again.",
    },
];
