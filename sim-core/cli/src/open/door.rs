//! Who gets what: the files of the site for pages of this address, and the trace for the page that has the token.

use std::borrow::Cow;
use std::io::Cursor;

use constant_time_eq::constant_time_eq;
use tiny_http::{Header, Method, Request, Response, ResponseBox, StatusCode};

use super::peer::Peers;
use super::shown::{Shown, Whole};
use super::site::{Site, content_type};

/// The name of the trace in the folder of the site.
const TRACE: &str = "trace";

pub(super) struct Door {
    pub(super) site: Site,
    pub(super) trace: Option<Shown>,
    /// The folder of the site, such as `/opened-1c0f93ab/`, which tells the page that it is served here. It is new each
    /// time, so no worker or cache of an earlier folder answers. A worker of another site with the scope `/` does: the
    /// documentation advises against such ports.
    pub(super) folder: String,
    /// The secret of the page.
    pub(super) token: String,
    pub(super) port: u16,
    pub(super) peers: Option<Peers>,
}

impl Door {
    pub(super) fn answer(&self, request: &Request) -> ResponseBox {
        let answer = self.checked(request);
        let header = |answer: ResponseBox, (name, value)| answer.with_header(header(name, value));
        [
            ("Cache-Control", "no-store"),
            ("Content-Security-Policy", "frame-ancestors 'self'"),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
        ]
        .into_iter()
        .fold(answer, header)
    }

    fn checked(&self, request: &Request) -> ResponseBox {
        if !self.is_own_host(request) {
            return refusal(403, "Open the address that `pagewalk open` printed.");
        }
        if !matches!(request.method(), Method::Get | Method::Head) {
            let answer = refusal(405, "Only GET and HEAD are answered.");
            return answer.with_header(header("Allow", "GET, HEAD"));
        }
        let path = request.url().split(['?', '#']).next().unwrap_or_default();
        match path.strip_prefix(&self.folder) {
            Some(TRACE) => self.trace(request),
            Some(name) => self.file(request, name),
            None => refusal(404, "Open the address that `pagewalk open` printed."),
        }
    }

    /// A name of another site that leads to this machine is refused: its pages would be of the same origin.
    fn is_own_host(&self, request: &Request) -> bool {
        let own = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        let mut hosts = values(request, "Host");
        let is_own = hosts.next().is_some_and(|host| own.iter().any(|own| host == own));
        is_own && hosts.next().is_none()
    }

    fn file(&self, request: &Request, name: &str) -> ResponseBox {
        let Some(file) = self.site.file(name) else {
            return refusal(404, "The site has no such file.");
        };
        let takes_gzip = values(request, "Accept-Encoding")
            .any(|value| value.split(',').any(|part| matches!(part.trim(), "gzip" | "*")));
        let Ok(bytes) = file.bytes(takes_gzip) else {
            return refusal(500, "The file of the site is damaged.");
        };
        let mut answer = data(bytes).with_header(header("Content-Type", content_type(name)));
        if file.is_packed {
            answer.add_header(header("Vary", "Accept-Encoding"));
            if takes_gzip {
                answer.add_header(header("Content-Encoding", "gzip"));
            }
        }
        answer
    }

    fn trace(&self, request: &Request) -> ResponseBox {
        let Some(shown) = &self.trace else { return refusal(404, "No trace is open.") };
        let wanted = format!("Bearer {}", self.token);
        let has_token = values(request, "Authorization")
            .any(|value| constant_time_eq(value.as_bytes(), wanted.as_bytes()));
        if !has_token {
            return refusal(401, "Open the address that `pagewalk open` printed last.");
        }
        let peer = request.remote_addr();
        if let (Some(peers), Some(peer)) = (&self.peers, peer)
            && !peers.allow(*peer)
        {
            return refusal(403, "The trace belongs to another user.");
        }
        let Whole { reader, size } = match shown.read() {
            Ok(whole) => whole,
            Err(error) => return refusal(410, &format!("{error:#}")),
        };
        let name = format!("attachment; filename*=UTF-8''{}", percent(&shown.name()));
        // Without a length, the connection goes on after a file that became shorter. The page compares the size.
        Response::new(StatusCode(200), Vec::new(), reader, None, None)
            .with_header(header("Content-Type", "application/octet-stream"))
            .with_header(header("Content-Disposition", &name))
            .with_header(header("Cross-Origin-Resource-Policy", "same-origin"))
            .with_header(header("Pagewalk-Size", &size.to_string()))
            .boxed()
    }
}

fn values<'a>(request: &'a Request, name: &'static str) -> impl Iterator<Item = &'a str> {
    let headers = request.headers().iter().filter(move |header| header.field.equiv(name));
    headers.map(|header| header.value.as_str())
}

fn header(name: &str, value: &str) -> Header {
    Header::from_bytes(name, value).expect("both are ASCII")
}

/// A sentence that the page shows.
fn refusal(code: u16, sentence: &str) -> ResponseBox {
    Response::from_string(sentence).with_status_code(code).boxed()
}

fn data(bytes: Cow<'_, [u8]>) -> ResponseBox {
    let bytes = bytes.into_owned();
    let size = bytes.len();
    Response::new(StatusCode(200), Vec::new(), Cursor::new(bytes), Some(size), None)
        .with_chunked_threshold(usize::MAX)
        .boxed()
}

/// Writes a name as RFC 8187 does.
fn percent(name: &str) -> String {
    let letter = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    name.bytes().map(letter).collect()
}
