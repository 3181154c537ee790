//! Every operation against its slow twin: sixty-four-bit truth tables over six levels (three pairs).

use counterplay_base::{Budget, Limit};
use counterplay_bdd::{Bdd, Manager};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const LEVELS: [u32; 6] = [0, 1, 2, 3, 4, 5];

/// Assignment `i` gives level `l` the bit `l` of `i`.
fn bit(assignment: usize, level: u32) -> bool {
    assignment >> level & 1 == 1
}

fn from_table(manager: &Manager, table: u64) -> Bdd {
    let mut result = manager.constant(false);
    for assignment in (0..64).filter(|&a| table >> a & 1 == 1) {
        let literals: Vec<_> = LEVELS.map(|level| (level, bit(assignment, level))).to_vec();
        result = result.or(&manager.cube(&literals).unwrap()).unwrap();
    }
    result
}

fn to_table(bdd: &Bdd) -> u64 {
    (0..64).filter(|&a| bdd.evaluate(|level| bit(a, level))).fold(0, |table, a| table | 1 << a)
}

/// Tables of states depend on even levels only.
fn random_state_table(rng: &mut impl Rng) -> u64 {
    let mut by_state = [false; 8];
    by_state.fill_with(|| rng.random());
    table_of(|a| by_state[state(a, 0)])
}

fn table_of(holds: impl Fn(usize) -> bool) -> u64 {
    (0..64).filter(|&a| holds(a)).fold(0, |table, a| table | 1 << a)
}

/// The three bits of the current (`next` = 0) or next (`next` = 1) state in an assignment.
fn state(assignment: usize, next: u32) -> usize {
    (0..3).map(|i| (bit(assignment, 2 * i + next) as usize) << i).sum()
}

fn assignment(now: usize, next: usize) -> usize {
    (0..3).map(|i| (now >> i & 1) << (2 * i) | (next >> i & 1) << (2 * i + 1)).sum()
}

#[test]
fn operations_agree_with_truth_tables() {
    let manager = Manager::new(Budget::unlimited());
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for round in 0..300 {
        // Sparse and dense tables in turn.
        let thin = |rng: &mut ChaCha8Rng| {
            if round % 2 == 0 { rng.random::<u64>() & rng.random::<u64>() } else { rng.random() }
        };
        let (f, g) = (thin(&mut rng), thin(&mut rng));
        let (a, b) = (from_table(&manager, f), from_table(&manager, g));
        assert_eq!(to_table(&a), f);
        assert_eq!(to_table(&a.and(&b).unwrap()), f & g);
        assert_eq!(to_table(&a.or(&b).unwrap()), f | g);
        assert_eq!(to_table(&a.xor(&b).unwrap()), f ^ g);
        assert_eq!(to_table(&a.minus(&b).unwrap()), f & !g);
        assert_eq!(to_table(&a.not()), !f);
        assert_eq!(a.count(&manager.constant(true), &LEVELS), Some(f.count_ones() as u128));
        assert!((a.share() * 64.0 - f.count_ones() as f64).abs() < 1e-9);
        assert_eq!(a.count(&b, &LEVELS), Some((f & g).count_ones() as u128));
        assert_eq!(a == b, f == g);
        assert_eq!(to_table(&a.simplify(&b).unwrap()) & g, f & g);
        let bytes = manager.export(&[&a, &b, &a.not()]);
        assert_eq!(manager.import(&bytes, 6), Ok(vec![a.clone(), b.clone(), a.not()]));
        let elsewhere = Manager::new(Budget::unlimited());
        let copies = elsewhere.import(&bytes, 6).unwrap();
        assert_eq!([f, g, !f], [0, 1, 2].map(|copy: usize| to_table(&copies[copy])));
        let mut damaged = bytes.clone();
        let place = rng.random_range(0..damaged.len());
        damaged[place] ^= 1 << rng.random_range(0..8);
        // Damage may give other diagrams, or an error; it may not give nodes out of order.
        if let Ok(others) = elsewhere.import(&damaged, 6) {
            others.iter().for_each(|other| assert_eq!(from_table(&elsewhere, to_table(other)), *other));
        }
        assert!(elsewhere.import(&bytes[..bytes.len() - 1], 6).is_err());
        let cubed: Vec<u32> = LEVELS.into_iter().filter(|_| rng.random()).collect();
        let cube = manager.cube(&cubed.iter().map(|&level| (level, true)).collect::<Vec<_>>()).unwrap();
        let mask = cubed.iter().fold(0, |mask, &level| mask | 1usize << level);
        let same = |x: usize, y: usize| x & !mask == y & !mask;
        let some = table_of(|x| (0..64).any(|y| same(x, y) && f >> y & 1 == 1));
        let all = table_of(|x| (0..64).all(|y| !same(x, y) || f >> y & 1 == 1));
        assert_eq!(to_table(&a.exists(&cube).unwrap()), some);
        assert_eq!(to_table(&a.forall(&cube).unwrap()), all);
        match a.pick() {
            None => assert_eq!(f, 0),
            Some(path) => {
                let picked = path.iter().fold(0, |a, &(level, value)| a | (value as usize) << level);
                assert_eq!(f >> picked & 1, 1);
            }
        }
    }
}

#[test]
fn images_agree_with_relations_by_hand() {
    let manager = Manager::new(Budget::unlimited());
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..500 {
        let set = random_state_table(&mut rng);
        let changed: Vec<u32> = (0..3).filter(|_| rng.random()).collect();
        // A relation over all current bits and the next copies of the changed ones.
        let is_changed = |i: u32| changed.contains(&i);
        let raw: u64 = rng.random::<u64>() & rng.random::<u64>();
        let from: u32 = rng.random_range(0..4);
        let relation = table_of(|a| {
            let seen = (0..3).fold(a, |a, i| if is_changed(i) { a } else { a & !(1 << (2 * i + 1)) });
            // Some relations change nothing below the first bits: images stop there.
            let same = (from..3).all(|i| !is_changed(i) || a >> (2 * i) & 1 == a >> (2 * i + 1) & 1);
            let above = seen & ((1 << (2 * from)) - 1);
            raw >> if from < 3 { above } else { seen } & 1 == 1 && same
        });
        let levels: Vec<u32> = changed.iter().map(|&i| 2 * i).collect();
        let cube = manager.changed(&levels).unwrap();
        let leads = |now: usize, next: usize| {
            let stays = (0..3).all(|i| is_changed(i) || now >> i & 1 == next >> i & 1);
            stays && relation >> assignment(now, next) & 1 == 1
        };
        let within = |table: u64, state: usize| table >> assignment(state, 0) & 1 == 1;
        let image = table_of(|a| (0..8).any(|now| within(set, now) && leads(now, state(a, 0))));
        let pre_image = table_of(|a| (0..8).any(|next| within(set, next) && leads(state(a, 0), next)));
        let (s, r) = (from_table(&manager, set), from_table(&manager, relation));
        assert_eq!(to_table(&manager.image(&s, &r, &cube).unwrap()), image);
        assert_eq!(to_table(&manager.pre_image(&s, &r, &cube).unwrap()), pre_image);
    }
}

/// A function with many nodes: the hidden weighted bit, exponential under every order.
fn hidden_weighted_bit(manager: &Manager, bits: u32) -> Result<Bdd, Limit> {
    // weight[k]: exactly k of the bits are set.
    let mut weight = vec![manager.constant(true)];
    for level in 0..bits {
        let (set, unset) = (manager.literal(level, true)?, manager.literal(level, false)?);
        let mut next = vec![manager.constant(false); weight.len() + 1];
        for (k, w) in weight.iter().enumerate() {
            next[k] = next[k].or(&w.and(&unset)?)?;
            next[k + 1] = next[k + 1].or(&w.and(&set)?)?;
        }
        weight = next;
    }
    let mut result = manager.constant(false);
    for k in 1..=bits {
        result = result.or(&weight[k as usize].and(&manager.literal(k - 1, true)?)?)?;
    }
    Ok(result)
}

#[test]
fn collection_keeps_what_is_held_and_frees_the_rest() {
    let manager = Manager::new(Budget::unlimited());
    let kept = hidden_weighted_bit(&manager, 16).unwrap();
    let (size, share) = (kept.size(), kept.share());
    let before = manager.nodes();
    manager.collect();
    assert!(manager.nodes() < before);
    assert_eq!(manager.nodes(), size + 1, "only the kept diagram and the terminal are left");
    assert_eq!(kept.share(), share);
    let again = hidden_weighted_bit(&manager, 16).unwrap();
    assert!(again == kept, "the same function is the same diagram after a collection");
    drop((kept, again));
    manager.collect();
    assert_eq!(manager.nodes(), 1);
}

#[test]
fn limits_are_values_and_work_goes_on_after_them() {
    let manager = Manager::new(Budget::unlimited());
    let small = manager.literal(3, true).unwrap();
    let failed = manager.with_allowance(50, || hidden_weighted_bit(&manager, 18));
    assert!(matches!(failed, Err(Limit::Nodes(_))));
    let cancelled = Budget::unlimited();
    cancelled.cancel();
    manager.set_budget(cancelled);
    assert_eq!(hidden_weighted_bit(&manager, 24).err(), Some(Limit::Cancelled));
    manager.set_budget(Budget::unlimited().with_memory(1 << 20, || Some((1 << 20) - 1)));
    assert!(matches!(hidden_weighted_bit(&manager, 30), Err(Limit::Bytes(_))));
    manager.set_budget(Budget::unlimited());
    assert!(hidden_weighted_bit(&manager, 18).is_ok());
    assert_eq!(small.size(), 1);
}

#[test]
fn counts_are_exact_on_more_levels_than_a_number_has_bits() {
    let manager = Manager::new(Budget::unlimited());
    let levels: Vec<u32> = (0..400).collect();
    let zeros: Vec<(u32, bool)> = levels.iter().map(|&level| (level, false)).collect();
    let one = manager.cube(&zeros).unwrap();
    let two = manager.cube(&zeros[..300]).unwrap();
    let all = manager.constant(true);
    assert_eq!(one.count(&all, &levels), Some(1));
    assert_eq!(two.count(&all, &levels), Some(1 << 100));
    assert_eq!(two.minus(&one).unwrap().count(&all, &levels), Some((1 << 100) - 1));
    assert_eq!(one.not().count(&all, &levels), None, "too many");
    assert_eq!(all.count(&one, &levels), Some(1));
}
