//! Layers of a game on disk, solved by workers on one machine or several.
//!
//! The layered solver of `counterplay-ggp` keeps all states in memory and works on one thread. Here a layer is cut into parts by a hash of the state, each part is a
//! file of sorted words, and workers own parts: threads of one process or of several, connected by timely dataflow (Murray et al. 2013).
//!
//! ```text
//! forward    part ─► expand ─► exchange by hash ─► sort, merge, spill ─► part of the next layer
//! backward   part ─► expand ─► questions to the owners ─► answers ─► values of the part
//! ```
//! All layers that are whole are kept: a run that was ended goes on from the last one, with any number of workers. Values are the same as those of the solver in
//! memory, bit by bit ([`digest`](counterplay_ggp::layered::digest)).

mod blocks;
mod collect;
mod error;
mod flow;
mod hosts;
mod outline;
mod solution;
mod store;
mod values;
mod work;

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use counterplay_base::{Budget, Progress, Report};
use counterplay_ggp::explicit::Order;
use counterplay_ggp::layered::{Kernel, symmetry_group};
use counterplay_ground::game::{Game, Structure};
use timely::WorkerConfig;
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};

pub use error::ClusterError;
pub use hosts::Hosts;
pub use outline::Outline;
pub use solution::Solution;

use store::Store;
use work::{Figures, News, Task, work};

/// How a game is solved on disk.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Where layers are kept.
    pub folder: PathBuf,
    /// Into how many parts a layer is cut.
    pub parts: usize,
    /// Threads of this process.
    pub workers: usize,
    /// Other processes, and which of them this one is.
    pub processes: Option<(Hosts, usize)>,
    /// Bytes that this process may hold.
    pub memory: usize,
}

/// Parts unless said otherwise.
pub const PARTS: usize = 16;
/// Shares of the memory that workers use for what they know the size of; the rest is for networks, buffers and what is under way.
const MEMORY_SHARE: (usize, usize) = (6, 10);

/// Solves a game on disk, from where an earlier run has ended. Every process gets the figures of all; files stay where they are written.
///
/// If a process is lost, threads of the communication panic; the caller's panic hook should say so and end the process.
pub fn solve(
    game: &Game,
    structure: &Structure,
    order: Order,
    plan: &Plan,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Solution, ClusterError> {
    Kernel::new(game, structure, &[])?;
    let group = symmetry_group(game, structure, budget)?;
    let words = Kernel::new(game, structure, &group)?.into_words();
    Store::prepare(&plan.folder)?;
    let key = key(game, order);
    let store = Store { folder: plan.folder.clone(), key, parts: plan.parts.max(1) };
    let processes = plan.processes.as_ref().map_or(1, |(hosts, _)| hosts.addresses.len());
    let agreed =
        format!("{} {} {} {} {}", env!("CARGO_PKG_VERSION"), store.key, store.parts, plan.workers, processes);
    let sockets = match &plan.processes {
        Some((hosts, own)) => Some((hosts.connect(*own, &agreed, budget)?, *own)),
        None => None,
    };
    let news = News::default();
    let task = Task {
        game: game.clone(),
        structure: structure.clone(),
        group,
        order,
        store: store.clone(),
        budget: budget.clone(),
        memory: plan.memory / MEMORY_SHARE.1 * MEMORY_SHARE.0 / plan.workers.max(1),
        news: news.clone(),
    };
    let workers = plan.workers.max(1);
    let running = thread::spawn(move || run(task, workers, sockets));
    let mut last = None;
    while !running.is_finished() {
        thread::sleep(Duration::from_millis(20));
        let (phase, layer, states) = news.last();
        if last.replace((phase, layer)) != Some((phase, layer)) && !phase.is_empty() {
            let counts = [("layer", layer as f64), ("states", states as f64)];
            progress.report(Report { phase, counts: &counts[..if states > 0 { 2 } else { 1 }] });
        }
    }
    let figures = running.join().map_err(|_| ClusterError::Lost { why: "a thread ended".to_owned() })??;
    Ok(Solution::new(figures, words, store))
}

/// Under which key files of solutions with this order are kept.
fn key(game: &Game, order: Order) -> String {
    format!("{}-{order:?}", counterplay_ggp::rules_hash(game)).to_lowercase()
}

/// Runs the workers of this process to their end.
fn run(
    task: Task,
    workers: usize,
    sockets: Option<(Vec<Option<std::net::TcpStream>>, usize)>,
) -> Result<Figures, ClusterError> {
    let lost = |why: String| ClusterError::Lost { why };
    let hooks = Hooks::default();
    let builders = ProcessBuilder::new_typed_vector(workers, hooks.refill.clone(), hooks.spill.clone());
    let (builders, others): (Vec<AllocatorBuilder>, Box<dyn std::any::Any + Send>) = match sockets {
        Some((sockets, own)) => {
            let (builders, guard) =
                initialize_networking_from_sockets(builders, sockets, own, workers, hooks)
                    .map_err(|error| lost(error.to_string()))?;
            (builders.into_iter().map(AllocatorBuilder::Tcp).collect(), Box::new(guard))
        }
        None => (builders.into_iter().map(AllocatorBuilder::Process).collect(), Box::new(())),
    };
    let task = Arc::new(task);
    let guards = timely::execute::execute_from(builders, others, WorkerConfig::default(), move |worker| {
        work(&task, worker)
    });
    let ended: Vec<Result<Figures, ClusterError>> =
        guards.map_err(lost)?.join().into_iter().map(|own| own.map_err(lost).and_then(|own| own)).collect();
    // What a worker itself has met says more than that another one has ended the run.
    let mut first = None;
    for own in ended {
        match own {
            Ok(figures) if first.is_none() => first = Some(Ok(figures)),
            Err(error @ ClusterError::Elsewhere { .. }) if !matches!(first, Some(Err(_))) => {
                first = Some(Err(error))
            }
            Err(ClusterError::Elsewhere { .. }) | Ok(_) => (),
            Err(error) => return Err(error),
        }
    }
    first.unwrap_or_else(|| Err(lost("there are no workers".to_owned())))
}
