/** How one operating system maps memory: of the machine, of the guest, or of the host. */
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { PagePolicy } from "../../engine/generated/PagePolicy";
import type { RegionView } from "../../engine/generated/RegionView";
import {
  hugetextOf,
  isAsRecorded,
  policyMeaning,
  thpOf,
  usesFamily,
  withHugetext,
  withoutIdle,
  withThp,
} from "../../model/config/pagePolicies";
import { useProblemsWithin } from "./fields";
import { HugetextSection } from "./HugetextSection";
import { PlacementSection } from "./PlacementSection";
import { PolicyField } from "./PolicyField";
import type { Pages } from "./PolicyField";
import { PoolSection } from "./PoolSection";
import { RegionSection } from "./RegionSection";
import { RowProblems } from "./RowProblems";
import { ThpSection } from "./ThpSection";
import { without } from "./without";

export interface OsFormProps {
  /** Path of the settings: `os` or `os.host`. */
  readonly path: string;
  readonly os: OsConfig;
  readonly pages: Pages;
  readonly isHost: boolean;
  readonly touched: readonly RegionView[];
  readonly onChange: (os: OsConfig) => void;
}

export function OsForm(props: OsFormProps) {
  const { path, os, pages, isHost, touched, onChange } = props;
  const isWrong = {
    thp: useProblemsWithin(`${path}.thp`).length > 0,
    hugetlb: useProblemsWithin(`${path}.hugetlb`).length > 0,
    hugetext: useProblemsWithin(`${path}.hugetext`).length > 0,
  };
  const pools = os.hugetlb ?? [];
  const huge = pages.huge ?? "2M";
  const meaning = policyMeaning(os.default, pages.sizes, pages.huge);
  return (
    <>
      <section className="config-section">
        <div className="config-head">
          <h3>
            {isAsRecorded(os)
              ? "If nothing was recorded"
              : os.regions.length === 0
                ? "All memory"
                : "Everything outside the regions"}
          </h3>
          <div className="config-policy">
            <PolicyField
              path={`${path}.default`}
              label="pages"
              name="Pages of all other memory"
              pages={pages}
              value={os.default}
              onChange={(policy: PagePolicy) =>
                onChange(withoutIdle({ ...os, default: policy }))
              }
            />
          </div>
        </div>
        <p className="t2 small">{meaning}</p>
        <RowProblems path={`${path}.default`} />
      </section>
      {usesFamily(os, "thp") || isWrong.thp ? (
        <ThpSection
          path={`${path}.thp`}
          thp={thpOf(os)}
          huge={huge}
          onChange={(thp) => onChange(withThp(os, thp))}
        />
      ) : null}
      {usesFamily(os, "hugetlb") || pools.length > 0 || isWrong.hugetlb ? (
        <PoolSection
          path={`${path}.hugetlb`}
          pools={pools}
          sizes={pages.sizes.slice(1)}
          onChange={(next) =>
            onChange({
              ...without(os, "hugetlb"),
              ...(next.length > 0 && { hugetlb: next }),
            })
          }
        />
      ) : null}
      {usesFamily(os, "hugetext") || isWrong.hugetext ? (
        <HugetextSection
          path={`${path}.hugetext`}
          hugetext={hugetextOf(os)}
          huge={huge}
          isHost={isHost}
          onChange={(hugetext) => onChange(withHugetext(os, hugetext))}
        />
      ) : null}
      <RegionSection
        path={`${path}.regions`}
        regions={os.regions}
        pages={pages}
        touched={touched}
        onChange={(regions) => onChange(withoutIdle({ ...os, regions }))}
      />
      <PlacementSection
        path={path}
        os={os}
        isHost={isHost}
        onChange={onChange}
      />
    </>
  );
}
