//! Runs programs in an interpreter, and reads what they report.

use std::fmt;

use pagewalk_instrument::{BUFFER_BYTES, Instrumented, SiteKind, exports, instrument};
use wasmi::{AsContext as _, Engine, Func, Instance, Linker, Module, Ref, Store, Val};

/// What an instruction did.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) at: u32,
    pub(crate) what: What,
    pub(crate) address: u64,
    pub(crate) size: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Load,
    Store,
    Modify,
    /// The address is the number of pages, the size the number before.
    Grow,
    /// The address is the first word, the size the second one.
    Call,
    Return,
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {} +{}", self.what, self.address, self.size)
    }
}

/// What a program leaves behind: the results of its functions, and its memory.
#[derive(Debug, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) results: Vec<Vec<String>>,
    pub(crate) memory: Vec<u8>,
}

/// Returns the export with this name, or otherwise all functions.
fn functions(store: &Store<Vec<u32>>, instance: Instance) -> Vec<Func> {
    let all = instance.exports(store).filter(|each| !each.name().starts_with("pagewalk:"));
    all.filter_map(wasmi::Export::into_func).collect()
}

/// Calls all exported functions with zeros.
pub(crate) fn call_all(store: &mut Store<Vec<u32>>, instance: Instance) -> Outcome {
    let mut results = Vec::new();
    for function in functions(store, instance) {
        let ty = function.ty(&*store);
        let zeros: Vec<Val> = ty.params().iter().map(|&ty| Val::default_for_ty(ty)).collect();
        let mut out: Vec<Val> = ty.results().iter().map(|&ty| Val::default_for_ty(ty)).collect();
        let shown = match function.call(&mut *store, &zeros, &mut out) {
            // Numbers of functions differ between the programs.
            Ok(()) => out.iter().map(|each| match each {
                Val::I32(_) | Val::I64(_) | Val::F32(_) | Val::F64(_) | Val::V128(_) => {
                    format!("{each:?}")
                }
                _ => "reference".to_owned(),
            }),
            Err(error) => {
                results.push(vec![format!("{:?}", error.as_trap_code())]);
                continue;
            }
        };
        results.push(shown.collect());
    }
    let memory = instance
        .exports(&*store)
        .find_map(wasmi::Export::into_memory)
        .map(|memory| memory.data(&*store).to_vec());
    Outcome { results, memory: memory.unwrap_or_default() }
}

pub(crate) fn plain(bytes: &[u8]) -> Outcome {
    let engine = Engine::default();
    let module = Module::new(&engine, bytes).expect("the program is valid");
    let mut store = Store::new(&engine, Vec::new());
    let linker = <Linker<Vec<u32>>>::new(&engine);
    let instance = linker.instantiate_and_start(&mut store, &module).expect("it can start");
    call_all(&mut store, instance)
}

/// A system that takes all output, and has nothing else.
fn system(engine: &Engine) -> Linker<Vec<u32>> {
    const WASI: &str = "wasi_snapshot_preview1";
    let mut linker = Linker::new(engine);
    let write = |mut caller: wasmi::Caller<'_, Vec<u32>>, _: i32, list: i32, n: i32, out: i32| {
        let memory = caller.get_export("memory").and_then(wasmi::Extern::into_memory);
        let memory = memory.expect("a program of WASI exports its memory");
        let word = |at: i32| {
            let at = at.cast_unsigned() as usize;
            u32::from_le_bytes(memory.data(&caller)[at..at + 4].try_into().expect("4 bytes"))
        };
        let written: u32 = (0..n).map(|n| word(list + 8 * n + 4)).sum();
        memory
            .write(&mut caller, out.cast_unsigned() as usize, &written.to_le_bytes())
            .expect("the place is in the memory");
        0
    };
    let done: [Result<_, _>; 5] = [
        linker.func_wrap(WASI, "proc_exit", |_: i32| {}).map(drop),
        linker.func_wrap(WASI, "fd_write", write).map(drop),
        linker.func_wrap(WASI, "fd_close", |_: i32| 8i32).map(drop),
        linker.func_wrap(WASI, "fd_seek", |_: i32, _: i64, _: i32, _: i32| 8i32).map(drop),
        linker.func_wrap(WASI, "fd_fdstat_get", |_: i32, _: i32| 8i32).map(drop),
    ];
    assert!(done.iter().all(Result::is_ok));
    linker
}

/// Runs an instrumented program; the host's data are the words of the buffer.
pub(crate) fn instrumented(bytes: &[u8]) -> (Outcome, Vec<Event>, Instrumented) {
    let made = instrument(bytes).expect("the program can be instrumented");
    let engine = Engine::default();
    let module = Module::new(&engine, &made.module).expect("the instrumented program is valid");
    let mut store = Store::new(&engine, Vec::new());
    let linker = system(&engine);
    let instance = linker.instantiate_and_start(&mut store, &module).expect("it can start");
    let memory = instance.get_memory(&store, exports::MEMORY).expect("a memory");
    let end = instance.get_global(&store, exports::END).expect("an end");
    let table = instance.get_table(&store, exports::FULL).expect("a table");
    let take = move |mut context: wasmi::StoreContextMut<'_, Vec<u32>>| {
        let Val::I32(n) = end.get(context.as_context()) else { panic!("the end is a number") };
        let all = memory.data(context.as_context());
        let start = all.len() - BUFFER_BYTES as usize;
        let bytes = all[start..n.cast_unsigned() as usize].to_vec();
        let words = bytes.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word));
        context.data_mut().extend(words);
        let start = u32::try_from(start).expect("a memory has less than 4 GiB").cast_signed();
        end.set(context, Val::I32(start)).expect("the end is mutable");
    };
    let full = Func::wrap(&mut store, move |mut caller: wasmi::Caller<'_, Vec<u32>>| {
        take(wasmi::AsContextMut::as_context_mut(&mut caller));
    });
    table
        .set(&mut store, 0, Ref::from(wasmi::Nullable::Val(full)))
        .expect("the table has one element");
    let mut outcome = call_all(&mut store, instance);
    // The program does not see the buffer.
    outcome.memory.truncate(outcome.memory.len() - BUFFER_BYTES as usize);
    take(wasmi::AsContextMut::as_context_mut(&mut store));
    let events = events(&made, store.data());
    (outcome, events, made)
}

/// Reads records.
fn events(made: &Instrumented, mut words: &[u32]) -> Vec<Event> {
    let mut events = Vec::new();
    while let Some((&block, rest)) = words.split_first() {
        words = rest;
        let sites = made.blocks[block as usize] as usize..made.blocks[block as usize + 1] as usize;
        for site in &made.sites[sites] {
            let (mine, rest) = words.split_at(site.kind.words());
            words = rest;
            let mut add = |what, address: u32, size| {
                let address = u64::from(address) + u64::from(site.offset);
                events.push(Event { at: site.at, what, address, size });
            };
            let size = u32::from(site.size);
            match site.kind {
                SiteKind::Load => add(What::Load, mine[0], size),
                SiteKind::Store => add(What::Store, mine[0], size),
                SiteKind::Modify => add(What::Modify, mine[0], size),
                SiteKind::Fill | SiteKind::Init => add(What::Store, mine[0], mine[1]),
                SiteKind::Copy => {
                    add(What::Load, mine[1], mine[2]);
                    add(What::Store, mine[0], mine[2]);
                }
                SiteKind::Grow => add(What::Grow, mine[0], mine[1]),
                SiteKind::Call(_) => add(What::Call, mine[0], mine.get(1).copied().unwrap_or(0)),
                SiteKind::Return(_) => add(What::Return, mine[0], 0),
                SiteKind::Enter | SiteKind::Leave => {}
            }
        }
    }
    events
}
