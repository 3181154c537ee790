//! The studio: pages at a loopback port where every engine can be looked at, tried and played with.
//!
//! It decides nothing itself. What a page asks for is a [`worker::Task`]: the request of the library with its texts. A
//! worker does it, a process of its own with limits on time and memory. So a task that goes wrong harms nothing else. `works` queues
//! tasks and passes on what happens; `guard` refuses what does not come from the page itself.
//!
//! ```
//! use counterplay_studio::{Options, serve};
//!
//! let options = Options { program: "counterplay".into(), port: 0, at_once: 1, memory: 1 << 30 };
//! // This one stops at once; the program passes what a signal ends.
//! serve(options, |address| assert!(address.ip().is_loopback()), async {}).unwrap();
//! ```

mod assets;
mod connections;
mod documents;
mod guard;
mod name;
mod options;
mod pages;
mod routes;
pub mod worker;
mod works;

pub use crate::documents::site;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;

use crate::works::{Room, Works};

/// How long answers may take after the studio was asked to stop.
const LAST_CALL: Duration = Duration::from_secs(2);

/// How the studio is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// The program that does the work: `counterplay`.
    pub program: PathBuf,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// How many long tasks run at the same time.
    pub at_once: usize,
    /// How many bytes all workers together may hold.
    pub memory: usize,
}

/// What all requests share.
struct Studio {
    works: Works,
    /// The port that requests must name.
    port: u16,
}

/// Serves the pages until `stop` is done. `ready` is told the address.
///
/// # Errors
/// The port cannot be listened at.
pub fn serve(
    options: Options,
    ready: impl FnOnce(SocketAddr),
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).await?;
        let address = listener.local_addr()?;
        let room = Room { at_once: options.at_once, memory: options.memory };
        let works = Works::new(options.program.into(), room);
        let studio = Arc::new(Studio { works, port: address.port() });
        ready(address);
        tokio::select! {
            () = connections::accept(listener, routes::router(studio.clone())) => {}
            () = stop => {}
        }
        // Workers may say how far they got; pages that stay open do not keep the studio alive.
        studio.works.stop_all();
        tokio::time::sleep(LAST_CALL).await;
        Ok(())
    })
}
