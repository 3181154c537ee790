//! Laws of the game, over many random deals.

use bridge::belief::Beliefs;
use bridge::card::Cards;
use bridge::contract::{Contract, Strain};
use bridge::deal::Deal;
use bridge::generate::random_deal;
use bridge::play::Position;
use bridge::players::{Chair, GoodDefence, NetworkPlayer, Pimc, Planner, PlannerSettings, Player, Rules};
use bridge::seat::Seat;
use bridge::table::{DealContext, play_deal};
use counterplay_base::{Budget, Limit};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn contract_of(number: usize) -> Contract {
    let strains = [
        Strain::Notrump,
        Strain::Trump(bridge::card::Suit::Spades),
        Strain::Trump(bridge::card::Suit::Diamonds),
    ];
    Contract::new(1 + (number % 7) as u8, strains[number % 3], Seat::ALL[number / 3 % 4])
        .expect("levels 1 to 7")
}

/// Ten thousand deals by rule on both sides: every card is legal when it is played, each once, thirteen tricks.
#[test]
fn ten_thousand_deals_are_played_legally() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for number in 0..10_000 {
        let deal = random_deal(&mut rng);
        let contract = contract_of(number);
        let chairs = || Chair::ImperfectInformation(Box::new(Rules));
        let played = play_deal(&deal, contract, None, &mut chairs(), &mut chairs(), &DealContext::seeded(1))
            .expect("no limit");
        let cards = played.cards();
        assert_eq!(cards.iter().copied().collect::<Cards>(), Cards::PACK, "deal {number}");
        let mut position = Position::new(&deal, contract);
        for card in cards {
            position.play(card).unwrap_or_else(|error| panic!("deal {number}: {error}"));
        }
        let public = position.public();
        assert!(public.is_over() && public.declarer_tricks() == played.tricks);
        assert_eq!(public.declarer_tricks() + public.defence_tricks(), 13);
    }
}

/// Moves cards between the hands that a player cannot see; what the player sees stays the same.
fn disguised(
    position: &Position,
    history: &[bridge::card::Card],
    deal: &Deal,
    rng: &mut Pcg64Mcg,
) -> Option<Position> {
    let view = position.view();
    let beliefs = Beliefs::new(&view);
    let held = beliefs.draw(rng)?;
    let other = beliefs.imagine(&view, held);
    let mut layout = bridge::deal::Layout::default();
    for seat in Seat::ALL {
        let hand = other.hand(seat).and(position.public().played_by(seat));
        layout.hands[seat as usize] = Some(hand.iter().collect());
    }
    let disguise = Deal::new(&layout).expect("the same cards in other hands");
    assert_eq!(disguise.hand(view.seat()), deal.hand(view.seat()));
    let mut replay = Position::new(&disguise, position.public().contract());
    for &card in history {
        replay.play(card).ok()?;
    }
    Some(replay)
}

/// A player chooses the same card whatever the hidden hands are: declarer and a defender in turn, any contract.
fn does_not_peek(mut make: impl FnMut() -> Box<dyn Player>, deals: usize) {
    let mut rng = Pcg64Mcg::seed_from_u64(5);
    let mut compared = 0;
    for number in 0..deals {
        let deal = random_deal(&mut rng);
        let contract = contract_of(number);
        let seat = contract.declarer.after(number % 2);
        let mut position = Position::new(&deal, contract);
        let mut history = Vec::new();
        let stop = rng.random_range(1..40);
        while history.len() < stop || position.view().seat() != seat {
            let card = Rules.play(&position.view(), &history).card;
            position.put(card);
            history.push(card);
            if position.public().is_over() {
                break;
            }
        }
        if position.public().is_over() {
            continue;
        }
        let Some(other) = disguised(&position, &history, &deal, &mut rng) else { continue };
        assert_eq!(position.view(), other.view(), "deal {number}");
        let choose = |player: &mut dyn Player, position: &Position| player.play(&position.view(), &history);
        assert_eq!(choose(&mut *make(), &position), choose(&mut *make(), &other), "deal {number}");
        compared += usize::from(position.hands() != other.hands());
    }
    assert!(compared * 2 > deals, "only {compared} of {deals} deals were disguised");
}

#[test]
fn rules_do_not_peek_in_ten_thousand_deals() {
    does_not_peek(|| Box::new(Rules), 10_000);
}

/// A player who is asked on one side only; on the other the rules play.
struct OneSide<P> {
    declares: bool,
    player: P,
}

impl<P: Player> Player for OneSide<P> {
    fn play(
        &mut self,
        view: &bridge::play::PlayerView,
        history: &[bridge::card::Card],
    ) -> bridge::players::Choice {
        if view.public().is_ours(view.seat()) == self.declares {
            self.player.play(view, history)
        } else {
            Rules.play(view, history)
        }
    }
}

#[test]
fn the_good_defence_does_not_peek() {
    does_not_peek(|| Box::new(OneSide { declares: false, player: GoodDefence::new(2, 3) }), 12);
}

/// Good defenders play legal cards to the end, and the same with the same seed.
#[test]
fn the_good_defence_is_repeatable_and_legal() {
    let deal = random_deal(&mut Pcg64Mcg::seed_from_u64(12));
    let once = || {
        let mut declarer = Chair::ImperfectInformation(Box::new(Rules));
        let mut defence = Chair::ImperfectInformation(Box::new(GoodDefence::new(2, 1)));
        play_deal(&deal, contract_of(0), None, &mut declarer, &mut defence, &DealContext::seeded(4))
            .expect("no limit")
    };
    assert_eq!(once(), once());
}

#[test]
fn the_planner_does_not_peek() {
    does_not_peek(|| Box::new(OneSide { declares: true, player: NetworkPlayer::new(12, 3) }), 40);
}

#[test]
fn monte_carlo_does_not_peek() {
    does_not_peek(|| Box::new(Pimc::new(1, 3)), 8);
}

#[test]
fn the_hybrid_does_not_peek() {
    does_not_peek(
        || Box::new(OneSide { declares: true, player: Planner::with(PlannerSettings::deep(6, 2), 3) }),
        8,
    );
}

/// The hybrid plays legal cards to the end, and the same with the same seed; layouts are followed from card to card.
#[test]
fn the_hybrid_is_repeatable_and_legal() {
    let mut rng = Pcg64Mcg::seed_from_u64(11);
    for number in 0..2 {
        let deal = random_deal(&mut rng);
        let contract = contract_of(number);
        let once = || {
            let mut hybrid =
                Chair::ImperfectInformation(Box::new(Planner::with(PlannerSettings::deep(8, 2), 1)));
            let mut defence = Chair::ImperfectInformation(Box::new(Rules));
            play_deal(&deal, contract, None, &mut hybrid, &mut defence, &DealContext::seeded(4))
                .expect("no limit")
        };
        assert_eq!(once(), once());
    }
}

/// A deal whose time is up ends with the limit, not with a card.
#[test]
fn a_limit_ends_a_deal() {
    let deal = random_deal(&mut Pcg64Mcg::seed_from_u64(2));
    let budget = Budget::unlimited();
    budget.cancel();
    let context = DealContext { budget, ..DealContext::seeded(1) };
    let mut hybrid =
        Chair::ImperfectInformation(Box::new(Planner::with(PlannerSettings::deep(40, 100_000), 1)));
    let mut defence = Chair::ImperfectInformation(Box::new(Pimc::new(100_000, 1)));
    let played = play_deal(&deal, contract_of(0), None, &mut hybrid, &mut defence, &context);
    assert_eq!(played, Err(Limit::Cancelled));
}

/// The same seed gives the same play.
#[test]
fn the_planner_is_repeatable_and_legal() {
    let mut rng = Pcg64Mcg::seed_from_u64(9);
    for number in 0..6 {
        let deal = random_deal(&mut rng);
        let contract = contract_of(number);
        let once = || {
            let mut planner = Chair::ImperfectInformation(Box::new(NetworkPlayer::new(12, 1)));
            play_deal(
                &deal,
                contract,
                None,
                &mut planner,
                &mut Chair::ImperfectInformation(Box::new(Rules)),
                &DealContext::seeded(4),
            )
            .expect("no limit")
        };
        let played = once();
        assert_eq!(played, once());
        assert!(played.moves > 0 && played.replans > 0);
    }
}

/// The card that a planner advises is the one that it plays, and the same in a second run.
#[test]
fn advice_is_what_is_played() {
    let mut rng = Pcg64Mcg::seed_from_u64(21);
    let mut compared = 0;
    for number in 0..6 {
        let contract = contract_of(number);
        let mut position = Position::new(&random_deal(&mut rng), contract);
        let mut history = Vec::new();
        while history.len() < 12 || position.view().seat() != contract.declarer {
            let card = Rules.play(&position.view(), &history).card;
            position.put(card);
            history.push(card);
        }
        let planner = || {
            let mut planner = Planner::new(12, 0);
            planner.begin(&DealContext::seeded(8));
            planner
        };
        let played = planner().play(&position.view(), &history).card;
        if let Some(advice) = planner().advise(&position.view(), &history) {
            assert_eq!(advice.card, played, "deal {number}");
            compared += 1;
        }
    }
    assert!(compared > 3, "only {compared} compared");
}
