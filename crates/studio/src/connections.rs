//! Connections: so many at the same time, and none that holds its place without asking for anything.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// So many connections at the same time; a browser opens up to six of them.
const MOST: usize = 512;
/// A request has to come within this, also the next one on the same connection.
const PATIENCE: Duration = Duration::from_secs(15);
/// The largest head of a request.
const LARGEST_HEAD: usize = 16 << 10;
/// After an error of the system the next connection is waited for.
const PAUSE: Duration = Duration::from_millis(50);

/// Accepts connections for ever.
pub(crate) async fn accept(listener: TcpListener, router: Router) {
    let places = Arc::new(Semaphore::new(MOST));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        // One too many is closed at once; the browser tries again.
        let Ok(place) = places.clone().try_acquire_owned() else { continue };
        let router = router.clone();
        tokio::spawn(async move {
            connect(stream, router).await;
            drop(place);
        });
    }
}

async fn connect(stream: TcpStream, router: Router) {
    // Without it events may wait for a moment, which breaks nothing.
    let _ = stream.set_nodelay(true);
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(LARGEST_HEAD)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    // A connection that broke has no one to be told.
    let _ = served.await;
}
