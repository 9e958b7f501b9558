/** One parameter of a workload: name, value, limits and error. */
import { useId } from "react";
import type { ParamInfo } from "../../engine/generated/ParamInfo";
import { rangeText } from "../../model/generate/workload";

export interface ParamFieldProps {
  readonly param: ParamInfo;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

export function ParamField(props: ParamFieldProps) {
  const { param, value, problem, onChange } = props;
  const id = useId();
  const control = {
    id,
    className: "field mono generate-control",
    value,
    "aria-invalid": problem !== undefined,
    "aria-describedby": `${id}-about ${id}-problem`,
  };
  const chosen = param.choices?.find((choice) => choice.value === value);
  return (
    <div
      className="generate-param"
      data-changed={value.trim() !== param.default || undefined}
    >
      <label htmlFor={id} className="mono">
        {param.name}
      </label>
      {param.choices ? (
        <select {...control} onChange={(event) => onChange(event.target.value)}>
          {param.choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.value}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...control}
          autoComplete="off"
          spellCheck={false}
          placeholder={param.default}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      <p id={`${id}-about`} className="t2 small">
        {chosen ? `${param.about}: ${chosen.about}` : param.about}
        <span className="generate-range t3">{rangeText(param)}</span>
      </p>
      <p
        id={`${id}-problem`}
        className={problem === undefined ? "sr-only" : "problem"}
        aria-live="polite"
      >
        {problem?.replaceAll(/`([^`]*)`/g, "“$1”") ?? ""}
      </p>
    </div>
  );
}
