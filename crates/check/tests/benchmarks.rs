//! Optimal plans of benchmark problems, found by another planner: they must be accepted at their known cost,
//! and no plan with a step left out may be accepted at a lower one.

use std::fs;
use std::path::Path;

use counterplay_base::Budget;
use counterplay_check::{check_plan, read_plan};
use counterplay_pddl::model::Number;
use counterplay_syntax::Sources;

/// Domain file, problem file, optimal cost, plan.
const PLANS: &[(&str, &str, i128, &str)] = &[
    (
        "scanalyzer-08-strips/domain.pddl",
        "scanalyzer-08-strips/p01.pddl",
        18,
        "(analyze-2 seg-in-1 seg-out-1 car-in-1 car-out-1)
         (analyze-2 seg-in-1 seg-out-1 car-out-1 car-in-1)
         (analyze-2 seg-in-2 seg-out-2 car-in-2 car-out-2)
         (analyze-2 seg-in-2 seg-out-2 car-out-2 car-in-2)
         (analyze-2 seg-in-3 seg-out-3 car-in-3 car-out-3)
         (analyze-2 seg-in-3 seg-out-3 car-out-3 car-in-3)",
    ),
    (
        "woodworking-opt08-strips/domain.pddl",
        "woodworking-opt08-strips/p11.pddl",
        130,
        "(do-plane p2 planer0 verysmooth red varnished)
         (do-saw-small b0 p0 saw0 teak rough s2 s1)
         (do-saw-medium b1 p1 saw0 oak rough s3 s2 s1)
         (do-plane p1 planer0 rough natural untreated)
         (do-glaze p1 glazer0 blue)
         (do-plane p0 planer0 rough natural untreated)
         (do-spray-varnish p0 spray-varnisher0 natural smooth)",
    ),
    (
        "citycar-opt14-adl/domain.pddl",
        "citycar-opt14-adl/p2-2-2-1-2.pddl",
        46,
        "(car_start junction0-1 car0 garage0)
         (build_straight_oneway junction0-1 junction1-1 road2)
         (move_car_in_road junction0-1 junction1-1 car0 road2)
         (car_start junction0-1 car1 garage0)
         (move_car_out_road junction0-1 junction1-1 car0 road2)
         (car_arrived junction1-1 car0)
         (move_car_in_road junction0-1 junction1-1 car1 road2)
         (move_car_out_road junction0-1 junction1-1 car1 road2)
         (build_straight_oneway junction1-1 junction1-0 road3)
         (move_car_in_road junction1-1 junction1-0 car1 road3)
         (move_car_out_road junction1-1 junction1-0 car1 road3)
         (car_arrived junction1-0 car1)",
    ),
    (
        "parcprinter-08-strips/p11-domain.pddl",
        "parcprinter-08-strips/p11.pddl",
        182808,
        "(initialize )
         (fe1-feedmsi-letter sheet1)
         (im1-movelower-letter sheet1)
         (lc1-divert-letter sheet1 back front)
         (lbe-simplex-letter sheet1 front image-1)
         (lc1-merge-letter sheet1)
         (lc2-fmove-letter sheet1)
         (om-lowerout-letter sheet1)
         (sys-stack-letter sheet1 dummy-sheet)",
    ),
];

#[test]
fn optimal_plans_of_benchmarks() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/pddl/seq-opt");
    if !folder.exists() {
        eprintln!("skipped: {} is not there", folder.display());
        return;
    }
    for &(domain, name, optimum, plan) in PLANS {
        let mut sources = Sources::default();
        let [domain, problem] = [domain, name].map(|file| {
            let bytes = fs::read(folder.join(file)).expect("the file can be read");
            sources.add_bytes(file, bytes)
        });
        let plan = sources.add("plan", plan);
        let problem = counterplay_pddl::read(&sources, domain, problem).expect("the benchmark is sound");
        let steps = read_plan(&sources, plan, &problem).expect("the plan is one");
        let optimum = Number::from(optimum);
        let checked = check_plan(&problem, &steps, &Budget::unlimited())
            .unwrap_or_else(|flaw| panic!("{name}: {flaw}"));
        assert_eq!((checked.cost, checked.metric), (Some(optimum), Some(optimum)), "{name}");
        for left_out in 0..steps.len() {
            let mut fewer = steps.clone();
            fewer.remove(left_out);
            if let Ok(checked) = check_plan(&problem, &fewer, &Budget::unlimited()) {
                assert!(checked.cost >= Some(optimum), "{name} without step {left_out}");
            }
        }
    }
}
