//! The player's side: a session behind a socket.
//!
//! One message for each connection. Every wait has an end and every size a limit, so that no client can hold a place or
//! fill the memory.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};
use counterplay_base::Budget;
use http_body_util::BodyExt;
use hyper::body::Body as _;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::{interval, sleep, timeout};

use super::{LARGEST_BODY, LARGEST_HEAD, PATIENCE};
use crate::session::GameSession;

/// Connections that are served at the same time.
const MOST: usize = 64;
/// How often the server looks whether it should end, and whether a manager is gone.
const LOOK: Duration = Duration::from_millis(50);
/// What a refused request still sends is read away for so long: closing at once would take the response with it.
const DRAIN: Duration = Duration::from_millis(500);

/// What all connections share.
struct Host {
    session: GameSession,
    log: Box<dyn Fn(&str) + Send + Sync>,
}

/// What the handler knows of a connection.
#[derive(Clone)]
struct Connection {
    /// The clocks of a match run from here.
    arrived: Instant,
    /// Held as long as the connection lives; `None` if there are too many already.
    place: Option<Arc<OwnedSemaphorePermit>>,
}

/// Why a request is not answered by the session.
struct Refusal(StatusCode, &'static str);

/// Accepts connections until the budget ends. `log` gets a line for each message that is worth one.
///
/// # Errors
/// A listener that cannot be used.
pub fn serve(
    listener: TcpListener,
    session: GameSession,
    budget: &Budget,
    log: impl Fn(&str) + Send + Sync + 'static,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let host = Arc::new(Host { session, log: Box::new(log) });
    let served = runtime.block_on(accept(listener, host, budget));
    // A reply that is still thought about would keep the process for as long as its clock.
    runtime.shutdown_background();
    served
}

async fn accept(listener: TcpListener, host: Arc<Host>, budget: &Budget) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let router = Router::new().fallback(answer).with_state(Arc::clone(&host));
    let places = Arc::new(Semaphore::new(MOST));
    let mut look = interval(LOOK);
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    let place = Arc::clone(&places).try_acquire_owned().ok().map(Arc::new);
                    let connection = Connection { arrived: Instant::now(), place };
                    tokio::spawn(connect(stream, router.clone(), connection, Arc::clone(&host)));
                }
                // A connection that broke before it was accepted, or no more files: the next one may work.
                Err(_) => sleep(LOOK).await,
            },
            _ = look.tick() => {
                if budget.check().is_err() {
                    return Ok(());
                }
                if let Some(over) = host.session.give_up_if_silent() {
                    (host.log)("the manager is silent: the match is given up");
                    spawn_blocking(move || drop(over));
                }
            }
        }
    }
}

/// Serves one connection.
async fn connect(stream: TcpStream, router: Router, connection: Connection, host: Arc<Host>) {
    // Without it a reply may wait for a moment, which costs thinking time but breaks nothing.
    let _ = stream.set_nodelay(true);
    let router = router.layer(Extension(connection));
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(LARGEST_HEAD)
        .keep_alive(false)
        // A manager may close its side as soon as it has sent its message.
        .half_close(true)
        .title_case_headers(true)
        .auto_date_header(false)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .await;
    if let Err(error) = served {
        (host.log)(&format!("a request was given up: {error}"));
    }
}

/// Answers one request.
async fn answer(
    State(host): State<Arc<Host>>,
    Extension(connection): Extension<Connection>,
    request: Request,
) -> Response {
    if connection.place.is_none() {
        return respond(StatusCode::SERVICE_UNAVAILABLE, "too many connections".to_owned());
    }
    if request.method() == Method::OPTIONS {
        return respond(StatusCode::OK, String::new());
    }
    let text = match message(request).await {
        Ok(text) => text,
        Err(Refusal(status, why)) => {
            (host.log)(&format!("a request was refused: {why}"));
            return respond(status, why.to_owned());
        }
    };
    // The session thinks until the clock is almost over.
    let answered = spawn_blocking(move || match host.session.answer(&text, connection.arrived) {
        Ok(reply) => {
            if let Some(remark) = &reply.remark {
                (host.log)(remark);
            }
            // The threads of a match that is over take a moment to end; the reply does not wait for them.
            spawn_blocking(move || drop(reply.over));
            respond(StatusCode::OK, reply.text)
        }
        Err(why) => {
            (host.log)(&format!("a message was refused: {why}"));
            respond(StatusCode::BAD_REQUEST, why)
        }
    });
    answered.await.unwrap_or_else(|_| respond(StatusCode::INTERNAL_SERVER_ERROR, String::new()))
}

/// The message of a request: the body of a POST, or the path of a GET.
async fn message(request: Request) -> Result<String, Refusal> {
    let (head, mut body) = request.into_parts();
    match head.method {
        Method::GET => path_text(&head.uri)
            .ok_or(Refusal(StatusCode::BAD_REQUEST, "the path is not encoded as it should be")),
        Method::POST => {
            let read = timeout(PATIENCE, read(&mut body)).await;
            let bytes = match read.unwrap_or(Err(Refusal(StatusCode::REQUEST_TIMEOUT, "the body is late"))) {
                Ok(bytes) => bytes,
                Err(refusal) => {
                    // What is read away does not matter, nor whether it ends.
                    let _ = timeout(DRAIN, async { while let Some(Ok(_)) = body.frame().await {} }).await;
                    return Err(refusal);
                }
            };
            String::from_utf8(bytes).map_err(|_| Refusal(StatusCode::BAD_REQUEST, "the body is no text"))
        }
        _ => Err(Refusal(StatusCode::METHOD_NOT_ALLOWED, "messages come by POST or GET")),
    }
}

/// All of a body, chunked or not.
async fn read(body: &mut Body) -> Result<Vec<u8>, Refusal> {
    const TOO_LARGE: Refusal = Refusal(StatusCode::PAYLOAD_TOO_LARGE, "the body is too large");
    if body.size_hint().lower() > LARGEST_BODY as u64 {
        return Err(TOO_LARGE);
    }
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame =
            frame.map_err(|_| Refusal(StatusCode::BAD_REQUEST, "the body is shorter than it says"))?;
        if let Some(data) = frame.data_ref() {
            if bytes.len() + data.len() > LARGEST_BODY {
                return Err(TOO_LARGE);
            }
            bytes.extend_from_slice(data);
        }
    }
    Ok(bytes)
}

/// The path, with percent signs and plus signs made into characters.
fn path_text(uri: &Uri) -> Option<String> {
    let path = uri.path_and_query().map_or(uri.path(), |path| path.as_str());
    decode(path.trim_start_matches('/'))
}

fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        match first {
            b'%' => {
                let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
                bytes.push(u8::from_str_radix(digits, 16).ok()?);
                rest = &rest[2..];
            }
            b'+' => bytes.push(b' '),
            other => bytes.push(*other),
        }
    }
    String::from_utf8(bytes).ok()
}

/// A response with the headers of ggp-base's players, which let pages in a browser ask too.
fn respond(status: StatusCode, text: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE.as_str(), "text/acl"),
        (header::ACCESS_CONTROL_ALLOW_ORIGIN.as_str(), "*"),
        (header::ACCESS_CONTROL_ALLOW_METHODS.as_str(), "POST, GET, OPTIONS"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS.as_str(), "Content-Type"),
        ("access-control-allow-age", "86400"),
    ];
    (status, headers, text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_decoded() {
        assert_eq!(decode("%28INFO%29").as_deref(), Some("(INFO)"));
        assert_eq!(decode("(+INFO%20)").as_deref(), Some("( INFO )"));
        for wrong in ["%", "%2", "%zz", "%ff"] {
            assert_eq!(decode(wrong), None, "{wrong}");
        }
    }
}
