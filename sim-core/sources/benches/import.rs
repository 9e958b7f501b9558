//! Measures imports in megabytes of decompressed bytes per second. The benchmark `lackey_text_kept` also stores the
//! trace; the others drop each access.
//!
//! `cargo bench --bench import`

use std::fmt::Write as _;
use std::io::Read as _;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use flate2::read::GzDecoder;
use pagewalk_base::error::Result;
use pagewalk_base::trace::{Access, Kind, OpRecord, TraceBuilder};
use pagewalk_sources::import::{ImportOptions, Importer, Sink};

/// The size in bytes of the pieces that are pushed, as in the table of `npm run bench`.
const CHUNK: usize = 256 << 10;

fn main() {
    divan::main();
}

/// A sink that drops each access.
struct Glance;

impl Sink for Glance {
    fn access(&mut self, access: Access) -> Result<()> {
        black_box(access);
        Ok(())
    }

    fn op(&mut self, op: OpRecord) -> Result<()> {
        black_box(op);
        Ok(())
    }
}

/// A sink that stores the accesses, as the program does.
struct Keep(TraceBuilder);

impl Sink for Keep {
    fn access(&mut self, access: Access) -> Result<()> {
        self.0.push(&access)
    }

    fn op(&mut self, op: OpRecord) -> Result<()> {
        self.0.push_op(&op)
    }
}

fn import<S: Sink>(file: &[u8], mut sink: S) -> u64 {
    let mut importer = Importer::new(ImportOptions::default()).expect("no format is named");
    for chunk in file.chunks(CHUNK) {
        importer.push(chunk, &mut sink).expect("the fixture is good");
    }
    importer.finish(&mut sink).expect("the fixture is good").accesses
}

fn fixture(name: &str) -> Vec<u8> {
    let path = format!("{}/../../tests/fixtures/traces/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).expect("the fixtures are in the repository")
}

fn gunzip(packed: &[u8]) -> Vec<u8> {
    let mut unpacked = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut unpacked).expect("the fixture is good");
    unpacked
}

fn lackey() -> Vec<u8> {
    gunzip(&fixture("matmul24.full.txt.gz"))
}

/// Returns the loads and stores of [`lackey`] as a list with a header.
fn csv() -> Vec<u8> {
    let mut accesses: Vec<Access> = Vec::new();
    let mut importer = Importer::new(ImportOptions::default()).expect("no format is named");
    importer.push(&lackey(), &mut accesses).expect("the fixture is good");
    let mut text = String::from("kind,address,size\n");
    for Access { kind, address, size, .. } in accesses {
        let kind = if kind == Kind::Store { 'W' } else { 'R' };
        writeln!(text, "{kind},{address:#x},{size}").expect("a string takes everything");
    }
    text.into_bytes()
}

#[divan::bench]
fn lackey_text(bencher: Bencher) {
    measure(bencher, &lackey());
}

#[divan::bench]
fn lackey_text_kept(bencher: Bencher) {
    let file = lackey();
    let keep = || Keep(TraceBuilder::new(usize::MAX));
    bencher.counter(BytesCount::of_slice(&file)).bench(|| import(&file, keep()));
}

/// Counts decompressed bytes.
#[divan::bench(args = ["gz", "xz", "zst"])]
fn lackey_packed(bencher: Bencher, packer: &str) {
    let file = fixture(&format!("matmul24.full.txt.{packer}"));
    bencher.counter(BytesCount::of_slice(&lackey())).bench(|| import(&file, Glance));
}

/// Returns a text of perf script with every column, from two machines, and with callchains.
fn perf_script() -> Vec<u8> {
    let mut text = gunzip(&fixture("perf/script/pf-full.txt.gz"));
    text.extend(gunzip(&fixture("perf/script/pf-callchain.txt.gz")));
    text.extend(fixture("perf/script/adl-mem-loads.perf-script.txt"));
    text.repeat(20)
}

/// Returns a recording that repeats the samples of a fixture. Each repetition is later and on other pages.
fn perf_data() -> Vec<u8> {
    const SAMPLE: u32 = 9;
    const ROUND: [u8; 8] = [68, 0, 0, 0, 0, 0, 8, 0];
    /// The offsets of the time and the address in a sample of this recording.
    const FIELDS: [usize; 2] = [24, 32];
    let file = gunzip(&fixture("perf/data/bp-touch.perf.data.gz"));
    let u64_at = |at: usize| u64::from_le_bytes(*file[at..].first_chunk().expect("8 bytes"));
    let start = usize::try_from(u64_at(40)).expect("a small file");
    let mut rest = &file[start..][..usize::try_from(u64_at(48)).expect("a small file")];
    let mut samples = Vec::new();
    while let Some((head, _)) = rest.split_first_chunk::<8>() {
        let (record, after) = rest.split_at(usize::from(u16::from_le_bytes([head[6], head[7]])));
        if u32::from_le_bytes([head[0], head[1], head[2], head[3]]) == SAMPLE {
            samples.push(record);
        }
        rest = after;
    }
    let mut long = file[..start].to_vec();
    // If the header states a size of 0, the records extend to the end of the file.
    long[48..56].fill(0);
    for turn in 0..500u64 {
        for sample in &samples {
            let mut sample = sample.to_vec();
            for (field, step) in FIELDS.into_iter().zip([1_000_000_000, 4096]) {
                let field = &mut sample[field..field + 8];
                let value = u64::from_le_bytes(*field.first_chunk().expect("8 bytes"));
                field.copy_from_slice(&(value + turn * step).to_le_bytes());
            }
            long.extend(sample);
        }
        long.extend(ROUND);
    }
    long
}

fn champsim() -> Vec<u8> {
    let packed = fixture("champsim/chase.champsimtrace.xz");
    let mut records = Vec::new();
    lzma_rust2::XzReader::new(&packed[..], true)
        .read_to_end(&mut records)
        .expect("the fixture is good");
    records
}

fn measure(bencher: Bencher, file: &[u8]) {
    bencher.counter(BytesCount::of_slice(file)).bench(|| import(file, Glance));
}

#[divan::bench]
fn perf_script_text(bencher: Bencher) {
    measure(bencher, &perf_script());
}

#[divan::bench]
fn perf_data_samples(bencher: Bencher) {
    measure(bencher, &perf_data());
}

#[divan::bench]
fn champsim_records(bencher: Bencher) {
    measure(bencher, &champsim());
}

#[divan::bench]
fn csv_text(bencher: Bencher) {
    measure(bencher, &csv());
}
