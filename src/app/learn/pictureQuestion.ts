import type { Posed } from "../../engine/generated/Posed";

/** The question that a picture answers. */
export interface PictureQuestion {
  readonly posed: Posed;
  readonly given: string;
  readonly onGive: (given: string) => void;
}
