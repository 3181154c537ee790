//! Addresses and what answers there.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::Stream;
use futures_util::stream::unfold;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::Studio;
use crate::assets;
use crate::documents;
use crate::guard::guard;
use crate::pages::{self, VIEWS};
use crate::worker::Task;
use crate::works::{Account, Status, Work};

/// Texts from the page are no larger than this.
const LARGEST_BODY: usize = 4 << 20;
/// A request is sent and answered within this; events go on for longer.
const PATIENCE: Duration = Duration::from_secs(20);
/// Tasks take no longer than this, and so long if nothing is said.
const LONGEST: f64 = 600.0;
const USUAL: f64 = 30.0;
/// A line from the page is no longer than this.
const LONGEST_LINE: usize = 10_000;

/// All addresses.
pub(crate) fn router(studio: Arc<Studio>) -> Router {
    let mut router = Router::new()
        .route("/", get(|| async { Html(pages::front()) }))
        .route("/docs", get(|| async { document("README").await }))
        .route("/docs/{page}", get(|Path(page): Path<String>| async move { document(&page).await }))
        .route("/docs/pictures/{name}", get(|Path(name): Path<String>| async move { picture(&name) }))
        .route("/assets/{name}", get(asset))
        .route("/api/examples/{view}", get(examples))
        .route("/api/works", post(begin))
        .route("/api/works/{name}", get(look).post(say))
        .route("/api/works/{name}/events", get(events))
        .route("/api/works/{name}/stop", post(stop));
    for view in VIEWS {
        router =
            router.route(&format!("/{}", view.name), get(move || async move { Html(pages::page(view)) }));
    }
    router
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(middleware::from_fn(in_time))
        .layer(middleware::from_fn_with_state(studio.clone(), guard))
        .with_state(studio)
}

/// A text that comes too slowly is not waited for.
async fn in_time(request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    match tokio::time::timeout(PATIENCE, next.run(request)).await {
        Ok(response) => response,
        Err(_) => refuse(StatusCode::REQUEST_TIMEOUT, "the request came too slowly"),
    }
}

/// An error for the page.
fn refuse(status: StatusCode, why: impl ToString) -> Response {
    (status, Json(json!({"error": why.to_string()}))).into_response()
}

fn gone() -> Response {
    refuse(StatusCode::NOT_FOUND, "the studio does not know this task any more")
}

async fn asset(Path(name): Path<String>) -> Response {
    match assets::find(&name) {
        Some(asset) => ([(header::CONTENT_TYPE, asset.kind)], asset.text).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn document(page: &str) -> Response {
    match documents::page(page) {
        Some(text) => Html(text).into_response(),
        None => (StatusCode::NOT_FOUND, Html(pages::missing())).into_response(),
    }
}

fn picture(name: &str) -> Response {
    match documents::picture(name) {
        Some((kind, bytes)) => ([(header::CONTENT_TYPE, kind)], bytes).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn examples(Path(view): Path<String>) -> Json<Value> {
    Json(pages::examples(&view))
}

/// A task, and how many seconds it may take.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    task: Task,
    #[serde(default)]
    seconds: Option<f64>,
}

async fn begin(State(studio): State<Arc<Studio>>, Json(wanted): Json<Wanted>) -> Response {
    let seconds = wanted.seconds.unwrap_or(USUAL);
    if !(seconds > 0.0 && seconds <= LONGEST) {
        return refuse(StatusCode::BAD_REQUEST, format!("a task takes up to {LONGEST} seconds"));
    }
    match studio.works.begin(&wanted.task, seconds) {
        Some(name) => Json(json!({"id": name})).into_response(),
        None => refuse(StatusCode::SERVICE_UNAVAILABLE, "too many tasks are waiting; try again in a moment"),
    }
}

/// The task of a name, or the refusal.
fn find(studio: &Studio, name: &str) -> Result<Arc<Work>, Box<Response>> {
    studio.works.find(name).ok_or_else(|| Box::new(gone()))
}

async fn look(State(studio): State<Arc<Studio>>, Path(name): Path<String>) -> Result<Response, Response> {
    let work = find(&studio, &name).map_err(|gone| *gone)?;
    let account = work.follow();
    let account = account.borrow();
    Ok(Json(json!({"status": account.status, "events": account.events.len()})).into_response())
}

async fn stop(State(studio): State<Arc<Studio>>, Path(name): Path<String>) -> Result<Response, Response> {
    find(&studio, &name).map_err(|gone| *gone)?.stop();
    Ok(Json(json!({})).into_response())
}

/// What a person says in a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    line: String,
}

async fn say(
    State(studio): State<Arc<Studio>>,
    Path(name): Path<String>,
    Json(Line { line }): Json<Line>,
) -> Result<Response, Response> {
    if line.len() > LONGEST_LINE || line.contains(['\n', '\r']) {
        return Err(refuse(StatusCode::BAD_REQUEST, "that is not one line"));
    }
    let work = find(&studio, &name).map_err(|gone| *gone)?;
    match work.say(line) {
        true => Ok(Json(json!({})).into_response()),
        false => Err(refuse(StatusCode::CONFLICT, "the game is over, or does not listen now")),
    }
}

/// All that a worker told, and each line that it tells from now on.
async fn events(State(studio): State<Arc<Studio>>, Path(name): Path<String>) -> Result<Response, Response> {
    let work = find(&studio, &name).map_err(|gone| *gone)?;
    Ok(Sse::new(follow(work.follow())).keep_alive(KeepAlive::default()).into_response())
}

fn follow(account: watch::Receiver<Account>) -> impl Stream<Item = Result<Event, Infallible>> {
    unfold(Some((account, 0, true)), |state| async move {
        let (mut account, told, first) = state?;
        if !first && account.changed().await.is_err() {
            return None;
        }
        let (event, told, ended) = {
            let now = account.borrow_and_update();
            let ended = now.status == Status::Ended;
            let told = told.min(now.events.len());
            // The lines are JSON already.
            let lines = now.events[told..].join(",");
            let status = json!(now.status);
            let data = format!("{{\"status\":{status},\"events\":[{lines}]}}");
            (Event::default().data(data), now.events.len(), ended)
        };
        Some((Ok(event), (!ended).then_some((account, told, false))))
    })
}
