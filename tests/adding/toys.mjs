/**
 * Toy additions for the first five sections of docs/adding.md. A toy edits only files that its section names, and then works.
 * An edit creates a file (`text`), or inserts `insert` after the first place that has `after`.
 */

import { panel } from "./panel.mjs";

const policyList = "sim-core/src/caches/policy/list.rs";

const policyFile = "sim-core/src/caches/policy/mod.rs";

const formatsFile = "sim-core/sources/src/import/formats.rs";

/** Reads a load from each line such as `toy 1000`. */
const parser = `
use super::Sink;
use super::delivery::Delivery;
use super::digits::hex;
use super::flow::Flow;
use super::lines::{MAX_LINE, each_line};
use super::parser::{Facts, LineParser};
use super::tally::{Reason, Tally};
use pagewalk_base::trace::{Access, Completeness, Kind};

#[derive(Debug)]
pub(super) struct Toy;

pub(super) fn fits(head: &[u8]) -> bool {
    head.starts_with(b"toy ")
}

impl LineParser for Toy {
    fn read<S: Sink>(&mut self, block: &[u8], tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
        each_line(block, MAX_LINE, tally, |line, tally| {
            let address = line.strip_prefix(b"toy ").and_then(|digits| hex(digits).ok());
            let Some(address) = address else { return Ok(tally.skip(Reason::MALFORMED, line)?) };
            tally.records += 1;
            out.access(Access::new(Kind::Load, address, 8))
        })
    }

    fn facts(&self) -> Facts {
        Facts { completeness: Completeness::Complete, remedy: "write an address after each toy" }
    }
}
`;

const parserTest = `
use expect_test::expect;

use super::support::check;

#[test]
fn each_line_is_a_load() {
    check("toy 1000\\n", &expect!["toy: 1 records, 1 accesses\\nload 0x1000 8\\n"]);
}
`;

export const toys = [
  {
    section: "A CPU",
    edits: [
      {
        file: "sim-core/cpus/toy-cpu.json",
        text: JSON.stringify({
          id: "toy-cpu",
          name: "Toy CPU",
          vendor: "Toy",
          events: "arm",
          machine: {
            name: "Toy CPU",
            l1: [{ name: "L1 TLB", entries: 2 }],
            latency: { l2_hit: 7, walk_overhead: 1 },
          },
          provenance: [],
        }),
      },
    ],
    run: ["run", "--cpu", "toy-cpu", "--trace", "pages.csv", "--json"],
    expect: { "kinds.load.l1_hits": 2, "kinds.load.walks": 3 },
  },
  {
    section: "A replacement policy",
    edits: [
      {
        file: policyList,
        after: "    BitPlru,\n",
        insert:
          '    /// Evicts the lowest way.\n    #[serde(rename = "lowest-way")]\n    LowestWay,\n',
      },
      {
        file: policyFile,
        after: "    /// A set has no state.\n",
        insert: "    Lowest,\n    /// A set has no state.\n",
      },
      {
        file: policyList,
        after: "Self::Lru, ",
        insert: "Self::LowestWay, ",
      },
      {
        file: policyList,
        after: 'Self::BitPlru => "bit-plru",\n',
        insert: '            Self::LowestWay => "lowest-way",\n',
      },
      {
        file: policyFile,
        after: "Policy::BitPlru => Layout::Bits,\n",
        insert: "            Policy::LowestWay => Layout::Lowest,\n",
      },
      {
        file: policyFile,
        after: "Layout::Queue { .. } | Layout::Groups | Layout::Draw => 1,\n",
        insert: "            Layout::Lowest => 1,\n",
      },
      {
        file: policyFile,
        after: "Layout::Groups => state[0] = group_touch(state[0], way),\n",
        insert: "            Layout::Lowest => {}\n",
      },
      {
        file: policyFile,
        after: "Layout::Groups => group_victim(state[0]),\n",
        insert: "            Layout::Lowest => 0,\n",
      },
      {
        file: policyFile,
        after: "Layout::Bits | Layout::Groups => None,\n",
        insert: "            Layout::Lowest => None,\n",
      },
      {
        file: "sim-core/tests/naive/array.rs",
        after: "            Policy::Fifo if !filled => {}\n",
        insert: "            Policy::LowestWay => {}\n",
      },
      {
        file: "sim-core/tests/naive/array.rs",
        after:
          "            Policy::BitPlru => self.used.iter().position(|u| !u).unwrap_or(0),\n",
        insert: "            Policy::LowestWay => 0,\n",
      },
      {
        file: "docs/machine.md",
        after: "| the lowest way with a clear bit |\n",
        insert: "| `lowest-way` | nothing | nothing | the lowest way |\n",
      },
    ],
    run: ["run", "--machine", "machine.json", "--trace", "pages.csv", "--json"],
    expect: { "kinds.load.l1_hits": 1, "kinds.load.walks": 4 },
  },
  {
    section: "A trace format",
    edits: [
      { file: "sim-core/sources/src/import/toy.rs", text: parser },
      {
        file: "sim-core/sources/src/import/mod.rs",
        after: "mod tally;\n",
        insert: "mod toy;\n",
      },
      {
        file: formatsFile,
        after: "    Loops(Loops),\n",
        insert: "    Toy(Lined<super::toy::Toy>),\n",
      },
      {
        file: formatsFile,
        after: "    vec![\n",
        insert:
          '        Row::text("toy", "Toy", super::toy::fits, |_, _| Ok(lines(super::toy::Toy))),\n',
      },
      {
        file: "docs/formats.md",
        after: "| format | `--format` | trace |\n|---|---|---|\n",
        insert: "| toy loads | `toy` | complete |\n",
      },
      { file: "sim-core/sources/tests/import/toy.rs", text: parserTest },
      {
        file: "sim-core/sources/tests/import/main.rs",
        after: "mod select;\n",
        insert: "mod toy;\n",
      },
    ],
    run: ["import", "loads.toy", "--json"],
    expect: { format: "toy", accesses: 2, "skipped.0.count": 1 },
  },
  {
    section: "An experiment",
    edits: [
      {
        file: "sim-core/experiments/data/toy-experiment.json",
        text: JSON.stringify({
          order: 99,
          title: "Toy",
          question: "How many walks do three pages take?",
          sources: [],
          machine: "One array",
          policy: "4K",
          method: "{n} loads.",
          answer: "One each.",
          values: { n: 3 },
          jobs: [
            {
              id: "loads",
              set: { machine: {}, pages: "4K" },
              accesses: [{ workload: { id: "strided" } }],
              counted: "n",
            },
          ],
          tables: [
            {
              title: "Walks",
              cases: [],
              rows: [
                {
                  case: [],
                  rows: [
                    {
                      quantity: "walks, twice",
                      simulated: "2 * loads().walks.walks",
                    },
                  ],
                },
              ],
            },
          ],
        }),
      },
    ],
    run: ["experiment", "toy-experiment", "--json"],
    expect: { "tables.0.rows.0.simulated": 6 },
  },
  panel,
];

/** Files next to which the commands of `run` are executed. */
export const inputs = {
  "loads.toy": "toy 1000\ntoy zero\ntoy 2000\n",
  "pages.csv":
    "kind,address,size\nload,0x1000,8\nload,0x2000,8\nload,0x1000,8\nload,0x3000,8\nload,0x1000,8\n",
  "machine.json": JSON.stringify({
    l1: [{ name: "L1", entries: 2, replacement: "lowest-way" }],
  }),
};
