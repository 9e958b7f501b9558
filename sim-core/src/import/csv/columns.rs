//! Decides what the columns of a list are: by their names if it has a header,
//! else by what stands in them.

use super::fields::{Fields, KindWord, MAX_FIELDS, Role, Separator, is_surely_hex};
use super::row::small_number;
use super::{NoList, lines, skipped};
use crate::import::digits::{decimal, hex, strip_0x};
use crate::import::tally::excerpt;

/// How an address is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::import) enum Base {
    Hex,
    Decimal,
}

/// Largest size that a column without a name may have to be taken for one, in bytes.
const MAX_SIZE: u32 = 4096;

/// Which column is what.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) separator: Separator,
    /// The number of the line with the columns' names.
    pub(super) header_line: Option<u64>,
    pub(super) address: usize,
    pub(super) address_base: Base,
    /// The base was not told, and no address has shown it.
    pub(super) base_is_guessed: bool,
    pub(super) kind: Option<usize>,
    pub(super) size: Option<usize>,
    pub(super) ip: Option<usize>,
    pub(super) ip_base: Base,
    pub(super) pid: Option<usize>,
    pub(super) tid: Option<usize>,
}

impl Columns {
    /// Decides from the beginning of a text; also says what the user should know of it.
    pub(super) fn sniff(head: &[u8], base: Option<Base>) -> Result<(Self, Vec<String>), NoList> {
        let rows = || lines(head).filter(|line| skipped(line).is_none());
        if rows().next().is_none() {
            return Err(NoList::Empty);
        }
        let separator = sniff_separator(rows());
        let mut notes = Vec::new();
        let mut columns = match find_header(head, separator) {
            Some(header) => by_name(&header, separator, &mut notes),
            None => by_content(head, separator, &mut notes),
        }?;
        let data = || {
            (1..).zip(lines(head)).filter(|(number, line)| {
                skipped(line).is_none() && columns.header_line != Some(*number)
            })
        };
        let is_hex = |column: usize| {
            data()
                .any(|(_, line)| Fields::of(line, separator).get(column).is_some_and(is_surely_hex))
        };
        let base_of = |column| if is_hex(column) { Base::Hex } else { Base::Decimal };
        let address_base = base.unwrap_or_else(|| base_of(columns.address));
        let ip_base = columns.ip.map_or(Base::Hex, base_of);
        columns.base_is_guessed = base.is_none() && address_base == Base::Decimal;
        columns.address_base = address_base;
        columns.ip_base = ip_base;
        if columns.base_is_guessed {
            notes.push(
                "The addresses have neither 0x nor a digit a to f and were read as decimal; if they are hexadecimal, import with --format csv-hex".to_owned(),
            );
        }
        if columns.kind.is_none() {
            notes.push("No column says what an access does: all were taken as loads".to_owned());
        }
        Ok((columns, notes))
    }

    fn new(separator: Separator, address: usize) -> Self {
        Self {
            separator,
            header_line: None,
            address,
            address_base: Base::Hex,
            base_is_guessed: false,
            kind: None,
            size: None,
            ip: None,
            ip_base: Base::Hex,
            pid: None,
            tid: None,
        }
    }
}

/// The separator that cuts the most lines into the same number of fields.
fn sniff_separator<'a>(rows: impl Iterator<Item = &'a [u8]>) -> Separator {
    let candidates =
        [b'\t', b';', b','].map(Separator::Byte).into_iter().chain([Separator::Blanks]);
    let rows: Vec<&[u8]> = rows.take(200).collect();
    let score = |separator| {
        let mut counts = [0; MAX_FIELDS + 1];
        for row in &rows {
            counts[Fields::of(row, separator).all().len()] += 1;
        }
        counts[2..].iter().copied().max().unwrap_or(0)
    };
    // Of equal scores the first wins: "0x10, 8" is cut at the comma.
    let mut best = (Separator::Blanks, 0);
    for separator in candidates {
        let score = score(separator);
        if score > best.1 {
            best = (separator, score);
        }
    }
    best.0
}

/// A line of names.
struct Header<'a> {
    /// The line's number, unless it is a comment.
    line: Option<u64>,
    fields: Fields<'a>,
}

/// Looks for names in the first row, and in the last comment before it.
fn find_header(head: &[u8], separator: Separator) -> Option<Header<'_>> {
    let mut comment = None;
    for (number, line) in (1..).zip(lines(head)) {
        match skipped(line) {
            None => {
                let fields = Fields::of(line, separator);
                let header = is_header(&fields).then_some(Header { line: Some(number), fields });
                return header.or_else(|| {
                    let fields = Fields::of(comment?, separator);
                    let is_header = is_header(&fields) && fields.all().len() > 1;
                    is_header.then_some(Header { line: None, fields })
                });
            }
            Some(_) if !line.is_empty() => {
                let marks = line.iter().take_while(|byte| b"#/".contains(byte)).count();
                comment = Some(&line[marks..]);
            }
            Some(_) => {}
        }
    }
    None
}

/// Whether the fields are names, one of them that of an address.
fn is_header(fields: &Fields) -> bool {
    let all = fields.all();
    // Alone, `ea` is a name as well as the hexadecimal number 234.
    let alone_and_hex = all.len() == 1 && all[0].iter().all(u8::is_ascii_hexdigit);
    let is_name = |field: &&[u8]| Role::of_name(field) == Some(Role::Address);
    let no_number = |field: &&[u8]| !field.first().is_some_and(u8::is_ascii_digit);
    all.iter().any(is_name) && all.iter().all(no_number) && !alone_and_hex
}

fn by_name(
    header: &Header,
    separator: Separator,
    notes: &mut Vec<String>,
) -> Result<Columns, NoList> {
    let names = header.fields.all();
    let column_of = |role| names.iter().position(|name| Role::of_name(name) == Some(role));
    let mut columns = Columns::new(separator, column_of(Role::Address).ok_or(NoList::NoAddress)?);
    columns.header_line = header.line;
    columns.kind = column_of(Role::Kind);
    columns.size = column_of(Role::Size);
    columns.ip = column_of(Role::Ip);
    columns.pid = column_of(Role::Pid);
    columns.tid = column_of(Role::Tid);
    let used =
        [Some(columns.address), columns.kind, columns.size, columns.ip, columns.pid, columns.tid];
    let unused: Vec<String> = (0..names.len())
        .filter(|column| !used.contains(&Some(*column)))
        .filter(|column| {
            !names[*column].is_empty() && Role::of_name(names[*column]) != Some(Role::Time)
        })
        .map(|column| format!("`{}`", excerpt(names[column])))
        .collect();
    if !unused.is_empty() {
        notes.push(format!("Columns that are not used: {}", unused.join(", ")));
    }
    Ok(columns)
}

/// What stands in one column.
#[derive(Clone, Copy, Debug, Default)]
struct Content {
    n: usize,
    kind_words: usize,
    kind_numbers: usize,
    zeros: usize,
    numbers: usize,
    /// Fields that only hexadecimal numbers have.
    surely_hex: usize,
    sizes: usize,
    largest: u64,
    /// Rows in which the number is larger than in the row before.
    rising: usize,
    last: u64,
}

impl Content {
    fn add(&mut self, field: &[u8]) {
        if field.is_empty() {
            return;
        }
        self.n += 1;
        if KindWord::of(field).is_some() {
            if field[0].is_ascii_digit() {
                self.kind_numbers += 1;
                self.zeros += usize::from(field == b"0");
            } else {
                self.kind_words += 1;
            }
        }
        self.surely_hex += usize::from(is_surely_hex(field));
        self.sizes +=
            usize::from(small_number(field).is_some_and(|size| (1..=MAX_SIZE).contains(&size)));
        let value = if strip_0x(field).is_some() {
            hex(field)
        } else {
            decimal(field).or_else(|_| hex(field))
        };
        if let Ok(value) = value {
            self.numbers += 1;
            self.largest = self.largest.max(value);
            self.rising += usize::from(value > self.last);
            self.last = value;
        }
    }

    /// Whether nearly all of the column are counted in `part`.
    fn mostly(&self, part: usize) -> bool {
        self.n > 0 && 10 * part >= 9 * self.n
    }

    /// Whether the column numbers the rows.
    fn counts_rows(&self) -> bool {
        self.n > 3 && self.rising >= self.n - 1
    }
}

/// Decides by what stands in the first rows.
fn by_content(
    head: &[u8],
    separator: Separator,
    notes: &mut Vec<String>,
) -> Result<Columns, NoList> {
    let mut contents = [Content::default(); MAX_FIELDS];
    let mut header_line = None;
    let rows = (1..).zip(lines(head)).filter(|(_, line)| skipped(line).is_none());
    for (n, (number, row)) in rows.take(1000).enumerate() {
        let fields = Fields::of(row, separator);
        // Names in a language or of a tool that is not known here.
        if n == 0 && fields.all().iter().all(|field| hex(field).is_err()) {
            header_line = Some(number);
            continue;
        }
        for (content, field) in contents.iter_mut().zip(fields.all()) {
            content.add(field);
        }
    }
    let n_columns = contents.iter().rposition(|content| content.n > 0).map_or(0, |last| last + 1);
    let contents = &contents[..n_columns];
    let alone = n_columns == 1;
    let is_kind = |c: &Content| c.kind_words > 0 && c.mostly(c.kind_words + c.kind_numbers);
    let mut kind = contents.iter().position(|c| !alone && is_kind(c));
    let addresses: Vec<usize> = (0..n_columns)
        .filter(|column| {
            Some(*column) != kind && 2 * contents[*column].numbers > contents[*column].n
        })
        .collect();
    let sure: Vec<usize> =
        addresses.iter().copied().filter(|column| contents[*column].surely_hex > 0).collect();
    let largest = || addresses.iter().copied().rev().max_by_key(|column| contents[*column].largest);
    let (address, ip) = match (&sure[..], kind) {
        ([], _) => (largest().ok_or(NoList::NoAddress)?, None),
        // A kind between two addresses is what the instruction at the first did to the second.
        ([first, .., last], Some(kind)) if *first < kind && kind < *last => (*last, Some(*first)),
        ([first, ..], _) => (*first, None),
    };
    if kind.is_none() {
        let is_kind = |(column, c): (usize, &Content)| {
            column != address
                && Some(column) != ip
                && c.mostly(c.kind_numbers)
                && (column < address || c.zeros > 0)
        };
        kind = contents.iter().enumerate().position(is_kind);
    }
    let is_size = |(column, c): (usize, &Content)| {
        let taken = column == address || Some(column) == kind || Some(column) == ip;
        !taken && c.mostly(c.sizes) && !c.counts_rows()
    };
    let size = contents.iter().enumerate().position(is_size);
    let mut columns = Columns::new(separator, address);
    (columns.kind, columns.size, columns.ip, columns.header_line) = (kind, size, ip, header_line);
    let used = [Some(address), kind, size, ip];
    if (0..n_columns).any(|column| !used.contains(&Some(column))) || sure.len() > 1 {
        let roles = ["address", "kind", "size", "instruction pointer"];
        let taken = used.iter().zip(roles);
        let taken: Vec<String> = taken
            .filter_map(|(column, role)| Some(format!("column {} as {role}", (*column)? + 1)))
            .collect();
        notes.push(format!(
            "No header tells the columns apart: took {}. A first line such as kind,address,size decides it",
            taken.join(", ")
        ));
    }
    Ok(columns)
}
