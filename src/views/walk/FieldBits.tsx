/**
 * The fields of an entry from the highest bit to the lowest, each with a tooltip. One tab stop: arrow keys
 * move from bit to bit.
 */
import { Suspense, lazy, useId, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { bitsOfTwin, fieldBefore } from "../../model/walk/entry";
import type { EntryChange, EntryField } from "../../model/walk/entry";
import { useTip } from "../shared/useTip";

/** The words of all bits are not needed on opening. */
const BitText = lazy(() =>
  import("./BitWords").then((module) => ({ default: module.BitText })),
);
const BitTip = lazy(() =>
  import("./BitWords").then((module) => ({ default: module.BitTip })),
);

export interface FieldBitsProps {
  readonly fields: readonly EntryField[];
  /** What changed the entry, and its value before. */
  readonly change?: EntryChange | null;
}

export function FieldBits({ fields, change = null }: FieldBitsProps) {
  const id = useId();
  const list = useRef<HTMLOListElement>(null);
  const [at, setAt] = useState<number | null>(null);
  const { show, hide, dismiss, tip } = useTip();
  const tipOf = (field: EntryField) => (
    <Suspense>
      <BitTip field={field} change={change} />
    </Suspense>
  );
  const read = (next: number) => {
    const element = list.current?.children[next];
    const field = fields[next];
    if (!element || !field) return;
    setAt(next);
    show(element, tipOf(field));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = fields.length - 1;
    const next = {
      ArrowRight: Math.min((at ?? -1) + 1, last),
      ArrowLeft: Math.max((at ?? last + 1) - 1, 0),
      Home: 0,
      End: last,
    }[event.key];
    if (next === undefined) return;
    read(next);
    // Arrow keys also step the replay, so they must not propagate from here.
    event.preventDefault();
    event.stopPropagation();
  };
  const leave = () => {
    setAt(null);
    hide();
  };
  return (
    <>
      <ol
        className="walk-bits"
        ref={list}
        role="listbox"
        tabIndex={0}
        aria-label="Bits of the entry"
        aria-activedescendant={at === null ? undefined : `${id}-${at}`}
        onKeyDown={onKeyDown}
        onBlur={leave}
        onPointerDown={dismiss}
      >
        {fields.map((field, n) => (
          <li
            key={field.high}
            id={`${id}-${n}`}
            role="option"
            aria-selected={n === at}
            className={classOf(field, change)}
            onPointerEnter={(event) => show(event.currentTarget, tipOf(field))}
            onPointerLeave={hide}
          >
            <span>
              {field.name}
              <Twin bits={bitsOfTwin(field, fields)} />
            </span>
            <code>
              <Before field={field} change={change} />
              {field.value}
            </code>
            <span className="visually-hidden">
              <Suspense>
                <BitText field={field} change={change} />
              </Suspense>
            </span>
          </li>
        ))}
      </ol>
      {tip}
    </>
  );
}

/** Tells two fields of one name apart, where there is room. */
function Twin({ bits }: { readonly bits: string }) {
  return bits === "" ? null : <i> {bits}</i>;
}

function Before({
  field,
  change,
}: {
  readonly field: EntryField;
  readonly change: EntryChange | null;
}) {
  const before = fieldBefore(field, change?.was);
  return before === null ? null : <s>{before}</s>;
}

function classOf(field: EntryField, change: EntryChange | null) {
  const state = field.violated
    ? "violated"
    : field.address
      ? "address"
      : field.isSet
        ? "set"
        : "";
  const isChanged = fieldBefore(field, change?.was) !== null;
  return `${state}${isChanged ? " changed" : ""}`.trim() || undefined;
}
