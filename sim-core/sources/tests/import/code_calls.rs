//! WebAssembly programs that call libraries: the call path of each access.

use cases::cases;
use pagewalk_base::error::Result;
use pagewalk_base::trace::{
    Access, CallCursor, CallTree, Completeness, OpRecord, Trace, TraceBuilder,
};
use pagewalk_sources::import::{ImportOptions, Importer, Sink};

use super::code::{file, trace_of};

/// A program that calls a library at 36, which allocates at 56 and calls the block of the file `main.cpp` back.
const CALLS: &str = r#"{"memory":{"stack":["0x0","0x1000"],"data":"0x2000","heap":"0x3000","size":"0x10000","code":"0x200"},
"functions":[],"globals":[],
"sites":[["load",8,0,32],["enter",0,3,36],["store",4,0,50],["malloc",0,0,56],["return",0,0,56],["leave",0,0,36],["load",8,0,40]],
"blocks":[0,2,4,5,7],"heap":[[36,"w (vector, line 9)"],[56,"allocate (malloc)"]],"calls":[[36,"vector, called in line 9"]],
"files":["main.cpp","/usr/include/vector"],"names":["main","grow"],
"places":[[0,8,0],[0,9,0],[1,70,1],[1,71,1],[1,71,1],[0,9,0],[0,9,0]]}"#;

const CALL_WORDS: &[u32] =
    &[0, 0x2000, 1, 0x2008, 24, 0, 0x2000, 1, 0x2008, 24, 2, 0x6000, 3, 0x6000];

/// Returns the name of the path of each access.
fn paths(trace: &Trace) -> Vec<&str> {
    let mut cursor = CallCursor::default();
    let nodes = (0..trace.len()).map(|index| cursor.node(trace, index));
    nodes.map(|node| trace.call_tree().frame(node).name).collect()
}

#[test]
fn accesses_of_a_library_have_the_path_of_the_line_that_calls_it() {
    let trace = trace_of(CALLS, CALL_WORDS);
    let vector = "vector, called in line 9";
    // The library calls own code back at the third access.
    assert_eq!(paths(&trace), ["the program", vector, "the program", vector, "the program"]);
}

#[test]
fn blocks_that_a_library_allocates_are_named_by_the_call_of_the_library() {
    let trace = trace_of(CALLS, CALL_WORDS);
    let named = trace.mappings().iter().find(|mapping| mapping.start == 0x5555_0000_6000);
    assert_eq!(named.map(|mapping| mapping.name.as_str()), Some("w (vector, line 9)"));
}

#[test]
fn calls_that_never_return_are_dropped() {
    let words: Vec<u32> = (0..1000).flat_map(|_| [0, 0x2000]).chain([1, 0x2008, 24]).collect();
    let trace = trace_of(CALLS, &words);
    assert_eq!(paths(&trace)[1000], "vector, called in line 9");
}

/// A trace that takes each access and each change of the call path alone.
#[derive(Default)]
struct Alone(TraceBuilder);

impl Sink for Alone {
    fn access(&mut self, access: Access) -> Result<()> {
        self.0.push(&access)
    }

    fn op(&mut self, record: OpRecord) -> Result<()> {
        self.0.push_op(&record)
    }

    fn call(&mut self, tree: &CallTree, node: u32) -> Result<()> {
        self.0.call(tree, node)
    }
}

#[test]
fn programs_that_go_in_and_out_of_libraries_make_the_trace_of_single_accesses() {
    let head = CALLS.replace("40]],", r#"40],["store",4,0,60],["copy",0,0,64]],"#);
    let head = head.replace("5,7]", "5,7,8,9]").replace("[0,9,0]]}", "[0,9,0],[1,1,1],[1,1,1]]}");
    cases(60).check(|u| {
        let (mut words, mut depths, mut open) = (Vec::new(), Vec::new(), 0);
        for _ in 0..u.int_in_range(0..=3000)? {
            let at = u.int_in_range(0..=0xfff0)?;
            match u.int_in_range(0..=9)? {
                0 if open < 40 => {
                    words.extend([0, at]);
                    depths.push(1);
                    open += 1;
                }
                0..=2 if open > 0 => {
                    words.extend([3, at]);
                    depths.push(1);
                    open -= 1;
                }
                3 => {
                    words.extend([1, at, 24, 2, 0x6000]);
                    depths.push(1 + open);
                }
                4 => {
                    let n: u32 = u.int_in_range(0..=80)?;
                    words.extend([5, at, 0x100, n]);
                    depths.extend((0..2 * n.div_ceil(64)).map(|_| 1 + open));
                }
                _ => {
                    words.extend([4, at]);
                    depths.push(1 + open);
                }
            }
        }
        let options = ImportOptions { limit: u.int_in_range(1..=6000)?, ..Default::default() };
        let mut importers = [(); 2].map(|()| Importer::new(options.clone()).unwrap());
        let (mut trace, mut alone) = (TraceBuilder::default(), Alone::default());
        let piece = u.int_in_range(1..=1 << 14)?;
        for bytes in file(&head, &words).chunks(piece) {
            importers[0].push(bytes, &mut trace).unwrap();
            importers[1].push(bytes, &mut alone).unwrap();
        }
        let [importer, other] = importers;
        let has_ended = [importer.finish(&mut trace).is_ok(), other.finish(&mut alone).is_ok()];
        assert_eq!(has_ended, [!depths.is_empty(); 2]);
        let trace = trace.finish(Completeness::Complete).unwrap();
        let alone = alone.0.finish(Completeness::Complete).unwrap();
        depths.truncate(usize::try_from(options.limit).unwrap());
        let mut cursor = CallCursor::default();
        let nodes = (0..trace.len()).map(|index| cursor.node(&trace, index));
        assert!(nodes.map(|node| trace.call_tree().depth(node)).eq(depths));
        assert_eq!(format!("{:?}", trace.chunks()), format!("{:?}", alone.chunks()));
        assert_eq!(trace.call_tree().len(), alone.call_tree().len());
        Ok(())
    });
}
