/** The lines of a walk of hashed tables, which only machines for research have. */
import { lazy } from "react";

export const HashedLines = lazy(() =>
  import("./HashedLines").then((module) => ({ default: module.HashedLines })),
);
