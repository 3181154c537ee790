//! Who may ask: the page itself, and no other program.
//!
//! The studio listens on the loopback address only, but any page in the same browser could send it requests, and a name
//! that is pointed at 127.0.0.1 could even read the answers. So the host must be a loopback name with our
//! port, and an origin, where the browser tells one, must be our own.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::Studio;

/// Lets a request through, or refuses it with 403. Every answer says that it may be used by this page only.
pub(crate) async fn guard(State(studio): State<Arc<Studio>>, request: Request, next: Next) -> Response {
    if let Err(why) = admit(request.method(), request.headers(), studio.port) {
        return (StatusCode::FORBIDDEN, why).into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let fixed = [
        (
            "content-security-policy",
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
        ),
        ("cross-origin-resource-policy", "same-origin"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
        ("cache-control", "no-store"),
    ];
    for (name, value) in fixed {
        headers.insert(name, header::HeaderValue::from_static(value));
    }
    response
}

fn admit(method: &Method, headers: &HeaderMap, port: u16) -> Result<(), &'static str> {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let ours = |host: &str| {
        let names = ["127.0.0.1", "localhost", "[::1]"];
        names.iter().any(|name| host.strip_prefix(name).is_some_and(|rest| rest == format!(":{port}")))
    };
    if !text(header::HOST).is_some_and(ours) {
        return Err("the studio answers at its loopback address only\n");
    }
    let foreign = |origin: &str| !origin.strip_prefix("http://").is_some_and(ours);
    if text(header::ORIGIN).is_some_and(foreign) {
        return Err("other origins are refused\n");
    }
    if text(header::HeaderName::from_static("sec-fetch-site")).is_some_and(|site| site == "cross-site") {
        return Err("other sites are refused\n");
    }
    let json = || text(header::CONTENT_TYPE).is_some_and(|kind| kind.starts_with("application/json"));
    if method == Method::POST && !json() {
        return Err("requests are JSON\n");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let value = |text| header::HeaderValue::from_static(text);
        pairs.iter().map(|&(name, text)| (header::HeaderName::from_static(name), value(text))).collect()
    }

    #[test]
    fn only_the_page_itself_is_heard() {
        let get = |pairs: &[_]| admit(&Method::GET, &headers(pairs), 7000).is_ok();
        assert!(get(&[("host", "127.0.0.1:7000")]) && get(&[("host", "localhost:7000")]));
        assert!(!get(&[]) && !get(&[("host", "127.0.0.1")]) && !get(&[("host", "localhost:7001")]));
        assert!(!get(&[("host", "evil.example:7000")]) && !get(&[("host", "127.0.0.1.evil.example:7000")]));
        assert!(get(&[("host", "localhost:7000"), ("origin", "http://localhost:7000")]));
        for origin in ["http://evil.example", "https://localhost:7000", "null", "http://localhost:70000"] {
            assert!(!get(&[("host", "localhost:7000"), ("origin", origin)]), "{origin}");
        }
        assert!(!get(&[("host", "localhost:7000"), ("sec-fetch-site", "cross-site")]));
    }

    #[test]
    fn posts_are_json() {
        let post = |kind| {
            admit(&Method::POST, &headers(&[("host", "localhost:7000"), ("content-type", kind)]), 7000)
        };
        assert!(post("application/json; charset=utf-8").is_ok());
        assert!(post("text/plain").is_err() && post("application/x-www-form-urlencoded").is_err());
    }
}
