type Attributes = Readonly<Record<string, string | number | null>>

/** Appends an SVG as wide as its host, and returns it. `overflow`: whether marks at its edge may reach beyond it. */
export function createSvg(host: Element, attributes: Attributes, overflow: 'visible' | 'hidden' = 'visible'): SVGSVGElement {
  const svg = appendSvg(host, 'svg', { width: '100%', ...attributes })
  Object.assign(svg.style, { display: 'block', overflow })
  return svg
}

/** Appends an SVG element to `parent` and returns it. */
export function appendSvg<Name extends keyof SVGElementTagNameMap>(parent: Element, name: Name, attributes: Attributes = {}): SVGElementTagNameMap[Name] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  setAttributes(made, attributes)
  parent.append(made)
  return made
}

/** Sets attributes, null removes one. Those that stay the same are not touched, so that an unchanged picture costs the page nothing. */
export function setAttributes(target: Element, attributes: Attributes): void {
  for (const name in attributes) {
    const value = attributes[name]
    if (value === null) target.removeAttribute(name)
    else if (target.getAttribute(name) !== `${value}`) target.setAttribute(name, `${value}`)
  }
}

/** Sets the text of an element, if it is another. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text
}

/** Gives `group` one child for each item, making or removing children at its end, and has each drawn. */
export function drawEach<Name extends keyof SVGElementTagNameMap, Item>(
  group: Element,
  name: Name,
  items: readonly Item[],
  draw: (child: SVGElementTagNameMap[Name], item: Item, k: number) => void,
): void {
  while (group.childElementCount > items.length) group.lastElementChild?.remove()
  while (group.childElementCount < items.length) appendSvg(group, name)
  items.forEach((item, k) => {
    draw(group.children[k] as SVGElementTagNameMap[Name], item, k)
  })
}

/** Returns an SVG path of straight lines from point to point; empty for none. */
export function linePath(points: readonly (readonly [x: number, y: number])[]): string {
  return points.length === 0 ? '' : `M${points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join('L')}`
}

/** Returns an SVG path of lines without length, which round caps make into dots. */
export function dotsPath(points: readonly (readonly [x: number, y: number])[]): string {
  return points.map(([x, y]) => `M${x.toFixed(1)},${y.toFixed(1)}h.01`).join('')
}
