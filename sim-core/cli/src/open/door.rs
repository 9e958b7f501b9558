//! Who gets what: the files of the site for pages of this address, and the trace for the page that has the token.

use std::net::SocketAddr;

use constant_time_eq::constant_time_eq;
use hyper::header::{
    ACCEPT_ENCODING, ALLOW, AUTHORIZATION, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_ENCODING,
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderName, HeaderValue, REFERRER_POLICY, VARY,
    X_CONTENT_TYPE_OPTIONS,
};
use hyper::{Method, Request, StatusCode};

use super::answer::{Answer, bytes_of, refusal, stream_of};
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
    /// Answers a request of the program at this address.
    pub(super) fn answer<B>(&self, request: &Request<B>, peer: SocketAddr) -> Answer {
        let mut answer = self.checked(request, peer);
        for (name, value) in [
            (CACHE_CONTROL, "no-store"),
            (CONTENT_SECURITY_POLICY, "frame-ancestors 'self'"),
            (REFERRER_POLICY, "no-referrer"),
            (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        ] {
            answer.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        answer
    }

    fn checked<B>(&self, request: &Request<B>, peer: SocketAddr) -> Answer {
        if !self.is_own_host(request) {
            return refusal(
                StatusCode::FORBIDDEN,
                "Open the address that `pagewalk open` printed.",
            );
        }
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            let mut answer =
                refusal(StatusCode::METHOD_NOT_ALLOWED, "Only GET and HEAD are answered.");
            answer.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
            return answer;
        }
        let uri = request.uri();
        // A target with a host of its own is for proxies.
        let path = if uri.authority().is_none() { uri.path() } else { "" };
        match path.strip_prefix(&self.folder) {
            Some(TRACE) => self.trace(request, peer),
            Some(name) => self.file(request, name),
            None => {
                refusal(StatusCode::NOT_FOUND, "Open the address that `pagewalk open` printed.")
            }
        }
    }

    /// A name of another site that leads to this machine is refused: its pages would be of the same origin.
    fn is_own_host<B>(&self, request: &Request<B>) -> bool {
        let own = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        let mut hosts = values(request, HOST);
        let is_own = hosts.next().is_some_and(|host| own.iter().any(|own| host == own));
        is_own && hosts.next().is_none()
    }

    fn file<B>(&self, request: &Request<B>, name: &str) -> Answer {
        let Some(file) = self.site.file(name) else {
            return refusal(StatusCode::NOT_FOUND, "The site has no such file.");
        };
        let takes_gzip = values(request, ACCEPT_ENCODING)
            .any(|value| value.split(',').any(|part| matches!(part.trim(), "gzip" | "*")));
        let Ok(bytes) = file.bytes(takes_gzip) else {
            return refusal(StatusCode::INTERNAL_SERVER_ERROR, "The file of the site is damaged.");
        };
        let mut answer = bytes_of(bytes);
        let headers = answer.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type(name)));
        if file.is_packed {
            headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
            if takes_gzip {
                headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            }
        }
        answer
    }

    fn trace<B>(&self, request: &Request<B>, peer: SocketAddr) -> Answer {
        let Some(shown) = &self.trace else {
            return refusal(StatusCode::NOT_FOUND, "No trace is open.");
        };
        let wanted = format!("Bearer {}", self.token);
        let has_token = values(request, AUTHORIZATION)
            .any(|value| constant_time_eq(value.as_bytes(), wanted.as_bytes()));
        if !has_token {
            let why = "Open the address that `pagewalk open` printed last.";
            return refusal(StatusCode::UNAUTHORIZED, why);
        }
        if self.peers.as_ref().is_some_and(|peers| !peers.allow(peer)) {
            return refusal(StatusCode::FORBIDDEN, "The trace belongs to another user.");
        }
        let Whole { reader, size } = match shown.read() {
            Ok(whole) => whole,
            Err(error) => return refusal(StatusCode::GONE, &format!("{error:#}")),
        };
        let name = format!("attachment; filename*=UTF-8''{}", percent(&shown.name()));
        let mut answer = stream_of(reader);
        let headers = answer.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
        headers.insert(
            CONTENT_DISPOSITION,
            HeaderValue::from_str(&name).expect("the name is written in ASCII"),
        );
        headers.insert(
            HeaderName::from_static("cross-origin-resource-policy"),
            HeaderValue::from_static("same-origin"),
        );
        // The page compares the size: a file may become shorter while it is sent.
        headers.insert(HeaderName::from_static("pagewalk-size"), HeaderValue::from(size));
        answer
    }
}

/// Returns the values of a header. A value that is not visible ASCII is returned as an empty text, which is never what
/// is wanted.
fn values<B>(request: &Request<B>, name: HeaderName) -> impl Iterator<Item = &str> {
    let values = request.headers().get_all(name).into_iter();
    values.map(|value| value.to_str().unwrap_or_default())
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
