/** The results that this version ships, fetched when the experiments are first shown. */
import { readShipped } from "../../model/experiments/shipped";
import type { Shipped, ShippedFile } from "../../model/experiments/shipped";
import results from "./results.json?url";

export async function shippedExperiments(): Promise<Shipped> {
  const response = await fetch(results);
  if (!response.ok)
    throw new Error(`The server answered ${response.status} for ${results}.`);
  return readShipped((await response.json()) as ShippedFile);
}
