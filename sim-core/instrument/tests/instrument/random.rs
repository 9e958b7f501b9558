//! Random programs.

use cases::cases;
use wasm_smith::InstructionKind::{Control, Memory, Parametric, Variable};
use wasm_smith::{Config, InstructionKinds, Module};

use crate::naive::naive;
use crate::run::{instrumented, plain};

#[test]
fn random_programs_report_what_naive_ones_do() {
    let (mut n_programs, mut n_events) = (0, 0);
    cases(100).size_min(4096).size_max(1 << 14).check(|u| {
        let config = Config {
            allow_start_export: false,
            // Most programs then access their memory.
            allowed_instructions: InstructionKinds::new(&[Control, Memory, Parametric, Variable]),
            canonicalize_nans: true,
            compact_imports_enabled: false,
            disallow_traps: true,
            exceptions_enabled: false,
            export_everything: true,
            gc_enabled: false,
            max_imports: 0,
            max_memory32_bytes: 1 << 20,
            max_tables: 2,
            memory64_enabled: false,
            memory_max_size_required: true,
            min_funcs: 1,
            min_memories: 1,
            relaxed_simd_enabled: false,
            threads_enabled: false,
            wide_arithmetic_enabled: false,
            ..Config::default()
        };
        let mut module = Module::new(config, u)?;
        if module.ensure_termination(1000).is_err() {
            return Ok(());
        }
        let bytes = module.to_bytes();
        let (outcome, events) = naive(&bytes);
        let (also, reported, _) = instrumented(&bytes);
        assert_eq!(plain(&bytes), outcome, "the naive program differs");
        assert_eq!(outcome, also, "the instrumented program differs");
        assert_eq!(events, reported);
        n_programs += 1;
        n_events += events.len();
        Ok(())
    });
    assert!(n_programs == 0 || n_events > n_programs, "{n_events} events of {n_programs} programs");
}
