import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { CpuModel } from "../../../src/engine/generated/CpuModel";
import type { Provenance } from "../../../src/engine/generated/Provenance";
import { FieldsContext } from "../../../src/views/config/fields";
import { TextField } from "../../../src/views/config/TextField";

afterEach(cleanup);

const SOURCE: Provenance = {
  path: "l1[0].entries",
  confidence: "documented",
  source: "SDM",
};

function Editor({ sources }: { readonly sources: readonly Provenance[] }) {
  const model = { name: "A", provenance: sources } as unknown as CpuModel;
  return (
    <FieldsContext value={{ problems: [], model }}>
      <TextField
        name="Entries"
        path="l1[0].entries"
        modelPath="l1[0].entries"
        label="Entries"
        value="64"
        modelValue="64"
        onChange={() => undefined}
      />
    </FieldsContext>
  );
}

test("a_source_that_arrives_does_not_replace_the_typed_text", () => {
  const { rerender } = render(<Editor sources={[]} />);
  const field = screen.getByLabelText("Entries");
  field.focus();
  fireEvent.input(field, { target: { value: "128" } });
  rerender(<Editor sources={[SOURCE]} />);
  const now = screen.getByLabelText<HTMLInputElement>("Entries");
  expect(now.value).toBe("128");
  expect(now.getAttribute("aria-description")).toContain("Documented");
  expect(document.activeElement).toBe(now);
});
