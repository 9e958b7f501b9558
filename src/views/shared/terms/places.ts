/**
 * Marks the places of an object. The pictures do not know each other: hovering one place lights all of them,
 * by the style sheet `lit.css`. Columns of the walk and index bits are marked with `data-level`.
 */
import type { PictureObject } from "../../../model/replay/parts";
import "./lit.css";

export interface Places {
  readonly "data-object"?: string;
  readonly "data-level"?: string;
}

export function placesOf(...objects: readonly PictureObject[]): Places {
  const isLevel = (object: PictureObject) => object.startsWith("level-");
  const levels = objects.filter(isLevel).map((each) => each.slice(6));
  const others = objects.filter((each) => !isLevel(each));
  return {
    ...(others.length > 0 && { "data-object": others.join(" ") }),
    ...(levels.length > 0 && { "data-level": levels.join(" ") }),
  };
}
