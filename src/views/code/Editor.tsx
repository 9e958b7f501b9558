/** A code editor: CodeMirror in the page's colours. Tab leaves it, as in any field. */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import {
  HighlightStyle,
  bracketMatching,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useEffectEvent, useRef } from "react";
import type { CodeProblem } from "../../model/code/code";
import { problemMarks, showProblem } from "./problemMark";

export interface EditorProps {
  readonly label: string;
  readonly value: string;
  /** The error of the last run. */
  readonly problem: CodeProblem | undefined;
  readonly onChange: (value: string) => void;
  /** Runs the code on Ctrl or Cmd with Enter. */
  readonly onRun: () => void;
}

const COLOURS = HighlightStyle.define([
  { tag: tags.comment, color: "var(--text-3)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.operatorKeyword], color: "var(--host)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--hit2-ink)" },
  { tag: [tags.string, tags.regexp], color: "var(--guest)" },
  { tag: tags.function(tags.variableName), color: "var(--hit1-ink)" },
]);

const THEME = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", fontSize: "var(--fs-m)" },
  "&.cm-focused": {
    outline: "var(--stroke-focus) solid var(--focus)",
    outlineOffset: "-2px",
  },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--text)", padding: "var(--s2) 0" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": {
    background: "var(--surface)",
    color: "var(--text-3)",
    border: "0",
  },
  ".cm-activeLine, .cm-activeLineGutter": { background: "transparent" },
  "&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter": {
    background: "var(--sunken)",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { background: "var(--hit1-soft)" },
  "&.cm-focused .cm-matchingBracket": {
    background: "none",
    outline: "1px solid var(--line-strong)",
  },
  ".cm-line.cm-wrong": {
    background: "var(--sunken)",
    boxShadow: "inset 3px 0 0 var(--text)",
  },
  ".cm-wrong-number": {
    background: "var(--text)",
    color: "var(--surface)",
    fontWeight: "var(--fw-b)",
  },
  ".cm-problem": {
    padding: "var(--s1) var(--s3)",
    background: "var(--sunken)",
    boxShadow: "inset 3px 0 0 var(--text)",
    fontFamily: "var(--font-ui)",
    whiteSpace: "normal",
    overflowWrap: "anywhere",
  },
});

export function Editor(props: EditorProps) {
  const { label, value, problem } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const changed = useEffectEvent((code: string) => {
    if (code !== value) props.onChange(code);
  });
  const run = useEffectEvent(props.onRun);
  const first = useEffectEvent(() => value);
  useEffect(() => {
    if (!place.current) return;
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
            ...defaultKeymap,
            ...historyKeymap,
          ]),
          javascript(),
          syntaxHighlighting(COLOURS),
          THEME,
          problemMarks,
          EditorView.contentAttributes.of({
            "aria-label": label,
            tabindex: "0",
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    return () => {
      view.current = null;
      made.destroy();
    };
  }, [label]);
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
  return <div ref={place} className="code-editor" />;
}
