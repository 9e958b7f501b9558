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
          <ul className="wi-facts" style={{ display: "block" }}>
            {popularityRows(found).map(({ uses, pages, share }) => (
              <li key={uses}>
                {uses} {uses === "1" ? "use" : "uses"}: <b>{count(pages)}</b>{" "}
                {pages === 1 ? "page" : "pages"}, {share} of all uses
              </li>
            ))}
          </ul>
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
