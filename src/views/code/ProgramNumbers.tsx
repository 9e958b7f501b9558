/** The numbers of one program, or of two with their ratio. */
import {
  PROGRAM_QUANTITIES,
  programNumbers,
  programRatios,
} from "../../model/code/numbers";
import type { ProgramNumber } from "../../model/code/numbers";
import type { ProgramShown } from "../../model/code/code";
import { unbroken } from "./unbroken";
import "../shared/stacked.css";
import "./numbers.css";

export interface ProgramNumbersProps {
  readonly first: Pick<ProgramShown, "name" | "report">;
  /** Missing if nothing is compared. */
  readonly second?: Pick<ProgramShown, "name" | "report"> | undefined;
}

export function ProgramNumbers({ first, second }: ProgramNumbersProps) {
  return (
    <div className="code-numbers stacked edge-hint">
      <table aria-label={second ? "Both programs" : "Numbers of the run"}>
        <thead>
          <tr>
            <th scope="col">program</th>
            {PROGRAM_QUANTITIES.map(({ id, word, help, isModel }) => (
              <th key={id} scope="col" title={help}>
                {word}
                {isModel ? <span className="t3"> model</span> : null}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Row name={first.name} numbers={programNumbers(first)} />
          {second ? (
            <>
              <Row name={second.name} numbers={programNumbers(second)} />
              <Row
                name={`${second.name} ÷ ${first.name}`}
                numbers={programRatios(first, second)}
                isRatio
              />
            </>
          ) : null}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly name: string;
  readonly numbers: readonly ProgramNumber[];
  readonly isRatio?: boolean;
}

function Row({ name, numbers, isRatio = false }: RowProps) {
  return (
    <tr className={isRatio ? "code-ratio" : undefined}>
      <th scope="row" title={name}>
        {name}
      </th>
      {numbers.map(({ id, text, share }, at) => (
        <td key={id} data-label={PROGRAM_QUANTITIES[at]?.word}>
          <b>{text}</b>
          {share === "" ? null : <span className="t2"> {unbroken(share)}</span>}
        </td>
      ))}
    </tr>
  );
}
