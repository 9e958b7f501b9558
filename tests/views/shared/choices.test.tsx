import { act, renderHook } from "@testing-library/react";
import { createElement } from "react";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import {
  ChoicesContext,
  useChoice,
  useSwitch,
} from "../../../src/views/shared/choices";

const KNOWN = ["a", "b"] as const;

const inPage = (values: Record<string, string>, onChoose = vi.fn()) => ({
  onChoose,
  wrapper: ({ children }: { readonly children: ReactNode }) =>
    createElement(ChoicesContext, { value: { values, onChoose } }, children),
});

test("a_view_that_stands_alone_keeps_its_choice", () => {
  const { result } = renderHook(() => useChoice("by", KNOWN));
  expect(result.current[0]).toBe("a");
  act(() => result.current[1]("b"));
  expect(result.current[0]).toBe("b");
});

test.each([
  ["b", "b"],
  ["nothing known", "a"],
])("of_a_page_that_keeps_%s_the_choice_is_%s", (kept, shown) => {
  const { wrapper } = inPage({ by: kept });
  const { result } = renderHook(() => useChoice("by", KNOWN), { wrapper });
  expect(result.current[0]).toBe(shown);
});

test("what_a_view_opens_with_is_not_kept", () => {
  const { wrapper, onChoose } = inPage({ by: "b" });
  const { result } = renderHook(() => useChoice("by", KNOWN), { wrapper });
  result.current[1]("a");
  expect(onChoose).toHaveBeenLastCalledWith("by", undefined);
  result.current[1]("b");
  expect(onChoose).toHaveBeenLastCalledWith("by", "b");
});

test("a_switch_is_kept_while_it_is_on", () => {
  const { wrapper, onChoose } = inPage({ all: "yes" });
  const { result } = renderHook(() => useSwitch("all"), { wrapper });
  expect(result.current[0]).toBe(true);
  result.current[1](false);
  expect(onChoose).toHaveBeenLastCalledWith("all", undefined);
});
