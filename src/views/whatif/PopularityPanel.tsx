/** Pages by their number of uses. */
import type { PagePopularity } from "../../engine/generated/PagePopularity";
import { count } from "../../model/shared/format";
import type { QuestionOf } from "../../model/whatif/asking";
import {
  fewestText,
  popularityCsv,
  popularityRows,
} from "../../model/whatif/popularity";
import { valueOf } from "../../model/whatif/questions";
import { SavePicture } from "../shared/picture/SavePicture";
import { Panel, Pending } from "./Panel";
import type { AnswerProps } from "./panelActions";
import "./pages.css";

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
      note={`how many pages are used how often, ${whatIf.size} pages`}
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
          <div className="wi-fit edge-hint">
            <table className="wi-table wi-uses" aria-label={title}>
              <thead>
                <tr>
                  <th scope="col" className="number">
                    uses of a page
                  </th>
                  <th scope="col" className="number">
                    pages
                  </th>
                  <th scope="col" className="number">
                    of all uses
                  </th>
                  <th scope="col">
                    <span className="sr-only">as a bar</span>
                  </th>
                </tr>
              </thead>
              <tbody>
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
              </tbody>
            </table>
          </div>
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
