//! Strategies of games as files: a heap of matches, from which two roles take one or two in turn; who takes the last one wins.

use counterplay_base::Budget;
use counterplay_check::{
    Claim, NoPlaybook, Notation, PlaybookFlaw, RewardBound, Rulebook, check_playbook, is_playbook,
    write_playbook,
};

/// Matches left, and whose turn it is. With `wait` a role may also leave things as they are.
struct Heap {
    matches: u32,
    wait: bool,
}

impl Rulebook for Heap {
    type State = (u32, usize);
    type Move = u32;
    type Trouble = ();

    fn roles(&self) -> usize {
        2
    }

    fn initial(&mut self) -> Result<(u32, usize), ()> {
        Ok((self.matches, 0))
    }

    fn is_over(&mut self, state: &(u32, usize)) -> Result<bool, ()> {
        Ok(state.0 == 0)
    }

    fn rewards(&mut self, state: &(u32, usize)) -> Result<Vec<u32>, ()> {
        Ok(if state.1 == 1 { vec![100, 0] } else { vec![0, 100] })
    }

    fn moves(&mut self, state: &(u32, usize), role: usize) -> Result<Vec<u32>, ()> {
        if role != state.1 {
            return Ok(vec![0]);
        }
        let first = u32::from(!self.wait);
        Ok((first..=2.min(state.0)).collect())
    }

    fn next(&mut self, state: &(u32, usize), moves: &[u32]) -> Result<(u32, usize), ()> {
        Ok((state.0 - moves[state.1], 1 - state.1))
    }
}

impl Claim for Heap {
    fn value(&mut self, state: &(u32, usize), _: usize) -> Result<Option<Vec<u32>>, ()> {
        let wins = !state.0.is_multiple_of(3);
        let first_wins = wins == (state.1 == 0);
        Ok(Some(if first_wins { vec![100, 0] } else { vec![0, 100] }))
    }
}

impl Notation for Heap {
    fn fluents(&mut self, state: &(u32, usize)) -> Vec<String> {
        vec![format!("(heap {})", state.0), format!("(turn {})", ["ann", "ben"][state.1])]
    }

    fn move_text(&mut self, own: &u32) -> String {
        format!("(take {own})")
    }

    fn role_text(&mut self, role: usize) -> String {
        ["ann", "ben"][role].to_owned()
    }
}

fn heap(matches: u32) -> Heap {
    Heap { matches, wait: false }
}

fn check(matches: u32, text: &str) -> Result<Vec<(String, RewardBound)>, PlaybookFlaw<()>> {
    check_playbook(&mut heap(matches), text, 1000, &Budget::unlimited()).map(|checked| checked.parts)
}

fn written(matches: u32) -> String {
    write_playbook(&mut heap(matches), &[], &[0], 1000, &Budget::unlimited()).expect("the value is right")
}

#[test]
fn strategies_prove_the_value_for_both_sides() {
    for matches in 1..20 {
        let text = written(matches);
        assert!(is_playbook(&text));
        let value = if matches % 3 == 0 { 0 } else { 100 };
        let expected = [RewardBound::AtLeast(value), RewardBound::AtMost(value)];
        assert_eq!(check(matches, &text), Ok(expected.map(|bound| ("ann".to_owned(), bound)).to_vec()));
        // A claim of more, and each strategy without one of its lines.
        let wrong = text.replace("at-least 0", "at-least 100").replace("at-most 100", "at-most 0");
        assert!(wrong == text || check(matches, &wrong).is_err(), "{wrong}");
        let lines: Vec<&str> = text.lines().collect();
        for gone in (0..lines.len()).filter(|&at| lines[at].starts_with("play") || lines[at] == "end") {
            let kept = lines.iter().enumerate().filter(|(at, _)| *at != gone);
            let damaged: String = kept.map(|(_, line)| format!("{line}\n")).collect();
            assert!(check(matches, &damaged).is_err(), "{damaged}");
        }
        assert!(matches < 4 || check(matches + 1, &text).is_err(), "another game's strategy: {text}");
    }
}

#[test]
fn a_wrong_move_is_found() {
    let text = written(4);
    assert!(text.contains("play (take 1) : (heap 4) (turn ann)"), "{text}");
    let other = text.replacen("play (take 1) : (heap 4)", "play (take 2) : (heap 4)", 1);
    assert!(matches!(check(4, &other), Err(PlaybookFlaw::Wrong { .. })));
    let illegal = text.replacen("play (take 1) : (heap 4)", "play (take 7) : (heap 4)", 1);
    let Err(PlaybookFlaw::Wrong { why, .. }) = check(4, &illegal) else { panic!("it is illegal") };
    assert!(why.contains("`(take 7)` is not legal"), "{why}");
}

#[test]
fn play_that_may_go_on_for_ever_is_refused() {
    let mut waiting = Heap { matches: 3, wait: true };
    let waits = [1, 2, 3].map(|left| format!("play (take 0) : (turn ann) (heap {left})\n")).concat();
    let text = &format!("counterplay strategy 1\nrole ann at-least 0\n{waits}end\n");
    let flaw = check_playbook(&mut waiting, text, 1000, &Budget::unlimited()).expect_err("both may wait");
    assert!(matches!(&flaw, PlaybookFlaw::Wrong { why, .. } if why.contains("comes back")), "{flaw:?}");
    let written = write_playbook(&mut waiting, &[], &[0], 1000, &Budget::unlimited());
    assert!(matches!(written, Err(NoPlaybook::Endless | NoPlaybook::NotSure { .. })), "{written:?}");
}

#[test]
fn flaws_have_a_line() {
    let flaw = |body: &str| match check(4, &format!("counterplay strategy 1\n{body}")) {
        Err(PlaybookFlaw::Malformed { line, what }) => format!("{line}: {what}"),
        Err(PlaybookFlaw::Wrong { line, why }) => format!("{line}: {why}"),
        other => panic!("{other:?}"),
    };
    assert!(flaw("").contains("cut off"));
    assert!(flaw("end\n").contains("nothing"));
    assert!(flaw("role ann at-least many\nend\n").starts_with("2: expected `role"));
    assert!(flaw("role eve at-least 0\nend\n").contains("no role `eve`"));
    assert!(flaw("role ann at-least 0\nplay (take 1)\nend\n").starts_with("3: expected `play"));
    assert!(flaw("role ann at-least 0\nplay (take 1 : (heap 4)\nend\n").starts_with("3: parentheses"));
    assert!(
        flaw("after (take 5) (take 0)\nrole ann at-least 0\nend\n").starts_with("2: `(take 5)` is not legal")
    );
    assert!(flaw("after (take 1)\nrole ann at-least 0\nend\n").contains("each of the 2 roles"));
    let many = check_playbook(&mut heap(19), &written(19), 3, &Budget::unlimited());
    assert!(matches!(many, Err(PlaybookFlaw::Wrong { .. })));
}
