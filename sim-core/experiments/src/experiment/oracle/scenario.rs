//! Scenarios as text: one access or operation a line.
//!
//! ```text
//! load 0x1ffc 8          kind, address, bytes (missing = 1)
//! store 0x2000 pid 7     of process 7 (missing = 0); then `tid 2`: of thread 2, and `cpu 1`: on processor 1
//! invlpg 0x1000          an operation: word, address, length, operands
//! ```

use pagewalk_base::addr::parse_hex;
use pagewalk_base::trace::{Access, Kind, Op, OpRecord, Operands, is_op_word};

/// One line of a scenario.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Access(Access),
    Op(OpRecord),
}

/// Reads a line.
///
/// # Errors
/// A message with the line.
pub(super) fn item(line: &str) -> Result<Item, String> {
    read(line).map_err(|message| format!("`{line}`: {message}"))
}

fn read(line: &str) -> Result<Item, String> {
    let (rest, cpu) = line.split_once(" cpu ").unwrap_or((line, "0"));
    let (rest, tid) = rest.split_once(" tid ").unwrap_or((rest, "0"));
    let (text, pid) = rest.split_once(" pid ").unwrap_or((rest, "0"));
    let number = |id: &str| id.parse().map_err(|_| format!("`{id}` is no number"));
    let (pid, tid, cpu) = (number(pid)?, number(tid)?, number(cpu)?);
    let mut words: Vec<&str> = text.split_whitespace().collect();
    if words.is_empty() {
        return Err("it is empty".to_owned());
    }
    let word = words.remove(0);
    let address = words.first().and_then(|word| word.starts_with("0x").then(|| parse_hex(word)));
    if address.is_some() {
        words.remove(0);
    }
    let address = address.flatten();
    let length = words.first().and_then(|word| word.parse().ok());
    if length.is_some() {
        words.remove(0);
    }
    if is_op_word(word) {
        let op = Op::parse(word, &Operands { address, length, words })?;
        return Ok(Item::Op(OpRecord { pid, tid, cpu, op }));
    }
    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == word);
    let kind = kind.ok_or("it begins with no kind of access and no operation")?;
    let address = address.ok_or("an access needs an address")?;
    let size = u32::try_from(length.unwrap_or(1)).map_err(|_| "the access is too long")?;
    Ok(Item::Access(Access { pid, tid, cpu, ..Access::new(kind, address, size) }))
}
