/** What the user picked in the TLB panel: a set of an array, or one way of it. */
export interface Place {
  readonly structure: number;
  readonly set: number;
  /** `null` means the whole set. */
  readonly way: number | null;
}

/** A place that the panel's owner keeps and explains, in place of the panel's details. */
export interface OwnedPlace {
  readonly place: Place | null;
  readonly onPlace: (place: Place | null) => void;
  /** The place that a reader expects, drawn with a dashed outline. */
  readonly guess: Place | null;
  /** What a press chooses as an answer; `null` if it only selects. */
  readonly chooses: "set" | "way" | null;
}
