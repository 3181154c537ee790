//! DBS by name: the standard one, the other readings, and a row of settings for the comparison with Table 2.
//!
//! Table 2 of the survey names seven versions of DBS but does not say in what they differ. The settings here are ours:
//! each changes one thing about the standard version, and they span what the two papers leave open. They are not
//! claimed to be the settings behind the names of the competition.

use counterplay_opponent::Thresholds;

use super::{Dbs, DbsSettings, Learning, PlanningStart};
use crate::modeller::Modeller;
use crate::strategies::StrategyEntry;
use crate::strategy::{Setting, Strategy};

const AU_NAU: &str = "Au and Nau, Accident or intention: that is the question, AAMAS (2006)";
const SURVEY: &str = "Nau and Au, survey on planning in multi-agent environments, section 4.4";

/// A version of DBS with a name of ours.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// How it is called.
    pub name: &'static str,
    /// What is different about it.
    pub about: &'static str,
    pub settings: DbsSettings,
}

const fn symbolic(thresholds: Thresholds) -> Learning {
    Learning::Symbolic(thresholds)
}

const STANDARD: Thresholds = Thresholds::STANDARD;

/// Seven versions, to stand in for the seven of Table 2.
const VARIANTS: &[Variant] = &[
    Variant {
        name: "DBS-standard",
        about: "the settings of 2006, depth 60",
        settings: DbsSettings::STANDARD,
    },
    Variant {
        name: "DBS-predicted",
        about: "plans from the predicted outcome",
        settings: DbsSettings { start: PlanningStart::Predicted, ..DbsSettings::STANDARD },
    },
    Variant {
        name: "DBS-shallow",
        about: "plans five turns ahead",
        settings: DbsSettings { depth: 5, ..DbsSettings::STANDARD },
    },
    Variant {
        name: "DBS-patient",
        about: "believes in a change after six violations",
        settings: DbsSettings {
            learning: symbolic(Thresholds { violation: 6, rejection: 5, ..STANDARD }),
            ..DbsSettings::STANDARD
        },
    },
    Variant {
        name: "DBS-cautious",
        about: "needs five equal answers for a rule",
        settings: DbsSettings {
            learning: symbolic(Thresholds { promotion: 5, ..STANDARD }),
            ..DbsSettings::STANDARD
        },
    },
    Variant {
        name: "DBS-lasting",
        about: "discounts by 0.9 instead of 0.75",
        settings: DbsSettings {
            learning: symbolic(Thresholds { discount: 0.9, ..STANDARD }),
            ..DbsSettings::STANDARD
        },
    },
    Variant {
        name: "DBS-window",
        about: "window of 20 and threshold 0.15, the survey's estimator",
        settings: DbsSettings {
            learning: Learning::Window { size: 20, threshold: 0.15 },
            ..DbsSettings::STANDARD
        },
    },
];

/// All versions, in the order of the list above.
pub fn variants() -> &'static [Variant] {
    VARIANTS
}

fn dbs(settings: DbsSettings, setting: &Setting) -> Box<dyn Strategy> {
    Box::new(Dbs::new(settings, setting))
}

/// Those that belong to the usual field. The name `DBS` is that of the Axelrod library, whose depth is five.
pub(crate) const ENTRIES: &[StrategyEntry] = &[
    StrategyEntry::new(
        "DBS",
        "Models the other, filters noise, plans five turns ahead.",
        AU_NAU,
        |setting| dbs(DbsSettings { depth: 5, ..DbsSettings::STANDARD }, setting),
    ),
    StrategyEntry::new("DBS60", "DBS that plans sixty turns ahead, as published.", AU_NAU, |setting| {
        dbs(DbsSettings::STANDARD, setting)
    }),
];

/// Those that are known by name but stay out of the usual field, which would otherwise be full of relatives.
pub(crate) const EXTRAS: &[StrategyEntry] = &[
    StrategyEntry::new(
        "DBSPredicted",
        "DBS that plans from the predicted outcome while it collects evidence.",
        SURVEY,
        |setting| dbs(DbsSettings { start: PlanningStart::Predicted, ..DbsSettings::STANDARD }, setting),
    ),
    StrategyEntry::new(
        "DBSWindow",
        "DBS with the survey's estimator: a window of 20 turns, threshold 0.15.",
        SURVEY,
        |setting| {
            dbs(
                DbsSettings {
                    learning: Learning::Window { size: 20, threshold: 0.15 },
                    ..DbsSettings::STANDARD
                },
                setting,
            )
        },
    ),
    StrategyEntry::new(
        "Modeller1",
        "Best response to a model with conditions over the last turn.",
        SURVEY,
        |setting| Box::new(Modeller::remembering(1, setting)),
    ),
    StrategyEntry::new(
        "Modeller2",
        "Best response to a model with conditions over the last two turns.",
        SURVEY,
        |setting| Box::new(Modeller::remembering(2, setting)),
    ),
];
