import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { Virt } from "../../../src/engine/generated/Virt";
import { MappingTab } from "../../../src/views/config/MappingTab";

afterEach(cleanup);

const WHY = "Core 2 has no EPT, so a host on it shadowed the tables";

test.each<[Virt, string | undefined, boolean]>([
  ["ept", WHY, true],
  ["ept", undefined, false],
  ["native", WHY, false],
  ["shadow", WHY, false],
])("under_%s_of_a_model_that_is_%s_a_word_is_%s", (virt, noNested, isShown) => {
  render(
    <MappingTab
      os={{ default: "4K", regions: [], frames: "sequential", virt }}
      tables="x86"
      sizes={["4K"]}
      arrays={["TLB"]}
      huge={null}
      touched={[]}
      noNested={noNested}
      onOs={() => Promise.resolve([])}
    />,
  );
  const reason = screen.queryByText(`${WHY}, as “shadow” does.`);
  expect(reason !== null).toBe(isShown);
});
