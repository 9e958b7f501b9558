//! `pagewalk convert`: a trace of any format as lackey, CSV or Dinero's din.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use pagewalk::error::{Error, ErrorCode, Result};
use pagewalk::import::Sink;
use pagewalk::trace::{Access, Kind, OpRecord};

use crate::args::{ConvertArgs, ConvertFormat};
use crate::input::Input;
use crate::output;
use crate::table::grouped;

pub(crate) fn convert(args: &ConvertArgs) -> anyhow::Result<()> {
    let input = Input { path: &args.file, format: args.format.format.as_deref(), limit: u64::MAX };
    if is_same(&args.out, &args.file) {
        bail!("{}: it would be written over itself: name another file", args.out.display());
    }
    let name = args.out.display().to_string();
    let file = File::create(&args.out)
        .map_err(|error| anyhow!("{name}: it cannot be written: {:?}", error.kind()))?;
    let mut writer = Writer { format: args.to, out: BufWriter::new(file), lost: [0; 4] };
    if args.to == ConvertFormat::Csv {
        writer.out.write_all(b"kind,address,size,pid,tid,cpu,ip\n").context(name.clone())?;
    }
    let report = input.stream(&mut writer)?;
    writer.out.flush().context(name.clone())?;
    let mut text = format!("{name}: {} accesses\n", grouped(report.accesses));
    let what = ["prefetches", "sizes", "threads and processes", "operations"];
    for (what, n) in what.into_iter().zip(writer.lost).filter(|(_, n)| *n > 0) {
        text.push_str(&format!("Left out, as the format has none: {what}, {}\n", grouped(n)));
    }
    output::text(text)
}

/// Whether two paths are one file, by whatever names.
fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

/// Writes each access as a line.
struct Writer {
    format: ConvertFormat,
    out: BufWriter<File>,
    /// What the format has no place for: prefetches, sizes, threads, operations.
    lost: [u64; 4],
}

impl Writer {
    fn line(&mut self, access: &Access) -> io::Result<()> {
        let Access { kind, address, size, pid, tid, cpu, ip } = *access;
        if self.format == ConvertFormat::Csv {
            write!(self.out, "{},{address:#x},{size},{pid},{tid},{cpu},", kind.name())?;
            return match ip {
                Some(ip) => writeln!(self.out, "{ip:#x}"),
                None => writeln!(self.out),
            };
        }
        if kind == Kind::Prefetch {
            self.lost[0] += 1;
            return Ok(());
        }
        self.lost[2] += u64::from((pid, tid, cpu) != (0, 0, 0));
        if self.format == ConvertFormat::Dinero {
            self.lost[1] += u64::from(size > 0);
            let label = [2, 0, 1, 0][kind.index()];
            return writeln!(self.out, "{label} {address:x}");
        }
        let mark = ["I ", " L", " S", " L"][kind.index()];
        writeln!(self.out, "{mark} {address:08x},{size}")
    }
}

impl Sink for Writer {
    fn access(&mut self, access: Access) -> Result<()> {
        let failed = |error: io::Error| {
            let message = format!("the file cannot be written: {error}: make room and try again");
            Error::new(ErrorCode::TooLarge, message)
        };
        self.line(&access).map_err(failed)
    }

    fn op(&mut self, _record: OpRecord) -> Result<()> {
        self.lost[3] += 1;
        Ok(())
    }
}
