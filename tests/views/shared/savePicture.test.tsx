import { fireEvent, render, screen } from "@testing-library/react";
import { beforeAll, expect, test, vi } from "vitest";
import { loadFloating } from "../../../src/views/shared/opener/Opener";
import { SavePicture } from "../../../src/views/shared/picture/SavePicture";
import { TraceTagContext } from "../../../src/views/shared/TraceTag";

beforeAll(loadFloating);

test.each([
  [null, "n\n1\n"],
  [{ word: "sampled", meaning: "" }, "n,completeness\n1,sampled\n"],
])("numbers_of_a_trace_with_the_tag_%j_say_so", async (tag, text) => {
  // jsdom cannot make addresses of blobs.
  const saved = vi.fn<(file: Blob) => string>(() => "#");
  Object.assign(URL, { createObjectURL: saved, revokeObjectURL: vi.fn() });
  render(
    <TraceTagContext value={tag}>
      <SavePicture what="Misses" tables={[{ csv: () => "n\n1\n" }]} />
    </TraceTagContext>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Save “Misses”" }));
  fireEvent.click(await screen.findByRole("button", { name: /^CSV/ }));
  const [file] = saved.mock.lastCall ?? [];
  expect(await file?.text()).toBe(text);
});
