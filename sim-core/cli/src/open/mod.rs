//! `pagewalk open`: serves the site and one trace to the browser of this user, until Ctrl-C.
//!
//! ```text
//! browser ─▶ 127.0.0.1:PORT/FOLDER/?opened=TOKEN   the site, without secrets
//! page    ─▶ FOLDER/trace, with the token          the trace
//! ```

mod answer;
mod door;
mod peer;
mod shown;
mod site;

use std::convert::Infallible;
use std::fmt::Write as _;
use std::future::ready;
use std::io::{self, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tempfile::TempPath;

use crate::args::OpenArgs;
use crate::output;
use door::Door;
use peer::Peers;
pub(crate) use shown::Shown;
pub(crate) use site::Site;

/// How long the program waits if a connection cannot be accepted.
const PAUSE: Duration = Duration::from_millis(10);

pub(crate) fn open(args: &OpenArgs) -> anyhow::Result<()> {
    let site = Site::new()?;
    let trace = args.file.as_deref().map(Shown::of).transpose()?;
    serve(site, trace, args.port, !args.no_browser)
}

/// Serves until Ctrl-C. Port 0 is any free one.
///
/// # Errors
/// The port is taken.
pub(crate) fn serve(
    site: Site,
    trace: Option<Shown>,
    port: u16,
    wants_browser: bool,
) -> anyhow::Result<()> {
    let stop = Stop::new()?;
    let listener =
        TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| unbound(port, &error))?;
    let port = listener.local_addr()?.port();
    let peers = Peers::seen_from(port);
    let is_guarded = peers.is_some();
    let (folder, token) = (format!("/opened-{}/", random(4)?), random(16)?);
    let (name, token_part) = match &trace {
        Some(shown) => (shown.name(), format!("?opened={token}")),
        None => ("Pagewalk".to_owned(), String::new()),
    };
    let address = format!("http://127.0.0.1:{port}{folder}{token_part}");
    let door = Arc::new(Door { site, trace, folder, token, port, peers });
    thread::spawn(move || accept(&listener, &door));
    output::aside(format!("{name} is open at {address}\nCtrl-C ends it.\n"));
    // The file is there until the end.
    let _file = wants_browser.then(|| start_browser(&address, is_guarded));
    stop.wait();
    Ok(())
}

/// Gives each connection a thread. hyper ends a connection that sends no request for 30 seconds, so threads do not
/// pile up.
fn accept(listener: &TcpListener, door: &Arc<Door>) {
    for stream in listener.incoming() {
        let door = Arc::clone(door);
        // A browser may close the page while it reads, so errors of a connection end only this one.
        let begun = stream.and_then(|stream| {
            thread::Builder::new().spawn(move || answer_all(stream, &door).ok())
        });
        if begun.is_err() {
            // The program may have too many files or threads at the moment.
            thread::sleep(PAUSE);
        }
    }
}

/// Answers the requests of a connection until its end.
fn answer_all(stream: TcpStream, door: &Door) -> anyhow::Result<()> {
    let peer = stream.peer_addr()?;
    stream.set_nonblocking(true)?;
    let answer = service_fn(|request: Request<Incoming>| {
        ready(Ok::<_, Infallible>(door.answer(&request, peer)))
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let stream = TokioIo::new(tokio::net::TcpStream::from_std(stream)?);
        let mut server = http1::Builder::new();
        server.timer(TokioTimer::new()).title_case_headers(true);
        Ok(server.serve_connection(stream, answer).await?)
    })
}

fn unbound(port: u16, error: &io::Error) -> anyhow::Error {
    let why = match error.kind() {
        io::ErrorKind::AddrInUse => "another program listens on it",
        io::ErrorKind::PermissionDenied => "you have no permission to listen on it",
        _ => return anyhow!("cannot listen on port {port}: {error}"),
    };
    anyhow!("--port {port}: {why}")
}

/// Returns random bytes of the operating system as hexadecimal digits.
fn random(bytes: usize) -> anyhow::Result<String> {
    let mut random = vec![0; bytes];
    getrandom::fill(&mut random).context("the system has no random numbers")?;
    let mut digits = String::new();
    for byte in random {
        // Writing to a text cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    Ok(digits)
}

/// Opens the address in the browser. If other users' connections are not known, a private file leads to the address,
/// which then stands in no command line. If there is no browser, the user has the printed address.
fn start_browser(address: &str, is_guarded: bool) -> Option<TempPath> {
    if is_guarded {
        let _ = ::open::that_detached(address);
        return None;
    }
    let file = leading_to(address).ok()?;
    let _ = ::open::that_detached(&file);
    Some(file)
}

/// Writes a file that only this user can read, and that leads a browser to an address.
fn leading_to(address: &str) -> io::Result<TempPath> {
    let mut file = tempfile::Builder::new().prefix("pagewalk-").suffix(".html").tempfile()?;
    write!(file, "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url={address}\">")?;
    Ok(file.into_temp_path())
}

/// Waits for Ctrl-C and terminations.
#[cfg(unix)]
struct Stop(signal_hook::iterator::Signals);

#[cfg(unix)]
impl Stop {
    fn new() -> anyhow::Result<Self> {
        use signal_hook::consts::{SIGINT, SIGTERM};
        Ok(Self(signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?))
    }

    fn wait(mut self) {
        self.0.forever().next();
    }
}

/// On other systems, Ctrl-C ends the program by itself.
#[cfg(not(unix))]
struct Stop;

#[cfg(not(unix))]
impl Stop {
    fn new() -> anyhow::Result<Self> {
        Ok(Self)
    }

    fn wait(self) {
        loop {
            thread::park();
        }
    }
}
