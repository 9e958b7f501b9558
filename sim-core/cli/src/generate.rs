//! `pagewalk gen`: writes a workload as a trace file, and lists the workloads.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use pagewalk_base::trace::Access;
use pagewalk_sources::workload::{
    ParamInfo, ParamType, TextFormat, WorkloadInfo, list, write_access,
};

use crate::args::{GenArgs, TextFormatArg};
use crate::output;
use crate::packing::{Packing, extension, is_stdout, name};
use crate::table::Table;
use crate::whole::{WholeFile, why_not};
use crate::workload::{Workload, each};

pub(crate) fn generate(args: &GenArgs) -> anyhow::Result<()> {
    if args.list {
        return show(args.workload.as_deref(), args.json);
    }
    let (Some(id), Some(out)) = (&args.workload, &args.out) else {
        bail!("give a workload and --out, or list the workloads with --list")
    };
    let params = [&args.params[..], &args.more_params].concat();
    let workload = Workload::new(id, &params)?;
    let (format, packing) = form(out, args.format)?;
    if let (TextFormat::Lackey, Some(what)) = (format, workload.generator().beyond_lackey()) {
        bail!(
            "{}: the lackey format cannot hold {what}: name the file .csv, or give --format csv",
            name(out)
        );
    }
    write(&workload, format, packing, out).with_context(|| name(out))
}

/// Returns the format and the compression that the file name asks for.
fn form(out: &Path, asked: Option<TextFormatArg>) -> anyhow::Result<(TextFormat, Packing)> {
    let packing = Packing::of(out)?;
    let format = match (asked, extension(&packing.inner(out)).as_str()) {
        (Some(TextFormatArg::Csv), _) | (None, "csv") => TextFormat::Csv,
        _ => TextFormat::Lackey,
    };
    Ok((format, packing))
}

fn write(
    workload: &Workload,
    format: TextFormat,
    packing: Packing,
    out: &Path,
) -> anyhow::Result<()> {
    if is_stdout(out) {
        packing.pack(io::stdout().lock(), |out| lines(workload, format, out))?;
        return Ok(());
    }
    let explain = |error: io::Error| anyhow!(why_not(&error));
    let mut file = WholeFile::create(out).map_err(explain)?;
    packing.pack(&mut file, |out| lines(workload, format, out))?;
    file.keep().map_err(explain)
}

/// Writes all accesses as lines.
fn lines(workload: &Workload, format: TextFormat, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(format.header().as_bytes())?;
    let generator = workload.generator().clone();
    let n = generator.n_accesses();
    // Collect lines in large pieces, because compressors are slow with small ones.
    let mut text = Vec::with_capacity(1 << 16);
    each(generator, n, |access: Access| {
        write_access(format, &access, &mut text)?;
        if text.len() > (1 << 16) - 64 {
            out.write_all(&text)?;
            text.clear();
        }
        io::Result::Ok(())
    })?;
    out.write_all(&text)
}

fn show(id: Option<&str>, as_json: bool) -> anyhow::Result<()> {
    let mut workloads = list();
    if let Some(id) = id {
        if !workloads.iter().any(|workload| workload.id == id) {
            // `Workload::new` has the text of this error.
            return Workload::new(id, &[]).map(|_| ());
        }
        workloads.retain(|workload| workload.id == id);
    }
    if as_json {
        return output::json(&workloads);
    }
    let sheets: Vec<String> = workloads.iter().map(sheet).collect();
    output::text(sheets.join("\n"))
}

fn sheet(workload: &WorkloadInfo) -> String {
    let mut table = Table::bare(3);
    for param in &workload.params {
        table.row([
            format!("    {}={}", param.name, param.default),
            range(param),
            param.about.clone(),
        ]);
        for choice in param.choices.iter().flatten() {
            table.row([
                String::new(),
                String::new(),
                format!("  {}: {}", choice.value, choice.about),
            ]);
        }
    }
    format!("{}: {}. {}\n{table}", workload.id, workload.name, workload.about)
}

/// The values that a parameter can have, in short.
fn range(param: &ParamInfo) -> String {
    let unit = param.unit.as_ref().map_or(String::new(), |unit| format!(" {unit}"));
    match (&param.min, &param.max, param.kind) {
        (_, Some(max), ParamType::Address) => format!("up to {max}"),
        (Some(min), Some(max), _) => format!("{min} to {max}{unit}"),
        _ => "one of".to_owned(),
    }
}
