/** The part that is needed here of an API that not every browser has. */
interface TrustedTypes {
  createPolicy(name: 'picture', rules: { createHTML(text: string): string }): { createHTML(text: string): string }
}

// Made once, since a policy name can be used once. The drawing escapes every text that a person has written.
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('picture', { createHTML: (text) => text })

/** Returns a picture that the page has drawn itself as an element. Throws a SyntaxError if it is no SVG. */
export function ownPicture(svg: string): Element {
  const { documentElement } = new DOMParser().parseFromString(policy?.createHTML(svg) ?? svg, 'image/svg+xml')
  if (documentElement.localName !== 'svg') throw new SyntaxError(documentElement.textContent ?? 'no SVG')
  return document.importNode(documentElement, true)
}
