/** CSV files of panels. Every file names in its last columns what its numbers are about, as those of `pagewalk`. */
import { useContext } from "react";
import { withFacts } from "../../model/shared/csv";
import { PageFactsContext } from "./picture/PageFacts";
import { useTagFacts } from "./TraceTag";

/** Returns a function that makes a file from the text of a table, and from more facts about all its rows. */
export function useCsvFile(): (
  text: string,
  facts?: Readonly<Record<string, string>>,
) => Blob {
  const page = useContext(PageFactsContext);
  const tag = useTagFacts();
  return (text, facts) => {
    const all = { ...tag, ...facts, ...page?.about() };
    return new Blob([withFacts(text, all)], { type: "text/csv" });
  };
}
