/** The language of a program, and for C and C++ the optimisation level and the arguments. */
import { LANGUAGE_WORDS, languageOf } from "../../model/code/build";
import type { Build, CodeLanguage } from "../../model/code/build";
import { LEVELS } from "../../model/code/program";

export interface BuildPickerProps {
  readonly build: Build | undefined;
  /** Before the labels, if there are two programs. */
  readonly before: string;
  readonly onLanguage: (language: CodeLanguage) => void;
  readonly onBuild: (build: Build) => void;
}

const LANGUAGES: readonly CodeLanguage[] = ["javascript", "c", "c++"];

export function BuildPicker(props: BuildPickerProps) {
  const { build, before, onLanguage, onBuild } = props;
  return (
    <>
      <select
        className="field code-language"
        aria-label={`${before}Language`}
        value={languageOf(build)}
        onChange={({ target: { value } }) => {
          const language = LANGUAGES.find((each) => each === value);
          if (language) onLanguage(language);
        }}
      >
        {LANGUAGES.map((each) => (
          <option key={each} value={each}>
            {LANGUAGE_WORDS[each]}
          </option>
        ))}
      </select>
      {build ? (
        <>
          <select
            className="field code-level"
            aria-label={`${before}Optimisation level`}
            title="Optimisation level of the compiler: -O0 keeps every variable in memory, -O2 keeps most in registers"
            value={build.level}
            onChange={({ target: { value } }) => {
              const level = LEVELS.find((each) => each === value);
              if (level) onBuild({ ...build, level });
            }}
          >
            {LEVELS.map((each) => (
              <option key={each} value={each}>
                -O{each}
              </option>
            ))}
          </select>
          <input
            className="field code-args"
            aria-label={`${before}Arguments of the program`}
            placeholder="arguments"
            title="Arguments of the program: argv[1] and the following"
            maxLength={500}
            value={build.args}
            onChange={({ target: { value } }) =>
              onBuild({ ...build, args: value })
            }
          />
          <label
            className="code-fetches"
            title="Adds a fetch before each access, at the place of its instruction in the WebAssembly code. This is an estimate: the machine code is larger, and elsewhere."
          >
            <input
              type="checkbox"
              aria-label={`${before}Estimated fetches`}
              checked={build.fetches ?? false}
              onChange={({ target: { checked } }) =>
                onBuild({ ...build, fetches: checked || undefined })
              }
            />{" "}
            fetches (estimate)
          </label>
        </>
      ) : null}
    </>
  );
}
