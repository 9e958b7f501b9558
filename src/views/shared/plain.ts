/** Whether pictures leave out details that a beginner does not need. */
import { createContext, useContext } from "react";

export const PlainContext = createContext(false);

export function usePlain(): boolean {
  return useContext(PlainContext);
}
