import { counted } from "../../model/shared/format";
import { Icon } from "../../views/shared/Icon";
import { useActions, useApp } from "../context";

/** Opens the folded summary again; nothing while it is open. */
export function ImportButton({ className }: { readonly className: string }) {
  const trace = useApp(({ showsImport, foldsImport, trace }) =>
    showsImport && foldsImport ? trace : undefined,
  );
  const { showImport } = useActions();
  if (!trace) return null;
  const { warnings } = trace.import;
  return (
    <button
      type="button"
      className={`btn ${className}`}
      title={`What was imported from ${trace.name}`}
      onClick={() => showImport(true)}
    >
      <Icon name="open" size={12} />{" "}
      {warnings.length === 0
        ? "import"
        : `import, ${counted(warnings.length, "warning")}`}
    </button>
  );
}
