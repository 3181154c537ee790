//! The manager's side: one message and its reply for each connection.

use std::io::{self, ErrorKind};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{HeaderValue, Request, Version, header};
use http_body_util::{BodyExt, Full, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout, timeout_at};

use super::{CONNECT, LARGEST_BODY};

/// Sends a message to a player and waits for its reply, until `patience` is over.
pub(crate) fn send(host: &str, receiver: &str, message: &str, patience: Duration) -> io::Result<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let reply = runtime.block_on(async {
        let deadline = Instant::now() + patience;
        let stream = connect(host, CONNECT.min(patience.max(Duration::from_millis(1)))).await?;
        timeout_at(deadline, exchange(stream, receiver, message))
            .await
            .unwrap_or_else(|_| Err(ErrorKind::TimedOut.into()))
    });
    // A name that is still looked up is not waited for.
    runtime.shutdown_background();
    reply
}

/// Connects to any of the addresses that a name has.
async fn connect(host: &str, patience: Duration) -> io::Result<TcpStream> {
    let connected = timeout(patience, TcpStream::connect(host)).await;
    // A player that does not accept in time is as good as one that is gone: only a reply can be late.
    let stream = connected
        .unwrap_or_else(|_| Err(ErrorKind::TimedOut.into()))
        .map_err(|error| io::Error::new(ErrorKind::NotConnected, error))?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// One request with the headers that ggp-base's manager sends, and the body of the response. Its status does not matter.
async fn exchange(stream: TcpStream, receiver: &str, message: &str) -> io::Result<String> {
    let receiver = HeaderValue::from_bytes(receiver.as_bytes())
        .map_err(|error| io::Error::new(ErrorKind::InvalidInput, error))?;
    let request = Request::post("/")
        .version(Version::HTTP_10)
        .header(header::ACCEPT, "text/delim")
        .header("sender", "GAMESERVER")
        .header("receiver", receiver)
        .header(header::CONTENT_TYPE, "text/acl")
        .body(Full::<Bytes>::from(message.to_owned()))
        .map_err(io::Error::other)?;
    let (mut sender, connection) = http1::Builder::new()
        .title_case_headers(true)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(io::Error::other)?;
    // It ends with the runtime of this exchange.
    tokio::spawn(connection);
    let response = sender.send_request(request).await.map_err(io::Error::other)?;
    let body = Limited::new(response.into_body(), LARGEST_BODY);
    let bytes = body.collect().await.map_err(io::Error::other)?.to_bytes();
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
