/** The numbers of one program, or of two with their ratio. */
import {
  LOOP_QUANTITIES,
  loopNumbers,
  loopRatios,
} from "../../model/loop/numbers";
import type { LoopNumber } from "../../model/loop/numbers";
import type { LoopShown } from "../../model/loop/loop";
import "../shared/stacked.css";
import "./loop.css";

export interface LoopNumbersProps {
  readonly first: Pick<LoopShown, "name" | "report">;
  /** Missing if nothing is compared. */
  readonly second?: Pick<LoopShown, "name" | "report"> | undefined;
}

export function LoopNumbers({ first, second }: LoopNumbersProps) {
  return (
    <div className="loop-numbers stacked edge-hint">
      <table aria-label={second ? "Both programs" : "Numbers of the run"}>
        <thead>
          <tr>
            <th scope="col">program</th>
            {LOOP_QUANTITIES.map(({ id, word, help, isModel }) => (
              <th key={id} scope="col" title={help}>
                {word}
                {isModel ? <span className="t3"> model</span> : null}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Row name={first.name} numbers={loopNumbers(first)} />
          {second ? (
            <>
              <Row name={second.name} numbers={loopNumbers(second)} />
              <Row
                name={`${second.name} ÷ ${first.name}`}
                numbers={loopRatios(first, second)}
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
  readonly numbers: readonly LoopNumber[];
  readonly isRatio?: boolean;
}

function Row({ name, numbers, isRatio = false }: RowProps) {
  return (
    <tr className={isRatio ? "loop-ratio" : undefined}>
      <th scope="row" title={name}>
        {name}
      </th>
      {numbers.map(({ id, text, share }, at) => (
        <td key={id} data-label={LOOP_QUANTITIES[at]?.word}>
          <b>{text}</b>
          {share === "" ? null : <span className="t2"> {share}</span>}
        </td>
      ))}
    </tr>
  );
}
