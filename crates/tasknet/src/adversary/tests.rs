//! A game small enough to be solved by counting: take one to three matches; the player who takes the last one wins.

use counterplay_base::Budget;

use super::*;

#[derive(Clone, Debug, PartialEq)]
enum Aim {
    /// Take the last match.
    Win,
    /// Leave a multiple of four.
    LeaveFour,
    Take(u32),
}

struct Matches {
    left: u32,
    turn: Agent,
    taken: Vec<u32>,
    /// Whether the schemas know the trick.
    clever: bool,
}

impl Matches {
    fn new(left: u32, clever: bool) -> Matches {
        Matches { left, turn: Agent::Alpha, taken: Vec::new(), clever }
    }
}

impl Arena for Matches {
    type Goal = Aim;
    type Move = u32;

    fn turn(&self) -> Agent {
        self.turn
    }
    fn winner(&mut self) -> Option<Agent> {
        (self.left == 0).then(|| self.turn.other())
    }
    fn key(&self) -> u64 {
        u64::from(self.left) * 2 + self.turn as u64
    }
    fn play(&mut self, action: u32) {
        self.left -= action;
        self.taken.push(action);
        self.turn = self.turn.other();
    }
    fn undo(&mut self) {
        self.left += self.taken.pop().expect("a move was made");
        self.turn = self.turn.other();
    }
    fn repetition(&self) -> Agent {
        Agent::Beta
    }
    fn level(&self, goal: &Aim) -> Level {
        match goal {
            Aim::Win => Level::Objective,
            Aim::LeaveFour => Level::Plan,
            Aim::Take(_) => Level::Move,
        }
    }
    fn is_achieved(&mut self, _: &Aim) -> bool {
        false
    }
    fn schemas(&mut self, goal: &Aim, out: &mut Vec<Schema<Aim>>) {
        match goal {
            Aim::Win if self.clever => {
                out.push(Schema { name: "the trick", subgoals: vec![Aim::LeaveFour] });
            }
            Aim::Win => out.push(Schema { name: "greed", subgoals: vec![Aim::Take(3), Aim::Take(1)] }),
            Aim::LeaveFour => {
                out.push(Schema { name: "count", subgoals: vec![Aim::Take(self.left % 4)] });
            }
            Aim::Take(_) => {}
        }
    }
    fn moves(&mut self, goal: &Aim, out: &mut Vec<u32>) {
        if let Aim::Take(n) = *goal
            && n > 0
            && n <= self.left
        {
            out.push(n);
        }
    }
    fn criticise(&mut self, out: &mut Vec<Aim>) {
        if self.left <= 3 {
            out.push(Aim::Take(self.left));
        }
    }
    fn every_move(&mut self, out: &mut Vec<u32>) {
        out.extend(1..=3.min(self.left));
    }
}

fn run(left: u32, clever: bool, settings: Settings) -> Answer<Aim, u32> {
    let inputs = [vec![Aim::Win], vec![Aim::Win]];
    plan(&mut Matches::new(left, clever), inputs, settings, &Budget::unlimited()).expect("no limit")
}

#[test]
fn guarded_planning_agrees_with_the_theory() {
    for clever in [false, true] {
        for critics in [false, true] {
            for left in 1..40 {
                let settings = Settings { critics, guard: [true, true], ..Settings::default() };
                let answer = run(left, clever, settings);
                assert_eq!(answer.winner == Agent::Alpha, left % 4 != 0, "{left} matches");
                if left % 4 != 0 {
                    assert_eq!(answer.first, Some(left % 4));
                }
            }
        }
    }
}

#[test]
fn knowledge_spares_moves() {
    let settings = Settings { guard: [false, true], ..Settings::default() };
    let (plain, clever) =
        (run(23, false, Settings { guard: [true, true], ..settings }), run(23, true, settings));
    assert_eq!(clever.winner, Agent::Alpha);
    assert!(clever.tried < plain.tried, "{} and {}", clever.tried, plain.tried);
}

#[test]
fn a_small_knowledge_base_may_be_wrong_and_the_guard_finds_out() {
    // Greed takes one or three, so that the player to move at an even number loses; taking two wins at six.
    let settings = Settings { critics: false, ..Settings::default() };
    assert_eq!(run(6, false, settings).winner, Agent::Beta);
    assert_eq!(run(6, false, Settings { guard: [true, true], ..settings }).winner, Agent::Alpha);
}

#[test]
fn the_contingency_tree_answers_every_reply() {
    let answer = run(7, true, Settings { guard: [false, true], ..Settings::default() });
    let tree = answer.tree.contingency(answer.tree.root());
    let [first] = &tree[..] else { panic!("one winning move") };
    assert_eq!(first.action, 3);
    assert_eq!(first.goals, [Aim::Win, Aim::LeaveFour, Aim::Take(3)]);
    assert_eq!(first.schemas, ["the trick", "count"]);
    let mut replies: Vec<u32> = first.replies.iter().map(|reply| reply.action).collect();
    replies.sort_unstable();
    assert_eq!(replies, [1, 2, 3]);
    for reply in &first.replies {
        assert_eq!(reply.replies.len(), 1);
        assert_eq!(reply.action + reply.replies[0].action, 4);
    }
}

#[test]
fn limits_are_kept() {
    let inputs = || [vec![Aim::Win], vec![Aim::Win]];
    let settings = Settings { guard: [true, true], moves: 5, ..Settings::default() };
    let stopped =
        plan(&mut Matches::new(30, false), inputs(), settings, &Budget::unlimited()).expect_err("too few");
    assert_eq!(stopped.limit, counterplay_base::Limit::Nodes(5));
    let budget = Budget::unlimited();
    budget.cancel();
    let settings = Settings { guard: [true, true], ..settings };
    assert!(plan(&mut Matches::new(30, false), inputs(), settings, &budget).is_err());
}
