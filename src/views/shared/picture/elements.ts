/** Elements of an SVG. */
const SVG = "http://www.w3.org/2000/svg";

export function el(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes))
    made.setAttribute(
      key,
      typeof value === "number" ? String(Math.round(value * 100) / 100) : value,
    );
  return made;
}
