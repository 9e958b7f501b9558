/** Shown instead of the page if rendering fails: what happened, and how to continue. */
import { Component } from "react";
import type { ReactNode } from "react";
import "./breakdown.css";

interface Props {
  children: ReactNode;
}

interface State {
  error: Error | undefined;
}

/** React supports error boundaries only as classes. */
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
          This is a bug of Pagewalk, not of your trace. The address of this page
          still names the machine and the position, so reload it to continue.
          You have to import a trace from a file again.
        </p>
        <pre>{error.message}</pre>
        <p>
          <button type="button" onClick={() => location.reload()}>
            Reload
          </button>{" "}
          <button
            type="button"
            onClick={() => {
              location.hash = "";
              location.reload();
            }}
          >
            Start over
          </button>
        </p>
      </main>
    );
  }
}
