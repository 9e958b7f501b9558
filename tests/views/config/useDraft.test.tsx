import { act, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useDraft } from "../../../src/views/config/useDraft";
import type { Apply, Rejection } from "../../../src/views/config/useDraft";

interface Machine {
  readonly [key: string]: number;
  readonly ways: number;
}

const A = { ways: 4 };

const PROBLEM = { field: "l1[0].ways", message: "0 ways" };

/** Creates a draft. Its core rejects 0 ways. */
function draft() {
  const apply = vi.fn<Apply<Machine>>(({ ways }) =>
    Promise.resolve(
      ways === 0
        ? [{ message: PROBLEM.message, at: { field: PROBLEM.field } }]
        : [],
    ),
  );
  const hook = renderHook(
    ({ applied }: { applied: Machine }) => useDraft(applied, apply),
    { initialProps: { applied: A } },
  );
  const change = (ways: number) =>
    act(async () => {
      hook.result.current.change({ ways });
      await Promise.resolve();
    });
  return { ...hook, apply, change, draft: () => hook.result.current };
}

test("a_change_is_applied", async () => {
  const { apply, change, draft: now } = draft();
  await change(8);
  expect(apply).toHaveBeenCalledWith({ ways: 8 });
  expect(now()).toMatchObject({ value: { ways: 8 }, problems: [] });
});

test("what_the_core_rejects_stays_in_the_draft_with_its_problem", async () => {
  const { change, draft: now } = draft();
  await change(0);
  expect(now()).toEqual({
    value: { ways: 0 },
    problems: [PROBLEM],
    change: expect.any(Function) as unknown,
  });
  await change(2);
  expect(now().problems).toEqual([]);
});

test("problems_stay_until_the_core_has_answered_about_the_newest_change", async () => {
  const { apply, change, draft: now } = draft();
  await change(0);
  let answer: (rejections: readonly Rejection[]) => void = () => undefined;
  apply.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  await change(7);
  apply.mockReturnValueOnce(new Promise(() => undefined));
  await change(8);
  // The answer to an older change does not apply to the newest one.
  await act(async () => {
    answer([]);
    await Promise.resolve();
  });
  expect(now()).toMatchObject({ value: { ways: 8 }, problems: [PROBLEM] });
});

test("what_fails_on_its_way_says_why_and_is_not_waited_for", async () => {
  const { apply, change, rerender, draft: now } = draft();
  const error = new Error("the worker is gone");
  const reported = vi.fn();
  vi.stubGlobal("reportError", reported);
  apply.mockRejectedValueOnce(error);
  await change(8);
  expect(reported).toHaveBeenCalledExactlyOnceWith(error);
  expect(now()).toMatchObject({
    value: { ways: 8 },
    problems: [{ field: "", message: "the worker is gone" }],
  });
  await change(0);
  // An equal configuration from elsewhere is not the late arrival of the typed one.
  rerender({ applied: { ways: 8 } });
  expect(now()).toMatchObject({ value: { ways: 8 }, problems: [] });
});

test("a_change_from_outside_replaces_the_draft", async () => {
  const { change, rerender, draft: now } = draft();
  await change(0);
  rerender({ applied: { ways: 2 } });
  expect(now()).toMatchObject({ value: { ways: 2 }, problems: [] });
});

test("undo_after_a_change_that_was_applied_shows_the_previous_value", async () => {
  const { change, rerender, draft: now } = draft();
  await change(8);
  rerender({ applied: { ways: 8 } });
  rerender({ applied: A });
  expect(now().value).toEqual(A);
});

test("what_arrives_late_does_not_replace_what_was_typed_since", async () => {
  const { apply, change, rerender, draft: now } = draft();
  // The core never answers.
  const never = new Promise<never>(() => undefined);
  apply.mockReturnValueOnce(never).mockReturnValueOnce(never);
  await change(8);
  await change(16);
  rerender({ applied: { ways: 8 } });
  expect(now().value).toEqual({ ways: 16 });
  await change(0);
  rerender({ applied: { ways: 16 } });
  expect(now()).toMatchObject({
    value: { ways: 0 },
    problems: [PROBLEM],
  });
  rerender({ applied: { ways: 8 } });
  expect(now()).toMatchObject({ value: { ways: 8 }, problems: [] });
});
