//! Validators, written for obviousness.
//!
//! A plan is checked on the lifted problem itself, as the PDDL definition reads: a state is a set of true
//! atoms and a table of numbers, a quantifier is a loop over objects, an axiom is applied until nothing new
//! follows. Nothing here is shared with the crates that ground and search, so a mistake there cannot hide
//! here.
//!
//! ```
//! use counterplay_base::Budget;
//! use counterplay_check::{Flaw, check_plan, read_plan};
//! use counterplay_syntax::Sources;
//!
//! let mut sources = Sources::default();
//! let domain = sources.add("domain.pddl", "(define (domain lamps) (:predicates (lit ?l) (wire ?a ?b))
//!     (:action pass :parameters (?a ?b) :precondition (and (lit ?a) (wire ?a ?b))
//!      :effect (and (lit ?b) (not (lit ?a)))))");
//! let problem = sources.add("problem.pddl", "(define (problem three) (:domain lamps) (:objects a b c)
//!     (:init (lit a) (wire a b) (wire b c)) (:goal (lit c)))");
//! let problem = counterplay_pddl::read(&sources, domain, problem).unwrap();
//! let mut check = |text: &str| {
//!     let file = sources.add("plan", text);
//!     check_plan(&problem, &read_plan(&sources, file, &problem).unwrap(), &Budget::unlimited())
//! };
//! assert_eq!(check("(pass a b) (pass b c)").unwrap().length, 2);
//! assert!(matches!(check("(pass b c)"), Err(Flaw::Precondition { .. })));
//! ```

mod archive;
mod certificate;
mod closure;
mod decomposition;
mod decomposition_file;
mod derive;
mod effect;
mod evaluate;
mod exhaust;
mod explain;
mod flaw;
mod hidden;
mod information;
mod mixture;
mod network_policy;
mod network_search;
mod no_strategy;
mod plan;
mod plan_file;
mod playbook;
mod policy;
mod policy_file;
mod refutation;
mod solution;
mod state;
mod strategy;
mod suit;
mod trace;
mod worth;

pub use archive::{
    ArchiveCheck, ArchiveFile, ArchiveFlaw, CheckedArchive, Checkpoint, DiagramShelf, LayerRecord, Naming,
    PositionList, Shelf, ShelfError, Variables, WordShelf, check_archive, read_end,
};
pub use certificate::{
    CertificateClaim, CertificateFile, CertificateFlaw, CheckedCertificate, ComparedGrounding,
    check_certificate, check_task_plan, compare_grounding,
};
pub use closure::{
    CheckedClosure, ClosureClaim, ClosureFlaw, ClosureNodes, NotCertified, certify_no_contingent,
    certify_no_decomposition, certify_no_policy, certify_policy, check_closure, is_closure,
};
pub use decomposition::{DecompositionFlaw, check_decomposition};
pub use decomposition_file::{
    DecompositionError, DecompositionText, Refined, is_decomposition, read_decomposition,
};
pub use exhaust::{Confirmation, confirm_no_plan, confirm_no_policy};
pub use explain::Unmet;
pub use flaw::{Flaw, Place};
pub use hidden::{
    BranchText, ContingentError, ContingentFlaw, ContingentText, DoText, NodeText, check_conformant,
    check_contingent, confirm_no_contingent, is_contingent, read_contingent,
};
pub use information::{
    Experience, HiddenClaim, Responded, Response, ResponseFlaw, ResponseFlawIn, best_response,
};
pub use mixture::{MixedClaim, MixtureFlaw, MixtureFlawIn, Profile, Promise, check_mixtures};
pub use network_policy::{
    NetworkPolicyFlaw, NetworkPolicyText, check_network_policy, is_network_policy, read_network_policy,
};
pub use network_search::{Existence, try_advice, try_decompositions};
pub use no_strategy::strategy_exists;
pub use plan::{Checked, check_plan};
pub use plan_file::{PlanError, Step, read_plan};
pub use playbook::{
    CheckedPlaybook, NoPlaybook, Notation, PlaybookFlaw, RewardBound, check_playbook, is_playbook,
    write_playbook,
};
pub use policy::{CheckedPolicy, Examined, Guarantee, PolicyFlaw, PolicyOptions, check_policy};
pub use policy_file::{PolicyText, Rule, is_policy, read_policy};
pub use refutation::{Escape, NodesOf, RefutationFlaw, RefutedStates, check_refutation, find_refutation};
pub use solution::{
    Ahead, Claim, FlawIn, Liking, Rulebook, Scope, SolutionFlaw, check_solution, difference, look_ahead,
    own_reward,
};
pub use strategy::{Cases, FlawOf, Referee, Ruling, Strategy, StrategyFlaw, check_strategy};
pub use suit::{CheckedSuit, CheckedSuitPart, SuitFlaw, check_suit_strategy, is_suit_strategy};
pub use trace::trace_plan;
pub use worth::{ChainState, PolicyWorth, WorthFlaw, chain_worth, discounted_worth, policy_worth};
