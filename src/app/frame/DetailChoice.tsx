/** How much the pictures show: plain leaves out what a beginner does not need. */
import { Segmented } from "../../views/shared/Segmented";
import { useActions, useApp } from "../context";

const CHOICES = [
  { value: "plain", label: "Plain" },
  { value: "expert", label: "Expert" },
] as const;

export function DetailChoice() {
  const plain = useApp((state) => state.plain);
  const { showPlain } = useActions();
  return (
    <Segmented
      label="Detail"
      choices={CHOICES}
      value={plain ? "plain" : "expert"}
      onChange={(value) => showPlain(value === "plain")}
    />
  );
}
