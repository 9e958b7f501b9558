/** The TLBs of this computer, measured and compared with the models. */
import { STRIDES } from "../../model/measure/state";
import { fitId } from "../../model/measure/chart";
import { MeasurePage } from "../../views/measure/MeasurePage";
import { useActions, useApp } from "../context";
import { useChoices } from "../shared/useChoices";

export function MeasureScreen() {
  const measure = useApp((state) => state.measure);
  const hasReplay = useApp(({ configuration }) => configuration !== undefined);
  const actions = useActions();
  const { values, onChoose } = useChoices();
  const report = measure?.result?.report;
  const fits = report?.fits ?? [];
  const fit = fits.find((each) => fitId(each) === values["model"]) ?? fits[0];
  const seconds = Number(values["seconds"] ?? "20");
  const stride = STRIDES.find((each) => String(each) === values["stride"]) ?? 1;
  return (
    <MeasurePage
      measure={measure}
      fit={fit}
      seconds={seconds}
      onSeconds={(next) =>
        onChoose("seconds", next === 20 ? undefined : String(next))
      }
      stride={stride}
      onStride={(next) =>
        onChoose("stride", next === 1 ? undefined : String(next))
      }
      onBegin={() => void actions.measureThis({ seconds, stride })}
      onCancel={actions.cancelMeasure}
      onFit={(next) => onChoose("model", next)}
      onSimulate={
        report?.machine && hasReplay
          ? () => void actions.simulateMeasured(report)
          : undefined
      }
    />
  );
}
