//! Megabytes of text per second, from bytes to accesses that nobody keeps; `_kept`
//! with the trace that is kept of them.
//!
//! `cargo bench --bench import`

use std::fmt::Write as _;
use std::io::Read as _;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use flate2::read::GzDecoder;
use pagewalk::error::Result;
use pagewalk::import::{ImportOptions, Importer, Sink};
use pagewalk::trace::{Access, Kind, OpRecord, TraceBuilder};

/// As the browser reads files.
const CHUNK: usize = 64 << 10;

fn main() {
    divan::main();
}

/// Looks at each access and keeps none.
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

/// Keeps the accesses as the program does.
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
    let path = format!("{}/../tests/fixtures/traces/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).expect("the fixtures are in the repository")
}

fn lackey() -> Vec<u8> {
    let mut text = Vec::new();
    let packed = fixture("matmul24.full.txt.gz");
    GzDecoder::new(&packed[..]).read_to_end(&mut text).expect("the fixture is good");
    text
}

/// The same accesses as a list.
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
    let file = lackey();
    bencher.counter(BytesCount::of_slice(&file)).bench(|| import(&file, Glance));
}

#[divan::bench]
fn lackey_text_kept(bencher: Bencher) {
    let file = lackey();
    let keep = || Keep(TraceBuilder::new(usize::MAX));
    bencher.counter(BytesCount::of_slice(&file)).bench(|| import(&file, keep()));
}

/// Counted in unpacked bytes.
#[divan::bench(args = ["gz", "xz", "zst"])]
fn lackey_packed(bencher: Bencher, packer: &str) {
    let file = fixture(&format!("matmul24.full.txt.{packer}"));
    bencher.counter(BytesCount::of_slice(&lackey())).bench(|| import(&file, Glance));
}

#[divan::bench]
fn csv_text(bencher: Bencher) {
    let file = csv();
    bencher.counter(BytesCount::of_slice(&file)).bench(|| import(&file, Glance));
}
