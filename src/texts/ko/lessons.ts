/** The words of the lessons in Korean, by the path of their file. */
export const lessons = import.meta.glob<string>("/lessons/*/ko.md", {
  eager: true,
  query: "?raw",
  import: "default",
});
