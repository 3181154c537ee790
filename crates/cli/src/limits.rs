//! Durations and sizes in arguments; the reading itself is the business of `base`.

pub(crate) use counterplay_base::limits::{bytes, duration};
