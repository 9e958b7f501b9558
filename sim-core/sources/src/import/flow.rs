//! How reading goes on, or why it stops.

use pagewalk_base::error::{Error, Place};

/// The reason why reading stops.
#[derive(Debug)]
pub(super) enum Stop {
    /// The limit of accesses or the end of the window is reached.
    Full,
    /// Compressed data end too early. What precedes is good.
    CutOff(Error),
    Failed(Error),
}

impl Stop {
    /// Names the line of what the sink could not take.
    pub(super) fn at_line(self, line: u64) -> Self {
        match self {
            Self::Failed(error @ Error { at: None, .. }) => {
                Self::Failed(error.at(Place::Line(line)))
            }
            other => other,
        }
    }

    /// Names the access before which the sink could not take an operation.
    pub(super) fn before_access(self, number: u64) -> Self {
        match self {
            Self::Failed(mut error @ Error { at: None, .. }) => {
                error.message = format!("before access {number}: {}", error.message);
                Self::Failed(error)
            }
            other => other,
        }
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

pub(super) type Flow = Result<(), Stop>;
