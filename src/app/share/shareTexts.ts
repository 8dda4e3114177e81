/** What a link becomes where it is put into something else. */

/** A page's own frame, without the element's script. */
export function frameOf(page: string, fragment: string, title: string): string {
  return `<iframe src="${escaped(`${page}?embed${fragment}`)}" title="${escaped(title)}" width="100%" height="400" loading="lazy"></iframe>`
}

/** The element for pages elsewhere, with the script that defines it (see README, Embed). */
export function elementOf(page: string, fragment: string): string {
  return `<script type="module" src="${escaped(new URL('embed.js', page).href)}"></script>\n<apportion-embed scenario="${escaped(page + fragment)}" height="400"></apportion-embed>`
}

/** `[title](link)`, with what came of the run behind it. */
export function markdownOf(title: string, link: string, figures: string | null): string {
  const words = title.replace(/[\\[\]*_`<>]/g, '\\$&')
  return figures === null ? `[${words}](${link})` : `[${words}](${link}): ${figures}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
