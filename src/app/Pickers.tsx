import { isCustom } from "../state/selectors";
import { CpuPicker } from "../views/config/CpuPicker";
import { PagesPicker } from "../views/config/PagesPicker";
import { useActions, useApp } from "./context";
import type { EditorTab } from "./editorTab";

const NO_SIZES: readonly string[] = [];

/** The machine and its page size. */
export function Pickers({
  onEdit,
}: {
  readonly onEdit: (tab: EditorTab) => void;
}) {
  const cpus = useApp((state) => state.cpus);
  const configuration = useApp((state) => state.configuration);
  const custom = useApp(isCustom);
  const sizes = useApp((state) => state.machine?.page_sizes ?? NO_SIZES);
  const { chooseCpu, choosePages } = useActions();
  if (!configuration) return null;
  const { os } = configuration.setup;
  return (
    <>
      <CpuPicker
        cpus={cpus}
        value={configuration.cpu}
        edited={custom}
        onChange={(id) => void chooseCpu(id)}
        onEdit={() => onEdit("machine")}
      />
      <PagesPicker
        sizes={sizes}
        value={os.regions.length > 0 ? null : os.default}
        onChange={(pages) => void choosePages(pages)}
        onEdit={() => onEdit("mapping")}
      />
    </>
  );
}
