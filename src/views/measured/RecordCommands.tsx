/** The events to count on each processor, as commands to copy. */
import { RECORD_VENDORS } from "../../model/measured/commands";
import type { RecordVendor } from "../../model/measured/commands";
import { useChoice } from "../shared/choices";
import { CommandLine } from "../shared/CommandLine";
import { Segmented } from "../shared/Segmented";

const CHOICES = [
  { value: "intel", label: "Intel" },
  { value: "intel-old", label: "Intel before Skylake" },
  { value: "amd", label: "AMD Zen" },
  { value: "arm", label: "Arm" },
  { value: "any", label: "Any" },
] as const;

const IDS = CHOICES.map(({ value }) => value);

export interface RecordCommandsProps {
  /** The vendor shown at first. */
  readonly vendor: RecordVendor["id"];
}

export function RecordCommands({ vendor }: RecordCommandsProps) {
  const [id = vendor, setId] = useChoice("processor", IDS, vendor);
  const shown = RECORD_VENDORS.find((each) => each.id === id);
  return (
    <section className="measured-section">
      <div className="measured-head">
        <h3>Record counters</h3>
        <Segmented
          label="Processor"
          choices={CHOICES}
          value={id}
          onChange={setId}
        />
      </div>
      {shown ? (
        <>
          <p className="t2 measured-about">
            {shown.about} :u excludes the kernel, which traces from valgrind,
            Pin, DynamoRIO and QEMU lack.
          </p>
          {shown.commands.map(({ what, command }) => (
            <div key={what} className="measured-command">
              <p>{what}</p>
              <CommandLine text={command} what={`${what}, ${shown.name}`} />
            </div>
          ))}
        </>
      ) : null}
    </section>
  );
}
