import type { Help } from "../en/help";

export const help: Help = {
  howWeKnow: "数字的依据",
  projector: "放大文字，便于投影",
  usual: "正常大小的文字",
  commands: "命令 (Ctrl K)",
  keys: "快捷键",
  again: "再次显示首屏",
  language: "语言 (language)",
};
