/** Pages by their number of uses. */
import type { PagePopularity } from "../../engine/generated/PagePopularity";
import { pagesWords } from "../../model/whatif/whatIf";
import { count } from "../../model/shared/format";
import type { QuestionOf } from "../../model/whatif/asking";
import {
  fewestText,
  popularityCsv,
  popularityRows,
} from "../../model/whatif/popularity";
import { valueOf } from "../../model/whatif/questions";
import { SavePicture } from "../shared/picture/SavePicture";
import { FitTable } from "./FitTable";
import type { Head } from "./FitTable";
import { Panel, Pending } from "./Panel";
import type { AnswerProps } from "./panelActions";
import "./pages.css";

const HEADS: readonly Head[] = [
  { text: "uses of a page", className: "number" },
  { text: "pages", className: "number" },
  { text: "of all uses", className: "number" },
  { text: "as a bar", isUnseen: true },
];

export function PopularityPanel(
  props: AnswerProps<QuestionOf<"popularity">, PagePopularity>,
) {
  const { whatIf, question, asked } = props;
  const found = valueOf(asked);
  const title = "Uses per page";
  return (
    <Panel
      title={title}
      of={whatIf.isPart ? "whole" : undefined}
      note={`how many pages are used how often, ${pagesWords(whatIf)}`}
      controls={
        <SavePicture
          what={title}
          tables={[{ csv: () => popularityCsv(found) }]}
        />
      }
    >
      {found && found.pages > 0 ? (
        <>
          <p className="t2 small">{fewestText(found)}</p>
          <FitTable heads={HEADS} className="wi-uses" label={title}>
            {popularityRows(found).map(({ uses, pages, share, part }) => (
              <tr key={uses}>
                <th scope="row" className="number">
                  {uses}
                </th>
                <td className="number">{count(pages)}</td>
                <td className="number">{share}</td>
                <td className="wi-uses-bar" aria-hidden="true">
                  <span style={{ width: `${part * 100}%` }} />
                </td>
              </tr>
            ))}
          </FitTable>
        </>
      ) : (
        <Pending
          what="Uses per page"
          asked={asked}
          onCancel={() => props.onCancel([question])}
          onAgain={() => props.onAgain([question])}
        />
      )}
    </Panel>
  );
}
