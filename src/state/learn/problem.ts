/** Why a lesson or an exercise cannot go on. */
import { EngineError } from "../../engine/engine";
import { LessonError } from "../../model/learn/error";
import { placed } from "../../model/shared/place";
import { unexpected } from "../notices";

/** What was thrown, in words for the page; `undefined` if newer work has replaced the work that failed. */
export function problemOf(thrown: unknown): string | undefined {
  if (thrown instanceof EngineError)
    return thrown.code === "cancelled"
      ? undefined
      : placed(thrown.message, thrown.at);
  return thrown instanceof LessonError ? thrown.message : unexpected(thrown);
}
