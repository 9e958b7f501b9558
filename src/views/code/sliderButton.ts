/** A button at the end of each `#define N 512` that makes the number a slider. */
import type { Extension } from "@codemirror/state";
import { StateField } from "@codemirror/state";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";
import type { DecorationSet } from "@codemirror/view";
import { definesOf, withSlider } from "../../model/code/defines";
import type { Define } from "../../model/code/defines";

class SliderButton extends WidgetType {
  readonly name: string;

  constructor({ name }: Define) {
    super();
    this.name = name;
  }

  override eq({ name }: SliderButton): boolean {
    return name === this.name;
  }

  override toDOM(view: EditorView): HTMLElement {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "cm-slider";
    button.textContent = "slider";
    button.title = `Change ${this.name} with a slider`;
    button.setAttribute("aria-label", button.title);
    button.onclick = () => {
      const code = view.state.doc.toString();
      const define = definesOf(code).find(
        ({ name, range }) => name === this.name && !range,
      );
      if (!define) return;
      view.dispatch({
        changes: {
          from: 0,
          to: code.length,
          insert: withSlider(code, define),
        },
      });
    };
    return button;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function buttonsOf(code: string): DecorationSet {
  return Decoration.set(
    definesOf(code)
      .filter(({ range }) => !range)
      .map((define) => {
        const end = code.indexOf("\n", define.to);
        return Decoration.widget({
          widget: new SliderButton(define),
          side: 1,
        }).range(end < 0 ? code.length : end);
      }),
  );
}

export const sliderButtons: Extension = StateField.define<DecorationSet>({
  create: (state) => buttonsOf(state.doc.toString()),
  update: (buttons, { docChanged, state }) =>
    docChanged ? buttonsOf(state.doc.toString()) : buttons,
  provide: (buttons) => EditorView.decorations.from(buttons),
});
