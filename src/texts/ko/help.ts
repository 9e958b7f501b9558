import type { Help } from "../en/help";

export const help: Help = {
  howWeKnow: "수치의 근거",
  projector: "큰 글자(프로젝터용)",
  usual: "보통 크기 글자",
  commands: "명령(Ctrl K)",
  keys: "단축키",
  again: "첫 화면 다시 보기",
  language: "언어(language)",
};
