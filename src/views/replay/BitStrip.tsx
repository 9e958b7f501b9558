/** The address bit by bit, grouped by table, with brackets that name the key of each cache. */
import type { MachineView } from "../../engine/generated/MachineView";
import type { Outcome } from "../../engine/generated/Outcome";
import type { TranslationView } from "../../engine/generated/TranslationView";
import {
  bitFields,
  brackets,
  fieldObjects,
  setsOf,
} from "../../model/replay/bits";
import type { BitField, Bracket } from "../../model/replay/bits";
import { bitLayout } from "../../model/replay/bitsLayout";
import type { BitLayout } from "../../model/replay/bitsLayout";
import { outcomeColour } from "../../model/shared/outcome";
import { pressOf, useAsking } from "../shared/asking";
import { usePlain } from "../shared/plain";
import { placesOf } from "../shared/terms/places";

export interface BitStripProps {
  readonly translation: TranslationView;
  readonly machine: MachineView;
  /** The array whose key the brackets show; missing = what the access used. */
  readonly keyOf?: number | undefined;
  /** Whether the bits of a small machine are on a phone. */
  readonly tight?: boolean;
}

/** Distances from the top in pixels. */
const BOX = { top: 24, height: 24 };
const HEIGHT = 78;

export function BitStrip({
  translation,
  machine,
  keyOf,
  tight = false,
}: BitStripProps) {
  const asking = useAsking();
  const fields = bitFields(translation, asking !== null);
  const plain = usePlain();
  const layout = bitLayout(fields, tight);
  const name = fields
    .map((field) => `${field.name} ${field.value}`.trim())
    .join(", ");
  return (
    <svg
      className="access-bits"
      viewBox={`0 0 ${layout.width} ${HEIGHT}`}
      // In rem, so that the projector mode enlarges the picture with the text.
      style={{ width: `${layout.width / 16}rem` }}
      // Parts of an image cannot be pressed.
      role={asking?.onPress ? "group" : "img"}
      aria-label={`Bit fields of the address: ${name}`}
    >
      {fields.map((field, at) => (
        <Field
          key={field.name}
          field={field}
          box={layout.boxes[at] ?? { x: 0, width: 0 }}
          layout={layout}
        />
      ))}
      {setsOf(translation, machine).map(({ object, bits }) =>
        bits.map(({ high, low }) => (
          <rect
            key={`${object} ${low}`}
            className="lit-bar"
            {...placesOf(object)}
            x={layout.x(high) - layout.pitch(high)}
            y={49}
            width={layout.x(low) - layout.x(high) + layout.pitch(high)}
            height={3}
          />
        )),
      )}
      {brackets(translation, machine, keyOf)
        .filter(({ object }) => !plain || object !== "cache")
        .map((bracket) => (
          <BracketMark key={bracket.low} bracket={bracket} layout={layout} />
        ))}
    </svg>
  );
}

interface FieldProps {
  readonly field: BitField;
  readonly box: { readonly x: number; readonly width: number };
  readonly layout: BitLayout;
}

function Field({ field, box, layout }: FieldProps) {
  const asking = useAsking();
  const read = field.state === "read";
  const { pitch, x } = layout;
  return (
    <g
      className={read ? "access-field access-field-read" : "access-field"}
      data-level={field.level ?? undefined}
      data-offset={field.level === null || undefined}
      {...placesOf(...fieldObjects(field))}
      {...pressOf(asking, fieldObjects(field), field.name)}
    >
      <title>{field.tip}</title>
      <text x={box.x + 3} y={17} className={read ? "b" : "quiet"}>
        {field.name}
      </text>
      <text
        x={box.x + box.width - 3}
        y={17}
        className="value mono"
        textAnchor="end"
      >
        {valueIn(field, box.width)}
      </text>
      <rect
        x={box.x}
        y={BOX.top}
        width={box.width}
        height={BOX.height}
        rx={3}
      />
      {Array.from(field.bits, (bit, at) => (
        <text
          key={at}
          className="bit mono"
          x={x(field.high - at) - pitch(field.high - at) / 2}
          y={40.5}
          textAnchor="middle"
        >
          {bit}
        </text>
      ))}
    </g>
  );
}

/** Estimated character width of the label font in pixels, enough for wider fonts. */
const CHAR = 6.9;

function fit(texts: readonly string[], room: number): string {
  return texts.find((text) => text.length * CHAR <= room) ?? "";
}

/** Width of a digit of a value. */
const DIGIT = 9.1;

/** The value next to its name; a short field has only its last form: `0x6` of `6 = 0x6`. */
function valueIn({ name, value }: BitField, width: number): string {
  const room = width - 12 - name.length * CHAR;
  return value.length * DIGIT <= room
    ? value
    : (value.split(" = ").at(-1) ?? value);
}

function toneClass(tone: "plain" | Outcome): string {
  return tone === "plain" ? "quiet" : `b ink-${tone}`;
}

function BracketMark({
  bracket,
  layout,
}: {
  readonly bracket: Bracket;
  readonly layout: BitLayout;
}) {
  const asking = useAsking();
  const { tone, marks, high, low, notes, labels } = bracket;
  const left = layout.left(high);
  const right = layout.right(low);
  const room = right - left;
  const note =
    fit(notes, labels.length > 1 ? room - 60 : room) || fit(notes, room);
  const label = fit(labels, room - (note === "" ? 0 : note.length * CHAR + 8));
  const isKey = notes.length > 0;
  return (
    <g
      {...(bracket.object && {
        ...placesOf(bracket.object),
        ...pressOf(asking, [bracket.object], labels.at(-1) ?? ""),
      })}
    >
      {bracket.tip === undefined ? null : <title>{bracket.tip}</title>}
      {bracket.kept ? null : (
        <path className="access-bracket" d={`M${left} 53V58H${right}V53`} />
      )}
      {marks.map((mark) => (
        <rect
          key={mark.low}
          className="access-set"
          x={layout.x(mark.high) - layout.pitch(mark.high)}
          y={49}
          width={
            layout.x(mark.low) - layout.x(mark.high) + layout.pitch(mark.high)
          }
          height={3}
          fill={tone === "plain" ? "var(--line-strong)" : outcomeColour(tone)}
        />
      ))}
      <text
        x={left + (isKey ? 1 : 0)}
        y={73}
        className={isKey ? "quiet" : toneClass(tone)}
      >
        {label}
      </text>
      {note === "" ? null : (
        <text
          x={right}
          y={73}
          textAnchor="end"
          className={tone === "plain" ? "b" : toneClass(tone)}
        >
          {note}
        </text>
      )}
    </g>
  );
}
