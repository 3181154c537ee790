//! A session behind a socket.

use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use counterplay_base::Budget;

use crate::http::{Request, drain, respond, say};
use crate::session::GameSession;

/// Connections that are served at the same time.
const MOST: usize = 64;
/// How often the server looks whether it should end, and whether a manager is gone.
const LOOK: Duration = Duration::from_millis(50);

/// Takes the lines of a log.
type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// Accepts connections until the budget ends. `log` gets a line for each message that is worth one.
///
/// # Errors
/// A listener that cannot be used.
pub fn serve(
    listener: TcpListener,
    session: GameSession,
    budget: &Budget,
    log: impl Fn(&str) + Send + Sync + 'static,
) -> std::io::Result<()> {
    listener.set_nonblocking(true)?;
    let (session, log): (_, Log) = (Arc::new(session), Arc::new(log));
    let open = Arc::new(AtomicUsize::new(0));
    while budget.check().is_ok() {
        match listener.accept() {
            Ok((stream, _)) => {
                let (session, open, log) = (Arc::clone(&session), Arc::clone(&open), Arc::clone(&log));
                if open.fetch_add(1, Ordering::AcqRel) >= MOST {
                    open.fetch_sub(1, Ordering::AcqRel);
                    refuse(stream);
                    continue;
                }
                let arrived = Instant::now();
                let counted = Arc::clone(&open);
                let spawned = thread::Builder::new().name("connection".to_owned()).spawn(move || {
                    let _counted = Counted(counted);
                    connection(stream, &session, arrived, &log);
                });
                if spawned.is_err() {
                    open.fetch_sub(1, Ordering::AcqRel);
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                if session.give_up_if_silent().is_some() {
                    log("the manager is silent: the match is given up");
                }
                thread::sleep(LOOK.min(Duration::from_millis(5)));
            }
            // A connection that broke before it was accepted, or no more files: the next one may work.
            Err(_) => thread::sleep(LOOK),
        }
    }
    Ok(())
}

/// Counts a connection as long as it lives, even if its thread panics.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

fn refuse(mut stream: TcpStream) {
    let _ = say(&mut stream, &respond("503 Service Unavailable", "too many connections"));
}

/// Reads one request and answers it.
fn connection(mut stream: TcpStream, session: &GameSession, arrived: Instant, log: &Log) {
    let _ = stream.set_nonblocking(false);
    let _ = stream.set_nodelay(true);
    let request = match Request::read(&mut stream) {
        Ok(request) => request,
        Err(error) => {
            log(&format!("a request was given up: {error}"));
            let _ = say(&mut stream, &respond("408 Request Timeout", ""));
            return;
        }
    };
    let is_refused = matches!(request, Request::Refused(..));
    let mut over = None;
    let response = match request {
        Request::Options => respond("200 OK", ""),
        Request::Refused(status, why) => {
            log(&format!("a request was refused: {why}"));
            respond(status, &why)
        }
        Request::Message(text) => match session.answer(&text, arrived) {
            Ok(reply) => {
                over = reply.over;
                if let Some(remark) = &reply.remark {
                    log(remark);
                }
                respond("200 OK", &reply.text)
            }
            Err(why) => {
                log(&format!("a message was refused: {why}"));
                respond("400 Bad Request", &why)
            }
        },
    };
    if let Err(error) = say(&mut stream, &response) {
        log(&format!("a reply was lost: {error}"));
    }
    if is_refused {
        drain(&mut stream);
    }
    drop(stream);
    drop(over);
}
