/** Shown instead of the page, or of a part of it, if rendering fails: what happened, and how to continue. */
import { Component, Suspense } from "react";
import type { ReactNode } from "react";
import { isMissingPart, MISSING_PART } from "../../model/shared/missingPart";
import "./breakdown.css";

interface Props {
  children: ReactNode;
  /** Receives the error. Nothing is then shown in place of the content. */
  onError?: ((error: unknown) => void) | undefined;
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

  override componentDidCatch(error: unknown) {
    this.props.onError?.(error);
  }

  override render() {
    const { error } = this.state;
    const { children, onError } = this.props;
    if (error === undefined) return children;
    if (onError) return null;
    const reload = (
      <button type="button" onClick={() => location.reload()}>
        Reload
      </button>
    );
    if (isMissingPart(error))
      return (
        <div className="breakdown" role="alert" lang="en">
          <p>{MISSING_PART}</p>
          <p>{reload}</p>
        </div>
      );
    return (
      <div className="breakdown" role="alert" lang="en">
        <h1>The page could not be drawn</h1>
        <p>
          This is a bug of Pagewalk, not of your trace. The address of this page
          still names the machine and the position, so reload it to continue.
          You have to import a trace from a file again.
        </p>
        <pre>{error.message}</pre>
        <p>
          {reload}{" "}
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
      </div>
    );
  }
}

/** A part of the page that loads later, and `fallback` until then. If it fails, the rest of the page stays. */
export function Part({
  children,
  onError,
  fallback,
}: Props & { fallback?: ReactNode }) {
  return (
    <Breakdown onError={onError}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </Breakdown>
  );
}
