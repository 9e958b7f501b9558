import { useState } from "react";
import { useAppStore } from "../context";

/** Copies what a bug report needs. The text is made at the click. */
export function CopyDiagnostics() {
  const store = useAppStore();
  const [label, setLabel] = useState("Copy diagnostics");
  const copy = async () => {
    try {
      const { diagnostics } = await import("./diagnostics");
      await navigator.clipboard.writeText(diagnostics(store.getState()));
      setLabel("Copied");
    } catch {
      setLabel("The browser does not allow to copy");
    }
  };
  return (
    <button type="button" className="btn" onClick={() => void copy()}>
      {label}
    </button>
  );
}
