/** What is shown instead of the page where drawing it has failed: what happened, and a way on. */
import { Component } from "react";
import type { ReactNode } from "react";
import "./breakdown.css";

interface Props {
  children: ReactNode;
}

interface State {
  error: Error | undefined;
}

/** React has no other form for this than a class. */
export class Breakdown extends Component<Props, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(thrown: unknown): State {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <main className="breakdown" role="alert">
        <h1>The page could not be drawn</h1>
        <p>
          This is a fault of Pagewalk, not of your trace. The address of this
          page still names the machine and the position: loading it again goes
          on from there. A trace from a file has to be opened again.
        </p>
        <pre>{error.message}</pre>
        <p>
          <button type="button" onClick={() => location.reload()}>
            Load again
          </button>{" "}
          <button
            type="button"
            onClick={() => {
              location.hash = "";
              location.reload();
            }}
          >
            Start afresh
          </button>
        </p>
      </main>
    );
  }
}
