//! `pagewalk gen`: writes a workload as a trace file, and lists the workloads.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use pagewalk_base::trace::Completeness;
use pagewalk_sources::export::{ExportFormat, Exporter};
use pagewalk_sources::workload::{ParamInfo, ParamType, WorkloadInfo, list};
use serde::Serialize;

use crate::about::{json, this_command};
use crate::args::{GenArgs, GenFormat};
use crate::convert::left_out;
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
    workload.check_length(u64::MAX)?;
    let (format, packing) = form(out, args.format)?;
    if let (true, Some(what)) = (format != ExportFormat::Csv, workload.generator().beyond_lackey())
    {
        bail!(
            "{}: this format cannot hold {what}: name the file .csv, or give --format csv",
            name(out)
        );
    }
    let exporter = write(&workload, format, packing, out).with_context(|| name(out))?;
    output::aside(left_out(&exporter));
    Ok(())
}

/// Returns the format and the compression that the file name asks for.
fn form(out: &Path, asked: Option<GenFormat>) -> anyhow::Result<(ExportFormat, Packing)> {
    let packing = Packing::of(out)?;
    let ending = extension(&packing.inner(out));
    let format = match (asked, ending.as_str()) {
        (Some(asked), _) => asked.into(),
        (None, "") => ExportFormat::Lackey,
        (None, ending) => ExportFormat::of_ending(ending).with_context(|| {
            format!(
                "{}: no format has the ending .{ending}: name the file .lackey, .txt, .csv, .din or .champsim, or give --format",
                out.display()
            )
        })?,
    };
    Ok((format, packing))
}

fn write(
    workload: &Workload,
    format: ExportFormat,
    packing: Packing,
    out: &Path,
) -> anyhow::Result<Exporter> {
    let mut exporter = Exporter::new(format, Completeness::Complete, false);
    if is_stdout(out) {
        packing.pack(io::stdout().lock(), |out| accesses(workload, &mut exporter, out))?;
        return Ok(exporter);
    }
    let explain = |error: io::Error| anyhow!(why_not(&error));
    let mut file = WholeFile::create(out).map_err(explain)?;
    packing.pack(&mut file, |out| accesses(workload, &mut exporter, out))?;
    file.keep().map_err(explain)?;
    Ok(exporter)
}

/// Writes all accesses.
fn accesses(workload: &Workload, exporter: &mut Exporter, out: &mut dyn Write) -> io::Result<()> {
    let generator = workload.generator().clone();
    let n = generator.n_accesses();
    // Collect the output in large pieces, because compressors are slow with small ones.
    let mut piece = Vec::with_capacity(1 << 16);
    exporter.head(&mut piece);
    each(generator, n, |accesses| {
        for access in accesses {
            exporter.access(access, &mut piece);
            if piece.len() > (1 << 16) - 128 {
                out.write_all(&piece)?;
                piece.clear();
            }
        }
        io::Result::Ok(())
    })?;
    exporter.finish(&mut piece);
    out.write_all(&piece)
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
        return json(this_command(), &Known { workloads });
    }
    let sheets: Vec<String> = workloads.iter().map(sheet).collect();
    output::text(sheets.join("\n"))
}

/// The JSON of the list.
#[derive(Serialize)]
struct Known {
    workloads: Vec<WorkloadInfo>,
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
