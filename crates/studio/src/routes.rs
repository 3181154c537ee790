//! Addresses and what answers there.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{StatusCode, header};
use axum::middleware;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::Stream;
use futures_util::stream::unfold;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::Studio;
use crate::assets::ASSETS;
use crate::guard::guard;
use crate::offers::Request;
use crate::pages::{self, VIEWS};
use crate::runs::{Account, Status};
use crate::sessions::Trouble;

/// Texts from the page are no larger than this.
const LARGEST_BODY: usize = 4 << 20;

/// All addresses.
pub(crate) fn router(studio: Arc<Studio>) -> Router {
    let mut router = Router::new()
        .route("/", get(|| async { Redirect::temporary("/plan") }))
        .route("/assets/{name}", get(asset))
        .route("/api/examples/{view}", get(examples))
        .route("/api/runs", post(begin_run))
        .route("/api/runs/{name}", get(run))
        .route("/api/runs/{name}/events", get(events))
        .route("/api/runs/{name}/stop", post(stop_run))
        .route("/api/sessions", post(begin_session))
        .route("/api/sessions/{name}", get(recall).post(say));
    for view in VIEWS {
        router =
            router.route(&format!("/{}", view.name), get(move || async move { Html(pages::page(view)) }));
    }
    router
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(middleware::from_fn_with_state(studio.clone(), guard))
        .with_state(studio)
}

/// An error for the page.
fn refuse(status: StatusCode, why: impl ToString) -> Response {
    (status, Json(json!({"error": why.to_string()}))).into_response()
}

fn gone() -> Response {
    refuse(StatusCode::NOT_FOUND, "there is no such run any more")
}

async fn asset(Path(name): Path<String>) -> Response {
    match ASSETS.iter().find(|asset| asset.name == name) {
        Some(asset) => ([(header::CONTENT_TYPE, asset.kind)], asset.text).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn examples(Path(view): Path<String>) -> Json<Value> {
    Json(pages::examples(&view))
}

async fn begin_run(State(studio): State<Arc<Studio>>, Json(request): Json<Request>) -> Response {
    let job = match request.job() {
        Ok(job) if !job.talks => job,
        Ok(_) => return refuse(StatusCode::BAD_REQUEST, "this is a game, not a run"),
        Err(refusal) => return refuse(StatusCode::BAD_REQUEST, refusal),
    };
    match studio.runs.begin(job) {
        Some(name) => Json(json!({"id": name})).into_response(),
        None => refuse(StatusCode::SERVICE_UNAVAILABLE, "too many runs are waiting"),
    }
}

async fn run(State(studio): State<Arc<Studio>>, Path(name): Path<String>) -> Response {
    match studio.runs.find(&name) {
        Some(run) => Json(run.follow().borrow().clone()).into_response(),
        None => gone(),
    }
}

async fn stop_run(State(studio): State<Arc<Studio>>, Path(name): Path<String>) -> Response {
    match studio.runs.find(&name) {
        Some(run) => {
            run.stop();
            Json(json!({})).into_response()
        }
        None => gone(),
    }
}

/// What a run has said since the last event, and its end.
async fn events(State(studio): State<Arc<Studio>>, Path(name): Path<String>) -> Response {
    match studio.runs.find(&name) {
        Some(run) => Sse::new(follow(run.follow())).keep_alive(KeepAlive::default()).into_response(),
        None => gone(),
    }
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
            let mut news = json!({"status": now.status, "lines": &now.lines[told..]});
            if ended {
                news["answer"] = json!(now.answer);
                news["exit"] = json!(now.exit);
                news["seconds"] = json!(now.seconds);
            }
            (Event::default().data(news.to_string()), now.lines.len(), ended)
        };
        Some((Ok(event), (!ended).then_some((account, told, false))))
    })
}

fn session_trouble(trouble: Trouble) -> Response {
    let status = match trouble {
        Trouble::Start(_) => StatusCode::INTERNAL_SERVER_ERROR,
        Trouble::Gone => StatusCode::NOT_FOUND,
        Trouble::Late => StatusCode::GATEWAY_TIMEOUT,
        Trouble::NotALine => StatusCode::BAD_REQUEST,
    };
    refuse(status, trouble)
}

async fn begin_session(State(studio): State<Arc<Studio>>, Json(request): Json<Request>) -> Response {
    let job = match request.job() {
        Ok(job) if job.talks => job,
        Ok(_) => return refuse(StatusCode::BAD_REQUEST, "this is a run, not a game"),
        Err(refusal) => return refuse(StatusCode::BAD_REQUEST, refusal),
    };
    match studio.sessions.begin(job).await {
        Ok((name, said)) => Json(json!({"id": name, "said": said})).into_response(),
        Err(trouble) => session_trouble(trouble),
    }
}

/// What the page says in a game.
#[derive(Deserialize)]
struct Line {
    line: String,
}

async fn say(
    State(studio): State<Arc<Studio>>,
    Path(name): Path<String>,
    Json(line): Json<Line>,
) -> Response {
    match studio.sessions.say(&name, &line.line).await {
        Ok(said) => Json(json!({"said": said})).into_response(),
        Err(trouble) => session_trouble(trouble),
    }
}

async fn recall(State(studio): State<Arc<Studio>>, Path(name): Path<String>) -> Response {
    match studio.sessions.recall(&name).await {
        Ok(said) => Json(json!({"said": said})).into_response(),
        Err(trouble) => session_trouble(trouble),
    }
}
