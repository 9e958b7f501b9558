import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import type { OsConfig } from "../../../src/engine/generated/OsConfig";
import { FieldsContext } from "../../../src/views/config/fields";
import type { Problem } from "../../../src/views/config/fields";
import { GivenSection } from "../../../src/views/config/GivenSection";

afterEach(cleanup);

const OS: OsConfig = { default: "64", regions: [], frames: "sequential" };

/** Shows the section over a mapping that follows its changes. */
function show(start: OsConfig, problems: readonly Problem[] = []) {
  let os = start;
  function Host() {
    const [value, setValue] = useState(start);
    os = value;
    return (
      <FieldsContext value={{ problems, model: undefined }}>
        <GivenSection os={value} arrays={["TLB"]} onChange={setValue} />
      </FieldsContext>
    );
  }
  render(<Host />);
  return () => os.given;
}

test("a_table_is_begun_typed_and_removed", () => {
  const given = show(OS);
  fireEvent.click(screen.getByText("Give a page table"));
  const frame = screen.getByLabelText("PPN of page 0");
  fireEvent.change(frame, { target: { value: "2D" } });
  fireEvent.blur(frame);
  expect(given()).toEqual({ pages: [{ page: "0x0", frame: "0x2d" }] });
  fireEvent.click(screen.getByText("Add a page"));
  fireEvent.click(screen.getByLabelText("Whether page 1 is valid"));
  expect(given()?.pages?.[1]).toEqual({ page: "0x0", valid: false });
  fireEvent.click(screen.getByLabelText("Remove page 0"));
  expect(given()?.pages).toHaveLength(1);
  fireEvent.change(screen.getByLabelText(/^What happens/), {
    target: { value: "fault" },
  });
  expect(given()?.others).toBe("fault");
  fireEvent.click(screen.getByText("Remove all"));
  expect(given()).toBeUndefined();
});

test("the_rows_of_a_book_are_pasted", () => {
  const given = show({ ...OS, given: {} });
  const [, tlb] = screen.getAllByText("Paste a table");
  if (!tlb) throw new Error("no button");
  fireEvent.click(tlb);
  const field = screen.getByLabelText("Rows of the TLB contents");
  fireEvent.change(field, { target: { value: "3 0A 34" } });
  fireEvent.click(screen.getByText("Replace the rows"));
  expect(screen.getByRole("alert").textContent).toContain("has 3 columns");
  fireEvent.change(field, { target: { value: "3 07 – 0 0A 34 1" } });
  fireEvent.click(screen.getByText("Replace the rows"));
  expect(given()?.tlb).toEqual([
    { set: "0x3", tag: "0x7", valid: false },
    { set: "0x3", tag: "0xa", frame: "0x34" },
  ]);
});

test("an_error_stands_below_its_row", () => {
  const message = "page 0xf has frame 0xe here and frame 0xd in given.pages[0]";
  show({ ...OS, given: { tlb: [{ page: "0xe" }, { page: "0xf" }] } }, [
    { field: "os.given.tlb[1].frame", message },
    { field: "os.given.tables[0]", message: "no frame" },
  ]);
  expect(screen.getByTestId("os.given.tlb[1]").textContent).toContain(message);
  expect(screen.getByTestId("os.given.tlb[0]").textContent).not.toContain(
    message,
  );
  expect(screen.getAllByRole("alert")).toHaveLength(2);
});
