//! The slow and obvious way: each access calls an imported function. Kinds and sizes come from the names of instructions.

use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    CodeSection, EntityType, Function, ImportSection, Instruction, SectionId, TypeSection, ValType,
};
use wasmi::{Engine, Linker, Module, Store};
use wasmparser::{FunctionBody, Operator};

use crate::run::{Event, Outcome, What, call_all, plain};

/// Runs a program that imports nothing, and returns what it did.
pub(crate) fn naive(bytes: &[u8]) -> (Outcome, Vec<Event>) {
    let n_parameters = parameters(bytes);
    if n_parameters.is_empty() {
        return (plain(bytes), Vec::new());
    }
    let mut module = wasm_encoder::Module::new();
    let mut naive = Naive { ty: 0, n_parameters, body: 0 };
    naive.parse_core_module(&mut module, wasmparser::Parser::new(0), bytes).expect("it is valid");
    let engine = Engine::default();
    let module = Module::new(&engine, module.finish()).expect("the naive program is valid");
    let mut store = Store::new(&engine, Vec::new());
    let mut linker = <Linker<Vec<u32>>>::new(&engine);
    let report = |mut caller: wasmi::Caller<'_, Vec<u32>>, at, what, address, offset, size| {
        let words: [i32; 5] = [at, what, address, offset, size];
        caller.data_mut().extend(words.map(i32::cast_unsigned));
    };
    linker.func_wrap("naive", "access", report).expect("the name is new");
    let instance = linker.instantiate_and_start(&mut store, &module).expect("it can start");
    let outcome = call_all(&mut store, instance);
    let events =
        store.data().as_chunks().0.iter().map(|&[at, what, address, offset, size]| Event {
            at,
            what: [What::Load, What::Store, What::Modify, What::Grow][what as usize],
            address: u64::from(address) + u64::from(offset),
            size,
        });
    let events = events.collect();
    (outcome, events)
}

/// Returns the number of parameters of each function.
fn parameters(bytes: &[u8]) -> Vec<u32> {
    let (mut types, mut functions) = (Vec::new(), Vec::new());
    for payload in wasmparser::Parser::new(0).parse_all(bytes) {
        match payload.expect("it is valid") {
            wasmparser::Payload::TypeSection(all) => {
                for ty in all.into_iter_err_on_gc_types() {
                    types.push(u32::try_from(ty.expect("it is valid").params().len()).unwrap());
                }
            }
            wasmparser::Payload::FunctionSection(all) => {
                functions
                    .extend(all.into_iter().map(|ty| types[ty.expect("it is valid") as usize]));
            }
            _ => {}
        }
    }
    functions
}

struct Naive {
    ty: u32,
    n_parameters: Vec<u32>,
    body: usize,
}

impl Reencode for Naive {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Infallible>> {
        Ok(function + 1)
    }

    fn parse_type_section(
        &mut self,
        types: &mut TypeSection,
        section: wasmparser::TypeSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        utils::parse_type_section(self, types, section)?;
        self.ty = types.len();
        types.ty().function([ValType::I32; 5], []);
        Ok(())
    }

    fn intersperse_section_hook(
        &mut self,
        module: &mut wasm_encoder::Module,
        after: Option<SectionId>,
        before: Option<SectionId>,
    ) -> Result<(), Error<Infallible>> {
        if after == Some(SectionId::Type) && before != Some(SectionId::Import) {
            let mut imports = ImportSection::new();
            imports.import("naive", "access", EntityType::Function(self.ty));
            module.section(&imports);
        }
        Ok(())
    }

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        _: wasmparser::ImportSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        imports.import("naive", "access", EntityType::Function(self.ty));
        Ok(())
    }

    fn parse_function_body(
        &mut self,
        code: &mut CodeSection,
        body: FunctionBody<'_>,
    ) -> Result<(), Error<Infallible>> {
        let mut locals: Vec<(u32, ValType)> = Vec::new();
        for local in body.get_locals_reader()? {
            let (n, ty) = local?;
            locals.push((n, self.val_type(ty)?));
        }
        let n: u32 = locals.iter().map(|each| each.0).sum();
        let spare = self.n_parameters[self.body] + n;
        self.body += 1;
        // Each type has three variables of its own.
        let types = [ValType::I32, ValType::I64, ValType::F32, ValType::F64, ValType::V128];
        locals.extend(types.map(|ty| (3, ty)));
        let mut function = Function::new(locals);
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            let at = i32::try_from(operators.original_position()).unwrap();
            let operator = operators.read()?;
            let name = format!("{operator:?}");
            let name = name.split([' ', '{']).next().unwrap();
            let instruction = self.instruction(operator.clone())?;
            around(&mut function, name, &operator, at, spare, &instruction);
        }
        code.function(&function);
        Ok(())
    }
}

fn around(
    function: &mut Function,
    name: &str,
    operator: &Operator<'_>,
    at: i32,
    spare: u32,
    instruction: &Instruction<'_>,
) {
    let i32_at = |n| spare + n;
    let report =
        |function: &mut Function, what: i32, address: u32, offset: u64, size: Option<i32>| {
            function.instructions().i32_const(at).i32_const(what).local_get(address);
            function.instructions().i32_const(u32::try_from(offset).unwrap().cast_signed());
            match size {
                Some(size) => function.instructions().i32_const(size),
                None => function.instructions().local_get(i32_at(2)),
            };
            function.instructions().call(0);
        };
    match name {
        "MemoryCopy" | "MemoryFill" | "MemoryInit" => {
            function.instructions().local_set(i32_at(2)).local_set(i32_at(1)).local_set(i32_at(0));
            if name == "MemoryCopy" {
                report(function, 0, i32_at(1), 0, None);
            }
            report(function, 1, i32_at(0), 0, None);
            function.instructions().local_get(i32_at(0)).local_get(i32_at(1)).local_get(i32_at(2));
            function.instruction(instruction);
        }
        "MemoryGrow" => {
            function.instructions().local_tee(i32_at(0));
            function.instruction(instruction);
            function.instructions().local_tee(i32_at(2));
            report(function, 3, i32_at(0), 0, None);
        }
        _ => {
            let Some((is_store, size, ty)) = access(name) else {
                function.instruction(instruction);
                return;
            };
            // What stands above the address: the stored value, or the vector whose lane is loaded.
            let above = (is_store || name.ends_with("Lane")).then_some(spare + 3 * ty + 1);
            if let Some(local) = above {
                function.instructions().local_set(local);
            }
            function.instructions().local_tee(i32_at(0));
            report(function, i32::from(is_store), i32_at(0), offset(operator), Some(size));
            if let Some(local) = above {
                function.instructions().local_get(local);
            }
            function.instruction(instruction);
        }
    }
}

/// Returns whether an instruction stores, its size, and the number of its type.
fn access(name: &str) -> Option<(bool, i32, u32)> {
    let (prefix, rest) = name.split_once("Load").or_else(|| name.split_once("Store"))?;
    let (ty, whole) = match prefix {
        "I32" => (0, 4),
        "I64" => (1, 8),
        "F32" => (2, 4),
        "F64" => (3, 8),
        "V128" => (4, 16),
        _ => return None,
    };
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let size = match digits.parse::<i32>() {
        Err(_) => whole,
        // As in `Load8x8S`, which reads eight of them.
        Ok(_) if rest.contains('x') => 8,
        Ok(bits) => bits / 8,
    };
    Some((name.contains("Store"), size, ty))
}

fn offset(operator: &Operator<'_>) -> u64 {
    let text = format!("{operator:?}");
    let rest = text.split("offset: ").nth(1).expect("an access has an offset");
    rest.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
}
