/**
 * Chooses how memory is mapped and which caches serve page-table reads: virtualisation, the host's pages,
 * caches on or off.
 */
import { lazy } from "react";
import { Icon } from "../shared/Icon";
import { FloatingDialog, Opener } from "../shared/opener/Opener";
import type { MemoryFormProps } from "./MemoryForm";
import { mappingText } from "../../model/config/mapping";
import { wordsOf } from "../../model/words/words";
import { PickerText } from "./Picker";
import "./picker.css";

const MemoryForm = lazy(() =>
  import("./MemoryForm").then((module) => ({ default: module.MemoryForm })),
);

export interface MemoryPickerProps extends MemoryFormProps {
  readonly onEdit: () => void;
  /** One word for what is missing. */
  readonly brief?: boolean;
}

export function MemoryPicker({
  onEdit,
  brief = false,
  ...form
}: MemoryPickerProps) {
  const { os, memory } = form;
  const text = mappingText(os, wordsOf(form));
  const all = [
    text,
    ...(memory.caches.length === 0 ? ["no caches"] : []),
    ...(form.walkCaches?.isOn === false ? ["cold walks"] : []),
  ];
  const whole = all.join(", ");
  return (
    <Opener
      opens="dialog"
      className="picker"
      aria-label={`Memory ${whole}`}
      face={
        <>
          <span className="picker-label">Memory</span>{" "}
          <PickerText
            text={whole}
            short={brief && all.length > 1 ? `${text}*` : undefined}
          />
          <Icon name="chevron" size={12} />
        </>
      }
    >
      {(floating) => (
        <FloatingDialog {...floating} label="Memory" className="memory-form">
          {({ close }) => (
            <>
              <MemoryForm {...form} />
              <button
                type="button"
                className="btn memory-edit"
                onClick={() => {
                  close();
                  onEdit();
                }}
              >
                <Icon name="edit" /> Edit caches and walk caches
              </button>
            </>
          )}
        </FloatingDialog>
      )}
    </Opener>
  );
}
