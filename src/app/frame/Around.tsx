/** The context of every picture and table of the page. */
import type { ComponentProps, ReactNode } from "react";
import { PageFactsContext } from "../../views/shared/picture/PageFacts";
import { ChoicesContext } from "../../views/shared/choices";
import type { Choices } from "../../views/shared/choices";
import { PatternSheet } from "../../views/shared/Patterns";
import { TraceTagContext } from "../../views/shared/TraceTag";

interface AroundProps {
  readonly tag: ComponentProps<typeof TraceTagContext>["value"];
  readonly facts: ComponentProps<typeof PageFactsContext>["value"];
  readonly choices: Choices;
  readonly children: ReactNode;
}

export function Around({ tag, facts, choices, children }: AroundProps) {
  return (
    <TraceTagContext value={tag}>
      <PageFactsContext value={facts}>
        <ChoicesContext value={choices}>
          <PatternSheet />
          {children}
        </ChoicesContext>
      </PageFactsContext>
    </TraceTagContext>
  );
}
