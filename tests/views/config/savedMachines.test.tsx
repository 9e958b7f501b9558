import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { MachineConfig } from "../../../src/engine/generated/MachineConfig";
import type { OsConfig } from "../../../src/engine/generated/OsConfig";
import { SavedMachines } from "../../../src/views/config/SavedMachines";

const saved = {
  id: "1",
  name: "mine",
  date: 1,
  cpu: "amd-zen2",
  machine: {} as MachineConfig,
  os: {} as OsConfig,
};

function show(part: { problem?: string; why?: string } = {}) {
  const outcome = () => vi.fn(() => Promise.resolve(part.why));
  const calls = {
    onSave: outcome(),
    onRename: outcome(),
    onDelete: outcome(),
    onPutBack: outcome(),
    onImport: outcome(),
    onChoose: vi.fn(),
  };
  render(
    <SavedMachines
      machines={[saved]}
      problem={part.problem}
      deleted={{ ...saved, id: "2", name: "gone" }}
      current="Zen 2"
      {...calls}
    />,
  );
  return calls;
}

const press = (name: string) =>
  fireEvent.click(screen.getByRole("button", { name }));

test("a_machine_is_saved_chosen_renamed_deleted_and_put_back", () => {
  const calls = show();
  const type = (name: string, value: string) =>
    fireEvent.change(screen.getByRole("textbox", { name }), {
      target: { value },
    });
  type("Name of the shown machine", " ");
  press("Save this machine");
  expect(calls.onSave).toHaveBeenCalledWith("Zen 2");
  press("Rename “mine”");
  type("New name of “mine”", "ours");
  press("Rename");
  expect(calls.onRename).toHaveBeenCalledWith("1", "ours");
  press("mine");
  expect(calls.onChoose).toHaveBeenCalledWith("1");
  press("Delete “mine”");
  expect(calls.onDelete).toHaveBeenCalledWith("1");
  press("Put “gone” back");
  expect(calls.onPutBack).toHaveBeenCalled();
});

test("why_nothing_can_be_saved_is_told", async () => {
  show({ why: "the browser gives no more space" });
  press("Save this machine");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toBe("the browser gives no more space");
});
