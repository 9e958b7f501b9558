//! A saved trace is read without a difference, and a damaged one is an error.

use std::rc::Rc;

use cases::{Result, Unstructured, cases};
use expect_test::expect;
use pagewalk_base::error::{Error, ErrorCode};
use pagewalk_base::samples::{Kept, Sample, Samples, SamplesBuilder, sections};
use pagewalk_base::trace::saved::{Saver, TraceHasher};
use pagewalk_base::trace::{
    Access, CHUNK, CallCursor, CallTreeBuilder, Completeness, Frame, FrameRun, Kind, Mapping, Op,
    OpRecord, Places, SourcePlace, Trace, TraceBuilder,
};
use pagewalk_sources::import::{ImportOptions, ImportReport, Importer, Selection, Sink, peek};

use super::support::{fixture, import, show};

type Imported = std::result::Result<(Trace, ImportReport), Error>;

fn read(options: ImportOptions, bytes: &[u8], chunk: usize) -> Imported {
    let mut builder = TraceBuilder::default();
    let mut importer = Importer::new(options)?;
    for piece in bytes.chunks(chunk) {
        importer.push(piece, &mut builder)?;
    }
    let report = importer.finish(&mut builder)?;
    let trace = builder.finish(report.completeness)?;
    Ok((trace, report))
}

pub(crate) fn read_plainly(bytes: &[u8]) -> (Trace, ImportReport) {
    read(ImportOptions::default(), bytes, usize::MAX).unwrap()
}

/// Returns a saved trace and its hash.
fn save(trace: &Rc<Trace>, report: &ImportReport) -> (Vec<u8>, String) {
    let mut saver = Saver::new(Rc::clone(trace), serde_json::to_string(report).unwrap());
    let n = saver.n_parts();
    let parts: Vec<_> = std::iter::from_fn(|| saver.next_part()).collect();
    assert_eq!(parts.len(), n);
    assert_eq!(hash_one_by_one(trace), saver.hash());
    (parts.concat(), saver.hash())
}

/// Hashes a trace as it arrives from an importer.
fn hash_one_by_one(trace: &Trace) -> String {
    let mut hasher = TraceHasher::default();
    let mut ops = trace.ops().peekable();
    let mut mappings = trace.mappings().iter().peekable();
    let mut calls = CallCursor::default();
    for (at, access) in (0..).zip(trace.accesses_from(0)) {
        while let Some(mapping) = mappings.next_if(|mapping| mapping.from <= at) {
            hasher.mapping(mapping);
        }
        while let Some((_, record)) = ops.next_if(|(before, _)| *before <= at) {
            hasher.op(&record);
        }
        hasher.call(trace.call_tree(), calls.node(trace, at));
        hasher.access(&access);
    }
    hasher.call(trace.call_tree(), 0);
    mappings.for_each(|mapping| hasher.mapping(mapping));
    ops.for_each(|(_, record)| hasher.op(&record));
    hasher.frames(trace.frames());
    hasher.places(trace.places());
    hasher.finish()
}

/// Saves a trace, reads it, and compares everything. Returns the file.
#[track_caller]
fn assert_is_kept(trace: Trace, report: &ImportReport) -> Vec<u8> {
    let trace = Rc::new(trace);
    let (bytes, hash) = save(&trace, report);
    for chunk in [7, 64 << 10, usize::MAX] {
        let (again, its_report) = read(ImportOptions::default(), &bytes, chunk).unwrap();
        assert_eq!(its_report, *report);
        assert!(again.accesses_from(0).eq(trace.accesses_from(0)));
        assert!(again.ops().eq(trace.ops()));
        assert_eq!(again.mappings(), trace.mappings());
        assert_eq!(again.pages(), trace.pages());
        assert_eq!(again.frames(), trace.frames());
        assert!(again.places().iter().eq(trace.places().iter()));
        assert_eq!(again.call_tree().len(), trace.call_tree().len());
        for (again, chunk) in again.chunks().iter().zip(trace.chunks()) {
            assert!(again.call_changes().eq(chunk.call_changes()));
        }
        assert_eq!(again.completeness, trace.completeness);
        let counts = |t: &Trace| (t.n_runs(), t.n_threads(), t.n_cpus(), t.n_ops(), t.len());
        assert_eq!(counts(&again), counts(&trace));
        assert!((bytes.clone(), hash.clone()) == save(&Rc::new(again), report));
    }
    bytes
}

pub(crate) fn any_trace(u: &mut Unstructured<'_>) -> Result<(Trace, ImportReport)> {
    const OPS: [&str; 8] = [
        "mov-cr3 pcid=2 keep",
        "invlpg 0x1000",
        "invpcid 0x7000 type=0 pcid=2",
        "mprotect 0x1000 8192 r-x key=3 no-flush",
        "munmap 0x1000 8192",
        "syscall",
        "host-set-entry 0x1000 for=gL2 level=1 clear=1",
        "wrpkru 0x4",
    ];
    let mut builder = TraceBuilder::default();
    // Sometimes cross the end of a chunk, with an event at that place.
    let n = if u.ratio(1, 10)? { CHUNK - 2 } else { 0 };
    for at in 0..n {
        builder.push(&Access::new(Kind::Load, u64::from(at) * 8, 8)).unwrap();
    }
    let mut calls = CallTreeBuilder::default();
    for _ in 0..u.int_in_range(1..=40)? {
        if u.ratio(1, 4)? {
            let path = *u.choose(&[&[][..], &["main"], &["main", "join"], &["main", "日本"]])?;
            let node = calls.path(path.iter().map(|name| Frame { name, ip: 0 }));
            builder.call(calls.tree(), node).unwrap();
        }
        match u.int_in_range(0..=9)? {
            0 => {
                let op: Op = u.choose(&OPS)?.parse().unwrap();
                let (pid, tid, cpu) = (u.arbitrary()?, u.int_in_range(0..=3)?, 0);
                builder.push_op(&OpRecord { pid, tid, cpu, op }).unwrap();
            }
            1 => {
                let start = u64::from(u.arbitrary::<u32>()?) << 12;
                let end = start + 4096 * u.int_in_range(1..=99)?;
                let name = *u.choose(&["[heap]", "", "/usr/lib/libc.so.6", "日本"])?;
                let mapping = Mapping::new(u.arbitrary()?, start..end, 0, u.arbitrary()?, name);
                let is_name = u.arbitrary()?;
                let mapping = mapping.map(|made| Mapping { is_name, ..made });
                builder.map(mapping.unwrap()).unwrap();
            }
            _ => {
                let kind = *u.choose(&Kind::ALL)?;
                let (address, size) = (u.arbitrary()?, u.arbitrary::<u8>()?.into());
                let [pid, tid, cpu] = [u.int_in_range(0..=2)?, u.int_in_range(0..=2)?, 1];
                let ip = u.arbitrary()?;
                builder.push(&Access { kind, address, size, pid, tid, cpu, ip }).unwrap();
            }
        }
    }
    builder.push(&Access::new(Kind::Fetch, 0x40_0000, 4)).unwrap();
    let mut places = Places::default();
    for _ in 0..u.int_in_range(0..=3)? {
        let place = SourcePlace { function: "main", file: "a.c", line: u.arbitrary()?, text: "x" };
        places.add(u.arbitrary()?, &place);
    }
    builder.places(&places).unwrap();
    for _ in 0..u.int_in_range(0..=3)? {
        let start = u.arbitrary::<u64>()? >> 20 << 12;
        let (end, physical) =
            (start + (u.int_in_range(1..=600)? << 12), u.arbitrary::<u64>()? >> 30 << 12);
        builder.frames(&[FrameRun { pid: u.int_in_range(0..=2)?, start, end, physical }]).unwrap();
    }
    if u.arbitrary()? {
        builder.push_op(&OpRecord { pid: 1, tid: 0, cpu: 0, op: "stac".parse().unwrap() }).unwrap();
    }
    let report = ImportReport {
        format: "lackey".to_owned(),
        completeness: *u.choose(&[Completeness::Complete, Completeness::FirstTouches])?,
        accesses: builder.len().into(),
        ..ImportReport::default()
    };
    let trace = builder.finish(report.completeness).unwrap();
    Ok((trace, ImportReport { operations: 0, ..report }))
}

/// Returns the report that an import of the saved trace gives.
fn counted(trace: &Trace, report: ImportReport) -> ImportReport {
    ImportReport { operations: trace.n_ops(), ..report }
}

#[test]
fn any_trace_is_read_as_it_was_saved() {
    cases(400).check(|u| {
        let (trace, report) = any_trace(u)?;
        let report = counted(&trace, report);
        assert_is_kept(trace, &report);
        Ok(())
    });
}

#[test]
fn the_beginning_of_a_saved_trace_states_its_counts() {
    let mut builder = TraceBuilder::default();
    for at in 0..200_000u64 {
        builder.push(&Access::new(Kind::Load, at * 7919 % (1 << 40), 8)).unwrap();
    }
    let trace = builder.finish(Completeness::Complete).unwrap();
    let report = ImportReport { accesses: 200_000, records: 200_000, ..ImportReport::default() };
    let (bytes, _) = save(&Rc::new(trace), &report);
    let look = |options| peek(options, &bytes[..bytes.len() * 2 / 3], false).unwrap();
    let seen = look(ImportOptions::default());
    assert_eq!((seen.is_whole, seen.states_counts), (false, true));
    let accesses = seen.report.map(|report| report.accesses);
    assert_eq!(accesses, Some(200_000));
    // A limit that the beginning reaches makes them counts of a part.
    for limit in [10, 300_000] {
        let limited = look(ImportOptions { limit, ..ImportOptions::default() });
        let accesses = limited.report.map(|report| report.accesses);
        assert_eq!(limited.states_counts, accesses == Some(200_000), "{limit}");
    }
    let select = Selection { pids: vec![3], ..Selection::default() };
    assert!(!look(ImportOptions { select, ..ImportOptions::default() }).states_counts);
}

/// Frames need the newest version; older programs read a trace without them.
#[test]
fn only_a_trace_with_frames_has_the_newest_version() {
    let version = |frames: &[FrameRun]| {
        let mut builder = TraceBuilder::default();
        builder.push(&Access::new(Kind::Load, 0x1000, 8)).unwrap();
        builder.frames(frames).unwrap();
        let trace = builder.finish(Completeness::Complete).unwrap();
        let report = counted(&trace, ImportReport { accesses: 1, ..ImportReport::default() });
        // The magic number, the tag and the length of the header are before it.
        assert_is_kept(trace, &report)[10]
    };
    let run = FrameRun { pid: 0, start: 0x1000, end: 0x2000, physical: 0x5000 };
    assert_eq!((version(&[]), version(&[run])), (1, 5));
}

/// Everything that an import stores.
#[derive(Default)]
struct All {
    trace: TraceBuilder,
    samples: SamplesBuilder,
    saved: Option<Samples>,
}

impl Sink for All {
    fn access(&mut self, access: Access) -> pagewalk_base::error::Result<()> {
        self.trace.push(&access)
    }

    fn op(&mut self, record: OpRecord) -> pagewalk_base::error::Result<()> {
        self.trace.push_op(&record)
    }

    fn mapping(&mut self, mapping: Mapping) -> pagewalk_base::error::Result<()> {
        self.samples.map(&mapping);
        self.trace.map(mapping)
    }

    fn sample(&mut self, sample: &Sample<'_>) -> pagewalk_base::error::Result<()> {
        self.samples.push(sample)
    }

    fn samples(&mut self, samples: Samples) -> pagewalk_base::error::Result<()> {
        self.saved = Some(samples);
        Ok(())
    }

    fn fork(&mut self, child: u32, parent: u32) -> pagewalk_base::error::Result<()> {
        self.samples.fork(child, parent);
        Ok(())
    }
}

/// Returns a recording with its samples, and the bytes of the saved file.
fn all(bytes: &[u8]) -> std::result::Result<(Rc<Samples>, Vec<u8>), Error> {
    let mut all = All::default();
    let mut importer = Importer::new(ImportOptions::default())?;
    for piece in bytes.chunks(1000) {
        importer.push(piece, &mut all)?;
    }
    let report = importer.finish(&mut all)?;
    let trace = Rc::new(all.trace.finish(report.completeness)?);
    let samples = Rc::new(all.saved.map_or_else(|| all.samples.finish(), Ok)?);
    let meta = serde_json::to_string(&report).unwrap();
    let mut saver = Saver::new(trace, meta).with(sections(Rc::clone(&samples)));
    let n = saver.n_parts();
    let parts: Vec<_> = std::iter::from_fn(|| saver.next_part()).collect();
    assert_eq!(parts.len(), n);
    Ok((samples, parts.concat()))
}

#[test]
fn samples_are_kept_with_their_names_and_places() {
    for name in ["pf-matmul", "bp-touch", "multi", "pf-callchain", "cpuclock-sort"] {
        let (samples, saved) = all(&fixture(&format!("perf/data/{name}.perf.data.gz"))).unwrap();
        let (again, saved_again) = all(&saved).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!samples.is_empty());
        assert!(again.iter().eq(samples.iter()), "{name}");
        assert_eq!(again.places(), samples.places());
        assert_eq!(again.times(), samples.times());
        // Compare the mapping at each address, of the process or of its parents.
        let mapped = |samples: &Samples| {
            let around = |kept: Kept| {
                let start = kept.address.or(kept.ip).unwrap_or(0) & !0x1f_ffff;
                samples.is_mapped(kept.pid, start..start.saturating_add(0x20_0000))
            };
            samples.iter().map(around).collect::<Vec<_>>()
        };
        assert_eq!(mapped(&again), mapped(&samples));
        assert!(mapped(&again).contains(&Some(false)));
        assert!(saved == saved_again, "{name}");
        for end in (0..saved.len()).step_by(997) {
            assert!(all(&saved[..end]).is_err(), "{name} {end}");
        }
    }
}

#[test]
fn recorded_traces_are_read_as_they_were_saved() {
    for name in ["matmul24.full.txt.xz", "perf/data/pf-matmul.perf.data.gz"] {
        let (mut trace, report) = read_plainly(&fixture(name));
        trace.completeness = report.completeness;
        assert_is_kept(trace, &report);
    }
}

fn small() -> Vec<u8> {
    let text = "kind,address,size,pid\nload,0x1000,8,1\nmov-cr3,,,2\nstore,0x7ffff000,4,2\n";
    let (trace, report) = read_plainly(text.as_bytes());
    save(&Rc::new(trace), &report).0
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = small();
    for end in 1..bytes.len() {
        let error = read(ImportOptions::default(), &bytes[..end], 4096).unwrap_err();
        // A shorter file lacks the magic number, so it is any binary file.
        assert!(end < 8 || error.code == ErrorCode::BadTrace, "{end}: {error}");
    }
}

#[test]
fn every_flipped_bit_is_an_error() {
    let bytes = small();
    for at in 0..bytes.len() * 8 {
        let mut bytes = bytes.clone();
        bytes[at / 8] ^= 1 << (at % 8);
        assert!(read(ImportOptions::default(), &bytes, 4096).is_err(), "bit {at}");
    }
}

/// Changes bytes in a section, and corrects its checksum.
#[test]
fn hostile_sections_are_errors_or_traces() {
    cases(4200).check(|u| {
        let mut bytes = b"PWTRACE\0".to_vec();
        section(&mut bytes, b'H', &[1, 0]);
        section(&mut bytes, b'M', br#"{"format":"csv"}"#);
        while !u.is_empty() && u.ratio(9, 10)? {
            let n = u.int_in_range(0..=24)?;
            let mut payload = u.bytes(n.min(u.len()))?.to_vec();
            let tag = *u.choose(b"AAAOREPTTCtnpsx")?;
            if tag == b'A' && !payload.is_empty() {
                payload[0] &= 0x1f;
            }
            section(&mut bytes, tag, &payload);
        }
        if let Ok((trace, _)) = read(ImportOptions::default(), &bytes, usize::MAX) {
            // An accepted trace can be saved and read again.
            let report = ImportReport { format: "csv".to_owned(), ..ImportReport::default() };
            let report = ImportReport { accesses: trace.len().into(), ..report };
            let report = counted(&trace, report);
            assert_is_kept(trace, &report);
        }
        Ok(())
    });
}

fn section(bytes: &mut Vec<u8>, tag: u8, payload: &[u8]) {
    bytes.push(tag);
    bytes.push(u8::try_from(payload.len()).unwrap());
    bytes.extend_from_slice(payload);
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&[tag]);
    hasher.update(payload);
    bytes.extend_from_slice(&hasher.finalize().to_le_bytes());
}

#[test]
fn errors_say_what_to_do() {
    let mut newer = b"PWTRACE\0".to_vec();
    section(&mut newer, b'H', &[9, 0]);
    let mut long = b"PWTRACE\0".to_vec();
    long.extend([b'H', 0xff, 0xff, 0xff, 0xff, 0x7f]);
    let mut foreign = b"PWTRACE\0".to_vec();
    section(&mut foreign, b'H', &[5, 0]);
    section(&mut foreign, b'M', b"{}");
    section(&mut foreign, b'X', &[1]);
    let small = small();
    let cut = &small[..small.len() - 20];
    let mut more = small.clone();
    more.push(0);
    let mut text = String::new();
    for bytes in [&newer[..], &foreign, &long, cut, &more] {
        let message = show(&import(bytes));
        // The position of the last errors depends on the report.
        text += message.split_once(": this").map_or(message.as_str(), |(_, what)| what);
    }
    expect![[r"
        Unsupported: a newer version of Pagewalk saved this trace (format 9, this one reads 5): reload the page or update the program
        BadTrace: byte 24: another version of Pagewalk wrote this trace: a part is in the wrong place. Update the older one, the program or the site, or import the original file again
         saved trace is damaged: a checksum differs. Import the original file again
         saved trace is damaged: it is cut off. Import the original file again
         saved trace is damaged: more bytes follow its end. Import the original file again
        load 0x1000 8 pid 1 tid 0
        store 0x7ffff000 4 pid 2 tid 0
    "]]
    .assert_eq(&text);
}

#[test]
fn hashes_tell_contents_and_not_descriptions() {
    let (trace, report) = read_plainly(b"load 0x1000 8\nload 0x2000 8\n");
    let trace = Rc::new(trace);
    let (_, hash) = save(&trace, &report);
    assert_eq!(hash, save(&trace, &ImportReport::default()).1);
    let (other, report) = read_plainly(b"load 0x1000 8\nload 0x2000 4\n");
    assert_ne!(hash, save(&Rc::new(other), &report).1);
    expect!["d5d79b41559d3f5ae3668d22f15709a2"].assert_eq(&hash);
}

#[test]
fn a_limit_keeps_the_first_accesses() {
    let options = ImportOptions { limit: 1, ..ImportOptions::default() };
    let (trace, report) = read(options, &small(), usize::MAX).unwrap();
    assert_eq!((trace.len(), report.accesses), (1, 1));
    let warnings: Vec<_> = report.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["The import stopped at the limit of 1 access; the file has more"]);
}
