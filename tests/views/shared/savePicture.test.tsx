import { fireEvent, render, screen } from "@testing-library/react";
import { beforeAll, expect, test, vi } from "vitest";
import { loadFloating } from "../../../src/views/shared/opener/Opener";
import { PageFactsContext } from "../../../src/views/shared/picture/PageFacts";
import { SavePicture } from "../../../src/views/shared/picture/SavePicture";
import { TraceTagContext } from "../../../src/views/shared/TraceTag";

beforeAll(loadFloating);

const page = {
  name: () => "",
  link: () => "",
  caption: () => Promise.resolve(undefined),
  about: () => ({ "about.version": "0.1.0", "about.trace.name": "a,b" }),
};

test.each([
  [null, null, "n\n1\n"],
  [{ word: "sampled", meaning: "" }, null, "n,completeness\n1,sampled\n"],
  [null, page, 'n,about.version,about.trace.name\n1,0.1.0,"a,b"\n'],
])("numbers_with_the_tag_%j_on_the_page_%j_say_so", async (tag, on, text) => {
  // jsdom cannot make addresses of blobs.
  const saved = vi.fn<(file: Blob) => string>(() => "#");
  Object.assign(URL, { createObjectURL: saved, revokeObjectURL: vi.fn() });
  render(
    <TraceTagContext value={tag}>
      <PageFactsContext value={on}>
        <SavePicture what="Misses" tables={[{ csv: () => "n\n1\n" }]} />
      </PageFactsContext>
    </TraceTagContext>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Save “Misses”" }));
  fireEvent.click(await screen.findByRole("button", { name: /^CSV/ }));
  await vi.waitFor(() => expect(saved).toHaveBeenCalled());
  const [file] = saved.mock.lastCall ?? [];
  expect(await file?.text()).toBe(text);
});
