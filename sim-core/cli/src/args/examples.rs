//! The examples at the end of each command's help.

pub(super) const RUN: &str = "\
Examples:
  pagewalk run -c intel-skylake-sp -t my.lackey --pages 2M
  pagewalk run -c amd-zen2 -w uniform -p bytes=4G accesses=1M --json
  pagewalk run -c intel-skylake -t my.lackey --virt ept --skip 1M --warmup 100k
  pagewalk run -c native -t my.lackey --by region
  pagewalk run -c intel-skylake -t my.lackey --uncertainty
  pagewalk run --repeat result.json
  pagewalk run --repeat stlb.csv";

pub(super) const EXPLAIN: &str = "\
Examples:
  pagewalk explain -c amd-zen2 --va 0x7f3a1c2b5e48
  pagewalk explain -c intel-skylake --va 0x7f3a1c2b5e48 --virt ept --no-walk-caches";

pub(super) const CURVE: &str = "\
Examples:
  pagewalk curve -t my.lackey --kinds load,store
  pagewalk curve -t my.lackey --surface --csv surface.csv
  pagewalk curve -t my.lackey -c intel-skylake
  pagewalk curve -t my.lackey --entries 64 --ways 4";

pub(super) const PHASES: &str = "\
Examples:
  pagewalk phases -t my.lackey --window 1M
  pagewalk phases -t my.lackey --csv -";

pub(super) const HUGE: &str = "\
Examples:
  pagewalk huge -c intel-skylake -t my.lackey
  pagewalk huge -c arm-neoverse-n1 -t my.lackey --huge 64K --most 32";

pub(super) const RECORD: &str = "\
Examples:
  pagewalk record -- ./prog 1000
  pagewalk record -o prog.pagewalk --skip 1M --limit 100M -- ./prog 1000
  pagewalk record --window 1M/100M -- ./prog 1000
  pagewalk record --open -- ./prog 1000";

pub(super) const CC: &str = "\
Examples:
  pagewalk cc -O2 -g -o join join.c
  pagewalk cc -c hash.c";

pub(super) const CXX: &str = "\
Examples:
  pagewalk c++ -O2 -g -o join join.cpp";

pub(super) const OPEN: &str = "\
Examples:
  pagewalk open join.pagewalk
  pagewalk open perf.data --no-browser --port 7357
  pagewalk open";

pub(super) const IMPORT: &str = "\
Examples:
  pagewalk import my.lackey
  pagewalk import perf.data --pid 1234 --from 1.5s";

pub(super) const SAMPLES: &str = "\
Examples:
  pagewalk samples perf.data
  pagewalk samples perf.data -c amd-zen4 --csv samples.csv";

pub(super) const CONVERT: &str = "\
Examples:
  pagewalk convert my.lackey --to csv -o my.csv.gz
  pagewalk convert perf.data --to pagewalk -o my.pagewalk
  pagewalk convert my.lackey --to champsim -o my.champsim.xz";

pub(super) const STAT: &str = "\
Examples:
  pagewalk stat stat.txt
  pagewalk stat stat.txt -c amd-zen2 -t my.lackey";

pub(super) const MEASURE: &str = "\
Examples:
  pagewalk measure
  pagewalk measure --time 10 --pages 4K,2M --json
  pagewalk measure --from measured.json";

pub(super) const SWEEP: &str = "\
Examples:
  pagewalk sweep stlb.json
  pagewalk sweep stlb.json --shard 3/16
  pagewalk sweep --merge stlb.1-of-2.jsonl stlb.2-of-2.jsonl -o stlb.jsonl";

pub(super) const GEN: &str = "\
Examples:
  pagewalk gen --list
  pagewalk gen zipf -p bytes=1G accesses=1M -o zipf.lackey.gz
  pagewalk gen pointer-chase -o chase.champsim";

pub(super) const EXPERIMENT: &str = "\
Examples:
  pagewalk experiment --list
  pagewalk experiment byte-array --json";

pub(super) const VERIFY: &str = "\
Examples:
  pagewalk verify
  pagewalk verify O30 O32
  pagewalk verify --json";

pub(super) const EXERCISE: &str = "\
Examples:
  pagewalk exercise make sets.json --for Ada
  pagewalk exercise grade sets.json answers.csv";

pub(super) const EXERCISE_MAKE: &str = "\
Examples:
  pagewalk exercise make sets.json
  pagewalk exercise make sets.json --for Ada --for Grace --json
  pagewalk exercise make sets.json --names class.txt
  pagewalk exercise make sets.json --link";

pub(super) const EXERCISE_GRADE: &str = "\
Examples:
  pagewalk exercise grade sets.json answers.csv
  pagewalk exercise grade sets.json - --keep best --csv grades.csv";

pub(super) const CPUS: &str = "\
Examples:
  pagewalk cpus
  pagewalk cpus intel-skylake:smt-on --json";

pub(super) const COMPLETIONS: &str = "\
Examples:
  pagewalk completions bash
  pagewalk completions zsh";

pub(super) const MAN: &str = "\
Examples:
  pagewalk man
  pagewalk man run";

pub(super) const VERSION: &str = "\
Examples:
  pagewalk version";
