/** What is shown of a link that cannot be simulated as a whole. It loads with the error. */
import type { EngineError } from "../../engine/engine";
import { mappingOf } from "../../model/config/cpus";
import { encodePermalink } from "../../model/permalink/permalink";
import type { Configuration } from "../config/configurations";
import { isAboutMapping, isAboutWindow } from "../config/setup";
import { withWindow } from "../replay/runWindow";

/** The parts of a link that work although another part was rejected. */
export function wayOut(
  error: EngineError,
  configuration: Configuration,
  fallback: Configuration,
) {
  const { setup } = configuration;
  if (setup.window && isAboutWindow(error))
    return {
      next: withWindow(configuration, undefined),
      before: "The link’s part of the trace cannot be counted: ",
      after: " The whole trace is counted.",
    };
  const os = mappingOf(undefined, setup.machine);
  if (
    isAboutMapping(error) &&
    encodePermalink({ os: setup.os }) !== encodePermalink({ os })
  )
    return {
      next: { ...configuration, setup: { ...setup, os } },
      before: "The link’s memory cannot be simulated: ",
      after: ` Memory was set to native pages of ${os.default}; the machine is the link’s.`,
    };
  return {
    next: fallback,
    before: "The link’s machine cannot be simulated: ",
    after: " The default machine is shown.",
  };
}
