import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { CpuModel } from "../../../src/engine/generated/CpuModel";
import { CpuPicker } from "../../../src/views/config/CpuPicker";

afterEach(cleanup);

/** A model with a variant whose name other models have, too. */
function model(id: string, name: string): CpuModel {
  return {
    id,
    name,
    vendor: "Intel",
    provenance: [],
    machine: {},
    variants: [
      {
        id: "smt-on",
        kind: "smt",
        name: "Hyper-Threading on",
        note: "",
        machine: {},
        provenance: [],
      },
    ],
  } as unknown as CpuModel;
}

test("models_whose_variants_have_the_same_name_can_follow_each_other", () => {
  const cpus = [model("haswell", "Haswell"), model("skylake", "Skylake")];
  const picker = (value: string) => (
    <CpuPicker
      cpus={cpus}
      value={value}
      edited={false}
      onChange={() => undefined}
      onEdit={() => undefined}
    />
  );
  const { rerender } = render(picker("skylake"));
  for (const value of ["haswell", "haswell:smt-on", "skylake:smt-on"]) {
    rerender(picker(value));
    const shown = value.startsWith("haswell") ? "Haswell" : "Skylake";
    expect(screen.getByRole("button").textContent).toContain(shown);
  }
});
