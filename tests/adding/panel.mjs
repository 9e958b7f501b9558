/** A toy panel of the what-if screen: how many pages the trace uses. */

const question = "sim-core/analysis/src/question.rs";

const analysis = `//! How many pages a trace uses.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::page_uses::{Chosen, PageSink};
use pagewalk_base::error::Result;
use pagewalk_base::trace::Chunk;

/// The number of pages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct PageCount {
    pub pages: usize,
}

pub struct PageCounter {
    chosen: Chosen,
    seen: Seen,
}

#[derive(Default)]
struct Seen(BTreeSet<(u32, u64)>);

impl PageCounter {
    pub fn new(chosen: Chosen) -> Result<Self> {
        chosen.check()?;
        Ok(Self { chosen, seen: Seen::default() })
    }

    pub fn push_chunk(&mut self, chunk: &Chunk) {
        self.chosen.report_chunk(chunk, &mut self.seen);
    }

    pub fn finish(self) -> PageCount {
        PageCount { pages: self.seen.0.len() }
    }
}

impl PageSink for Seen {
    fn access(&mut self, space: u32, first: u64, last: u64) {
        self.0.extend([(space, first), (space, last)]);
    }

    fn repeats(&mut self, _: u64) {}
}

#[cfg(test)]
mod tests {
    use crate::question::Analysis;
    use pagewalk::config::parse_json;
    use pagewalk_base::trace::{Access, Completeness, Kind, TraceBuilder};

    #[test]
    fn toy_panel_answers() {
        let mut builder = TraceBuilder::new(1 << 20);
        for address in [0x1000, 0x2ffc, 0x1008, 0x9000] {
            builder.push(&Access::new(Kind::Load, address, 8)).unwrap();
        }
        let trace = builder.finish(Completeness::Complete).unwrap();
        let question = r#"{"what": "page-count", "uses": {"pages": "4K", "kinds": ["load"]}}"#;
        let mut analysis = Analysis::new(&parse_json(question).unwrap(), &trace).unwrap();
        while !analysis.go_on(&trace).unwrap() {}
        let answer = serde_json::to_string(&analysis.finish()).unwrap();
        assert_eq!(answer, r#"{"pages":4}"#);
    }
}
`;

const model = `/** The number of pages that the trace uses, in words. */
import type { PageCount } from "../../engine/generated/PageCount";
import { counted } from "../shared/format";
import type { QuestionOf } from "./asking";
import { KINDS } from "./questions";
import type { WhatIf } from "./whatIf";

export function pageCountQuestion({
  view,
  size,
}: WhatIf): QuestionOf<"page-count"> {
  const uses = { pages: size, kinds: [...KINDS[view.kinds]] };
  return { what: "page-count", uses };
}

export function pageCountText({ pages }: PageCount): string {
  return counted(pages, "page");
}
`;

const view = `import type { PageCount } from "../../engine/generated/PageCount";
import type { QuestionOf } from "../../model/whatif/asking";
import { pageCountText } from "../../model/whatif/pageCount";
import { valueOf } from "../../model/whatif/questions";
import { Panel, Pending } from "./Panel";
import type { AnswerProps } from "./panelActions";

export function PageCountPanel(
  props: AnswerProps<QuestionOf<"page-count">, PageCount>,
) {
  const { question, asked } = props;
  const found = valueOf(asked);
  return (
    <Panel title="Pages" note="how many pages are used" controls={null}>
      {found ? (
        <p>{pageCountText(found)}</p>
      ) : (
        <Pending
          what="The pages"
          asked={asked}
          onCancel={() => props.onCancel([question])}
          onAgain={() => props.onAgain([question])}
        />
      )}
    </Panel>
  );
}
`;

const screen = "src/app/whatif/WhatIfOverTime.tsx";

export const panel = {
  section: "A panel that asks a question about the trace",
  edits: [
    { file: "sim-core/analysis/src/page_count.rs", text: analysis },
    {
      file: "sim-core/analysis/src/lib.rs",
      after: "pub mod page_popularity;\n",
      insert: "pub mod page_count;\n",
    },
    {
      file: question,
      after: "use crate::page_uses::{Chosen, SizedRanges};\n",
      insert: "use crate::page_count::{PageCount, PageCounter};\n",
    },
    {
      file: question,
      after: "    Popularity { uses: Uses },\n",
      insert: "    PageCount { uses: Uses },\n",
    },
    {
      file: question,
      after: "    Popularity(PagePopularity),\n",
      insert: "    PageCount(PageCount),\n",
    },
    {
      file: question,
      after: "    popularity: PagePopularity,\n",
      insert: "    page_count: PageCount,\n",
    },
    {
      file: question,
      after: "    Popularity(Box<PopularityBuilder>),\n",
      insert: "    PageCount(PageCounter),\n",
    },
    {
      file: question,
      after: "let work = match question {\n",
      insert:
        "            Question::PageCount { uses } => Computation::PageCount(PageCounter::new(uses.chosen())?),\n",
    },
    {
      file: question,
      after:
        "            Computation::Popularity(builder) => builder.push_chunk(chunk),\n",
      insert:
        "            Computation::PageCount(counter) => counter.push_chunk(chunk),\n",
    },
    {
      file: question,
      after:
        "            Computation::Popularity(builder) => Answer::Popularity(builder.finish()),\n",
      insert:
        "            Computation::PageCount(counter) => Answer::PageCount(counter.finish()),\n",
    },
    { file: "src/model/whatif/pageCount.ts", text: model },
    { file: "src/views/whatif/PageCountPanel.tsx", text: view },
    {
      file: screen,
      after:
        'import { workingSetQuestion } from "../../model/whatif/asking";\n',
      insert:
        'import { pageCountQuestion } from "../../model/whatif/pageCount";\nimport { PageCountPanel } from "../../views/whatif/PageCountPanel";\n',
    },
    {
      file: screen,
      after: "      <Popularity whatIf={whatIf} />\n",
      insert: "      <PageCount whatIf={whatIf} />\n",
    },
    {
      file: screen,
      after: `interface PartProps {
  readonly whatIf: WhatIf;
}
`,
      insert: `
function PageCount({ whatIf }: PartProps) {
  const question = pageCountQuestion(whatIf);
  return (
    <PageCountPanel
      whatIf={whatIf}
      question={question}
      asked={useAnswer(question)}
      {...usePanelActions()}
    />
  );
}
`,
    },
  ],
  /** The test in the analysis, and the type that `cargo test` writes. */
  tests: ["pagewalk-analysis", "toy_panel_answers"],
  types: "PageCount.ts",
};
