/** One part of the screen: its title, the tag of its source, and its controls. */
import type { ReactNode } from "react";
import { sourceWord } from "./source";
import type { SampleSource } from "./source";

export interface SamplesPanelProps {
  readonly title: string;
  readonly source: SampleSource;
  /** Controls next to the title. */
  readonly controls?: ReactNode;
  readonly children: ReactNode;
}

export function SamplesPanel(props: SamplesPanelProps) {
  const { title, source, controls, children } = props;
  return (
    <section className="samples-panel" aria-label={title}>
      <div className="samples-panel-head">
        <h3>{title}</h3>
        <SourceTag source={source} />
        <span className="spacer" />
        {controls}
      </div>
      {children}
    </section>
  );
}

/** Completeness, samples, event, period and losses. */
export function SourceTag({ source }: { readonly source: SampleSource }) {
  return (
    <span className="samples-source t2 small">
      <CompletenessTag of={source} /> {source.text}
    </span>
  );
}

/** The completeness of the recording. */
export function CompletenessTag({ of }: { readonly of: SampleSource }) {
  return <b className="samples-tag">{sourceWord(of)}</b>;
}
