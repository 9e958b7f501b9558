import { DEFAULT_OS } from "../../../src/engine/generated/defaults";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { Virt } from "../../../src/engine/generated/Virt";
import { MemoryForm } from "../../../src/views/config/MemoryForm";

afterEach(cleanup);

const nothing = () => undefined;

/** Returns the warning of the form. */
function check(
  virt: Virt,
  noNested: string | undefined,
  noWalkCaches?: string,
): string | undefined {
  const { unmount } = render(
    <MemoryForm
      os={{ ...DEFAULT_OS, virt }}
      tables="x86"
      memory={{ data: false, caches: [], dram: 200 }}
      modelCaches={[]}
      levels={4}
      hostLevels={4}
      sizes={["4K", "2M"]}
      noNested={noNested}
      noWalkCaches={noWalkCaches}
      onOs={nothing}
      onMachine={nothing}
      onHostLevels={nothing}
    />,
  );
  const text = screen.queryByText(
    noWalkCaches ? /walk caches of/ : /as “shadow” does/,
  )?.textContent;
  unmount();
  return text;
}

test("nested_paging_of_a_processor_without_it_is_warned_of_where_it_is_chosen", () => {
  const why = "Core 2 has no EPT";
  expect(check("ept", why)).toBe("Core 2 has no EPT, as “shadow” does.");
  expect(check("native", why)).toBeUndefined();
  expect(check("shadow", why)).toBeUndefined();
  expect(check("ept", undefined)).toBeUndefined();
});

test("walk_caches_that_only_lack_a_source_are_warned_of", () => {
  const why = "No source describes the walk caches of the Kunpeng 920";
  expect(check("native", undefined, why)).toBe(`${why}.`);
  expect(check("ept", undefined, why)).toBe(`${why}.`);
});
