//! A GTP engine.

use counterplay::Budget;
use counterplay::go::{Request, engine};
use serde_json::{Value, json};

use super::{Conversation, arguments, unknown};
use crate::failure::Failure;

/// Answers a line; true once the engine was told to quit.
type Handle = Box<dyn FnMut(&str, &Budget) -> (String, bool)>;

/// A GTP engine on an empty board.
pub(super) struct Gtp {
    handle: Handle,
}

/// Reads a file of `loadsgf`.
fn read_file(name: &str) -> Result<Vec<u8>, String> {
    std::fs::read(name).map_err(|error| error.to_string())
}

impl Gtp {
    pub(super) fn open(request: &str) -> Result<Gtp, Failure> {
        let request: Request = serde_json::from_str(request)?;
        let mut engine = engine(&request, &read_file);
        let handle = move |line: &str, budget: &Budget| {
            let reply = engine.handle(line, budget);
            (reply.text, reply.quit)
        };
        Ok(Gtp { handle: Box::new(handle) })
    }
}

impl Conversation for Gtp {
    fn call(&mut self, method: &str, given: Value, budget: &Budget) -> Result<Value, Failure> {
        match method {
            "send" => {
                let line: String = arguments(given)?;
                let (text, quit) = (self.handle)(&line, budget);
                Ok(json!({"text": text, "quit": quit}))
            }
            other => Err(unknown(other)),
        }
    }
}
