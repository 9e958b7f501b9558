/** What a file contains, what a trace of it can show, and what it cannot. */
import type { Peek } from "../../engine/generated/Peek";
import { holdings, abilitiesOf } from "../../model/import/facts";
import { warningText } from "../../model/import/formats";
import {
  completenessMeaning,
  completenessWord,
} from "../../model/import/traceText";
import { Icon } from "../shared/Icon";
import { Sentence } from "./Sentence";

export function DraftFacts({ peek }: { readonly peek: Peek }) {
  const { report } = peek;
  if (!report) return null;
  const { completeness, format, part } = report;
  const { can, cannot } = abilitiesOf(peek, report);
  return (
    <>
      <section>
        <h3>What it contains</h3>
        <table className="draft-facts">
          <tbody>
            {holdings(peek).map(({ name, value, note, mono }, i) => (
              <tr key={i}>
                <th scope="row">{name}</th>
                <td>
                  <span className={mono ? "mono" : "draft-number"}>
                    {value}
                  </span>{" "}
                  <span className="t2">{note}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="draft-completeness">
          <span className="draft-chip">
            {completenessWord(completeness, format, part)}
          </span>
          <span className="t2">
            {completenessMeaning(completeness, format, part)}
          </span>
        </p>
      </section>
      {can.length > 0 ? (
        <section>
          <h3>What it can show</h3>
          <ul className="draft-tells">
            {can.map((text) => (
              <li key={text}>
                <Icon name="check" /> <span>{text}</span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {cannot.length > 0 ? (
        <section>
          <h3>What it cannot show</h3>
          <ul className="draft-tells">
            {cannot.map(({ what, why }) => (
              <li key={what}>
                <Icon name="close" />{" "}
                <span>
                  <b>{what}</b> {why}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {report.warnings.map(warningText).map((text) => (
        <p key={text} className="import-warning">
          <Sentence text={text} />
        </p>
      ))}
    </>
  );
}
