/** A code editor: CodeMirror in the page's colours. Tab leaves it, as in any field. */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import {
  bracketMatching,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { Compartment, EditorState } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { CodeLanguage } from "../../model/code/build";
import type { CodeProblem } from "../../model/code/code";
import { COLOURS, THEME } from "./editorTheme";
import { cLanguage } from "./cLanguage";
import { countedLine, lineHeat, showAt, showHeat } from "./lineHeat";
import type { Heat } from "./lineHeat";
import "./editor.css";
import { problemMarks, showProblem } from "./problemMark";
import { sliderButtons } from "./sliderButton";

export interface EditorProps {
  readonly label: string;
  readonly value: string;
  readonly language: CodeLanguage;
  /** The counts next to the lines; they stay while the code changes. */
  readonly heat?: Heat | undefined;
  /** The line of the access at the cursor of the pictures. */
  readonly at?: number | undefined;
  /** A place to go to; a new object goes there again. */
  readonly jump?: EditorPlace | undefined;
  /** Goes to the next or the previous walk of a line. */
  readonly onLine?: (line: number, direction: 1 | -1) => void;
  /** Called with the line of the caret. */
  readonly onCaret?: (line: number) => void;
  /** The error of the last run. */
  readonly problem: CodeProblem | undefined;
  readonly onChange: (value: string) => void;
  /** Runs the code on Ctrl or Cmd with Enter. */
  readonly onRun: () => void;
}

/** Line and column, from 1. */
export interface EditorPlace {
  readonly line?: number;
  readonly column?: number;
}

function lineOfCaret({ doc, selection }: EditorState): number {
  return doc.lineAt(selection.main.head).number;
}

export function Editor(props: EditorProps) {
  const { label, value, problem, language, heat, at, jump } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const changed = useEffectEvent((code: string) => {
    if (code !== value) props.onChange(code);
  });
  const run = useEffectEvent(props.onRun);
  const goToLine = useEffectEvent((line: number, direction: 1 | -1) => {
    props.onLine?.(line, direction);
  });
  const caretAt = useEffectEvent((line: number) => props.onCaret?.(line));
  const [speech] = useState(() => new Compartment());
  const first = useEffectEvent(() => value);
  useEffect(() => {
    if (!place.current) return;
    const goFrom =
      (direction: 1 | -1) =>
      ({ state }: EditorView) => {
        const line = countedLine(state, state.selection.main.head);
        if (line !== undefined) goToLine(line, direction);
        // Without a count, the page goes on from the line at its cursor.
        return line !== undefined;
      };
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: first(),
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          indentOnInput(),
          indentUnit.of("  "),
          bracketMatching(),
          EditorView.lineWrapping,
          highlightActiveLine(),
          highlightActiveLineGutter(),
          keymap.of([
            {
              key: "Mod-Enter",
              run: () => {
                run();
                return true;
              },
            },
            {
              key: "F8",
              run: goFrom(1),
              shift: goFrom(-1),
            },
            ...defaultKeymap,
            ...historyKeymap,
          ]),
          speech.of([]),
          syntaxHighlighting(COLOURS),
          THEME,
          problemMarks,
          lineHeat((line) => goToLine(line, 1)),
          EditorView.contentAttributes.of({
            "aria-label": label,
            tabindex: "0",
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString());
            const line = lineOfCaret(update.state);
            if (update.selectionSet || update.docChanged) caretAt(line);
          }),
        ],
      }),
    });
    view.current = made;
    return () => {
      view.current = null;
      made.destroy();
    };
  }, [label, speech]);
  useEffect(() => {
    const isScript = language === "javascript";
    view.current?.dispatch({
      effects: speech.reconfigure(
        isScript ? javascript() : [cLanguage, sliderButtons],
      ),
    });
  }, [language, speech, label]);
  // Replaces the code when the user picks an example or opens a link.
  useEffect(() => {
    const { current } = view;
    if (!current) return;
    const { doc } = current.state;
    if (doc.toString() === value) return;
    current.dispatch({
      changes: { from: 0, to: doc.length, insert: value },
    });
  }, [value]);
  useEffect(() => {
    if (view.current) showProblem(view.current, problem);
  }, [problem, label]);
  useEffect(() => {
    if (view.current) showHeat(view.current, heat);
  }, [heat, label]);
  useEffect(() => {
    if (view.current) showAt(view.current, at);
  }, [at, label]);
  useEffect(() => {
    const { current } = view;
    if (!current || jump?.line === undefined) return;
    const { doc } = current.state;
    const line = doc.line(Math.max(1, Math.min(jump.line, doc.lines)));
    const anchor = Math.min(line.to, line.from + (jump.column ?? 1) - 1);
    current.dispatch({
      selection: { anchor },
      effects: EditorView.scrollIntoView(anchor, { y: "center" }),
    });
    current.focus();
  }, [jump, label]);
  return <div ref={place} className="code-editor" />;
}
