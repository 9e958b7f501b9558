/** How much the pictures show: plain leaves out what a beginner does not need. */
import { Segmented } from "../../views/shared/Segmented";
import { useActions, useApp } from "../context";
import { useSpoken } from "../language/spoken";

const CHOICES = ["plain", "expert"] as const;

export function DetailChoice() {
  const { nav } = useSpoken();
  const plain = useApp((state) => state.plain);
  const { showPlain } = useActions();
  return (
    <Segmented
      label={nav.detail}
      choices={CHOICES.map((value) => ({ value, label: nav[value] }))}
      value={plain ? "plain" : "expert"}
      onChange={(value) => showPlain(value === "plain")}
    />
  );
}
