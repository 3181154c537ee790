//! Other processes: the host file, and connections to those that prove that they belong to the same run.
//!
//! ```text
//! key 5d1f0c8b2e9a47...        at least 16 characters that only the processes of the run know
//! 10.0.0.1:7101                where process 0 listens
//! 10.0.0.2:7101                where process 1 listens
//! ```
//! Empty lines and what follows `#` do not count. Each process listens at its own line and nowhere else. Two processes exchange random numbers and prove by HMAC
//! (RFC 2104, SHA-256) that they know the key; the run itself is not encrypted.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

use counterplay_base::Budget;
use sha2::{Digest, Sha256};

use crate::error::ClusterError;

/// The processes of a run.
#[derive(Clone, PartialEq, Eq)]
pub struct Hosts {
    key: String,
    /// Where each process listens.
    pub addresses: Vec<String>,
}

impl std::fmt::Debug for Hosts {
    /// Without the key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hosts").field("addresses", &self.addresses).finish_non_exhaustive()
    }
}

const SHORTEST_KEY: usize = 16;
/// How long other processes may take to come.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long a connected process may take to prove itself.
const HANDSHAKE: Duration = Duration::from_secs(5);
const GREETING: &[u8; 16] = b"counterplay-run1";

impl Hosts {
    /// Reads a host file of which the first `processes` lines with an address count.
    pub fn read(text: &str, processes: usize) -> Result<Hosts, ClusterError> {
        let mut key = None;
        let mut addresses: Vec<String> = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let wrong = |why: String| ClusterError::Hosts { line: number, why };
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            if let Some(own) = line.strip_prefix("key ") {
                let own = own.trim();
                if own.len() < SHORTEST_KEY {
                    return Err(wrong(format!("the key needs at least {SHORTEST_KEY} characters")));
                }
                if key.replace(own.to_owned()).is_some() {
                    return Err(wrong("there is a second key".to_owned()));
                }
                continue;
            }
            let port = line
                .rsplit_once(':')
                .filter(|(host, _)| !host.is_empty())
                .map(|(_, port)| port.parse::<u16>());
            if !matches!(port, Some(Ok(1..))) {
                return Err(wrong(format!("`{line}` is no address such as 10.0.0.1:7101")));
            }
            if addresses.iter().any(|other| other == line) {
                return Err(wrong(format!("`{line}` is there twice")));
            }
            addresses.push(line.to_owned());
        }
        let wrong = |why: String| ClusterError::Hosts { line: 0, why };
        let key = key.ok_or_else(|| wrong("there is no line `key …`".to_owned()))?;
        if addresses.len() < processes {
            return Err(wrong(format!("{} addresses for {processes} processes", addresses.len())));
        }
        addresses.truncate(processes);
        Ok(Hosts { key, addresses })
    }

    /// Connects to all other processes. `run` names what all must agree on.
    pub(crate) fn connect(
        &self,
        own: usize,
        run: &str,
        budget: &Budget,
    ) -> Result<Vec<Option<TcpStream>>, ClusterError> {
        let handshake = Handshake { key: self.key.as_bytes(), run: Sha256::digest(run).into(), own };
        let peer = |process: usize, why: String| ClusterError::Peer {
            process,
            address: self.addresses[process].clone(),
            why,
        };
        let listener = TcpListener::bind(&self.addresses[own])
            .map_err(|error| peer(own, format!("cannot listen there: {error}")))?;
        listener.set_nonblocking(true).map_err(|error| peer(own, error.to_string()))?;
        let mut sockets: Vec<Option<TcpStream>> = self.addresses.iter().map(|_| None).collect();
        let started = Instant::now();
        for (process, socket) in sockets.iter_mut().enumerate().take(own) {
            *socket = Some(loop {
                budget.check()?;
                match reach(&self.addresses[process]) {
                    Ok(mut stream) => match handshake.call(&mut stream, process) {
                        Ok(()) => break stream,
                        Err(why) => return Err(peer(process, why)),
                    },
                    Err(error) if started.elapsed() > PATIENCE => {
                        return Err(peer(process, error.to_string()));
                    }
                    Err(_) => thread::sleep(Duration::from_millis(100)),
                }
            });
        }
        let mut refused = String::new();
        while let Some(missing) = (own + 1..sockets.len()).find(|&process| sockets[process].is_none()) {
            budget.check()?;
            match listener.accept() {
                Ok((mut stream, from)) => match handshake.answer(&mut stream) {
                    Ok(process) if process < sockets.len() && sockets[process].is_none() => {
                        sockets[process] = Some(stream);
                    }
                    Ok(process) => refused = format!(" (process {process} came a second time from {from})"),
                    // It may be anything that found the port; ours are still awaited.
                    Err(why) => refused = format!(" (a connection from {from} was refused: {why})"),
                },
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => {
                    return Err(peer(own, error.to_string()));
                }
                Err(_) if started.elapsed() > PATIENCE => {
                    return Err(peer(
                        missing,
                        format!("it did not come within {} s{refused}", PATIENCE.as_secs()),
                    ));
                }
                Err(_) => thread::sleep(Duration::from_millis(20)),
            }
        }
        Ok(sockets)
    }
}

fn reach(address: &str) -> io::Result<TcpStream> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
    for place in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&place, Duration::from_secs(2)) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// What one process proves to another.
struct Handshake<'k> {
    key: &'k [u8],
    run: [u8; 32],
    own: usize,
}

impl Handshake<'_> {
    /// The side that connects.
    fn call(&self, stream: &mut TcpStream, process: usize) -> Result<(), String> {
        let (mine, theirs) = self.greet(stream)?;
        // The other side may send nothing and close if it does not know us.
        self.prove(stream, b"caller", &mine, &theirs, self.own)?;
        let lost =
            "it ended the connection: does it have the same key, version, game and options?".to_owned();
        let found = self.expect(stream, b"answer", &mine, &theirs).map_err(|why| why.unwrap_or(lost))?;
        if found == process { Ok(()) } else { Err(format!("process {found} answers there")) }
    }

    /// The side that listens. Returns who has called.
    fn answer(&self, stream: &mut TcpStream) -> Result<usize, String> {
        stream.set_nonblocking(false).map_err(|error| error.to_string())?;
        let (mine, theirs) = self.greet(stream)?;
        let lost = "it ended the connection".to_owned();
        let process = self.expect(stream, b"caller", &mine, &theirs).map_err(|why| why.unwrap_or(lost))?;
        self.prove(stream, b"answer", &mine, &theirs, self.own)?;
        Ok(process)
    }

    /// Exchanges random numbers and what must be equal.
    fn greet(&self, stream: &mut TcpStream) -> Result<([u8; 32], [u8; 32]), String> {
        let text = |error: io::Error| error.to_string();
        stream.set_nodelay(true).map_err(text)?;
        stream.set_read_timeout(Some(HANDSHAKE)).map_err(text)?;
        stream.set_write_timeout(Some(HANDSHAKE)).map_err(text)?;
        let mut mine = [0; 32];
        getrandom::fill(&mut mine).map_err(|error| error.to_string())?;
        stream.write_all(&[&GREETING[..], &self.run, &mine].concat()).map_err(text)?;
        let mut greeting = [0; 80];
        stream.read_exact(&mut greeting).map_err(|error| format!("it sent no greeting: {error}"))?;
        if greeting[..16] != *GREETING {
            return Err("it is no process of this program, or of another version".to_owned());
        }
        if greeting[16..48] != self.run {
            return Err("it works on another game, with other options, or in another version".to_owned());
        }
        let theirs: [u8; 32] = greeting[48..].try_into().expect("32 bytes");
        // A number that comes back is no proof of anything.
        if theirs == mine { Err("it sent our own greeting back".to_owned()) } else { Ok((mine, theirs)) }
    }

    fn prove(
        &self,
        stream: &mut TcpStream,
        side: &[u8],
        mine: &[u8],
        theirs: &[u8],
        process: usize,
    ) -> Result<(), String> {
        let number = (process as u64).to_le_bytes();
        let proof = hmac(self.key, &[side, &self.run, theirs, mine, &number]);
        stream.write_all(&[&number[..], &proof].concat()).map_err(|error| error.to_string())
    }

    /// The number of the process that proves itself; `None` if it says nothing.
    fn expect(
        &self,
        stream: &mut TcpStream,
        side: &[u8],
        mine: &[u8],
        theirs: &[u8],
    ) -> Result<usize, Option<String>> {
        let mut message = [0; 40];
        stream.read_exact(&mut message).map_err(|_| None)?;
        let expected = hmac(self.key, &[side, &self.run, mine, theirs, &message[..8]]);
        let differs = expected.iter().zip(&message[8..]).fold(0, |all, (a, b)| all | (a ^ b));
        if differs != 0 {
            return Err(Some("it does not have the key of this run".to_owned()));
        }
        for limit in [TcpStream::set_read_timeout, TcpStream::set_write_timeout] {
            limit(stream, None).map_err(|error| Some(error.to_string()))?;
        }
        Ok(u64::from_le_bytes(message[..8].try_into().expect("eight bytes")) as usize)
    }
}

/// HMAC with SHA-256 (RFC 2104).
fn hmac(key: &[u8], texts: &[&[u8]]) -> [u8; 32] {
    let mut block = [0u8; 64];
    match key.len() {
        0..=64 => block[..key.len()].copy_from_slice(key),
        _ => block[..32].copy_from_slice(&Sha256::digest(key)),
    }
    let mut inner = Sha256::new();
    inner.update(block.map(|byte| byte ^ 0x36));
    texts.iter().for_each(|text| inner.update(text));
    let mut outer = Sha256::new();
    outer.update(block.map(|byte| byte ^ 0x5c));
    outer.update(inner.finalize());
    outer.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hmac_is_that_of_rfc_4231() {
        let hex = |bytes: [u8; 32]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(hex(hmac(b"Jefe", &[b"what do ya want ", b"for nothing?"])), expected);
        let long = hmac(&[0xaa; 131], &[b"Test Using Larger Than Block-Size Key - Hash Key First"]);
        assert_eq!(hex(long), "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    }

    #[test]
    fn host_files_are_read_and_errors_have_a_line() {
        let key = "key 0123456789abcdef\n";
        let hosts = Hosts::read(&format!("# two\n{key}\n127.0.0.1:7101 # one\nhost:7102\nthird:1\n"), 2);
        assert_eq!(hosts.expect("sound").addresses, ["127.0.0.1:7101", "host:7102"]);
        for (text, line) in [
            ("127.0.0.1:7101\n", 0),
            ("key short\n", 1),
            (&format!("{key}127.0.0.1\n"), 2),
            (&format!("{key}:7101\n"), 2),
            (&format!("{key}a:99999\n"), 2),
            (&format!("{key}a:1\na:1\n"), 3),
            (&format!("{key}{key}"), 2),
            (&format!("{key}a:1\n"), 0),
        ] {
            let error = Hosts::read(text, 2).expect_err(text);
            assert!(
                matches!(error, ClusterError::Hosts { line: found, .. } if found == line),
                "{text}: {error}"
            );
        }
        assert!(
            !format!("{:?}", Hosts::read(&format!("{key}a:1"), 1)).contains("0123"),
            "keys are not shown"
        );
    }

    /// Two ends of a connection on this machine.
    fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let one = TcpStream::connect(listener.local_addr().expect("an address")).expect("it listens");
        (one, listener.accept().expect("it was called").0)
    }

    #[test]
    fn only_processes_of_the_run_are_let_in() {
        let try_out = |key: &'static str, run: u8| {
            let (mut one, mut other) = pair();
            let caller = thread::spawn(move || {
                Handshake { key: key.as_bytes(), run: [run; 32], own: 1 }.call(&mut one, 0)
            });
            let answer = Handshake { key: b"the key of the run", run: [7; 32], own: 0 }.answer(&mut other);
            drop(other);
            (answer, caller.join().expect("no panic"))
        };
        assert_eq!(try_out("the key of the run", 7), (Ok(1), Ok(())));
        let (answer, caller) = try_out("another key of a run", 7);
        assert!(answer.expect_err("wrong key").contains("key") && caller.is_err());
        let (answer, caller) = try_out("the key of the run", 8);
        assert!(answer.is_err() && caller.expect_err("another game").contains("another"));
    }
}
