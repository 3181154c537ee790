//! Two settings of the search play each other, to see which is better.
//!
//! Clocks are CPU time. `duel GAME.kif MILLISECONDS MATCHES key=value… vs key=value…` with the keys of [`UctSettings`]; sides alternate. For a
//! puzzle, both play alone. Prints mean rewards with 95 % intervals, and playouts per second.

use std::sync::Arc;
use std::time::Duration;

use counterplay_base::{Budget, Silent};
use counterplay_ggp::play::{PropnetSearch, UctSettings};
use counterplay_ground::game::{Game, ground_game};
use counterplay_syntax::Sources;

fn settings(words: &[String]) -> UctSettings {
    let mut settings = UctSettings::default();
    for word in words {
        let (key, value) = word.split_once('=').expect("key=value");
        match key {
            "exploration" => settings.exploration = value.parse().expect("a number"),
            "rave" => settings.rave = value.parse().expect("a number"),
            "draw" => settings.draw = value.parse().expect("a number"),
            "greed" => settings.greed = value.parse().expect("a number"),
            "threads" => settings.threads = value.parse().expect("a number"),
            "bias" => settings.bias = value.parse().expect("a number"),
            "expand" => settings.expand = value.parse().expect("a number"),
            "decisive" => settings.decisive = value.parse().expect("true or false"),
            "regrets" => settings.regrets = value.parse().expect("a number"),
            "words" => settings.words = value.parse().expect("a number"),
            "bytes" => settings.bytes = value.parse().expect("a number"),
            other => panic!("unknown key {other}"),
        }
    }
    settings
}

/// Plays one match; returns rewards and, for each role, playouts and seconds.
fn play(game: &Arc<Game>, roles: &[UctSettings], clock: Duration, seed: u64) -> (Vec<f32>, Vec<(u64, f64)>) {
    let mut searches: Vec<PropnetSearch> = roles
        .iter()
        .enumerate()
        .map(|(role, settings)| {
            PropnetSearch::new(game, &UctSettings { seed: seed * 8 + role as u64, ..settings.clone() })
        })
        .collect();
    let mut spent = vec![(0, 0.0); roles.len()];
    let mut random = seed;
    while !searches[0].view().is_over {
        let mut joint = Vec::new();
        for (role, search) in searches.iter_mut().enumerate() {
            let legal = search.view().legal[role].clone();
            if legal.len() > 1 || roles.len() == 1 {
                let before = search.playouts();
                let started = std::time::Instant::now();
                search.run(&Budget::unlimited().with_cpu(cpu().unwrap_or_default() + clock, cpu));
                if !search.is_settled() {
                    spent[role].0 += search.playouts() - before;
                    spent[role].1 += started.elapsed().as_secs_f64();
                }
            }
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            joint.push(search.best(role).unwrap_or(legal[(random >> 33) as usize % legal.len()]));
        }
        searches.iter_mut().for_each(|search| search.make(&joint));
    }
    (searches[0].view().rewards.to_vec(), spent)
}

/// CPU time of this process, so that a busy machine is fair to both sides.
fn cpu() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

fn interval(values: &[f32]) -> (f32, f32) {
    let count = values.len() as f32;
    let mean = values.iter().sum::<f32>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / (count - 1.0).max(1.0);
    (100.0 * mean, 196.0 * (variance / count).sqrt())
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [path, clock, matches, rest @ ..] = &words[..] else { panic!("see the documentation") };
    let text = std::fs::read_to_string(path).expect("a file");
    let mut sources = Sources::default();
    let file = sources.add(path.clone(), &text);
    let rules = counterplay_gdl::read(&sources, file).expect("a rule sheet");
    let game = Arc::new(ground_game(&rules, &Budget::unlimited(), &Silent).expect("ground rules"));
    let middle = rest.iter().position(|word| word == "vs").unwrap_or(rest.len());
    let sides = [settings(&rest[..middle]), settings(rest.get(middle + 1..).unwrap_or(&[]))];
    let clock = Duration::from_millis(clock.parse().expect("milliseconds"));
    let matches: u64 = matches.parse().expect("a number");
    let mut won: [Vec<f32>; 2] = Default::default();
    let mut spent = [(0u64, 0.0f64); 2];
    for number in 0..matches {
        for turn in 0..2usize {
            let side = |role: usize| if game.roles.len() == 1 { turn } else { (role + turn) % 2 };
            let roles: Vec<UctSettings> =
                (0..game.roles.len()).map(|role| sides[side(role)].clone()).collect();
            let (rewards, times) = play(&game, &roles, clock, number);
            for (role, (reward, time)) in rewards.iter().zip(times).enumerate() {
                won[side(role)].push(*reward);
                spent[side(role)].0 += time.0;
                spent[side(role)].1 += time.1;
            }
        }
    }
    for side in 0..2 {
        let (mean, half) = interval(&won[side]);
        let rate = spent[side].0 as f64 / spent[side].1.max(1e-9);
        println!("{:?}\n  {mean:.1} ± {half:.1} of {}, {rate:.0} playouts/s", sides[side], won[side].len());
    }
}
