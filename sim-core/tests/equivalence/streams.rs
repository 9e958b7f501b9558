//! Tests that a trace that is run while it is read has the counters of single accesses.

use cases::cases;
use pagewalk::config::parse_json;
use pagewalk::machine::Machine;
use pagewalk::record::stats::Stats;
use pagewalk::record::touched::Touched;
use pagewalk::run::stream::Stream;
use pagewalk_base::addr::Hex;
use pagewalk_base::trace::{Access, CHUNK, Completeness, Kind, MemoryAdvice, Op, OpRecord};

const MACHINES: [&str; 2] = [
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 8}, {"name": "d", "serves": ["load", "store"], "entries": 16, "ways": 4}],
        "l2": [{"name": "s", "entries": 64, "ways": 4}], "psc": {"pde": {"entries": 4}}, "memory": {"data": true}}"#,
    // Fetches and data share an array, so each access is simulated alone.
    r#"{"l1": [{"name": "all", "entries": 16, "ways": 4}]}"#,
];
const SYSTEMS: [&str; 2] = ["{}", r#"{"default": "thp", "map": "none", "virt": "ept"}"#];

/// Returns access `n` of a trace. A straddling one and a prefetch are among them.
fn access(seed: u64, n: u64) -> Access {
    let draw = (n ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    let kind = [Kind::Fetch, Kind::Load, Kind::Store, Kind::Prefetch][(draw >> 12) as usize % 4];
    Access::new(kind, 0x60_0000 + draw % 200 * 4093, 8)
}

/// Returns the operation before access `n`, if there is one.
fn operation(seed: u64, n: u64) -> Option<OpRecord> {
    let start = Hex(0x60_0000 + seed % 64 * 4096);
    let (length, advice, flush) = (Hex(0x4000), MemoryAdvice::Dontneed, true);
    (n % 50_021 == seed % 50_021).then_some(OpRecord {
        pid: 0,
        tid: 0,
        cpu: 0,
        op: Op::Madvise { start, length, advice, flush },
    })
}

#[test]
fn a_trace_that_is_run_while_it_is_read_has_the_counters_of_single_accesses() {
    for (config, os) in MACHINES.iter().flat_map(|config| SYSTEMS.map(|os| (config, os))) {
        let machine = Machine::new(&parse_json(config).unwrap(), &parse_json(os).unwrap()).unwrap();
        cases(3).check(|u| {
            let seed = u.arbitrary::<u64>()?;
            let chunk = u64::from(CHUNK);
            // Ends and the begin of counting at, before and behind the borders of chunks.
            let n = *u.choose(&[1, chunk - 1, chunk, 2 * chunk, 2 * chunk + 77])?;
            let warm = *u.choose(&[0, 1, chunk, chunk + 5, 3 * chunk])?;
            let by_access = u.arbitrary()?;
            let stats = || if by_access { Stats::by_access() } else { Stats::default() };
            let together = *u.choose(&[1, 1000, 300_000])?;

            let mut stream = Stream::new(machine.clone(), stats(), u32::try_from(warm).unwrap());
            let (mut single, mut counted) = (machine.clone(), stats());
            let mut touched = Touched::for_machine(&single);
            let mut waiting = Vec::new();
            for at in 0..n {
                let (index, access) = (u32::try_from(at).unwrap(), access(seed, at));
                if let Some(record) = operation(seed, at) {
                    stream.push_all(&std::mem::take(&mut waiting)).unwrap();
                    stream.op(&record).unwrap();
                    if at < warm {
                        single.execute(&record, &mut ());
                    } else {
                        single.execute(&record, &mut counted);
                    }
                    touched.as_mut().into_iter().for_each(|touched| touched.operation(&record));
                }
                if together == 1 {
                    stream.push(access).unwrap();
                } else {
                    waiting.push(access);
                    if waiting.len() == together {
                        stream.push_all(&std::mem::take(&mut waiting)).unwrap();
                    }
                }
                if at < warm {
                    single.access(index, &access, &mut ());
                } else {
                    single.access(index, &access, &mut counted);
                }
                touched.as_mut().into_iter().for_each(|touched| touched.access(&access));
            }
            stream.push_all(&waiting).unwrap();
            let report = stream.finish(Completeness::Complete).unwrap();
            assert_eq!(
                report,
                counted.report_with(&single, Completeness::Complete, touched.as_ref())
            );
            Ok(())
        });
    }
}
