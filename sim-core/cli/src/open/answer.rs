//! Bodies of answers: bytes that are at hand, and streams.

use std::io::{self, Read};
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Body, Bytes, Frame};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};

pub(super) type Answer = Response<UnsyncBoxBody<Bytes, io::Error>>;

/// The bytes of a stream that are sent at a time.
const PART: usize = 1 << 16;

/// An answer of these bytes, with their number.
pub(super) fn bytes_of(bytes: Bytes) -> Answer {
    Response::new(Full::new(bytes).map_err(|never| match never {}).boxed_unsync())
}

/// A sentence that the page shows.
pub(super) fn refusal(status: StatusCode, sentence: &str) -> Answer {
    let mut answer = bytes_of(Bytes::copy_from_slice(sentence.as_bytes()));
    *answer.status_mut() = status;
    let text = HeaderValue::from_static("text/plain; charset=UTF-8");
    answer.headers_mut().insert(CONTENT_TYPE, text);
    answer
}

/// An answer of all that the reader has. It has no length, so it ends well where a file became shorter.
pub(super) fn stream_of(reader: Box<dyn Read + Send>) -> Answer {
    Response::new(Stream(reader).boxed_unsync())
}

/// Reading blocks the thread, which has no other connection.
struct Stream(Box<dyn Read + Send>);

impl Body for Stream {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let mut part = Vec::with_capacity(PART);
        let read = self.0.by_ref().take(PART as u64).read_to_end(&mut part);
        Poll::Ready(match read {
            Ok(0) => None,
            Ok(_) => Some(Ok(Frame::data(part.into()))),
            Err(error) => Some(Err(error)),
        })
    }
}
