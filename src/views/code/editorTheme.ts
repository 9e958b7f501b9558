/** The page's colours in the editor. */
import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export const COLOURS = HighlightStyle.define([
  { tag: tags.comment, color: "var(--text-3)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.operatorKeyword], color: "var(--host)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--hit2-ink)" },
  { tag: [tags.string, tags.regexp], color: "var(--guest)" },
  { tag: tags.function(tags.variableName), color: "var(--hit1-ink)" },
]);

export const THEME = EditorView.theme({
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
  ".cm-line.cm-at": {
    background: "var(--hit2-soft)",
    boxShadow: "inset 3px 0 0 var(--hit2)",
  },
  ".cm-heats .cm-gutterElement": { cursor: "pointer" },
  ".cm-wrong-place": {
    textDecoration: "underline wavy var(--text)",
    textDecorationSkipInk: "none",
    textUnderlineOffset: "3px",
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
