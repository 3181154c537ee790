//! The studio: a page at a loopback port where every engine can be looked at, tried and played with.
//!
//! It has no logic of its own. What the page asks for is one of the `offers`: a command of `counterplay` itself,
//! run as a process of its own with limits on time and memory, in an empty folder that holds just the texts from the page.
//! So a run that goes wrong harms nothing else, and stopping it is a signal. `runs` queues them and passes
//! their progress on; `sessions` keeps the ones that talk (a game against the program) alive between requests.
//! `guard` refuses whatever does not come from the page itself.

mod assets;
mod guard;
mod name;
mod offers;
mod pages;
mod process;
mod routes;
mod runs;
mod sessions;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::Notify;

use crate::runs::Runs;
use crate::sessions::Sessions;

/// How long answers may take after the studio was asked to stop.
const LAST_CALL: Duration = Duration::from_secs(3);

/// How the studio is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// The program that does the work: `counterplay`.
    pub program: PathBuf,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// How many runs go on at the same time.
    pub at_once: usize,
}

/// What all requests share.
struct Studio {
    runs: Runs,
    sessions: Sessions,
    /// The port that requests must name.
    port: u16,
}

/// Serves the page until `stop` is done. `ready` is told the address.
pub fn serve(
    options: Options,
    ready: impl FnOnce(SocketAddr),
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).await?;
        let address = listener.local_addr()?;
        let program: Arc<std::path::Path> = options.program.into();
        let studio = Arc::new(Studio {
            runs: Runs::new(program.clone(), options.at_once),
            sessions: Sessions::new(program),
            port: address.port(),
        });
        ready(address);
        let (late, ending) = (Arc::new(Notify::new()), studio.clone());
        let ended = late.clone();
        let stop = async move {
            stop.await;
            ending.runs.stop_all();
            ending.sessions.close_all();
            tokio::spawn(async move {
                tokio::time::sleep(LAST_CALL).await;
                ended.notify_one();
            });
        };
        // Pages that stay open must not keep the studio alive.
        tokio::select! {
            served = axum::serve(listener, routes::router(studio)).with_graceful_shutdown(stop) => served,
            () = late.notified() => Ok(()),
        }
    })
}
