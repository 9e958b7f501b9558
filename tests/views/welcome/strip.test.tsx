import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { say, term } from "../../../src/model/replay/parts";
import { WelcomeStrip } from "../../../src/views/welcome/WelcomeStrip";
import { sayWelcome } from "../../texts/catalogues";
import type { WelcomeStripProps } from "../../../src/views/welcome/WelcomeStrip";

afterEach(cleanup);

function show(part: Partial<WelcomeStripProps> = {}) {
  const calls = { onNext: vi.fn(), onBack: vi.fn(), onSkip: vi.fn() };
  const onImport = vi.fn();
  render(
    <WelcomeStrip
      say={sayWelcome}
      access="Access 0: load at 0x5000."
      moment={{
        title: "PT entry 5",
        text: say`The ${term("walk", "page-walk")} reads it.`,
      }}
      at={2}
      n={5}
      next="Next step"
      lessons="#screen=learn"
      doors={[
        {
          title: "Learn",
          links: [{ text: "Glossary", to: "#screen=glossary" }],
        },
        { title: "Open a trace", links: [{ text: "A file", to: onImport }] },
      ]}
      {...calls}
      {...part}
    />,
  );
  return { ...calls, onImport };
}

const press = (name: string) =>
  fireEvent.click(screen.getByRole("button", { name }));

test("it_says_the_access_the_step_and_what_happens_there", () => {
  show();
  const text = screen.getByRole("region", { name: "First steps" }).textContent;
  expect(text).toContain("Access 0: load at 0x5000.step 2 of 5");
  expect(text).toContain("PT entry 5The walk reads it.");
});

test("its_buttons_go_on_back_and_away_and_its_doors_open", () => {
  const { onNext, onBack, onSkip, onImport } = show();
  press("Next step");
  press("Back");
  press("Skip");
  press("A file");
  for (const each of [onNext, onBack, onSkip, onImport])
    expect(each).toHaveBeenCalledOnce();
  const link = screen.getByRole("link", { name: "Glossary" });
  expect(link.getAttribute("href")).toBe("#screen=glossary");
});

test("before_the_trace_is_open_only_skip_and_the_doors_work", () => {
  const { onNext } = show({
    access: undefined,
    moment: undefined,
    at: 0,
    n: 0,
    onBack: undefined,
  });
  screen.getByText("Opening a program …");
  const next = screen.getByRole("button", { name: "Next step" });
  expect(next.getAttribute("aria-disabled")).toBe("true");
  press("Next step");
  expect(onNext).not.toHaveBeenCalled();
});
