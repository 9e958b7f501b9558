/** Tells the page around a frame how high its content is, so that it can fit the frame. Returns the end of that. */
export function postHeight(
  element: HTMLElement,
  page: Window = window,
): () => void {
  if (page.parent === page) return () => {};
  let told = 0;
  const tell = () => {
    const height = Math.ceil(element.getBoundingClientRect().height);
    if (height === told) return;
    told = height;
    // The height is no secret, and any page may show the frame.
    page.parent.postMessage({ type: "pagewalk:height", height }, "*");
  };
  const observer = new ResizeObserver(tell);
  observer.observe(element);
  tell();
  return () => observer.disconnect();
}
