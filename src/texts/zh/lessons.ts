/** The words of the lessons in Chinese, by the path of their file. */
export const lessons = import.meta.glob<string>("/lessons/*/zh.md", {
  eager: true,
  query: "?raw",
  import: "default",
});
