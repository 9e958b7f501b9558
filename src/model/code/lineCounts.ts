/** The counts by line of a run, with those of the libraries that the lines call. */
import type { AttributionView } from "../../engine/generated/AttributionView";
import type { ProgramAbout } from "./about";
import { callsByName } from "./libraryCalls";
import { lineTable } from "./lines";
import type { LineTable } from "./lines";

export function linesOf({
  attribution,
  about,
}: {
  readonly attribution: AttributionView;
  /** Missing if the program is in JavaScript. */
  readonly about: ProgramAbout | undefined;
}): LineTable {
  return lineTable(attribution, about?.files, about && callsByName(about));
}
