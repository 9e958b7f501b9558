import {
  cleanup,
  fireEvent,
  render,
  screen,
  within,
} from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { CpuModel } from "../../../src/engine/generated/CpuModel";
import type { MachineConfig } from "../../../src/engine/generated/MachineConfig";
import type { OsConfig } from "../../../src/engine/generated/OsConfig";
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

test("a_machine_that_is_saved_is_shown_by_its_name_and_chosen_under_mine", async () => {
  const cpus = [model("haswell", "Haswell")];
  const machine = (seed: number) => ({ name: "x", seed }) as MachineConfig;
  const saved = { id: "1", name: "my machine", date: 1, cpu: "haswell" };
  const mine = [{ ...saved, machine: machine(7), os: {} as OsConfig }];
  const onMine = vi.fn();
  const picker = (seed: number) => (
    <CpuPicker
      cpus={cpus}
      value="haswell"
      edited
      mine={mine}
      machine={machine(seed)}
      onMine={onMine}
      onMachines={() => undefined}
      onChange={() => undefined}
    />
  );
  const { rerender } = render(picker(7));
  const button = screen.getByRole("button");
  expect(button.textContent).toContain("my machine");
  rerender(picker(8));
  expect(button.textContent).toContain("Haswell, edited");
  fireEvent.click(button);
  const group = await screen.findByRole("group", { name: "Mine" });
  fireEvent.click(within(group).getByRole("option", { name: "my machine" }));
  expect(onMine).toHaveBeenCalledWith("1");
});
