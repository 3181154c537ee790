//! As much HTTP as the protocol needs: one request and one response for each connection.
//!
//! Every read has a deadline and every size a limit, so that nobody can hold a thread or fill the memory.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// No rule sheet is larger than this.
const LARGEST_BODY: usize = 16 << 20;
const LARGEST_HEAD: usize = 64 << 10;
/// A request has to arrive within this time.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a player may take to accept a connection.
const CONNECT: Duration = Duration::from_secs(5);

/// What was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// A message: the body of a POST, or the path of a GET.
    Message(String),
    /// A browser asks whether it may.
    Options,
    /// Something that cannot be served, with its status line and a reason.
    Refused(&'static str, String),
}

impl Request {
    /// Reads a request.
    pub(crate) fn read(stream: &mut TcpStream) -> io::Result<Request> {
        let deadline = Instant::now() + PATIENCE;
        let mut bytes = Vec::new();
        let head_end = loop {
            if let Some(at) = head_end(&bytes) {
                break at;
            }
            if bytes.len() > LARGEST_HEAD {
                return Ok(refused("431 Request Header Fields Too Large", "the head is too large"));
            }
            if !read_more(stream, &mut bytes, deadline)? {
                return Ok(refused("400 Bad Request", "the request ends in its head"));
            }
        };
        let head = String::from_utf8_lossy(&bytes[..head_end]).into_owned();
        let mut body = bytes.split_off(head_end);
        let mut lines = head.lines();
        let mut words = lines.next().unwrap_or("").split_ascii_whitespace();
        let (method, path) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let length = lines.find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.trim().eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())
        });
        match method {
            "OPTIONS" => Ok(Request::Options),
            "GET" => Ok(match decode(path.trim_start_matches('/')) {
                Some(text) => Request::Message(text),
                None => refused("400 Bad Request", "the path is not encoded as it should be"),
            }),
            "POST" => {
                let wanted = match length {
                    Some(Some(length)) => Some(length),
                    Some(None) => return Ok(refused("400 Bad Request", "Content-Length is no number")),
                    None => None,
                };
                if wanted.is_some_and(|wanted| wanted > LARGEST_BODY) {
                    return Ok(refused("413 Content Too Large", "the body is too large"));
                }
                while wanted.is_none_or(|wanted| body.len() < wanted) {
                    if body.len() > LARGEST_BODY {
                        return Ok(refused("413 Content Too Large", "the body is too large"));
                    }
                    if !read_more(stream, &mut body, deadline)? {
                        match wanted {
                            None => break,
                            Some(_) => {
                                return Ok(refused("400 Bad Request", "the body is shorter than it says"));
                            }
                        }
                    }
                }
                body.truncate(wanted.unwrap_or(body.len()));
                Ok(match String::from_utf8(body) {
                    Ok(text) => Request::Message(text),
                    Err(_) => refused("400 Bad Request", "the body is no text"),
                })
            }
            _ => Ok(refused("405 Method Not Allowed", "messages come by POST or GET")),
        }
    }
}

fn refused(status: &'static str, why: &str) -> Request {
    Request::Refused(status, why.to_owned())
}

fn head_end(bytes: &[u8]) -> Option<usize> {
    let crlf = bytes.windows(4).position(|window| window == b"\r\n\r\n").map(|at| at + 4);
    let lf = bytes.windows(2).position(|window| window == b"\n\n").map(|at| at + 2);
    match (crlf, lf) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// Appends what has arrived; `false` at the end of the stream.
fn read_more(stream: &mut TcpStream, bytes: &mut Vec<u8>, deadline: Instant) -> io::Result<bool> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(ErrorKind::TimedOut.into());
    }
    stream.set_read_timeout(Some(left))?;
    let mut buffer = [0u8; 16 << 10];
    let count = stream.read(&mut buffer)?;
    bytes.extend_from_slice(&buffer[..count]);
    Ok(count > 0)
}

/// Percent signs and plus signs of a path made into characters.
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

/// The response to a message, byte for byte as ggp-base's players write it.
pub(crate) fn respond(status: &str, body: &str) -> String {
    format!(
        "HTTP/1.0 {status}\r\nContent-type: text/acl\r\nContent-length: {}\r\n\
         Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: POST, GET, OPTIONS\r\n\
         Access-Control-Allow-Headers: Content-Type\r\nAccess-Control-Allow-Age: 86400\r\n\r\n{body}",
        body.len()
    )
}

/// Writes a response; a reader that is slow or gone loses it.
pub(crate) fn say(stream: &mut TcpStream, text: &str) -> io::Result<()> {
    stream.set_write_timeout(Some(CONNECT))?;
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

/// Reads away what a refused request still sends, for a moment: closing at once would take the response with it.
pub(crate) fn drain(stream: &mut TcpStream) {
    let _ = stream.shutdown(Shutdown::Write);
    let deadline = Instant::now() + Duration::from_millis(500);
    let mut bytes = Vec::new();
    while bytes.len() < LARGEST_HEAD * 64 && matches!(read_more(stream, &mut bytes, deadline), Ok(true)) {}
}

/// Connects to any of the addresses that a name has.
fn connect(host: &str, patience: Duration) -> io::Result<TcpStream> {
    let mut last = io::Error::from(ErrorKind::NotFound);
    for address in host.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, patience) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(io::Error::new(ErrorKind::NotConnected, last))
}

/// Sends a message to a player and waits for its reply, until `patience` is over.
pub(crate) fn send(host: &str, receiver: &str, message: &str, patience: Duration) -> io::Result<String> {
    let deadline = Instant::now() + patience;
    let mut stream = connect(host, CONNECT.min(patience.max(Duration::from_millis(1))))?;
    stream.set_nodelay(true)?;
    let request = format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\nReceiver: {receiver}\r\n\
         Content-Type: text/acl\r\nContent-Length: {}\r\n\r\n{message}",
        message.len()
    );
    say(&mut stream, &request)?;
    let mut bytes = Vec::new();
    loop {
        if let Some(at) = head_end(&bytes) {
            let head = String::from_utf8_lossy(&bytes[..at]).into_owned();
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                if !name.trim().eq_ignore_ascii_case("content-length") {
                    return None;
                }
                value.trim().parse::<usize>().ok()
            });
            if length.is_some_and(|length| bytes.len() >= at + length) {
                let end = at + length.unwrap_or(0);
                return Ok(String::from_utf8_lossy(&bytes[at..end]).into_owned());
            }
        }
        if bytes.len() > LARGEST_BODY {
            return Err(ErrorKind::InvalidData.into());
        }
        if !read_more(&mut stream, &mut bytes, deadline)? {
            let at = head_end(&bytes).ok_or(ErrorKind::UnexpectedEof)?;
            return Ok(String::from_utf8_lossy(&bytes[at..]).into_owned());
        }
    }
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

    #[test]
    fn a_response_has_its_length_and_the_headers_for_browsers() {
        let text = respond("200 OK", "( mark 2 2 )");
        assert!(text.starts_with("HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: 12\r\n"));
        assert!(text.contains("\r\nAccess-Control-Allow-Origin: *\r\n"));
        assert!(text.ends_with("\r\n\r\n( mark 2 2 )"));
    }
}
