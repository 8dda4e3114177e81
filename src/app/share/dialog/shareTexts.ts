/** What a link becomes where it is put into something else. */

/** A page's own frame, without the element's script. */
export function frameText(page: string, fragment: string, title: string): string {
  return `<iframe src="${escaped(`${page}?embed${fragment}`)}" title="${escaped(title)}" width="100%" height="400" loading="lazy"></iframe>`
}

/** The element for pages elsewhere, with the script that defines it (see README, Embed). */
export function elementOf(page: string, fragment: string): string {
  return `<script type="module" src="${escaped(new URL('embed.js', page).href)}"></script>\n<apportion-embed scenario="${escaped(page + fragment)}" height="400"></apportion-embed>`
}

/** `[title](link)`, with what came of the run behind it: names of stages stand there too. */
export function markdownOf(title: string, link: string, figures: string | null): string {
  return figures === null ? `[${inMarkdown(title)}](${link})` : `[${inMarkdown(title)}](${link}): ${inMarkdown(figures)}`
}

/** Whatever could be more than a letter in Markdown: links, emphasis, code, HTML, entities, cells of tables, strokes, formulas, pictures. */
function inMarkdown(words: string): string {
  return words.replace(/[\\[\]*_`<>&|~$!#]/g, '\\$&')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
