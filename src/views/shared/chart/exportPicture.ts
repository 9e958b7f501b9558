/** A picture as a file of its own: the tokens become colours, the style sheet becomes attributes. */

/** What a style sheet may say of a part of a picture. */
const PROPERTIES = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linejoin",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
  "opacity",
];

/** Pixels of the file for each pixel of the screen. */
const DENSITY = 2;

function standalone(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll<SVGElement>("*")];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  originals.forEach((original, at) => {
    const style = getComputedStyle(original);
    for (const name of PROPERTIES) {
      const value = style.getPropertyValue(name);
      if (value !== "") copies[at]?.setAttribute(name, value);
    }
    copies[at]?.removeAttribute("class");
  });
  const ground = document.createElementNS(copy.namespaceURI, "rect");
  ground.setAttribute("width", "100%");
  ground.setAttribute("height", "100%");
  ground.setAttribute("fill", getComputedStyle(svg).backgroundColor);
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

export function svgOf(svg: SVGSVGElement): Blob {
  return new Blob([standalone(svg)], { type: "image/svg+xml" });
}

export async function pngOf(svg: SVGSVGElement): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = svg.width.baseVal.value * DENSITY;
  canvas.height = svg.height.baseVal.value * DENSITY;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("There is no canvas.");
  context.scale(DENSITY, DENSITY);
  context.drawImage(image, 0, 0);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error("The picture is too large."));
    }, "image/png");
  });
}
