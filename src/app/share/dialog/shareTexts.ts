/** A link as text for other places: a frame, an element, Markdown. */

/** Returns a frame for another page, without the script of the element. */
export function frameText(page: string, fragment: string, title: string): string {
  return `<iframe src="${escaped(`${page}?embed${fragment}`)}" title="${escaped(title)}" width="100%" height="400" loading="lazy"></iframe>`
}

/** Returns the element for another page, with the script that defines it. Where that script is blocked, the link in the element is seen. */
export function elementOf(page: string, fragment: string, title: string): string {
  const link = escaped(page + fragment)
  return `<script type="module" src="${escaped(new URL('embed.js', page).href)}"></script>\n<apportion-embed scenario="${link}" height="400"><a href="${link}">${escaped(title)}</a></apportion-embed>`
}

/** Returns `[title](link)`, followed by the result of the run. */
export function markdownOf(title: string, link: string, figures: string | null): string {
  return figures === null ? `[${inMarkdown(title)}](${link})` : `[${inMarkdown(title)}](${link}): ${inMarkdown(figures)}`
}

/** Returns text with everything escaped that means something in Markdown: links, emphasis, code, HTML, tables, formulas, pictures. */
const inMarkdown = (words: string): string => words.replace(/[\\[\]*_`<>&|~$!#]/g, '\\$&')

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
